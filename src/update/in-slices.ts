import type { Clock } from '../ports.ts'
import type { Steps } from '../steps.ts'

/** Gives other work its turn: resolves in a later task of the event loop. */
export type Pause = () => Promise<void>

export const nextTask: Pause = () => new Promise((resolve) => setTimeout(resolve, 0))

/** A navigation that comes meanwhile waits about this long, in milliseconds. */
const SLICE_MS = 10
/** The most in one slice: the clock may stand still. */
const STEPS_A_SLICE = 32

export interface Slicing {
  readonly clock: Clock
  readonly pause: Pause
  readonly signal: AbortSignal
}

/**
 * Does `steps` with pauses between slices of 10 ms.
 * @throws the signal's reason when it aborts
 */
export async function inSlices<T>(steps: Steps<T>, { clock, pause, signal }: Slicing): Promise<T> {
  for (;;) {
    const started = clock.now()
    for (let i = 0; i < STEPS_A_SLICE && clock.now() - started < SLICE_MS; i++) {
      const step = steps.next()
      if (step.done) return step.value
    }
    await pause()
    signal.throwIfAborted()
  }
}
