import { drawing, mutate } from './mutate.ts'

/** A target as Jazzer.js and libFuzzer have it: throws where a promise of the code is broken. Same input, same outcome. */
export type FuzzTarget = (input: Uint8Array) => void

export interface Finding {
  readonly input: Uint8Array
  readonly error: unknown
}

export interface EngineOptions {
  readonly fuzz: FuzzTarget
  /** How often each block ran; the target's code counts, the engine sets them to 0. */
  readonly counters: Uint32Array
  readonly seed: number
  readonly longest: number
  readonly dictionary: readonly Uint8Array[]
  /** Before the target runs on it: whoever watches from outside can keep it if the run never ends. */
  readonly onInput?: (input: Uint8Array) => void
}

/** Counts that differ in size, not in their exact number, are features of their own: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more. */
function bucket(count: number): number {
  if (count < 4) return count - 1
  if (count < 8) return 3
  if (count < 16) return 4
  if (count < 32) return 5
  return count < 128 ? 6 : 7
}

interface Entry {
  readonly input: Uint8Array
  readonly features: readonly number[]
}

/**
 * Coverage-guided: keeps every input that reaches what none reached before, or the same in fewer bytes, and makes new ones of those. Findings that
 * throw the same error at the same place count once.
 */
export class Engine {
  executions = 0
  readonly findings = new Map<string, Finding>()
  readonly #options: EngineOptions
  readonly #draw
  readonly #corpus: Entry[] = []
  /** By feature: the length of the shortest input that has it. */
  readonly #best: Uint32Array

  constructor(options: EngineOptions) {
    this.#options = options
    this.#draw = drawing(options.seed)
    this.#best = new Uint32Array(options.counters.length * 8)
  }

  get corpus(): readonly Uint8Array[] {
    return this.#corpus.map(({ input }) => input)
  }

  get features(): number {
    return this.#best.reduce((sum, length) => sum + (length > 0 ? 1 : 0), 0)
  }

  /** Runs `input` as it is and keeps it if it reaches anything new. */
  add(input: Uint8Array): void {
    const outcome = this.#run(input)
    if (outcome !== undefined) this.#found(input, outcome.error)
    const features: number[] = []
    let better = false
    const { counters } = this.#options
    for (let i = 0; i < counters.length; i++) {
      const count = counters[i] as number
      if (count === 0) continue
      const feature = 8 * i + bucket(count)
      features.push(feature)
      const shortest = this.#best[feature] as number
      // Lengths are kept plus one, so that the empty input has one too.
      if (shortest === 0 || input.length + 1 < shortest) {
        this.#best[feature] = input.length + 1
        better = true
      }
    }
    if (better) this.#keep({ input: input.slice(), features })
  }

  /** One mutation of one kept input. */
  step(): void {
    const { longest, dictionary } = this.#options
    const pick = (): Uint8Array => this.#corpus[this.#draw(this.#corpus.length)]?.input ?? new Uint8Array(0)
    this.add(mutate(pick(), { draw: this.#draw, longest, dictionary, other: pick }))
  }

  /** Entries of which others have every feature in fewer bytes are not needed any more. */
  #keep(entry: Entry): void {
    this.#corpus.push(entry)
    if (this.#corpus.length % 64 !== 0) return
    const needed = this.#corpus.filter(({ input, features }) => features.some((feature) => this.#best[feature] === input.length + 1))
    this.#corpus.splice(0, this.#corpus.length, ...needed)
  }

  #run(input: Uint8Array): { readonly error: unknown } | undefined {
    const { fuzz, counters, onInput } = this.#options
    onInput?.(input)
    counters.fill(0)
    this.executions++
    try {
      fuzz(input)
      return undefined
    } catch (error) {
      return { error }
    }
  }

  #found(input: Uint8Array, error: unknown): void {
    const key = keyOf(error)
    if (this.findings.has(key)) return
    this.findings.set(key, { input: this.#smaller(input, key), error })
  }

  /** Leaves out what is not needed to fail in the same way. */
  #smaller(input: Uint8Array, key: string): Uint8Array {
    let smallest = input
    for (let size = Math.ceil(input.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < smallest.length; ) {
        const shorter = new Uint8Array([...smallest.subarray(0, at), ...smallest.subarray(at + size)])
        const outcome = this.#run(shorter)
        if (outcome !== undefined && keyOf(outcome.error) === key) smallest = shorter
        else at += size
      }
    }
    return smallest
  }
}

/** Name and place of an error (its two innermost calls); its message may quote the input. */
function keyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const calls = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return [error.name, ...calls.slice(0, 2)].join('\n')
}
