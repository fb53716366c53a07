import type { Bench } from '../../scripts/bench/bench.ts'
import { collectGarbage } from '../../scripts/bench/comparison.ts'
import { type EntryLength, HashList } from '../../src/lists/hash-list.ts'
import { type ListUpdate, updatedList } from '../../src/lists/list-update.ts'
import { decodeRice } from '../../src/lists/rice-decoding.ts'
import { encodeRice } from '../../src/lists/rice-encoding.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { randomEntries } from '../support/generated-urls.ts'

const MILLION = 1_000_000

/** Sizes against information theory, times against a copy of the same bytes, memory against the bytes themselves. */
export default async function measure(bench: Bench): Promise<void> {
  for (const entryLength of [4, 8] as const) {
    const list = randomList(MILLION, entryLength)
    sizes(bench, list)
    times(bench, list)
  }
  delta(bench, randomList(MILLION, 4))
  await memory(bench)
}

function randomList(count: number, entryLength: EntryLength): HashList {
  const entries = randomEntries(count, entryLength)
  return HashList.fromUnsorted({ name: `se-${entryLength}b`, version: new Uint8Array([1]), entryLength, entries })
}

/** log2 of the number of sets of `count` out of 2^bits, by Stirling: exact to far below a bit a set. */
function bitsOfSet(count: number, bits: number): number {
  return count * (bits - Math.log2(count) + Math.LOG2E) - Math.log2(2 * Math.PI * count) / 2
}

function sizes(bench: Bench, list: HashList): void {
  const { entryLength, count } = list
  const coded = encodeRice(entryLength, list.entries)
  const entropy = bitsOfSet(count, 8 * entryLength) / count
  const bits = (8 * (coded?.encodedData.length ?? 0)) / count
  const name = `1M entries of ${entryLength} bytes, coded`
  bench.row(name, bits, 'bits', 'entropy of such a set', entropy, { most: (entropy + 0.2) / entropy })
}

function times(bench: Bench, { entryLength, entries, count }: HashList): void {
  const coded = encodeRice(entryLength, entries)
  if (coded === undefined) throw new Error('no entries')
  const figures = bench.compare(
    [
      { name: 'encode', run: () => encodeRice(entryLength, entries)?.entriesCount },
      { name: 'decode', run: () => decodeRice(entryLength, coded).length / entryLength - 1 },
      { name: 'a copy, element by element', run: () => copied(entries).length / entryLength - 1 },
      { name: 'a copy of the memory', run: () => entries.slice().length / entryLength - 1 },
    ],
    { things: count, same: true, rounds: 15 },
  )
  for (const job of ['encode', 'decode']) {
    const name = `${job} 1M entries of ${entryLength} bytes`
    bench.time(name, figures, job, 'a copy, element by element', entryLength === 4 ? { most: 8 } : {})
    bench.time(name, figures, job, 'a copy of the memory')
  }
}

function copied(entries: Uint8Array): Uint8Array {
  const from = new Uint32Array(entries.buffer, entries.byteOffset, entries.length / 4)
  const to = new Uint32Array(from.length)
  for (let i = 0; i < from.length; i++) to[i] = from[i] as number
  return new Uint8Array(to.buffer)
}

/** 1 % out and 1 % in. */
function delta(bench: Bench, base: HashList): void {
  const changed = base.count / 100
  const removals = randomIndices(base.count, changed)
  const additions = randomEntries(changed, 4)
  const sorted = HashList.fromUnsorted({ ...base, entries: freshEntries(base, changed, additions) })
  const update: ListUpdate = {
    name: base.name,
    version: new Uint8Array([2]),
    partial: true,
    additions: { entryLength: 4, entries: sorted.entries },
    removals,
    checksum: new Uint8Array(0),
    minimumWaitMs: 0,
    signed: undefined,
  }
  const bytes = encodeHashList(update)
  // Which of the indices go, and which of all possible entries come.
  const least = (bitsOfChoice(base.count, changed) + bitsOfSet(changed, 32)) / 8
  bench.row('delta of 1 % out and 1 % in, 1M entries of 4 bytes', bytes.length, 'bytes', 'the choice alone', least, { most: 1.03 })
  const figures = bench.compare(
    [
      { name: 'apply', run: () => updatedList(base, decodeHashList(bytes)).count },
      { name: 'copy', run: () => base.entries.slice().length / 4 },
    ],
    { things: base.count, same: true },
  )
  bench.time('decode and apply that delta, an entry of the list', figures, 'apply', 'copy')
}

/** Ascending, each of all choices as likely as any other. */
function randomIndices(below: number, count: number): Uint32Array {
  const chosen = new Set<number>()
  const words = new DataView(randomEntries(4 * count, 4).buffer)
  for (let i = 0; chosen.size < count; i++) chosen.add(words.getUint32(4 * i) % below)
  return Uint32Array.from(chosen).sort()
}

/** As many random entries that `base` does not hold. */
function freshEntries(base: HashList, count: number, seed: Uint8Array): Uint8Array {
  const fresh = new Uint8Array(4 * count)
  const view = new DataView(fresh.buffer)
  let x = new DataView(seed.buffer, seed.byteOffset).getUint32(0) | 1
  for (let i = 0; i < count; ) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    view.setInt32(4 * i, x)
    if (!base.has(fresh.subarray(4 * i, 4 * i + 4))) i++
  }
  return fresh
}

/** log2 of n choose k. */
function bitsOfChoice(n: number, k: number): number {
  const share = k / n
  return n * (-share * Math.log2(share) - (1 - share) * Math.log2(1 - share)) - Math.log2(2 * Math.PI * k * (1 - share)) / 2
}

async function memory(bench: Bench): Promise<void> {
  const count = 10 * MILLION
  const coded = encodeRice(4, randomList(count, 4).entries)
  if (coded === undefined) throw new Error('no entries')
  const before = await bytesHeld()
  const list = HashList.fromSorted({ name: 'se-4b', version: new Uint8Array(1), entryLength: 4, entries: decodeRice(4, coded) })
  const held = (await bytesHeld()) - before
  if (!list.has(list.entries.subarray(0, 4))) throw new Error('the list is not the one that was coded')
  bench.row('memory of a decoded list, 10M entries of 4 bytes', held, 'bytes', 'its entries', list.entries.length, { most: 1.05 })
}

/** Array buffers are given back by another thread, some time after they were found to be garbage. */
async function bytesHeld(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collectGarbage()
    await new Promise((done) => setTimeout(done, 50))
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return arrayBuffers + heapUsed
}
