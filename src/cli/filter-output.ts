import { describeFilter } from './filter-facts.ts'
import type { AnyFilter } from './filter-kinds.ts'
import type { Output } from './output.ts'
import { writeOutput } from './output-file.ts'

const FORMAT_VERSION_AT = 4

interface WrittenFilter {
  readonly output: Output
  readonly out: string
  readonly json: boolean
  /** The rate and the room that were asked for; by default those of the filter. */
  readonly rate?: number
  readonly capacity?: number | undefined
}

/** Writes a filter to a file, and what there is to know about it to standard output. @throws {WaryError} `file-failed` */
export function writeFilter(filter: AnyFilter, { output, out, json, rate, capacity }: WrittenFilter): void {
  const bytes = filter.toBytes()
  writeOutput(out, bytes)
  const { facts, rows } = describeFilter(filter, bytes[FORMAT_VERSION_AT] as number)
  const { entries, expectedRate } = facts
  const kept = rate ?? facts.rateWhenFull
  if (kept !== null && expectedRate > kept)
    output.note(
      `note: ${entries} keys in room for ${capacity ?? facts.capacity}; there will be more false positives than ${Number(kept.toPrecision(6))}`,
    )
  if (json) return output.json({ file: out, ...facts })
  output.line(`Wrote ${out}`)
  output.table(rows)
}
