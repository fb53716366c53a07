import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WaryError } from '../../src/errors.ts'
import { encodeFilter, openFile } from '../../src/filter/encoding.ts'
import { avalanche } from '../../src/filter/murmur3-128.ts'
import { QuotientFilter } from '../../src/filter/quotient.ts'
import { expectDamageRefused, expectRate, expectSeedsDiffer, memberHash } from '../support/membership.ts'

const refusedParameter = expect.objectContaining({ code: 'filter-parameter' })
const refusedFile = expect.objectContaining({ code: 'filter-format' })

type Hash = readonly [high: number, low: number]

/** The fingerprint as the paper has it: the highest bits of the hash, here of one with the seed 0. */
function fingerprint([high, low]: Hash, bits: number): number {
  return Number(((BigInt((high ^ avalanche(low ^ 0x9e3779b9)) >>> 0) << 32n) | BigInt(low >>> 0)) >> BigInt(64 - bits))
}

/** Few quotients side by side, the last ones above all, so that long clusters grow and go round the end. */
const hashes: fc.Arbitrary<Hash> = fc
  .tuple(
    fc.oneof(fc.integer(), fc.integer({ min: -0x18000000, max: -1 }), fc.integer({ min: 0x20000000, max: 0x28000000 })),
    fc.constantFrom(0, 1, -1, 0x40000000, 0x12345678),
  )
  .map(([high, low]) => [high ^ avalanche(low ^ 0x9e3779b9), low])

interface Step {
  readonly kind: 'add' | 'delete' | 'reload' | 'resize' | 'merge'
  readonly hash: Hash
  readonly index: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 30, arbitrary: fc.constant<Step['kind']>('add') },
      { weight: 12, arbitrary: fc.constant<Step['kind']>('delete') },
      { weight: 1, arbitrary: fc.constantFrom<Step['kind'][]>('reload', 'resize', 'merge') },
    ),
    hash: hashes,
    index: fc.nat(),
  }),
  { maxLength: 150, size: 'max' },
)

/** Does the steps on a filter and on a plain list of hashes, which says for every hash just what the filter has to say. */
function follow(start: QuotientFilter, script: readonly Step[]): void {
  const bits = start.quotientBits + start.remainderBits
  const model: Hash[] = []
  let filter = start
  for (const { kind, hash, index } of script) {
    if (kind === 'add') {
      const before = filter.toBytes()
      if (filter.addHash(...hash)) model.push(hash)
      else {
        expect(filter.count).toBe(filter.capacity)
        expect(filter.toBytes()).toEqual(before)
      }
    } else if (kind === 'delete') {
      const [gone] = model.splice(index % Math.max(model.length, 1), 1)
      if (gone) expect(filter.deleteHash(...gone)).toBe(true)
    } else if (kind === 'reload') filter = QuotientFilter.verified(filter.toBytes())
    else if (kind === 'resize') {
      const other = 5 + (index % 4)
      if (Math.floor(0.95 * 2 ** other) >= model.length && other < bits) filter = filter.resized(other)
    } else if (kind === 'merge' && filter.quotientBits < 9) {
      const more = QuotientFilter.ofSize({ quotientBits: 5, remainderBits: bits - 5, seed: filter.seed })
      for (let i = 0; i < index % 20; i++) {
        const added: Hash = [Math.imul(hash[0], i + 1), hash[1]]
        more.addHash(...added)
        model.push(added)
      }
      filter = filter.merge(more)
    }
    const present = new Set(model.map((each) => fingerprint(each, bits)))
    expect(filter.mightContainHash(...hash)).toBe(present.has(fingerprint(hash, bits)))
  }
  expect(filter.count).toBe(model.length)
  expect([...filter.fingerprints()]).toEqual(model.map((each) => fingerprint(each, bits)).sort((a, b) => a - b))
  // The same keys in another order make the same bytes.
  const again = QuotientFilter.ofSize(filter)
  for (const each of model.reverse()) again.addHash(...each)
  expect(filter.toBytes()).toEqual(again.toBytes())
}

/** A filter of 50 keys in 64 slots, with clusters and runs, across the end too. */
function crowded(): QuotientFilter {
  const filter = QuotientFilter.ofSize({ quotientBits: 6, remainderBits: 4 })
  for (let i = 0; i < 40; i++) filter.addHash(...memberHash(i))
  for (let i = 0; i < 10; i++) filter.addHash(-1 - (i << 23), 0)
  return filter
}

describe('QuotientFilter', () => {
  it.each([1e-2, 1e-3, 1e-4])('has no false negative and keeps the rate %d', (rate) => {
    const n = 50_000
    const filter = QuotientFilter.create({ capacity: n, rate, seed: 7 })
    for (let i = 0; i < n; i++) filter.addHash(...memberHash(i))
    expect(filter.count).toBe(n)
    expectRate(filter, n, rate)
  })

  it.each([1e-2, 1e-3, 1e-4])('has at most 1.1 times the bits of theory at the rate %d, where 2^q suits', (rate) => {
    const capacity = Math.floor(0.95 * 2 ** 16)
    const theory = (Math.log2(1 / rate) + 3) / 0.95
    const filter = QuotientFilter.create({ capacity, rate })
    expect(filter.capacity).toBe(capacity)
    expect((filter.byteLength * 8) / capacity).toBeLessThan(1.1 * theory)
    const oneMore = QuotientFilter.create({ capacity: capacity + 1, rate })
    expect(oneMore.quotientBits).toBe(17)
    expect(oneMore.remainderBits).toBe(filter.remainderBits - 1)
  })

  it.each(Array.from({ length: 31 }, (_, i) => i + 1))(
    'keeps and gives back keys with remainders of %d bits, full to the last',
    (remainderBits) => {
      const filter = QuotientFilter.ofSize({ quotientBits: 9, remainderBits })
      const n = filter.capacity
      for (let i = 0; i < n; i++) filter.addHash(...memberHash(i))
      const full = filter.toBytes()
      expect(filter.addHash(...memberHash(n))).toBe(false)
      expect(filter.toBytes()).toEqual(full)
      for (let i = 0; i < n; i++) {
        if (!filter.mightContainHash(...memberHash(i))) throw new Error(`key ${i} is lost`)
        if (!filter.deleteHash(...memberHash(i))) throw new Error(`key ${i} cannot be deleted`)
      }
      expect(filter.toBytes()).toEqual(QuotientFilter.ofSize({ quotientBits: 9, remainderBits }).toBytes())
    },
  )

  it('answers just as the list of fingerprints does, whatever is added, deleted, reloaded, resized and merged', () => {
    const size = fc.record({ quotientBits: fc.integer({ min: 5, max: 7 }), remainderBits: fc.integer({ min: 5, max: 29 }) })
    fc.assert(
      fc.property(size, steps, ({ quotientBits, remainderBits }, script) => {
        follow(QuotientFilter.ofSize({ quotientBits, remainderBits, seed: 0 }), script)
      }),
      { numRuns: 300 },
    )
  })

  it('counts the copies of a key', () => {
    const filter = QuotientFilter.create({ capacity: 100, rate: 0.001, seed: 9 })
    for (let i = 0; i < 20; i++) expect(filter.add('key')).toBe(true)
    expect(filter.count).toBe(20)
    for (let i = 0; i < 20; i++) expect(filter.delete('key')).toBe(true)
    expect(filter.delete('key')).toBe(false)
    expect(filter.mightContain('key')).toBe(false)
    expect(filter.count).toBe(0)
  })

  it('merges filters of text keys into one that is large enough', () => {
    const filters = [0, 1, 2].map((part) => {
      const filter = QuotientFilter.create({ capacity: 60, rate: 1e-4, seed: 3 })
      for (let i = 0; i < 60; i++) filter.add(`part ${part} key ${i}`)
      return filter
    })
    const [first, second, third] = filters
    if (!first || !second || !third) throw new Error('three filters')
    const merged = first.merge(second).merge(third)
    expect(merged.count).toBe(180)
    expect(merged.quotientBits).toBe(8)
    expect(merged.quotientBits + merged.remainderBits).toBe(first.quotientBits + first.remainderBits)
    for (let part = 0; part < 3; part++) for (let i = 0; i < 60; i++) expect(merged.mightContain(`part ${part} key ${i}`)).toBe(true)
    expect(merged.toBytes()).toEqual(third.merge(first.merge(second)).toBytes())
    expect([...merged.fingerprints()]).toEqual(
      [...first.fingerprints(), ...second.fingerprints(), ...third.fingerprints()].sort((a, b) => a - b),
    )
    QuotientFilter.verified(merged.toBytes())
  })

  it('errs as before when it is resized', () => {
    const filter = QuotientFilter.create({ capacity: 400, rate: 0.01 })
    for (let i = 0; i < 400; i++) filter.addHash(...memberHash(i))
    const larger = filter.resized(filter.quotientBits + 3)
    expect(larger.expectedRate()).toBe(filter.expectedRate())
    for (let i = 0; i < 5_000; i++) expect(larger.mightContainHash(...memberHash(i))).toBe(filter.mightContainHash(...memberHash(i)))
    expect(larger.resized(filter.quotientBits).toBytes()).toEqual(filter.toBytes())
  })

  it('refuses to merge or resize what does not fit', () => {
    const filter = QuotientFilter.ofSize({ quotientBits: 6, remainderBits: 2 })
    for (let i = 0; i < 60; i++) filter.addHash(...memberHash(i))
    expect(() => filter.resized(5)).toThrow(refusedParameter)
    expect(() => filter.resized(8)).toThrow(refusedParameter)
    expect(() => filter.resized(6.5)).toThrow(refusedParameter)
    expect(() => filter.resized(Number.NaN)).toThrow(refusedParameter)
    expect(filter.resized(7).remainderBits).toBe(1)
    expect(() => filter.merge(filter).merge(filter)).toThrow(refusedParameter)
    expect(() => filter.merge(QuotientFilter.ofSize({ quotientBits: 6, remainderBits: 3 }))).toThrow(refusedParameter)
    expect(() => filter.merge(QuotientFilter.ofSize({ quotientBits: 6, remainderBits: 2, seed: 1 }))).toThrow(refusedParameter)
  })

  it('errs about other keys with another seed', () => {
    expectSeedsDiffer((seed) => {
      const filter = QuotientFilter.create({ capacity: 2_000, rate: 0.02, seed })
      for (let i = 0; i < 2_000; i++) filter.addHash(...memberHash(i))
      return filter
    })
  })

  it('answers no to everything when empty', () => {
    const filter = QuotientFilter.create({ capacity: 0, rate: 0.01 })
    expect(filter.mightContain('x')).toBe(false)
    expect(filter.delete('x')).toBe(false)
    expect(filter.expectedRate()).toBe(0)
    expect([...filter.fingerprints()]).toEqual([])
    expect(QuotientFilter.verified(filter.toBytes()).mightContain('x')).toBe(false)
  })

  it('answers from the bytes of its file, at any offset of a larger buffer', () => {
    const filter = QuotientFilter.create({ capacity: 50, rate: 0.001, seed: 5 })
    for (let i = 0; i < 50; i++) filter.add(`key ${i}`)
    const file = filter.toBytes()
    expect(file).toHaveLength(filter.byteLength)
    for (let offset = 0; offset < 4; offset++) {
      const larger = new Uint8Array(file.length + 8).fill(0xff)
      larger.set(file, offset)
      const opened = QuotientFilter.fromBytes(larger.subarray(offset, offset + file.length))
      expect({ ...opened }).toEqual({ ...filter })
      expect(opened.toBytes()).toEqual(file)
      expect(opened.delete('key 3')).toBe(true)
      expect(() => opened.verify()).toThrow(refusedFile)
      expect(opened.add('key 3')).toBe(true)
      opened.verify()
    }
  })

  it('has the same bytes on every platform', () => {
    const filter = QuotientFilter.ofSize({ quotientBits: 5, remainderBits: 5, seed: 1 })
    for (let i = 0; i < 20; i++) filter.add(`key ${i}`)
    expect(Buffer.from(filter.toBytes()).toString('hex')).toMatchInlineSnapshot(
      `"57464c540206020201000000b7592b2b140000000000000005000000000000000500000000000000782dfaa0104000c0f14000c01c00e01a1715a405200500023ab143000000886100000000"`,
    )
  })

  it('refuses every truncation and every flipped bit', () => {
    expectDamageRefused(crowded().toBytes(), QuotientFilter.verified)
  })

  it('refuses every flipped bit of the flags under a checksum that holds', () => {
    const filter = crowded()
    const { head, body } = openFile(filter.toBytes(), 'quotient', 2)
    for (let bit = 0; bit < 3 * 64; bit++) {
      const flipped = body.slice()
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => QuotientFilter.verified(encodeFilter(head, flipped)), `bit ${bit}`).toThrow(refusedFile)
    }
    expect(QuotientFilter.verified(encodeFilter(head, body)).toBytes()).toEqual(filter.toBytes())
  })

  it('ends with an answer or as a damaged file, whatever the slots are', () => {
    let damaged = 0
    const flags = fc.array(fc.constantFrom(0, 0xff, 0x55, 0xfe, 0x7f, 0x13), { minLength: 24, maxLength: 24 })
    fc.assert(
      fc.property(flags, fc.uint8Array({ minLength: 32, maxLength: 32 }), hashes, (three, remainders, hash) => {
        const body = new Uint8Array([...three, ...remainders, 0, 0, 0, 0])
        const file = encodeFilter({ kind: 'quotient', seed: 0, count: 30, parameters: [6n, 4n] }, body)
        for (const use of [
          (filter: QuotientFilter) => filter.mightContainHash(...hash),
          (filter: QuotientFilter) => filter.addHash(...hash),
          (filter: QuotientFilter) => filter.deleteHash(...hash),
          (filter: QuotientFilter) => filter.merge(filter),
          (filter: QuotientFilter) => filter.resized(7),
        ]) {
          try {
            use(QuotientFilter.fromBytes(file.slice()))
          } catch (error) {
            if (!(error instanceof WaryError) || error.code !== 'filter-format') throw error
            damaged++
          }
        }
        expect(() => QuotientFilter.verified(file)).toThrow(refusedFile)
      }),
      { numRuns: 500 },
    )
    expect(damaged).toBeGreaterThan(100)
  })

  it.each([
    ['4 bits of quotient', { parameters: [4n, 5n], bytes: 20 }],
    ['no remainder', { parameters: [5n, 0n], bytes: 16 }],
    ['remainders of 32 bits', { parameters: [5n, 32n], bytes: 144 }],
    ['fingerprints of 54 bits', { parameters: [27n, 27n] }],
    ['more bits than a filter has', { parameters: [31n, 1n] }],
    ['a size out of range', { parameters: [2n ** 63n, 5n] }],
    ['a body too long', { bytes: 37 }],
    ['a body too short', { bytes: 35 }],
    ['more keys than fit', { count: 31 }],
    ['a count that is not that of the used slots', { count: 1 }],
    ['a remainder in a free slot', { marked: 12 }],
    ['something behind the remainders', { marked: 35 }],
  ])('refuses %s', (_, given: { parameters?: bigint[]; bytes?: number; count?: number; marked?: number }) => {
    const { parameters = [5n, 5n], bytes = 36, count = 0, marked } = given
    const body = new Uint8Array(bytes)
    if (marked !== undefined) body[marked] = 1
    const file = encodeFilter({ kind: 'quotient', seed: 0, count, parameters }, body)
    expect(() => QuotientFilter.verified(file)).toThrow(refusedFile)
  })

  it.each([
    { capacity: -1, rate: 0.1 },
    { capacity: 1.5, rate: 0.1 },
    { capacity: 10, rate: 0 },
    { capacity: 10, rate: 1 },
    { capacity: 10, rate: Number.NaN },
    { capacity: 10, rate: 1e-12 },
    { capacity: 10, rate: Number.MIN_VALUE },
    { capacity: 2 ** 40, rate: 0.001 },
  ])('refuses $capacity keys at $rate', (options) => {
    expect(() => QuotientFilter.create(options)).toThrow(refusedParameter)
  })
})
