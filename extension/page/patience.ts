import { BackgroundError } from '../messaging/send.ts'

/**
 * Asks a background that may be waking up: again whenever `waitMs` pass without an answer or the browser says that nobody is there.
 * The first answer counts, also a late one. Only for questions that do no harm when they arrive twice.
 *
 * @throws {BackgroundError} `no-answer` after `attempts`, or a refusal at once
 */
export function askPatiently<A>(
  ask: () => Promise<A>,
  { waitMs, attempts }: { readonly waitMs: number; readonly attempts: number },
): Promise<A> {
  return new Promise((resolve, reject) => {
    let left = attempts
    let timer: ReturnType<typeof setTimeout> | undefined
    const attempt = (): void => {
      if (left === 0) {
        reject(new BackgroundError('no-answer', `no answer in ${(attempts * waitMs) / 1000} s`))
        return
      }
      left--
      timer = setTimeout(attempt, waitMs)
      ask().then(
        (answer) => {
          clearTimeout(timer)
          resolve(answer)
        },
        (error: unknown) => {
          // Nobody there: the timer asks again.
          if (error instanceof BackgroundError && error.code === 'no-answer') return
          clearTimeout(timer)
          reject(error)
        },
      )
    }
    attempt()
  })
}
