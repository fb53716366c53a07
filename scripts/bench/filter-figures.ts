import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { KindFigures, SpaceCurve } from './filter-kind.ts'
import { kindsMarkdown } from './kinds-table.ts'
import { spacePlot } from './space-plot.ts'

const PAGE = 'docs/bloom-filters.md'
const BLOCK = /(<!-- filters:table -->\n)[\s\S]*?(<!-- \/filters:table -->)/

export interface FilterFigures {
  readonly date: string
  readonly commit: string
  readonly node: string
  readonly kinds: readonly KindFigures[]
  readonly curves: readonly SpaceCurve[]
}

/** Brings docs/bloom-filters.md up to date: its table, its plot, and the JSON of both. */
export function writeFilterFigures(figures: FilterFigures): void {
  const { date, node, kinds, curves } = figures
  mkdirSync('docs/measurements', { recursive: true })
  writeFileSync('docs/measurements/filters.json', `${JSON.stringify(figures, null, 2)}\n`)
  writeFileSync('docs/images/filters-space.svg', spacePlot(curves))
  const said = `Measured on ${date.slice(0, 10)}, Node ${node.replace('v', '')}, about a million generated addresses at 0.1 %.`
  const page = readFileSync(PAGE, 'utf8')
  if (!BLOCK.test(page)) throw new Error(`${PAGE} has no place for the table of filters`)
  writeFileSync(
    PAGE,
    page.replace(BLOCK, (_, start: string, end: string) => `${start}\n${kindsMarkdown(kinds)}\n\n${said}\n\n${end}`),
  )
}
