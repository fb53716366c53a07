import { type ComparisonOptions, compare, type Figure, type Subject } from './comparison.ts'
import type { KindFigures, SpaceCurve } from './filter-kind.ts'

/** A line of the table: a figure, against a floor or a peer of the same run. */
export interface Row {
  readonly suite: string
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly against: string
  /** The value divided by that of `against`. */
  readonly ratio: number
  /** What the ratio is to be at most, or for `least` at least. Without one the row informs only. */
  readonly limit?: number
  readonly direction?: 'most' | 'least'
  /** Undefined without a limit. */
  readonly holds?: boolean
}

export interface Limits {
  readonly most?: number
  readonly least?: number
}

/** What a `*.bench.ts` gets: it measures, and says what the measure is held against. */
export class Bench {
  readonly rows: Row[] = []
  readonly kinds: KindFigures[] = []
  readonly curves: SpaceCurve[] = []
  readonly #suite: string

  constructor(suite: string) {
    this.#suite = suite
  }

  /** A line of the table of filters. */
  kind(figures: KindFigures): void {
    this.kinds.push(figures)
  }

  /** A line of the plot of filters. */
  curve(curve: SpaceCurve): void {
    this.curves.push(curve)
  }

  /**
   * Measures all subjects in turn. With `same`, their answers must be equal: a faster way to another answer is no faster way.
   * @throws {Error} where they differ
   */
  compare(subjects: readonly Subject[], options: ComparisonOptions & { readonly same?: boolean }): ReadonlyMap<string, number> {
    const figures = compare(subjects, options)
    if (options.same) refuseDifferent(figures)
    return new Map(figures.map(({ name, nanoseconds }) => [name, nanoseconds]))
  }

  /** A time, nanoseconds a thing, of a comparison, against another of it. */
  time(name: string, figures: ReadonlyMap<string, number>, subject: string, against: string, limits: Limits = {}): void {
    this.row(name, figures.get(subject) ?? Number.NaN, 'ns', against, figures.get(against) ?? Number.NaN, limits)
  }

  /** Any figure against any other of the same unit. */
  row(name: string, value: number, unit: string, against: string, floor: number, { most, least }: Limits = {}): void {
    const ratio = value / floor
    const limit = most ?? least
    const row: Row = { suite: this.#suite, name, value, unit, against, ratio }
    if (limit === undefined) this.rows.push(row)
    else if (most === undefined) this.rows.push({ ...row, limit, direction: 'least', holds: ratio >= limit })
    else this.rows.push({ ...row, limit, direction: 'most', holds: ratio <= limit })
  }
}

function refuseDifferent(figures: readonly Figure[]): void {
  const [first] = figures
  for (const { name, answer } of figures) {
    if (first && answer !== first.answer)
      throw new Error(`${name} answers ${String(answer)}, ${first.name} answers ${String(first.answer)}`)
  }
}
