const STEP_MS = 50

/**
 * Polls until `check` answers something other than undefined and false, and answers that. Rejects after `timeoutMs` with `what` and the
 * last error of `check`, if it threw.
 */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    let last: unknown
    try {
      const answer = await check()
      if (answer !== undefined && answer !== false) return answer
    } catch (error) {
      last = error
    }
    if (Date.now() >= deadline) throw new Error(`Waited ${timeoutMs} ms for ${what}`, { cause: last })
    await pause(STEP_MS)
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
