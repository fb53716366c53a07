import { PagedBloomFilter } from '../filter/paged-bloom.ts'
import { addEntries } from '../filter/ready-hash.ts'
import type { HashList } from '../lists/hash-list.ts'
import type { Clock } from '../ports.ts'

/** Gives other work its turn: resolves in a later task of the event loop. */
export type Pause = () => Promise<void>

export const nextTask: Pause = () => new Promise((resolve) => setTimeout(resolve, 0))

/** A navigation that comes meanwhile waits about this long, in milliseconds. */
const SLICE_MS = 10
/** Entries between two looks at the clock, and the most in one slice: the clock may stand still. */
const ENTRIES_A_LOOK = 512
const ENTRIES_A_SLICE = 32 * ENTRIES_A_LOOK

export interface FilterBuilding {
  /** False positive rate, such as 1e-3. */
  readonly rate: number
  readonly clock: Clock
  readonly pause: Pause
  readonly signal: AbortSignal
}

/**
 * The paged Bloom filter of all entries of `list`, built in slices with pauses between them. An entry is its own hash (ready-hash.ts).
 * @throws the signal's reason when it aborts
 */
export async function buildFilter(list: HashList, { rate, clock, pause, signal }: FilterBuilding): Promise<PagedBloomFilter> {
  const { entries, entryLength } = list
  const filter = PagedBloomFilter.create({ capacity: Math.max(1, list.count), rate })
  const look = ENTRIES_A_LOOK * entryLength
  let sliceStart = clock.now()
  let inSlice = 0
  for (let at = 0; at < entries.length; at += look) {
    addEntries(filter, entries.subarray(at, at + look), entryLength)
    inSlice += ENTRIES_A_LOOK
    if (inSlice < ENTRIES_A_SLICE && clock.now() - sliceStart < SLICE_MS) continue
    await pause()
    signal.throwIfAborted()
    sliceStart = clock.now()
    inSlice = 0
  }
  return filter
}
