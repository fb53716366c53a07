import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BinaryFuseFilter } from '../../src/filter/binary-fuse.ts'
import { buildFuse } from '../../src/filter/binary-fuse-build.ts'
import { fuseCells, fuseSize } from '../../src/filter/binary-fuse-size.ts'
import { encodeFilter } from '../../src/filter/encoding.ts'
import { expectDamageRefused, expectRate, expectSeedsDiffer, memberHash } from '../support/membership.ts'

const refusedParameter = expect.objectContaining({ code: 'filter-parameter' })
const refusedFile = expect.objectContaining({ code: 'filter-format' })

function memberHashes(count: number): Int32Array {
  return new Int32Array(Array.from({ length: count }, (_, i) => memberHash(i)).flat())
}

describe('fuseSize', () => {
  // Worked out by hand from the formulas of the reference implementation's binary_fuse8_allocate.
  it.each([
    [0, { segmentLength: 4, segmentCount: 1 }],
    [1, { segmentLength: 4, segmentCount: 1 }],
    [2, { segmentLength: 4, segmentCount: 1 }],
    [10, { segmentLength: 16, segmentCount: 1 }],
    [100, { segmentLength: 64, segmentCount: 1 }],
    [1_000_000, { segmentLength: 8_192, segmentCount: 136 }],
    [100_000_000, { segmentLength: 131_072, segmentCount: 857 }],
  ])('is that of the paper for %d keys', (keys, expected) => {
    expect(fuseSize(keys, 8)).toEqual({ fingerprintBits: 8, ...expected })
  })

  it('has about 1.125 cells a key from a million keys on', () => {
    for (const keys of [1e6, 3e6, 1e7, 1e8]) {
      expect(fuseCells(fuseSize(keys, 8)) / keys).toBeGreaterThanOrEqual(1.125)
      expect(fuseCells(fuseSize(keys, 8)) / keys).toBeLessThan(1.135)
    }
  })
})

describe('buildFuse', () => {
  const fixed = (segmentLength: number) => () => ({ fingerprintBits: 12, segmentLength, segmentCount: 1 })

  it('mixes the hashes in another way where an attempt fails', () => {
    const attempts = new Set<number>()
    // 96 cells: too few for most sets of 75 keys, but not for all.
    for (let keys = 60; keys <= 75; keys++) {
      const { cells, count } = buildFuse(memberHashes(keys), fixed(32))
      expect(count).toBe(keys)
      attempts.add(cells.attempt)
      for (let i = 0; i < keys; i++) if (!cells.has(...memberHash(i))) throw new Error(`key ${i} of ${keys} is lost`)
    }
    expect(Math.max(...attempts)).toBeGreaterThan(1)
  })

  it.each([13, 5_000])('gives up after a hundred attempts to put %d keys in 12 cells', (keys) => {
    expect(() => buildFuse(memberHashes(keys), fixed(4))).toThrow(refusedParameter)
  })

  it('needs few attempts at the size of the paper', () => {
    for (let keys = 0; keys < 300; keys++)
      expect(buildFuse(memberHashes(keys), (count) => fuseSize(count, 4)).cells.attempt).toBeLessThan(10)
  })
})

describe('BinaryFuseFilter', () => {
  it.each([1e-2, 1e-3, 1e-4])('has no false negative and keeps the rate %d', (rate) => {
    const n = 50_000
    const filter = BinaryFuseFilter.fromHashes(memberHashes(n), { rate, seed: 7 })
    expect(filter.count).toBe(n)
    expectRate(filter, n, rate)
  })

  it.each([1e-2, 1e-3, 1e-4])('takes 1.25 f bits a key at most for 50,000 keys at the rate %d', (rate) => {
    const n = 50_000
    const filter = BinaryFuseFilter.fromHashes(memberHashes(n), { rate })
    // 1.194 cells by the formula for so many keys, in whole segments.
    expect((filter.byteLength * 8) / n / Math.ceil(Math.log2(1 / rate))).toBeLessThan(1.25)
  })

  it.each(Array.from({ length: 32 }, (_, i) => i + 1))('has every key in fingerprints of %d bits', (fingerprintBits) => {
    const n = 3_000
    const filter = BinaryFuseFilter.fromHashes(memberHashes(n), { fingerprintBits, seed: 1 })
    expect(filter.fingerprintBits).toBe(fingerprintBits)
    for (let i = 0; i < n; i++) if (!filter.mightContainHash(...memberHash(i))) throw new Error(`key ${i} is lost`)
    const probes = 20_000
    let positives = 0
    for (let i = n; i < n + probes; i++) if (filter.mightContainHash(...memberHash(i))) positives++
    const expected = probes * 2 ** -fingerprintBits
    expect(Math.abs(positives - expected)).toBeLessThan(5 * Math.sqrt(expected) + 5)
  })

  it('has every key, each once, in the same bytes in whichever order they come', () => {
    const options = fc.record({ fingerprintBits: fc.integer({ min: 1, max: 32 }), seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }) })
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 80, size: 'max' }), options, (keys, given) => {
        const filter = BinaryFuseFilter.from(keys, given)
        for (const key of keys) expect(filter.mightContain(key)).toBe(true)
        expect(filter.count).toBe(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size)
        const file = filter.toBytes()
        expect(file).toHaveLength(filter.byteLength)
        expect(BinaryFuseFilter.from(new Set([...keys].sort()), given).toBytes()).toEqual(file)
        const opened = BinaryFuseFilter.verified(file)
        expect({ ...opened }).toEqual({ ...filter })
        for (const key of keys) expect(opened.mightContain(key)).toBe(true)
        expect(opened.toBytes()).toEqual(file)
      }),
      { numRuns: 200 },
    )
  })

  it('takes ready hashes, repeats among them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), fc.integer({ min: 0, max: 3 })), { maxLength: 50 }), fc.integer(), (pairs, seed) => {
        const filter = BinaryFuseFilter.fromHashes(new Int32Array([...pairs, ...pairs].flat()), { rate: 1e-4, seed })
        for (const [high, low] of pairs) expect(filter.mightContainHash(high, low)).toBe(true)
        // Numbers from 0 to 2^32 - 1 are the same halves.
        for (const [high, low] of pairs) expect(filter.mightContainHash(high >>> 0, low)).toBe(true)
        expect(filter.count).toBe(new Set(pairs.map(String)).size)
      }),
    )
  })

  it('takes text as its UTF-8 bytes, from anything that gives one key after the other', () => {
    function* keys(): Generator<string> {
      for (let i = 0; i < 2_000; i++) yield `bad${i}.test/ü`
    }
    const filter = BinaryFuseFilter.from(keys(), { rate: 1e-6 })
    expect(filter.count).toBe(2_000)
    for (const key of keys()) if (!filter.mightContain(new TextEncoder().encode(key))) throw new Error(`${key} is lost`)
    expect(filter.mightContain('bad1.test/u')).toBe(false)
  })

  it('errs about other keys with another seed', () => {
    expectSeedsDiffer((seed) => BinaryFuseFilter.fromHashes(memberHashes(2_000), { rate: 0.02, seed }))
  })

  it('answers no to everything when empty', () => {
    const filter = BinaryFuseFilter.from([], { fingerprintBits: 1 })
    const opened = BinaryFuseFilter.verified(filter.toBytes())
    for (let i = 0; i < 20; i++) expect(filter.mightContain(`${i}`) || opened.mightContain(`${i}`)).toBe(false)
    expect(filter.expectedRate()).toBe(0)
  })

  it('answers from the bytes of its file, at any offset of a larger buffer', () => {
    const filter = BinaryFuseFilter.from(['a', 'b', 'c'], { rate: 1e-9 })
    const file = filter.toBytes()
    for (let offset = 0; offset < 4; offset++) {
      const larger = new Uint8Array(file.length + 8).fill(0xff)
      larger.set(file, offset)
      const opened = BinaryFuseFilter.fromBytes(larger.subarray(offset, offset + file.length))
      expect(['a', 'b', 'c', 'd'].map((key) => opened.mightContain(key))).toEqual([true, true, true, false])
      opened.verify()
      larger.fill(0, offset + file.length - 12 * 30)
      expect(opened.mightContain('a')).toBe(false)
      expect(() => opened.verify()).toThrow(refusedFile)
    }
  })

  it('has the same bytes on every platform', () => {
    const filter = BinaryFuseFilter.from(['a', 'b', 'c', 'd', 'e'], { fingerprintBits: 7, seed: 1 })
    expect(Buffer.from(filter.toBytes()).toString('hex')).toMatchInlineSnapshot(
      `"57464c540207020401000000961b1d4105000000000000000700000000000000080000000000000001000000000000000000000000000000000000000054010000000000005e8033000958010000000000"`,
    )
  })

  it('refuses every truncation and every flipped bit', () => {
    expectDamageRefused(BinaryFuseFilter.from(['a', 'b', 'c'], { rate: 0.01 }).toBytes(), BinaryFuseFilter.verified)
  })

  it.each([
    ['fingerprints of no bits', { parameters: [0n, 4n, 1n, 0n], bytes: 4 }],
    ['fingerprints of 33 bits', { parameters: [33n, 4n, 1n, 0n], bytes: 54 }],
    ['segments of 2 cells', { parameters: [8n, 2n, 1n, 0n], bytes: 10 }],
    ['segments of 6 cells', { parameters: [8n, 6n, 1n, 0n], bytes: 22 }],
    ['segments of 2^19 cells', { parameters: [8n, 2n ** 19n, 1n, 0n], bytes: 3 * 2 ** 19 + 4 }],
    ['no segments', { parameters: [8n, 4n, 0n, 0n], bytes: 12 }],
    ['attempt 100', { parameters: [8n, 4n, 1n, 100n] }],
    ['more bits than a filter has', { parameters: [8n, 4n, 2n ** 40n, 0n] }],
    ['a size out of range', { parameters: [8n, 2n ** 63n, 1n, 0n] }],
    ['a body too long', { bytes: 17 }],
    ['a body too short', { bytes: 15 }],
    ['more keys than cells', { count: 13 }],
    ['something behind the cells', { last: 1 }],
  ])('refuses %s', (_, given: { parameters?: bigint[]; bytes?: number; count?: number; last?: number }) => {
    const { parameters = [8n, 4n, 1n, 0n], bytes = 16, count = 0, last = 0 } = given
    const body = new Uint8Array(bytes)
    body[bytes - 1] = last
    const file = encodeFilter({ kind: 'binary-fuse', seed: 0, count, parameters }, body)
    expect(() => BinaryFuseFilter.verified(file)).toThrow(refusedFile)
  })

  it.each([
    { rate: 0 },
    { rate: 1 },
    { rate: Number.NaN },
    { rate: 1e-12 },
    { fingerprintBits: 0 },
    { fingerprintBits: 33 },
    { fingerprintBits: 7.5 },
  ])('refuses $rate$fingerprintBits', (options) => {
    expect(() => BinaryFuseFilter.from(['a'], options)).toThrow(refusedParameter)
  })

  it('refuses half a hash', () => {
    expect(() => BinaryFuseFilter.fromHashes(new Int32Array(3), { rate: 0.1 })).toThrow(RangeError)
  })
})
