import type { Clock } from '../ports.ts'
import { grouped, type Output } from './output.ts'

const EVERY_MS = 1000

/** Says on standard error how far long work has come, once a second, from the first second on: short work says nothing. */
export class Progress {
  readonly #output: Output
  readonly #clock: Clock
  #said: number

  constructor({ output, clock }: { readonly output: Output; readonly clock: Clock }) {
    this.#output = output
    this.#clock = clock
    this.#said = clock.now()
  }

  /** Cheap, but not free: for every few thousand keys. @param what as in "keys read so far" */
  at(count: number, what: string): void {
    const now = this.#clock.now()
    if (now - this.#said < EVERY_MS) return
    this.#said = now
    this.#output.note(`${grouped(count)} ${what}`)
  }
}
