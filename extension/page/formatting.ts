const STEPS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly ms: number; readonly below: number }[] = [
  { unit: 'second', ms: 1000, below: 60_000 },
  { unit: 'minute', ms: 60_000, below: 90 * 60_000 },
  { unit: 'hour', ms: 3_600_000, below: 36 * 3_600_000 },
  { unit: 'day', ms: 86_400_000, below: Number.POSITIVE_INFINITY },
]

/** Numbers, sizes and times as the language of the strings writes them. Times are milliseconds since 1970. */
export class Formatting {
  readonly #locale: string
  readonly #timeZone: { readonly timeZone?: string }

  /** @param timeZone default: the device's */
  constructor({ locale, timeZone }: { readonly locale: string; readonly timeZone?: string }) {
    this.#locale = locale
    this.#timeZone = timeZone === undefined ? {} : { timeZone }
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.#locale).format(value)
  }

  /** A share between 0 and 1, to three significant digits: rates of filters are far below one percent. */
  share(value: number): string {
    return new Intl.NumberFormat(this.#locale, { style: 'percent', maximumSignificantDigits: 3 }).format(value)
  }

  /** Decimal units, as download sizes are given. */
  bytes(value: number): string {
    const unit = value < 1000 ? 'byte' : value < 1e6 ? 'kilobyte' : 'megabyte'
    const scaled = value / { byte: 1, kilobyte: 1e3, megabyte: 1e6 }[unit]
    const unitDisplay = unit === 'byte' ? 'long' : 'short'
    return new Intl.NumberFormat(this.#locale, {
      style: 'unit',
      unit,
      unitDisplay,
      maximumFractionDigits: scaled < 10 && unit !== 'byte' ? 1 : 0,
    }).format(scaled)
  }

  /** "3 hours ago", "in 25 minutes", "now". */
  age(at: number, now: number): string {
    const difference = at - now
    const step = STEPS.find(({ below }) => Math.abs(difference) < below)
    const format = new Intl.RelativeTimeFormat(this.#locale, { numeric: step?.unit === 'day' ? 'always' : 'auto' })
    const { unit, ms } = step ?? { unit: 'day', ms: 86_400_000 }
    return format.format(Math.round(difference / ms) || 0, unit)
  }

  moment(at: number): string {
    return new Intl.DateTimeFormat(this.#locale, { dateStyle: 'medium', timeStyle: 'short', ...this.#timeZone }).format(at)
  }

  /** The time of day alone where `at` is near `now`, else date and time. */
  soon(at: number, now: number): string {
    if (Math.abs(at - now) > 12 * 3_600_000) return this.moment(at)
    return new Intl.DateTimeFormat(this.#locale, { timeStyle: 'short', ...this.#timeZone }).format(at)
  }
}
