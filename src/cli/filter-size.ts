import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { EXACT_KINDS } from './filter-exact-sizes.ts'
import { leastRate, mostEntries } from './filter-fit.ts'
import { byteSize, entryCount, hashableRate } from './filter-option-values.ts'
import { sizeRows } from './filter-size-rows.ts'
import { SET_KINDS, type SetKind, type SetSize } from './filter-sizes.ts'

const MOST_ENTRIES = 1e12
/** 2^53 bits. */
const MOST_BYTES = 2 ** 50

interface SizeFlags {
  readonly entries?: number
  readonly rate?: number
  readonly bytes?: number
  readonly json?: boolean
}

/** One way to keep the keys. */
export interface SizeFacts {
  readonly kind: string
  /** That it holds; 0 where not even one fits. */
  readonly entries: number
  readonly bits: number
  readonly bytes: number
  readonly bitsPerEntry: number
  /** Null where it has none, as fill. */
  readonly hashes: number | null
  readonly fill: number | null
  /** False positive rate with all entries in; 1 where the entries do not fit. */
  readonly rate: number
  readonly note: string | null
}

export function addFilterSize(filter: Command, { output }: CliContext): void {
  filter
    .command('size')
    .summary('how large filters are')
    .description(
      'Says what each kind of filter takes, and beside them what the exact sets take that it could stand for. Give two of the three: ' +
        'entries and rate for the size, bytes and rate for the entries that fit, bytes and entries for the lowest rate. Sizes are ' +
        "without a file's head, which has about 50 bytes; a file has up to 2^32 bits, and more keys are split over several. Nothing is built.",
    )
    .option('--entries <N>', 'number of keys, such as 1e9', entryCount(MOST_ENTRIES))
    .option('--rate <P>', 'false positive rate to keep at most', hashableRate)
    .option('--bytes <B>', 'size, such as 64MiB or 1.8GB', byteSize(MOST_BYTES))
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary filter size --entries 1e9 --rate 0.001\n  wary filter size --bytes 64MiB --rate 0.001\n' +
        '  wary filter size --bytes 64MiB --entries 1e8',
    )
    .action(({ json = false, ...asked }: SizeFlags) => {
      const sizes = [...SET_KINDS, ...EXACT_KINDS].map((kind) => answer(kind, asked))
      if (json) return output.json({ entries: asked.entries ?? null, rate: asked.rate ?? null, bytes: asked.bytes ?? null, sizes })
      const { title, rows } = sizeRows(asked, sizes)
      output.line(title)
      output.table(rows)
    })
}

function answer(kind: SetKind, { entries, rate: asked, bytes }: SizeFlags): SizeFacts {
  if (entries !== undefined && asked !== undefined && bytes === undefined) return facts(kind, entries, kind.size(entries, asked))
  if (bytes !== undefined && asked !== undefined && entries === undefined) {
    const most = mostEntries(kind, bytes * 8, asked, MOST_ENTRIES * 1000)
    return most === 0 ? nothing(kind, 'not one entry fits', 0) : facts(kind, most, kind.size(most, asked))
  }
  if (bytes !== undefined && entries !== undefined && asked === undefined) {
    const least = leastRate(kind, bytes * 8, entries)
    return least === undefined ? nothing(kind, 'they do not fit', entries) : facts(kind, entries, kind.size(entries, least))
  }
  throw usageError('give two of --entries, --rate and --bytes')
}

function facts({ name }: SetKind, entries: number, size: SetSize): SizeFacts {
  return {
    kind: name,
    entries,
    bits: size.bits,
    bytes: Math.ceil(size.bits / 8),
    bitsPerEntry: size.bits / entries,
    hashes: size.hashes ?? null,
    fill: size.fill ?? null,
    rate: size.rate,
    note: size.fault ?? size.note ?? null,
  }
}

function nothing({ name }: SetKind, note: string, entries: number): SizeFacts {
  return { kind: name, entries, bits: 0, bytes: 0, bitsPerEntry: 0, hashes: null, fill: null, rate: 1, note }
}
