import type { SizeFacts } from './filter-size.ts'
import { grouped } from './output.ts'

interface Asked {
  readonly entries?: number
  readonly rate?: number
  readonly bytes?: number
}

const HEADINGS = ['', 'entries', 'bits', 'bytes', 'bits an entry', 'k', 'fill', 'rate', '']
const ENTRIES = 1

/** Sizes as a table for people, with a line before it. */
export function sizeRows(asked: Asked, sizes: readonly SizeFacts[]): { readonly title: string; readonly rows: readonly string[][] } {
  // Where they are asked for, the entries are in the line before.
  const shown = HEADINGS.map((_, i) => i).filter((i) => i !== ENTRIES || asked.entries === undefined)
  const rows = [HEADINGS, ...sizes.map(cells)].map((row) => shown.map((i) => row[i] ?? ''))
  const widths = shown.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const last = shown.length - 1
  // Numbers stand to the right of their columns.
  const aligned = rows.map((row) => row.map((cell, i) => (i === 0 || i === last ? cell : cell.padStart(widths[i] ?? 0))))
  return { title: title(asked), rows: aligned }
}

function title({ entries, rate, bytes }: Asked): string {
  const least = rate === undefined ? undefined : -Math.log2(rate)
  if (entries !== undefined && least !== undefined)
    return `${grouped(entries)} entries at ${share(rate ?? 0)}: no filter takes fewer than ${least.toFixed(2)} bits an entry, ${size((entries * least) / 8)}`
  if (entries !== undefined)
    return `${grouped(entries)} entries in ${size(bytes ?? 0)}: ${((8 * (bytes ?? 0)) / entries).toFixed(2)} bits an entry`
  return `${size(bytes ?? 0)} at ${share(rate ?? 0)}: no filter holds more than ${grouped(Math.floor((8 * (bytes ?? 0)) / (least ?? 1)))} entries`
}

function cells(facts: SizeFacts): string[] {
  const { kind, entries, bits, bytes, bitsPerEntry, hashes, fill, rate, note } = facts
  if (bits === 0) return [kind, '-', '-', '-', '-', '-', '-', '-', note ?? '']
  return [
    kind,
    grouped(entries),
    grouped(bits),
    grouped(bytes),
    bitsPerEntry.toFixed(2),
    hashes === null ? '' : String(hashes),
    fill === null ? '' : `${(100 * fill).toFixed(1)} %`,
    rate === 0 ? '0' : share(rate),
    note ?? '',
  ]
}

function share(rate: number): string {
  const percent = 100 * rate
  return `${percent < 1e-4 ? percent.toExponential(2) : Number(percent.toPrecision(6))} %`
}

/** `1.80 GB` */
function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']
  let scaled = bytes
  let unit = 0
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000
    unit++
  }
  return unit === 0 ? `${Math.ceil(bytes)} bytes` : `${scaled.toPrecision(3)} ${units[unit]}`
}
