import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../vectors/', import.meta.url)

/** Every file of test/vectors, by name. */
export function vectorFiles(): readonly string[] {
  return readdirSync(FOLDER).sort()
}

/** Entries of a file in test/vectors. What an entry holds differs from file to file; each names its source. */
export function vectors<I, E>(file: string): readonly Vector<I, E>[] {
  const { count, entries } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
  if (!Array.isArray(entries) || entries.length !== count) throw new Error(`${file} does not hold the ${count} entries that it announces`)
  for (const { source } of entries)
    if (typeof source !== 'string' || source === '') throw new Error(`${file} has an entry without a source`)
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

/** How the entries of one kind of file are checked: a file belongs to the kind whose `files` its name matches. */
export interface VectorKind {
  readonly files: RegExp
  /** Throws where the code departs from an entry. A text that it returns (or a promise of it) says that and why another value than the file's counts. */
  readonly check: (vector: Vector<never, never>) => unknown
}

/** A kind whose entries have these types. The files are JSON: what an entry holds shows when it is checked. */
export function vectorKind<I, E>(files: RegExp, check: (vector: Vector<I, E>) => unknown): VectorKind {
  return { files, check: check as VectorKind['check'] }
}
