import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { type ListUpdate, updatedList } from '../../src/lists/list-update.ts'
import { decodeRice } from '../../src/lists/rice-decoding.ts'
import { encodeRice } from '../../src/lists/rice-encoding.ts'
import { bytesAskedFor, growth } from '../support/work-done.ts'

const LENGTHS: readonly EntryLength[] = [4, 8, 16, 32]
/** The smallest Rice parameter that each entry length allows. */
const LEAST: Readonly<Record<EntryLength, number>> = { 4: 3, 8: 35, 16: 99, 32: 227 }
const REFUSED = expect.objectContaining({ name: 'WaryError', code: 'list-format' })

/** `count` different entries, spread as hashes are. */
function entriesOf(entryLength: EntryLength, count: number): Uint8Array {
  const words = new Uint32Array(count * (entryLength / 4))
  for (let i = 0, state = count; i < words.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    words[i] = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  }
  return listOf(entryLength, new Uint8Array(words.buffer)).entries
}

function listOf(entryLength: EntryLength, entries: Uint8Array): HashList {
  return HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array(1), entryLength, entries })
}

function delta(held: HashList, parts: Partial<ListUpdate>): ListUpdate {
  const none = { additions: undefined, removals: undefined, checksum: new Uint8Array(0), minimumWaitMs: 0, signed: undefined }
  return { ...none, name: held.name, version: new Uint8Array(2), partial: true, ...parts }
}

async function expectLinear(size: number, work: (size: number) => () => unknown): Promise<void> {
  const { blocks, bytes } = await growth(size, work)
  expect(blocks).toBeLessThan(2.2)
  expect(bytes).toBeLessThan(2.6)
}

describe.each(LENGTHS)('entries of %d bytes: time is linear', (entryLength) => {
  it('in decoding', () =>
    expectLinear(5000, (size) => {
      const encoded = encodeRice(entryLength, entriesOf(entryLength, size))
      return () => encoded && decodeRice(entryLength, encoded)
    }))

  it('in decoding one long run of ones', () =>
    expectLinear(20_000, (size) => {
      // No entry can be so far above another: what reads the whole run before it says so must not read it twice.
      const encodedData = new Uint8Array(size).fill(0xff)
      const encoded = { firstValue: new Uint8Array(entryLength), riceParameter: LEAST[entryLength], entriesCount: 1, encodedData }
      return () => {
        expect(() => decodeRice(entryLength, encoded)).toThrow(REFUSED)
        return new Uint8Array(size).reduce((sum, byte) => sum + byte, 0)
      }
    }))

  it('in encoding', () =>
    expectLinear(5000, (size) => {
      const entries = entriesOf(entryLength, size)
      return () => encodeRice(entryLength, entries)
    }))

  it('in checking the order', () =>
    expectLinear(20_000, (size) => {
      const entries = entriesOf(entryLength, size)
      return () => HashList.fromSorted({ name: 'se-4b', version: new Uint8Array(0), entryLength, entries })
    }))

  it('in removals and additions', () =>
    expectLinear(4000, (size) => {
      const all = entriesOf(entryLength, size)
      const at = (i: number): Uint8Array => all.subarray(i * entryLength, (i + 1) * entryLength)
      const held = listOf(entryLength, new Uint8Array(Array.from({ length: size }, (_, i) => (i % 3 ? [...at(i)] : [])).flat()))
      const added = listOf(entryLength, new Uint8Array(Array.from({ length: size }, (_, i) => (i % 3 ? [] : [...at(i)])).flat()))
      const removals = Uint32Array.from({ length: held.count >> 1 }, (_, i) => 2 * i)
      const update = delta(held, { removals, additions: { entryLength, entries: added.entries } })
      return () => expect(updatedList(held, update).count).toBe(held.count - removals.length + added.count)
    }))
})

describe.each(LENGTHS)('entries of %d bytes: what cannot be asks for no room', (entryLength) => {
  const firstValue = new Uint8Array(entryLength)
  const riceParameter = LEAST[entryLength]
  const ten = new Uint8Array(10)

  it.each([2 ** 31, 2 ** 31 - 1, 2 ** 32, 2 ** 40, 2 ** 53 - 1, 1_000_000, 100, -1, -(2 ** 31), 0.5, Number.NaN])(
    '%d entries in ten bytes',
    (entriesCount) => {
      const asked = bytesAskedFor(() => {
        expect(() => decodeRice(entryLength, { firstValue, riceParameter, entriesCount, encodedData: ten })).toThrow(REFUSED)
      })
      expect(asked).toBeLessThan(4096)
    },
  )

  it('the most that data can hold asks for what it holds', () => {
    // Differences of nothing but their lowest bit take the fewest bits.
    const encodedData = new Uint8Array(10_000)
    const most = Math.floor((encodedData.length * 8) / (riceParameter + 1))
    const asked = bytesAskedFor(() => {
      expect(() => decodeRice(entryLength, { firstValue, riceParameter, entriesCount: most, encodedData })).toThrow(/twice|repeated/)
    })
    expect(asked).toBeLessThanOrEqual(2 * (most + 1) * entryLength + 4096)
    expect(() => decodeRice(entryLength, { firstValue, riceParameter, entriesCount: most + 1, encodedData })).toThrow(REFUSED)
  })

  it.each([
    ['below what is allowed', LEAST[entryLength] - 1],
    ['above it', LEAST[entryLength] + 28],
    ['0', 0],
    ['negative', -1],
    ['of 2^31 - 1', 2 ** 31 - 1],
  ])('a Rice parameter %s', (_, parameter) => {
    const encoded = encodeRice(entryLength, entriesOf(entryLength, 50))
    if (encoded === undefined) throw new Error('nothing encoded')
    expect(() => decodeRice(entryLength, { ...encoded, riceParameter: parameter })).toThrow(REFUSED)
  })

  it('another Rice parameter than the data was coded with comes to no list of these entries', () => {
    const entries = entriesOf(entryLength, 50)
    const encoded = encodeRice(entryLength, entries)
    if (encoded === undefined) throw new Error('nothing encoded')
    for (let parameter = LEAST[entryLength]; parameter <= LEAST[entryLength] + 27; parameter++) {
      if (parameter === encoded.riceParameter) continue
      let made: string
      try {
        made = toHex(decodeRice(entryLength, { ...encoded, riceParameter: parameter }))
      } catch (error) {
        expect(error).toEqual(REFUSED)
        continue
      }
      expect(made).not.toBe(toHex(entries))
    }
  })

  it.each([
    ['one more', 1],
    ['many more', 1000],
  ])('%s entries than the data was coded with', (_, more) => {
    const encoded = encodeRice(entryLength, entriesOf(entryLength, 50))
    if (encoded === undefined) throw new Error('nothing encoded')
    expect(() => decodeRice(entryLength, { ...encoded, entriesCount: encoded.entriesCount + more })).toThrow(REFUSED)
  })

  it.each([
    ['just behind the end', [3]],
    ['far behind the end', [2 ** 32 - 1]],
    ['twice the same', [0, 0]],
    ['descending', [2, 1]],
    ['more than there are', [0, 1, 2, 3]],
  ])('removals %s', (_, indices) => {
    const held = listOf(entryLength, entriesOf(entryLength, 3))
    const asked = bytesAskedFor(() => {
      expect(() => updatedList(held, delta(held, { removals: Uint32Array.from(indices) }))).toThrow(REFUSED)
    })
    expect(asked).toBeLessThan(4096)
  })
})
