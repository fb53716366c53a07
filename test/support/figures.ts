import { appendFileSync } from 'node:fs'

/** A figure that a long suite measured, for the file that `npm run test:full` writes. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
}

/** Shows the figure, and keeps it where the run collects figures. */
export function recordFigure(figure: Figure): void {
  process.stderr.write(`  ${figure.name}: ${figure.value} ${figure.unit}\n`)
  const file = process.env['WARY_FIGURES']
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}
