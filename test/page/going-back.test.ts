import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSend } from '../../extension/messaging/send.ts'
import { goBackFrom } from '../../extension/page/going-back.ts'

describe('going back from one of our pages', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function goBack(sendMessage: () => Promise<unknown>, length: number) {
    const back = vi.fn()
    const closeWindow = vi.fn()
    const message = vi.fn(sendMessage)
    const done = goBackFrom({ send: createSend({ sendMessage: message }), history: { length, back }, closeWindow })
    await vi.advanceTimersByTimeAsync(10_000)
    await done
    return { back, closeWindow, message }
  }

  test('the background does it, asked once even if it is slow', async () => {
    for (const answer of [() => Promise.resolve({ ok: true, answer: {} }), () => new Promise(() => undefined)]) {
      const { back, closeWindow, message } = await goBack(answer, 3)
      expect(message).toHaveBeenCalledTimes(1)
      expect(back).not.toHaveBeenCalled()
      expect(closeWindow).not.toHaveBeenCalled()
    }
  })

  test('without a background the page steps back, or closes where there is nothing before', async () => {
    const gone = () => Promise.reject(new Error('no receiver'))
    expect((await goBack(gone, 3)).back).toHaveBeenCalledTimes(1)
    expect((await goBack(gone, 1)).closeWindow).toHaveBeenCalledTimes(1)
  })
})
