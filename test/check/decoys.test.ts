import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../src/bytes.ts'
import { Decoys, type DecoysOptions, MOST_DECOYS } from '../../src/check/decoys.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { type HashPrefix, hashPrefix, prefixBytes } from '../../src/hash/hash-prefix.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import type { StoredList } from '../../src/ports.ts'
import { storedList } from '../support/signed-list.ts'

function listOf(names: readonly string[], entryLength: EntryLength = 8): StoredList {
  const entries = concatBytes(names.map((name) => fullHash(name).subarray(0, entryLength)))
  return {
    ...storedList(),
    list: HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array([1]), entryLength, entries }),
  }
}

const NAMES = Array.from({ length: 2000 }, (_, i) => `evil${i}.test/`)
const key = new Uint8Array(32).fill(7)
const listed = listOf(NAMES)
const prefixes = NAMES.slice(0, 200).map((name) => hashPrefix(fullHash(name)))

function decoys(options: Partial<DecoysOptions> = {}): Decoys {
  return new Decoys({ key: () => Promise.resolve(key), count: () => 3, lists: () => [listed], ...options })
}

describe('Decoys', () => {
  it.each([4, 8, 32] as const)(
    'are entries of the list, with the prefix among them, in ascending order (%d bytes)',
    async (entryLength) => {
      const stored = listOf(NAMES, entryLength)
      for (const prefix of prefixes) {
        const around = await decoys({ lists: () => [stored] }).around(prefix)
        expect(around).toHaveLength(4)
        expect(new Set(around).size).toBe(4)
        expect(around).toContain(prefix)
        expect([...around].sort((a, b) => a - b)).toEqual(around)
        const all = new Set(NAMES.map((name) => hashPrefix(fullHash(name))))
        for (const each of around) expect(all.has(each)).toBe(true)
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

  it('are as many as there are, and never more than the most', async () => {
    const [prefix] = prefixes as [HashPrefix]
    expect(await decoys({ count: () => 0 }).around(prefix)).toEqual([prefix])
    expect(await decoys({ lists: () => [] }).around(prefix)).toEqual([prefix])
    expect(await decoys({ lists: () => [listOf([])] }).around(prefix)).toEqual([prefix])
    expect(await decoys({ lists: () => [listOf([NAMES[0] as string])] }).around(prefix)).toEqual([prefix])
    expect((await decoys({ lists: () => [listOf(NAMES.slice(0, 3))] }).around(prefix)).length).toBeLessThanOrEqual(3)
    expect(await decoys({ count: () => 100 }).around(prefix)).toHaveLength(MOST_DECOYS + 1)
  })

  it('are not asked for a secret that nobody needs', async () => {
    const silent = decoys({ count: () => 0, key: () => Promise.reject(new Error('nobody may ask')) })
    const [prefix] = prefixes as [HashPrefix]
    expect(await silent.around(prefix)).toEqual([prefix])
    expect(prefixBytes(prefix)).toHaveLength(4)
  })
})
