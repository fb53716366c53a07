import { describe, expect, expectTypeOf, it } from 'vitest'
import { BloomFilter } from '../../src/filter/bloom.ts'
import { guard } from '../../src/filter/guard.ts'

function filled(keys: readonly string[], rate = 1e-6): BloomFilter {
  const filter = BloomFilter.create({ capacity: keys.length, rate })
  for (const key of keys) filter.add(key)
  return filter
}

describe('guard', () => {
  it('looks up only what the filter does not deny', () => {
    const stored = new Map([['a', 1]])
    const asked: unknown[] = []
    const find = guard(filled(['a', 'gone']), (key) => {
      asked.push(key)
      return stored.get(String(key))
    })
    expect([find('a'), find('b'), find('gone')]).toEqual([1, undefined, undefined])
    expect(asked).toEqual(['a', 'gone'])
    expect(find.counts).toEqual({ asked: 3, spared: 1, lookedUp: 2, missed: 1 })
    expectTypeOf(find).returns.toEqualTypeOf<number | undefined>()
  })

  it('takes a look-up that answers later', async () => {
    const find = guard(filled(['a', 'gone']), (key) => Promise.resolve<number | undefined>(key === 'a' ? 1 : undefined))
    expect(await find('b')).toBeUndefined()
    expect(find('b')).toBeUndefined()
    expect(await find('a')).toBe(1)
    expect(await find('gone')).toBeUndefined()
    expect(find.counts).toEqual({ asked: 4, spared: 2, lookedUp: 2, missed: 1 })
    expectTypeOf(find).returns.toEqualTypeOf<Promise<number | undefined> | undefined>()
  })

  it('hands failures on, and counts them as looked up only', async () => {
    const thrown = guard(filled(['a']), (): number => {
      throw new Error('the disk is gone')
    })
    expect(() => thrown('a')).toThrow('the disk is gone')
    const rejected = guard(filled(['a']), (): Promise<number> => Promise.reject(new Error('the server is gone')))
    await expect(rejected('a')).rejects.toThrow('the server is gone')
    expect([thrown.counts, rejected.counts]).toEqual(Array(2).fill({ asked: 1, spared: 0, lookedUp: 1, missed: 0 }))
  })

  it('never answers wrongly, however often the filter errs', () => {
    const members = new Set(Array.from({ length: 1000 }, (_, i) => `key ${i}`))
    const find = guard(filled([...members], 0.2), (key) => (members.has(String(key)) ? key : undefined))
    for (let i = 0; i < 3000; i++) expect(find(`key ${i}`)).toBe(i < 1000 ? `key ${i}` : undefined)
    expect(find.counts.missed).toBeGreaterThan(200)
    expect(find.counts.spared).toBeGreaterThan(1400)
  })
})
