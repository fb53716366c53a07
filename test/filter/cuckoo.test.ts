import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CuckooFilter } from '../../src/filter/cuckoo.ts'
import { encodeFilter } from '../../src/filter/encoding.ts'
import { expectDamageRefused, expectRate, expectSeedsDiffer, memberHash } from '../support/membership.ts'

const refusedParameter = expect.objectContaining({ code: 'filter-parameter' })
const refusedFile = expect.objectContaining({ code: 'filter-format' })

type Step = { readonly kind: 'add' | 'delete' | 'reload'; readonly key: string }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind'][]>('add', 'add', 'add', 'delete', 'reload'),
    key: fc.integer({ min: 0, max: 40 }).map((i) => `key ${i}`),
  }),
  { maxLength: 120, size: 'max' },
)

/** Does the steps on a filter and on a plain list of how often each key is in. Keys are deleted only if they are in. */
function follow(start: CuckooFilter, script: readonly Step[]): { filter: CuckooFilter; turnedAway: number } {
  let filter = start
  let turnedAway = 0
  const model = new Map<string, number>()
  for (const { kind, key } of script) {
    const times = model.get(key) ?? 0
    if (kind === 'reload') filter = CuckooFilter.verified(filter.toBytes())
    else if (kind === 'delete' && times > 0) {
      expect(filter.delete(key)).toBe(true)
      model.set(key, times - 1)
    } else if (kind === 'add') {
      const before = filter.toBytes()
      if (filter.add(key)) model.set(key, times + 1)
      else {
        turnedAway++
        expect(filter.toBytes()).toEqual(before)
      }
    }
  }
  for (const [key, times] of model) if (times > 0) expect(filter.mightContain(key), key).toBe(true)
  expect(filter.count).toBe([...model.values()].reduce((sum, times) => sum + times, 0))
  return { filter, turnedAway }
}

describe('CuckooFilter', () => {
  it.each([1e-2, 1e-3, 1e-4])('has no false negative and keeps the rate %d', (rate) => {
    const n = 50_000
    const filter = CuckooFilter.create({ capacity: n, rate, seed: 7 })
    for (let i = 0; i < n; i++) filter.addHash(...memberHash(i))
    expect(filter.count).toBe(n)
    expectRate(filter, n, rate)
  })

  it.each([1e-2, 1e-3, 1e-4])('has at most 1.1 times the bits that the paper states at the rate %d', (rate) => {
    const capacity = 50_000
    const paper = (Math.log2(1 / rate) + 3) / 0.955
    expect((CuckooFilter.create({ capacity, rate }).byteLength * 8) / capacity).toBeLessThan(1.1 * paper)
  })

  it.each([4, 5, 7, 8, 12, 13, 16, 19, 25, 26, 29, 31, 32])(
    'has every key in fingerprints of %d bits, at 0.95 of all slots',
    (fingerprintBits) => {
      const buckets = 3_002
      const n = Math.floor(buckets * 4 * 0.95)
      const filter = CuckooFilter.ofSize({ buckets, fingerprintBits, capacity: n })
      for (let i = 0; i < n; i++) filter.addHash(...memberHash(i))
      expect(filter.count).toBe(n)
      for (let i = 0; i < n; i++) if (!filter.mightContainHash(...memberHash(i))) throw new Error(`key ${i} is lost`)
      const half = Math.floor(n / 2)
      for (let i = 0; i < half; i++) if (!filter.deleteHash(...memberHash(i))) throw new Error(`key ${i} is lost`)
      // Deleting a key takes away one fingerprint like its own, so that none of the others is lost.
      for (let i = half; i < n; i++) if (!filter.mightContainHash(...memberHash(i))) throw new Error(`key ${i} is lost`)
      for (let i = half; i < n; i++) if (!filter.deleteHash(...memberHash(i))) throw new Error(`key ${i} is lost`)
      const empty = CuckooFilter.ofSize({ buckets, fingerprintBits, capacity: n })
      expect(filter.toBytes()).toEqual(empty.toBytes())
    },
  )

  it('answers as a plain list does, whatever is added, deleted and reloaded, also when full', () => {
    let turnedAway = 0
    const size = fc.record({ buckets: fc.constantFrom(2, 4, 6, 10), fingerprintBits: fc.integer({ min: 4, max: 32 }) })
    fc.assert(
      fc.property(size, fc.integer({ min: 0, max: 2 ** 32 - 1 }), steps, ({ buckets, fingerprintBits }, seed, script) => {
        turnedAway += follow(CuckooFilter.ofSize({ buckets, fingerprintBits, capacity: 8, seed }), script).turnedAway
      }),
      { numRuns: 300 },
    )
    expect(turnedAway).toBeGreaterThan(100)
  })

  it('goes on from a file as if it had never been one', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const size = { buckets: 4, fingerprintBits: 9, capacity: 16 }
        const plain = script.filter(({ kind }) => kind !== 'reload')
        const reloaded = follow(CuckooFilter.ofSize(size), script).filter
        expect(reloaded.toBytes()).toEqual(follow(CuckooFilter.ofSize(size), plain).filter.toBytes())
      }),
      { numRuns: 100 },
    )
  })

  it('turns the ninth copy of a key away and keeps the other eight', () => {
    const filter = CuckooFilter.create({ capacity: 100, rate: 0.001 })
    filter.add('another')
    for (let i = 0; i < 8; i++) expect(filter.add('key')).toBe(true)
    const full = filter.toBytes()
    expect(filter.add('key')).toBe(false)
    expect(filter.toBytes()).toEqual(full)
    expect(filter.count).toBe(9)
    for (let i = 0; i < 8; i++) expect(filter.delete('key')).toBe(true)
    expect(filter.delete('key')).toBe(false)
    expect(filter.mightContain('key')).toBe(false)
    expect(filter.mightContain('another')).toBe(true)
    expect(filter.count).toBe(1)
  })

  it('loses nothing when it is full', () => {
    const filter = CuckooFilter.ofSize({ buckets: 200, fingerprintBits: 12, capacity: 800 })
    const inside: number[] = []
    for (let i = 0; i < 900; i++) {
      const before = filter.toBytes()
      if (filter.addHash(...memberHash(i))) inside.push(i)
      else expect(filter.toBytes()).toEqual(before)
    }
    expect(inside.length).toBeGreaterThan(760)
    expect(inside.length).toBeLessThan(801)
    expect(inside.every((i) => filter.mightContainHash(...memberHash(i)))).toBe(true)
  })

  it('has room for its capacity, however small', () => {
    for (const capacity of [1, 2, 3, 5, 8, 9, 13, 15, 20, 30, 38, 50, 100]) {
      for (let set = 0; set < 200; set++) {
        const filter = CuckooFilter.create({ capacity, rate: 0.01 })
        for (let i = 0; i < capacity; i++) filter.add(`set ${set} key ${i}`)
        expect(filter.count, `set ${set}`).toBe(capacity)
      }
    }
  })

  it('deletes nothing that is not in', () => {
    const filter = CuckooFilter.create({ capacity: 10, rate: 1e-6 })
    filter.add('x')
    const before = filter.toBytes()
    expect(filter.delete('y')).toBe(false)
    expect(filter.toBytes()).toEqual(before)
  })

  it('errs about other keys with another seed', () => {
    expectSeedsDiffer((seed) => {
      const filter = CuckooFilter.create({ capacity: 2_000, rate: 0.02, seed })
      for (let i = 0; i < 2_000; i++) filter.addHash(...memberHash(i))
      return filter
    })
  })

  it('answers no to everything when empty', () => {
    const filter = CuckooFilter.create({ capacity: 0, rate: 0.01 })
    expect(filter.mightContain('x')).toBe(false)
    expect(filter.delete('x')).toBe(false)
    expect(filter.expectedRate()).toBe(0)
    expect(CuckooFilter.verified(filter.toBytes()).mightContain('x')).toBe(false)
  })

  it('answers from the bytes of its file, at any offset of a larger buffer', () => {
    const filter = CuckooFilter.create({ capacity: 20, rate: 0.001, seed: 5 })
    for (let i = 0; i < 20; i++) filter.add(`key ${i}`)
    const file = filter.toBytes()
    expect(file).toHaveLength(filter.byteLength)
    for (let offset = 0; offset < 4; offset++) {
      const larger = new Uint8Array(file.length + 8).fill(0xff)
      larger.set(file, offset)
      const opened = CuckooFilter.fromBytes(larger.subarray(offset, offset + file.length))
      expect({ ...opened }).toEqual({ ...filter })
      expect(opened.toBytes()).toEqual(file)
      expect(opened.delete('key 3')).toBe(true)
      expect(larger.subarray(offset, offset + file.length)).not.toEqual(file)
      expect(() => opened.verify()).toThrow(refusedFile)
    }
  })

  it('has the same bytes on every platform', () => {
    // The twelfth and the fourteenth key find both their buckets full.
    const filter = CuckooFilter.ofSize({ buckets: 4, fingerprintBits: 5, capacity: 16, seed: 1 })
    for (let i = 0; i < 15; i++) expect(filter.add(`key ${i}`)).toBe(true)
    expect(Buffer.from(filter.toBytes()).toString('hex')).toMatchInlineSnapshot(
      `"57464c5402050203010000000db625a50f000000000000000400000000000000050000000000000010000000000000002829190a03edf93962c000000000"`,
    )
  })

  it('refuses every truncation and every flipped bit', () => {
    const filter = CuckooFilter.create({ capacity: 10, rate: 0.01 })
    for (let i = 0; i < 10; i++) filter.add(`key ${i}`)
    expectDamageRefused(filter.toBytes(), CuckooFilter.verified)
  })

  it.each([
    ['an odd number of buckets', { parameters: [3n, 8n, 4n] }],
    ['no buckets', { parameters: [0n, 8n, 4n], bytes: 4 }],
    ['fingerprints of 3 bits', { parameters: [2n, 3n, 4n], bytes: 7 }],
    ['fingerprints of 33 bits', { parameters: [2n, 33n, 4n], bytes: 37 }],
    ['buckets out of range', { parameters: [2n ** 63n, 8n, 4n] }],
    ['too many bits', { parameters: [2n ** 40n, 8n, 4n] }],
    ['a body too long', { parameters: [2n, 8n, 4n], bytes: 13 }],
    ['a body too short', { parameters: [2n, 8n, 4n], bytes: 11 }],
    ['more keys than slots', { count: 9 }],
    ['a count that is not that of the used slots', { count: 1 }],
    ['something behind the slots', { last: 1 }],
  ])(
    'refuses %s',
    (_, {
      parameters = [2n, 8n, 4n],
      bytes = 12,
      count = 0,
      last = 0,
    }: { parameters?: bigint[]; bytes?: number; count?: number; last?: number }) => {
      const body = new Uint8Array(bytes)
      body[bytes - 1] = last
      const file = encodeFilter({ kind: 'cuckoo', seed: 0, count, parameters }, body)
      expect(() => CuckooFilter.verified(file)).toThrow(refusedFile)
    },
  )

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
    expect(() => CuckooFilter.create(options)).toThrow(refusedParameter)
  })
})
