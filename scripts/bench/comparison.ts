/** One way of doing a job. */
export interface Subject {
  readonly name: string
  /** Does the whole job once. What it answers must be the same for every subject of a comparison, where they answer at all. */
  readonly run: () => unknown
}

export interface ComparisonOptions {
  /** Times that every subject runs and is measured; the median counts. */
  readonly rounds?: number
  /** Things that one run does, such as keys looked up: figures are by thing. */
  readonly things: number
  /** `cpu` is the processor time of this process, its compiler's and garbage collector's threads included; the default is `wall`. */
  readonly clock?: 'cpu' | 'wall'
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
export function compare(subjects: readonly Subject[], { rounds = 9, things, clock = 'wall' }: ComparisonOptions): Figure[] {
  const times = subjects.map((): number[] => [])
  const answers: unknown[] = []
  for (let round = -2; round < rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      collectGarbage()
      const start = nanoseconds(clock)
      answers[i] = subject.run()
      const elapsed = nanoseconds(clock) - start
      if (round >= 0) times[i]?.push(elapsed / things)
    }
  }
  return subjects.map(({ name }, i) => ({ name, nanoseconds: median(times[i] ?? []), answer: answers[i] }))
}

function nanoseconds(clock: 'cpu' | 'wall'): number {
  if (clock === 'wall') return Number(process.hrtime.bigint())
  const { user, system } = process.cpuUsage()
  return 1000 * (user + system)
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
