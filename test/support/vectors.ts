import { readFileSync } from 'node:fs'

/** Entries of a file in test/vectors. What an entry holds differs from file to file; each names its source. */
export function vectors<I, E>(file: string): readonly Vector<I, E>[] {
  const { count, entries } = JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8'))
  if (!Array.isArray(entries) || entries.length !== count) throw new Error(`${file} does not hold the ${count} entries that it announces`)
  // A few inputs are no text: they stand there as bytes.
  return entries.map((entry) =>
    'input_hex' in entry ? { ...entry, input: Buffer.from(entry.input_hex, 'hex').toString('latin1') } : entry,
  )
}

export interface Vector<I, E> {
  readonly input: I
  readonly expected: E
  readonly source: string
  readonly note?: string
  /** Where it is there: the value by the v5 text, which counts where the peer departs from it. */
  readonly v5_expected?: E
  readonly [other: string]: unknown
}

/** What the v5 text says, where the file knows it, else what the peer says. */
export function v5<E>(vector: Vector<unknown, E>): E {
  return 'v5_expected' in vector ? (vector.v5_expected as E) : vector.expected
}
