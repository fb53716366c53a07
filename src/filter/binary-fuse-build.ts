import { type FuseSize, fuseCells, fuseFault } from './binary-fuse-size.ts'
import { FuseCells, mixedFirst, mixedSecond } from './fuse-cells.ts'
import { refuseParameter } from './parameters.ts'

/** As in the reference implementation; more than two or three are hardly ever made. */
export const MOST_ATTEMPTS = 100

/** Where in memory the upper half of a 64-bit number is, and where the lower one. */
const UPPER = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0
const LOWER = 1 - UPPER

/** Counts of keys in a cell are kept above two bits that say which of a key's cells it is, if it is one key's. */
const ONE = 4

/**
 * Cells for the hashes, high and low halves in turn, which may repeat. The same hashes in any order make the same cells.
 * @param sizeFor the size for a number of different hashes
 * @throws {WaryError} `filter-parameter` for a size that cannot be, or where no attempt succeeds
 */
export function buildFuse(hashes: Int32Array, sizeFor: (keys: number) => FuseSize): { cells: FuseCells; count: number } {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const mixed = sortedMix(hashes, attempt)
    const count = mixed.length / 2
    const size = sizeFor(count)
    const fault = fuseFault(size)
    if (fault !== undefined) refuseParameter(fault)
    const cells = FuseCells.empty(size, attempt)
    if (fill(cells, mixed)) return { cells, count }
  }
  refuseParameter(`no filter came out of ${MOST_ATTEMPTS} attempts: try another seed`)
}

/**
 * The hashes as they are mixed in this attempt, each once, in ascending order: so the result does not hang on the order in which they came,
 * and keys that follow each other have cells near to each other, which makes filling much faster.
 */
function sortedMix(hashes: Int32Array, attempt: number): Int32Array {
  const numbers = new BigUint64Array(hashes.length / 2)
  const words = new Int32Array(numbers.buffer)
  for (let i = 0; i < hashes.length; i += 2) {
    const low = hashes[i + 1] as number
    const first = mixedFirst(hashes[i] as number, low, attempt)
    words[i + UPPER] = first
    words[i + LOWER] = mixedSecond(first, low, attempt)
  }
  numbers.sort()
  let kept = 0
  for (let i = 0; i < words.length; i += 2) {
    if (kept > 0 && words[i] === words[kept - 2] && words[i + 1] === words[kept - 1]) continue
    words[kept] = words[i] as number
    words[kept + 1] = words[i + 1] as number
    kept += 2
  }
  return words.subarray(0, kept)
}

/**
 * Takes one key after the other away that is alone in one of its cells, until none is left, and then in reverse order gives each that cell
 * for the bits that its other two lack. False where some keys are nowhere alone.
 */
function fill(cells: FuseCells, mixed: Int32Array): boolean {
  const length = fuseCells(cells.size)
  const keys = mixed.length / 2
  const counts = new Uint8Array(length)
  // The exclusive or of all keys in a cell: where there is one, the key itself.
  const firsts = new Int32Array(length)
  const seconds = new Int32Array(length)
  const at = new Int32Array(3)
  for (let i = 0; i < mixed.length; i += 2) {
    const first = mixed[i + UPPER] as number
    const second = mixed[i + LOWER] as number
    cells.locate(first, second, at)
    for (let way = 0; way < 3; way++) {
      const cell = at[way] as number
      const count = ((counts[cell] as number) + ONE) ^ way
      // No count goes beyond 63. So many keys in one cell are as good as a failure.
      if (count > 0xff) return false
      counts[cell] = count
      firsts[cell] = (firsts[cell] as number) ^ first
      seconds[cell] = (seconds[cell] as number) ^ second
    }
  }
  const alone = new Int32Array(length)
  let waiting = 0
  for (let cell = 0; cell < length; cell++) if ((counts[cell] as number) >> 2 === 1) alone[waiting++] = cell
  const order = new Int32Array(2 * keys)
  const ways = new Uint8Array(keys)
  let taken = 0
  while (waiting > 0) {
    const cell = alone[--waiting] as number
    // Its key may have been taken away by way of another cell.
    if ((counts[cell] as number) >> 2 !== 1) continue
    const first = firsts[cell] as number
    const second = seconds[cell] as number
    const own = (counts[cell] as number) & 3
    order[2 * taken] = first
    order[2 * taken + 1] = second
    ways[taken++] = own
    cells.locate(first, second, at)
    for (let way = 0; way < 3; way++) {
      if (way === own) continue
      const other = at[way] as number
      const count = ((counts[other] as number) - ONE) ^ way
      counts[other] = count
      firsts[other] = (firsts[other] as number) ^ first
      seconds[other] = (seconds[other] as number) ^ second
      if (count >> 2 === 1) alone[waiting++] = other
    }
  }
  if (taken < keys) return false
  const { array } = cells
  while (taken-- > 0) {
    const first = order[2 * taken] as number
    const second = order[2 * taken + 1] as number
    cells.locate(first, second, at)
    const own = at[ways[taken] as number] as number
    array.set(own, cells.stored(first, second) ^ array.get(own) ^ cells.fingerprint(first, second))
  }
  return true
}
