import type { Row } from './bench.ts'

/** One aligned table on standard output, a blank line between suites. */
export function printTable(rows: readonly Row[]): void {
  const lines = [['suite', 'job', 'figure', 'ratio', 'limit', '', 'against'], ...rows.map(cells)]
  const widths = lines.reduce<number[]>((all, line) => line.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), [])
  let suite: string | undefined
  for (const line of lines) {
    if (suite !== undefined && suite !== line[0]) process.stdout.write('\n')
    suite = line[0]
    const padded = line.map((cell, i) => (i === 2 || i === 3 || i === 4 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`)
  }
  const held = rows.filter(({ holds }) => holds !== undefined)
  const over = held.filter(({ holds }) => !holds)
  process.stdout.write(`\n${held.length - over.length} of ${held.length} ratios hold\n`)
}

function cells({ suite, name, value, unit, against, ratio, limit, direction, holds }: Row): string[] {
  const bound = limit === undefined ? '' : `${direction === 'least' ? '>=' : '<='} ${limit}`
  return [suite, name, `${short(value)} ${unit}`, `${short(ratio)}x`, bound, holds === undefined ? '' : holds ? 'ok' : 'OVER', against]
}

/** Three digits that count. */
function short(number: number): string {
  if (!Number.isFinite(number)) return String(number)
  return number >= 1000 ? Math.round(number).toLocaleString('en-US') : String(Number(number.toPrecision(3)))
}
