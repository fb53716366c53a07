import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../src/bytes.ts'
import { Decoys, type DecoysOptions, MOST_DECOYS } from '../../src/check/decoys.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type HashPrefix, hashPrefix, prefixBytes } from '../../src/hash/hash-prefix.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import type { StoredList } from '../../src/ports.ts'
import { storedList } from '../support/signed-list.ts'

function listOf(names: readonly string[], entryLength: EntryLength = 8): StoredList & { readonly list: HashList } {
  const entries = concatBytes(names.map((name) => fullHash(name).subarray(0, entryLength)))
  return {
    ...storedList(),
    list: HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array([1]), entryLength, entries }),
  }
}

const NAMES = Array.from({ length: 2000 }, (_, i) => `evil${i}.test/`)
const key = new Uint8Array(32).fill(7)
const listed = listOf(NAMES)
const everyPrefix = new Set(NAMES.map((name) => hashPrefix(fullHash(name))))
const prefixes = NAMES.slice(0, 200).map((name) => hashPrefix(fullHash(name)))

function decoys(options: Partial<DecoysOptions> = {}): Decoys {
  return new Decoys({ key: () => Promise.resolve(key), count: () => 3, lists: () => [listed], ...options })
}

describe('Decoys', () => {
  it.each([4, 8, 16] as const)(
    'are entries of the list, with the prefix among them, in ascending order (%d bytes)',
    async (entryLength) => {
      const stored = listOf(NAMES, entryLength)
      for (const prefix of prefixes) {
        const around = await decoys({ lists: () => [stored] }).around(prefix)
        expect(around).toHaveLength(4)
        expect(new Set(around).size).toBe(4)
        expect(around).toContain(prefix)
        expect([...around].sort((a, b) => a - b)).toEqual(around)
        for (const each of around) expect(everyPrefix.has(each)).toBe(true)
      }
    },
  )

  it('are the same for the same prefix and device, and others for another device', async () => {
    const other = decoys({ key: () => Promise.resolve(new Uint8Array(32).fill(8)) })
    let same = 0
    for (const prefix of prefixes) {
      const around = await decoys().around(prefix)
      expect(await decoys().around(prefix)).toEqual(around)
      if (String(await other.around(prefix)) === String(around)) same++
    }
    expect(same).toBe(0)
  })

  it('stand in no place more often than in another', async () => {
    const places = [0, 0, 0, 0]
    for (const name of NAMES.slice(0, 1000)) {
      const prefix = hashPrefix(fullHash(name))
      const place = (await decoys().around(prefix)).indexOf(prefix)
      places[place] = (places[place] as number) + 1
    }
    // 250 each; six standard deviations.
    for (const count of places) expect(Math.abs(count - 250)).toBeLessThan(82)
  })

  it('do not show by the distances between entries which one is real', async () => {
    const sorted = [...everyPrefix].sort((a, b) => a - b)
    const gapOf = new Map(sorted.map((each, i) => [each, (each - (sorted.at(i - 1) as number)) >>> 0]))
    const byGap = [...gapOf].sort(([, a], [, b]) => a - b).map(([each]) => each)
    const quarters = [0, 0, 0, 0]
    const quarterOf = new Map(byGap.map((each, i) => [each, Math.floor((4 * i) / byGap.length)]))
    let narrowest = 0
    for (const prefix of sorted) {
      const around = await decoys().around(prefix)
      const gaps = around.map((each) => gapOf.get(each) as number)
      if (gapOf.get(prefix) === Math.min(...gaps)) narrowest++
      for (const each of around) {
        const quarter = quarterOf.get(each) as number
        if (each !== prefix) quarters[quarter] = (quarters[quarter] as number) + 1
      }
    }
    // A quarter of 2000, six standard deviations; were every distance good enough it would be 1100.
    expect(Math.abs(narrowest - 500)).toBeLessThan(117)
    // A quarter of 6000, six standard deviations, and 3 % less for the nearest neighbours.
    for (const count of quarters) expect(Math.abs(count - 1500)).toBeLessThan(202 + 45)
  })

  it('hardly change when the list changes by a hundredth', async () => {
    const changed = listOf([...NAMES.slice(20), ...Array.from({ length: 20 }, (_, i) => `new${i}.test/`)])
    let kept = 0
    for (const prefix of prefixes) {
      const before = await decoys().around(prefix)
      const after = await decoys({ lists: () => [changed] }).around(prefix)
      kept += before.filter((each) => each !== prefix && after.includes(each)).length
    }
    expect(kept).toBeGreaterThan(0.95 * 3 * prefixes.length)
  })

  it('come from every list that is asked about, from each as much as it has entries', async () => {
    const few = { ...listed, list: HashList.fromUnsorted({ ...listOf(NAMES.slice(0, 100), 4).list, name: 'mw-4b' }) }
    const many = listOf(NAMES.slice(100), 8)
    const inFew = new Set(NAMES.slice(0, 100).map((name) => hashPrefix(fullHash(name))))
    let drawn = 0
    for (const prefix of prefixes) {
      const around = await decoys({ count: () => 8, lists: () => [few, many] }).around(prefix)
      drawn += around.filter((each) => each !== prefix && inFew.has(each)).length
    }
    // A twentieth of 1600; six standard deviations.
    expect(Math.abs(drawn - 80)).toBeLessThan(53)
  })

  it('are no entries of a list that needs no question', async () => {
    const [prefix] = prefixes as [HashPrefix]
    const certain = listOf(NAMES, 32)
    expect(await decoys({ lists: () => [certain] }).around(prefix)).toEqual([prefix])
    const asked = listOf(NAMES.slice(0, 50), 4)
    const all = new Set(NAMES.slice(0, 50).map((name) => hashPrefix(fullHash(name))))
    for (const each of await decoys({ count: () => 8, lists: () => [certain, asked] }).around(prefix)) expect(all.has(each)).toBe(true)
  })

  it('are as many as there are, and never more than the most', async () => {
    const [prefix] = prefixes as [HashPrefix]
    expect(await decoys({ count: () => 0 }).around(prefix)).toEqual([prefix])
    expect(await decoys({ lists: () => [] }).around(prefix)).toEqual([prefix])
    expect(await decoys({ lists: () => [listOf([])] }).around(prefix)).toEqual([prefix])
    for (const size of [1, 2, 3, 4, 5, 9, 10]) {
      const small = listOf(NAMES.slice(0, size))
      for (const own of prefixes.slice(0, size)) {
        const around = await decoys({ count: () => 8, lists: () => [small] }).around(own)
        expect(new Set(around).size).toBe(Math.min(size, 9))
        expect(around).toContain(own)
      }
    }
    expect(await decoys({ count: () => 100 }).around(prefix)).toHaveLength(MOST_DECOYS + 1)
  })

  it('are found in a list whose entries stand side by side, and at the end of the space', async () => {
    const entries = concatBytes(Array.from({ length: 40 }, (_, i) => prefixBytes((0xffffffff - i) as HashPrefix)))
    const crowded = { ...listed, list: HashList.fromUnsorted({ name: 'se-4b', version: new Uint8Array([1]), entryLength: 4, entries }) }
    const around = await decoys({ count: () => 8, lists: () => [crowded] }).around(0xffffffff as HashPrefix)
    expect(around).toHaveLength(9)
    for (const each of around) expect(each).toBeGreaterThan(0xffffffff - 40)
  })

  it('are not asked for a secret that nobody needs', async () => {
    const silent = decoys({ count: () => 0, key: () => Promise.reject(new Error('nobody may ask')) })
    const [prefix] = prefixes as [HashPrefix]
    expect(await silent.around(prefix)).toEqual([prefix])
  })
})
