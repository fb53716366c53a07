import type { KindFigures } from './filter-kind.ts'

const HEADS = ['kind', 'bits a key', 'of the limit', 'add', 'not in', 'in', 'delete', 'rate', 'of the target'] as const

function cells({ kind, bitsPerKey, limit, add, negative, positive, rate, target, delete: taken }: KindFigures): string[] {
  const time = (nanoseconds: number | undefined): string => (nanoseconds === undefined ? '–' : `${Math.round(nanoseconds)} ns`)
  return [
    kind,
    bitsPerKey.toFixed(1),
    `${(bitsPerKey / limit).toFixed(2)}x`,
    time(add),
    time(negative),
    time(positive),
    time(taken),
    rate === undefined ? 'exact' : `${(100 * rate).toPrecision(3)} %`,
    rate === undefined ? '–' : `${(rate / target).toFixed(2)}x`,
  ]
}

/** For a terminal. */
export function kindsText(kinds: readonly KindFigures[]): string {
  const lines = [[...HEADS], ...kinds.map(cells)]
  const widths = HEADS.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const padded = lines.map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))))
  return `${padded.map((line) => line.join('  ')).join('\n')}\n`
}

/** For a Markdown page. */
export function kindsMarkdown(kinds: readonly KindFigures[]): string {
  const row = (line: readonly string[]): string => `| ${line.join(' | ')} |`
  return [row(HEADS), row(HEADS.map((_, i) => (i === 0 ? '---' : '---:'))), ...kinds.map((kind) => row(cells(kind)))].join('\n')
}
