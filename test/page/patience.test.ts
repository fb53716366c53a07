import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BackgroundError } from '../../extension/messaging/send.ts'
import { askPatiently } from '../../extension/page/patience.ts'

const PATIENCE = { waitMs: 2000, attempts: 3 }

describe('asking a background that may be waking up', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('an answer that comes is asked for once', async () => {
    const ask = vi.fn(async () => 'answer')
    await expect(askPatiently(ask, PATIENCE)).resolves.toBe('answer')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ask).toHaveBeenCalledTimes(1)
  })

  test('asks again after two seconds, and a late first answer counts', async () => {
    const ask = vi.fn(() => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 2500)))
    const answer = askPatiently(ask, PATIENCE)
    await vi.advanceTimersByTimeAsync(2500)
    await expect(answer).resolves.toBe('late')
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('asks again when nobody is there yet', async () => {
    const ask = vi.fn<() => Promise<string>>()
    ask.mockRejectedValueOnce(new BackgroundError('no-answer', 'nobody')).mockResolvedValueOnce('there')
    const answer = askPatiently(ask, PATIENCE)
    await vi.advanceTimersByTimeAsync(2000)
    await expect(answer).resolves.toBe('there')
  })

  test('gives up in the end', async () => {
    const ask = vi.fn(() => new Promise<string>(() => undefined))
    const answer = askPatiently(ask, PATIENCE).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(6000)
    expect(await answer).toMatchObject({ code: 'no-answer' })
    expect(ask).toHaveBeenCalledTimes(3)
  })

  test('a refusal is final', async () => {
    const ask = vi.fn(() => Promise.reject(new BackgroundError('message-rejected', 'not from here')))
    await expect(askPatiently(ask, PATIENCE)).rejects.toMatchObject({ code: 'message-rejected' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(ask).toHaveBeenCalledTimes(1)
  })
})
