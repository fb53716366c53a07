/** One way of doing a job. */
export interface Subject {
  readonly name: string
  /** Makes ready what a run uses up; not measured. */
  readonly setUp?: () => unknown
  /** Does the whole job once. What it answers must be the same for every subject of a comparison, where they answer at all. */
  readonly run: () => unknown
}

export interface ComparisonOptions {
  /** Times that every subject runs and is measured; the median counts. */
  readonly rounds?: number
  /** Things that one run does, such as keys looked up: figures are by thing. */
  readonly things: number
}

export interface Figure {
  readonly name: string
  /** Median nanoseconds a thing. */
  readonly nanoseconds: number
  readonly answer: unknown
}

/**
 * Runs all subjects in turn, A B C A B C, so that a machine whose speed drifts drifts for all of them alike. Two rounds go before, unmeasured,
 * for the compiler.
 */
export function compare(subjects: readonly Subject[], { rounds = 9, things }: ComparisonOptions): Figure[] {
  const times = subjects.map((): number[] => [])
  const answers: unknown[] = []
  for (let round = -2; round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      subject.setUp?.()
      collectGarbage()
      const start = process.hrtime.bigint()
      answers[i] = subject.run()
      const elapsed = Number(process.hrtime.bigint() - start)
      if (round >= 0) times[i]?.push(elapsed / things)
    }
  }
  return subjects.map(({ name }, i) => ({ name, nanoseconds: median(times[i] ?? []), answer: answers[i] }))
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** So that no subject pays for what another one left. Node has it with --expose-gc only. */
export function collectGarbage(): void {
  const collect: unknown = Reflect.get(globalThis, 'gc')
  if (typeof collect === 'function') collect()
}
