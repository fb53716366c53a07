import type { TourRow } from './tour.ts'

const WIDTHS = [26, 34, 11, 10, 16, 7, 6] as const
const HEAD = ['step', 'address', 'verdict', 'answered', 'shown', 'bytes', 'ms'] as const

/** Heading of the tour's table. */
export function tableHead(): string {
  return line(HEAD)
}

export function tableRow(row: TourRow): string {
  const cells = [
    row.step,
    middle(row.url.replace(/^http:\/\//, ''), WIDTHS[1]),
    row.verdict,
    row.stage,
    row.shown,
    String(row.bytesSent),
    String(row.ms),
  ]
  return line(cells) + (row.wrong === '' ? '  ok' : `  WRONG: ${row.wrong}`)
}

function line(cells: readonly string[]): string {
  return cells.map((cell, i) => (i >= 5 ? cell.padStart(WIDTHS[i] ?? 0) : cell.padEnd(WIDTHS[i] ?? 0))).join(' ')
}

function middle(text: string, longest: number): string {
  const half = Math.floor((longest - 1) / 2)
  return text.length <= longest ? text : `${text.slice(0, half)}…${text.slice(-half)}`
}
