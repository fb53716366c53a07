import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openWelcome } from '../../extension/background/open-welcome.ts'

describe('the first-run page', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  async function opened(administered: boolean, policyAfterMs?: number): Promise<number> {
    const settings = { firstRun: true }
    let count = 0
    if (policyAfterMs !== undefined) setTimeout(() => Object.assign(settings, { firstRun: false }), policyAfterMs)
    const done = openWelcome({
      settings: { ready: Promise.resolve(), settings },
      administered: async () => administered,
      open: async () => void count++,
    })
    await vi.advanceTimersByTimeAsync(20_000)
    await done
    return count
  }

  test('opens where nothing forbids it', async () => {
    expect(await opened(false)).toBe(1)
    expect(await opened(true)).toBe(1)
  })

  test('does not open under a policy that comes seconds after the installation', async () => {
    expect(await opened(true, 2000)).toBe(0)
  })
})
