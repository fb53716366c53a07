import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GapReader, GapWriter, shiftFor } from '../../src/filter/gap-code.ts'

function written(numbers: readonly number[], shift: number): Uint8Array {
  const writer = new GapWriter(shift)
  for (const number of numbers) writer.write(number)
  return writer.bytes()
}

function read(bytes: Uint8Array, shift: number, bound: number, count: number): (number | undefined)[] {
  const reader = new GapReader(bytes, shift, bound)
  const numbers = Array.from({ length: count }, () => reader.read())
  return reader.atEnd() ? numbers : [...numbers, -1]
}

describe('gap code', () => {
  it('is as documented', () => {
    // Gaps 5 and 0 with r = 2: quotient 1 (10), remainder 1 (10 lowest first); quotient 0 (0), remainder 0 (00).
    expect([...written([5, 6], 2)]).toEqual([0b0000101])
  })

  it('gives back any ascending numbers, up to 2^32', () => {
    const numbers = fc.uniqueArray(fc.oneof(fc.nat(300), fc.nat(100_000)), { maxLength: 60 }).map((all) => all.sort((a, b) => a - b))
    fc.assert(
      fc.property(numbers, fc.nat(20), (all, shift) => {
        expect(read(written(all, shift), shift, 100_001, all.length)).toEqual(all)
      }),
    )
    const large = [0, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1]
    for (const shift of [20, 30, 31]) expect(read(written(large, shift), shift, 2 ** 32, 5)).toEqual(large)
  })

  it('takes at most 0.12 bits a number more than any code could', () => {
    for (const every of [2, 3, 10, 134, 144, 3000]) {
      let state = 1
      const numbers: number[] = []
      for (let i = 0; numbers.length < 20_000; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0
        if (state >>> 0 < 2 ** 32 / every) numbers.push(i)
      }
      const bound = (numbers.at(-1) ?? 0) + 1
      const p = numbers.length / bound
      const least = -Math.log2(p) - ((1 - p) / p) * Math.log2(1 - p)
      expect((8 * written(numbers, shiftFor(numbers.length, bound)).length) / numbers.length - least).toBeLessThan(0.13)
    }
  })

  it('reads no number past the end or the bound, and sees what is left', () => {
    expect(read(new Uint8Array(0), 3, 100, 1)).toEqual([undefined])
    expect(read(Uint8Array.of(0xff, 0xff), 3, 1000, 1).slice(0, 1)).toEqual([undefined])
    expect(read(Uint8Array.of(0xff, 0xff), 31, 2 ** 32, 1).slice(0, 1)).toEqual([undefined])
    expect(read(written([99], 4), 4, 99, 1).slice(0, 1)).toEqual([undefined])
    expect(read(written([98], 4), 4, 99, 1)).toEqual([98])
    expect(read(Uint8Array.of(0b01000000), 2, 100, 1)).toEqual([0, -1])
    expect(read(Uint8Array.of(0, 0), 2, 100, 1)).toEqual([0, -1])
  })

  it('has an r from 0 to 31', () => {
    expect([shiftFor(0, 0), shiftFor(10, 10), shiftFor(0, 2 ** 32), shiftFor(1, 2 ** 32)]).toEqual([0, 0, 0, 31])
  })
})
