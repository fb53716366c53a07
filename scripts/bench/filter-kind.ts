/** What was measured of one kind of filter. Times are nanoseconds a key; undefined where it cannot do that. */
export interface KindFigures {
  readonly kind: string
  /** With the head of the file, divided by the keys. */
  readonly bitsPerKey: number
  /** log2(1/p): what no filter of this rate goes below. */
  readonly limit: number
  readonly add: number
  readonly negative: number
  readonly positive: number
  readonly delete: number | undefined
  /** Share of strangers that it takes for members; undefined for an exact set. */
  readonly rate: number | undefined
  readonly target: number
}

/** Space against rate: one line of the plot. */
export interface SpaceCurve {
  readonly kind: string
  readonly points: readonly { readonly rate: number; readonly bitsPerKey: number }[]
}
