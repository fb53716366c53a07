import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { encodeFilter, floatParameter, headBytes } from '../../src/filter/encoding.ts'
import type { Deletable, Insertable, MembershipFilter } from '../../src/filter/membership-filter.ts'
import { ScalableBloomFilter, type ScalableBloomOptions } from '../../src/filter/scalable-bloom.ts'
import { LAYER_HEAD_BYTES } from '../../src/filter/scalable-layer.ts'
import { expectDamageRefused, expectSeedsDiffer, memberHash, strangerHash } from '../support/membership.ts'

const refusedFile = expect.objectContaining({ code: 'filter-format' })
const refusedParameter = expect.objectContaining({ code: 'filter-parameter' })

function filled(n: number, options: ScalableBloomOptions): ScalableBloomFilter {
  const filter = ScalableBloomFilter.create(options)
  for (let i = 0; i < n; i++) filter.addHash(...memberHash(i))
  return filter
}

/** Share of strangers that are taken for members. */
function measured(filter: ScalableBloomFilter, strangers: number): number {
  let positives = 0
  for (let i = 0; i < strangers; i++) if (filter.mightContainHash(...strangerHash(i))) positives++
  return positives / strangers
}

describe('ScalableBloomFilter', () => {
  it.each([1e-2, 1e-3, 1e-4])('keeps the rate %d over a hundred times as many keys as were guessed', (rate) => {
    const filter = filled(50_000, { capacity: 500, rate, seed: 7 })
    for (let i = 0; i < 50_000; i++) if (!filter.mightContainHash(...memberHash(i))) throw new Error(`key ${i} is lost`)
    expect(filter.layers).toBe(7)
    expect(filter.capacity).toBe(500 * 127)
    const strangers = 400_000
    const expected = filter.expectedRate()
    expect(expected).toBeLessThanOrEqual(rate)
    expect(Math.abs(measured(filter, strangers) - expected)).toBeLessThan(5 * Math.sqrt(expected / strangers))
  })

  it.each([
    { growth: 1, tightening: 0.9 },
    { growth: 1.5, tightening: 0.8 },
    { growth: 2, tightening: 0.5 },
    { growth: 4, tightening: 0.25 },
    { growth: 10, tightening: 0.9 },
  ])('is bounded by the sum of a series, whatever the number of layers: %j', ({ growth, tightening }) => {
    const filter = ScalableBloomFilter.create({ capacity: 2000, rate: 0.02, growth, tightening })
    for (let i = 0; i < 60_000; i++) {
      filter.addHash(...memberHash(i))
      if (i % 100 === 0) expect(filter.expectedRate()).toBeLessThanOrEqual(0.02)
    }
    expect(filter.layers).toBeGreaterThan(2)
    // How many bits of the small first layers are set is a matter of chance too.
    expect(measured(filter, 100_000)).toBeLessThanOrEqual(1.05 * 0.02)
  })

  it('gives the first layer (1 - r) of the rate, so that one is a standard filter of that', () => {
    const filter = ScalableBloomFilter.create({ capacity: 1000, rate: 0.02, tightening: 0.5 })
    expect(filter.bits).toBe(BloomFilter.create({ capacity: 1000, rate: 0.01 }).bits)
    expect(filter.byteLength).toBe(headBytes(5) + LAYER_HEAD_BYTES + Math.ceil(filter.bits / 8))
  })

  it('takes no room for what is in already', () => {
    const filter = ScalableBloomFilter.create({ capacity: 100, rate: 1e-6 })
    for (let round = 0; round < 50; round++) for (let i = 0; i < 100; i++) expect(filter.add(`key ${i}`)).toBe(true)
    expect(filter).toMatchObject({ layers: 1, count: 5000 })
    filter.add('another')
    expect(filter).toMatchObject({ layers: 2, capacity: 300, count: 5001 })
  })

  it('refuses what does not fit when it is not to scale, and nothing changes', () => {
    const filter = ScalableBloomFilter.create({ capacity: 100, rate: 0.01, scaling: false })
    expect(filter.bits).toBe(BloomFilter.create({ capacity: 100, rate: 0.01 }).bits)
    const added: string[] = []
    for (let i = 0; added.length < 100; i++) {
      const known = filter.mightContain(`key ${i}`)
      expect(filter.add(`key ${i}`)).toBe(true)
      if (!known) added.push(`key ${i}`)
    }
    const before = filter.toBytes()
    const strangers = Array.from({ length: 1000 }, (_, i) => `stranger ${i}`).filter((key) => !filter.mightContain(key))
    expect(strangers.length).toBeGreaterThan(900)
    for (const key of strangers) expect(filter.add(key)).toBe(false)
    expect(filter.toBytes()).toEqual(before)
    // What is in may be added again.
    for (const key of added) expect(filter.add(key)).toBe(true)
    expect(filter.layers).toBe(1)
    expect(filter.expectedRate()).toBeLessThanOrEqual(0.01)
    expect(ScalableBloomFilter.verified(filter.toBytes()).add(strangers[0] as string)).toBe(false)
  })

  it('refuses what would need a layer that cannot be', () => {
    const filter = ScalableBloomFilter.create({ capacity: 1, rate: 0.01, growth: 1e12 })
    expect(filter.add('a')).toBe(true)
    const before = filter.toBytes()
    expect(filter.add('b')).toBe(false)
    expect(filter.toBytes()).toEqual(before)
    const strict = ScalableBloomFilter.create({ capacity: 1, rate: 0.01, tightening: 1e-200 })
    expect([strict.add('a'), strict.add('b'), strict.add('c'), strict.add('d')]).toEqual([true, true, true, false])
  })

  it('errs about other keys with another seed', () => expectSeedsDiffer((seed) => filled(2000, { capacity: 300, rate: 0.02, seed })))

  it('does what a set does, through its files', () => {
    const steps = fc.array(
      fc.record({ kind: fc.constantFrom('add', 'add', 'add', 'add', 'reload'), key: fc.nat(400).map((i) => `key ${i}`) }),
      { maxLength: 300, size: 'max' },
    )
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 1, max: 3, noNaN: true }),
        fc.nat(99),
        (script, capacity, growth, seed) => {
          let filter = ScalableBloomFilter.create({ capacity, rate: 0.01, growth, seed })
          const model = new Set<string>()
          let added = 0
          for (const { kind, key } of script) {
            if (kind === 'reload') filter = ScalableBloomFilter.verified(filter.toBytes())
            else if (filter.add(key)) {
              model.add(key)
              added++
            }
          }
          for (const key of model) expect(filter.mightContain(key), key).toBe(true)
          expect(filter.count).toBe(added)
          const file = filter.toBytes()
          expect(file).toHaveLength(filter.byteLength)
          const loaded = ScalableBloomFilter.fromBytes(file)
          expect({ ...loaded }).toEqual({ ...filter })
          expect(loaded.toBytes()).toEqual(file)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('goes on from a file it was opened from, whose layers change with it', () => {
    const filter = ScalableBloomFilter.create({ capacity: 5, rate: 0.01 })
    for (let i = 0; i < 5; i++) filter.add(`key ${i}`)
    const file = filter.toBytes()
    const loaded = ScalableBloomFilter.fromBytes(file)
    loaded.verify()
    for (let i = 5; i < 50; i++) loaded.add(`key ${i}`)
    for (let i = 0; i < 50; i++) expect(loaded.mightContain(`key ${i}`)).toBe(true)
    expect(loaded.layers).toBeGreaterThan(2)
    loaded.verify()
    expect(loaded.fillRatio()).toBeGreaterThan(0.3)
  })

  it('has the same bytes on every platform', () => {
    const filter = ScalableBloomFilter.create({ capacity: 2, rate: 0.5, seed: 1 })
    for (const each of ['a', 'b', 'c', 'd']) filter.add(each)
    expect(filter.layers).toBe(2)
    expect(Buffer.from(filter.toBytes()).toString('hex')).toMatchInlineSnapshot(
      `"57464c54020402050100000083bbefb804000000000000000200000000000000000000000000e03f0000000000000040000000000000e03f0100000000000000060000000000000002000000000000000200000000000000020000000000000012000000000000000300000000000000040000000000000001000000000000003a010401"`,
    )
  })

  it('refuses every truncation and every flipped bit', () =>
    expectDamageRefused(filled(12, { capacity: 4, rate: 0.01 }).toBytes(), ScalableBloomFilter.verified))

  const [half, two, tenth] = [0.5, 2, 0.1].map(floatParameter) as [bigint, bigint, bigint]
  const oneLayer = (bits: bigint, hashes: bigint, capacity: bigint, count: bigint, bytes: number): Uint8Array => {
    const body = new Uint8Array(LAYER_HEAD_BYTES + bytes)
    const view = new DataView(body.buffer)
    for (const [i, number] of [bits, hashes, capacity, count].entries()) view.setBigUint64(8 * i, number, true)
    return body
  }
  const sound = oneLayer(80n, 3n, 5n, 0n, 10)

  it('takes a file that is in order', () => {
    const parameters = [1n, tenth, two, half, 1n]
    const file = encodeFilter({ kind: 'scalable-bloom', seed: 0, count: 0, parameters }, sound)
    expect(ScalableBloomFilter.verified(file)).toMatchObject({
      rate: 0.1,
      growth: 2,
      tightening: 0.5,
      scaling: true,
      layers: 1,
      capacity: 5,
    })
  })

  it.each([
    ['no layer', [0n, tenth, two, half, 1n], sound],
    ['more layers than there are', [2n, tenth, two, half, 1n], sound],
    ['65 layers', [65n, tenth, two, half, 1n], new Uint8Array(65 * LAYER_HEAD_BYTES)],
    ['2^64 - 1 layers', [2n ** 64n - 1n, tenth, two, half, 1n], sound],
    ['a rate of 2', [1n, two, two, half, 1n], sound],
    ['a rate that is no number', [1n, floatParameter(Number.NaN), two, half, 1n], sound],
    ['layers that get smaller', [1n, tenth, half, half, 1n], sound],
    ['layers that grow without end', [1n, tenth, floatParameter(Number.POSITIVE_INFINITY), half, 1n], sound],
    ['rates that grow', [1n, tenth, two, two, 1n], sound],
    ['a scaling of 2', [1n, tenth, two, half, 2n], sound],
    ['two layers where there is to be one', [2n, tenth, two, half, 0n], new Uint8Array(2 * LAYER_HEAD_BYTES)],
    ['a layer without bits', [1n, tenth, two, half, 1n], oneLayer(0n, 3n, 5n, 0n, 0)],
    ['a layer of 2^32 + 1 bits', [1n, tenth, two, half, 1n], oneLayer(2n ** 32n + 1n, 3n, 5n, 0n, 10)],
    ['a layer of 2^64 - 1 bits', [1n, tenth, two, half, 1n], oneLayer(2n ** 64n - 1n, 3n, 5n, 0n, 10)],
    ['a layer cut off', [1n, tenth, two, half, 1n], oneLayer(88n, 3n, 5n, 0n, 10)],
    ['bytes behind the last layer', [1n, tenth, two, half, 1n], oneLayer(72n, 3n, 5n, 0n, 10)],
    ['a layer without hash functions', [1n, tenth, two, half, 1n], oneLayer(80n, 0n, 5n, 0n, 10)],
    ['a layer of 33 hash functions', [1n, tenth, two, half, 1n], oneLayer(80n, 33n, 5n, 0n, 10)],
    ['a layer that takes no key', [1n, tenth, two, half, 1n], oneLayer(80n, 3n, 0n, 0n, 10)],
    ['a layer with more keys than it takes', [1n, tenth, two, half, 1n], oneLayer(80n, 3n, 5n, 6n, 10)],
    ['layers with more keys than were added', [1n, tenth, two, half, 1n], oneLayer(80n, 3n, 5n, 1n, 10)],
    ['unused bits set', [1n, tenth, two, half, 1n], oneLayer(79n, 3n, 5n, 0n, 10).fill(0x80, LAYER_HEAD_BYTES + 9)],
  ])('refuses a file with %s, though its checksum holds', (_, parameters, body) => {
    const file = encodeFilter({ kind: 'scalable-bloom', seed: 0, count: 0, parameters }, body)
    expect(() => ScalableBloomFilter.verified(file)).toThrow(refusedFile)
  })

  it.each([
    { capacity: 0, rate: 0.1 },
    { capacity: -1, rate: 0.1 },
    { capacity: 10, rate: 0 },
    { capacity: 10, rate: 1 },
    { capacity: 10, rate: 0.1, growth: 0.5 },
    { capacity: 10, rate: 0.1, growth: Number.NaN },
    { capacity: 10, rate: 0.1, tightening: 0 },
    { capacity: 10, rate: 0.1, tightening: 1 },
    { capacity: 2 ** 40, rate: 0.1 },
  ])('refuses %j', (options) => expect(() => ScalableBloomFilter.create(options)).toThrow(refusedParameter))

  it('is what its kind can do, to the compiler', () => {
    expectTypeOf<ScalableBloomFilter>().toExtend<MembershipFilter & Insertable>()
    expectTypeOf<ScalableBloomFilter>().not.toExtend<Deletable>()
    // One that is not to scale may be full.
    expectTypeOf<ScalableBloomFilter['add']>().returns.toEqualTypeOf<boolean>()
  })
})

it('says a rate too small to be told from none as it is', () => {
  const filter = ScalableBloomFilter.create({ capacity: 100, rate: 1e-18 })
  for (let i = 0; i < 90; i++) filter.add(`key ${i}`)
  expect(filter.expectedRate()).toBeGreaterThan(1e-20)
  expect(filter.expectedRate()).toBeLessThan(1e-18)
})
