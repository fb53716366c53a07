import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  carriedChecksum,
  encodeFilter,
  floatOf,
  floatParameter,
  headBytes,
  kindOf,
  newFile,
  openFile,
  seal,
  verifyFile,
  wholeNumber,
} from '../../src/filter/encoding.ts'
import type { FilterKind } from '../../src/filter/membership-filter.ts'

const refused = expect.objectContaining({ code: 'filter-format' })
const KINDS: readonly FilterKind[] = ['bloom', 'paged-bloom', 'counting-bloom', 'scalable-bloom', 'cuckoo', 'quotient', 'binary-fuse']
const head = { kind: 'quotient', seed: 0xfedcba98, count: 2 ** 40, parameters: [1n, 2n ** 53n - 1n] } as const

describe('filter file', () => {
  it('says no count that it could not be opened with', () => {
    const file = encodeFilter({ ...head, count: 2 ** 53 + 2 }, new Uint8Array(0))
    expect(openFile(file, 'quotient', 2).head.count).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('has its fields where the table says', () => {
    const file = encodeFilter(head, Uint8Array.of(7, 8, 9))
    const view = new DataView(file.buffer)
    expect(Buffer.from(file.subarray(0, 4)).toString('latin1')).toBe('WFLT')
    expect([...file.subarray(4, 8)]).toEqual([2, 6, 2, 2])
    expect(view.getUint32(8, true)).toBe(0xfedcba98)
    expect(view.getBigUint64(16, true)).toBe(2n ** 40n)
    expect([view.getBigUint64(24, true), view.getBigUint64(32, true)]).toEqual(head.parameters)
    expect([...file.subarray(headBytes(2))]).toEqual([7, 8, 9])
    const blank = file.slice()
    blank.fill(0, 12, 16)
    expect(view.getUint32(12, true)).toBe(crc32(blank))
    expect(carriedChecksum(file)).toBe(crc32(blank))
  })

  it.each(KINDS.map((kind, i) => [kind, i + 1] as const))('%s has number %d', (kind, number) => {
    const file = encodeFilter({ ...head, kind }, new Uint8Array(0))
    expect(file[5]).toBe(number)
    expect(kindOf(file)).toBe(kind)
  })

  it('gives back what went in, the body as a view', () => {
    const { file, body } = newFile(head, 5)
    body.set([1, 2, 3, 4, 5])
    const opened = openFile(seal(file), 'quotient', 2)
    expect(opened.head).toEqual(head)
    opened.body[0] = 77
    expect(file[headBytes(2)]).toBe(77)
  })

  it('says what is wrong with a head', () => {
    const file = encodeFilter(head, new Uint8Array(3))
    const changed = (at: number, value: number): Uint8Array => {
      const copy = file.slice()
      copy[at] = value
      return copy
    }
    expect(() => openFile(file, 'bloom', 2)).toThrow(/quotient instead of bloom/)
    expect(() => openFile(file, 'quotient', 3)).toThrow(/2 parameters instead of 3/)
    expect(() => openFile(file.subarray(0, 39), 'quotient', 2)).toThrow(/ends within its head/)
    expect(() => kindOf(file.subarray(0, 23))).toThrow(/at least 24 bytes, not 23/)
    expect(() => kindOf(changed(0, 0))).toThrow(/not a filter file/)
    expect(() => kindOf(changed(4, 3))).toThrow(/version 3 is not known/)
    expect(() => kindOf(changed(5, 0))).toThrow(/kind 0 is not known/)
    expect(() => kindOf(changed(5, 8))).toThrow(/kind 8 is not known/)
    expect(() => kindOf(changed(6, 1))).toThrow(/hash 1 is not known/)
    expect(() => openFile(changed(23, 0xff), 'quotient', 2)).toThrow(/out of range/)
    expect(() => verifyFile(changed(41, 1))).toThrow(/checksum/)
  })

  it('refuses noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
        expect(() => kindOf(noise)).toThrow(refused)
        expect(() => verifyFile(noise)).toThrow(refused)
      }),
    )
  })

  it('keeps any float64 in a parameter', () => {
    fc.assert(
      fc.property(fc.double(), (number) => {
        expect(floatOf(floatParameter(number))).toBe(number)
      }),
    )
    expect(floatParameter(0.5)).toBe(0x3fe0000000000000n)
  })

  it('takes whole numbers up to 2^53 - 1', () => {
    expect(wholeNumber(2n ** 53n - 1n)).toBe(Number.MAX_SAFE_INTEGER)
    expect(() => wholeNumber(2n ** 53n)).toThrow(refused)
    expect(() => wholeNumber(undefined)).toThrow(refused)
  })
})
