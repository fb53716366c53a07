import { describe, expect, test } from 'vitest'
import { createSend } from '../../extension/messaging/send.ts'

const sendTo = (reply: unknown) => createSend({ sendMessage: async () => reply })

describe('send', () => {
  test('sends type and request, and answers what the background answered', async () => {
    const sent: unknown[] = []
    const send = createSend({
      sendMessage: async (message) => {
        sent.push(message)
        return { ok: true, answer: { target: 'https://a.test/' } }
      },
    })
    expect(await send('warning:proceed', {})).toEqual({ target: 'https://a.test/' })
    expect(sent).toEqual([{ type: 'warning:proceed', request: {} }])
  })

  test('an answer that got lost on the way, because it was undefined, is undefined', async () => {
    expect(await sendTo({ ok: true })('warning:get', {})).toBeUndefined()
  })

  test('a refusal rejects with its code and message', async () => {
    const reply = { ok: false, error: 'message-rejected', message: 'not from here' }
    await expect(sendTo(reply)('warning:get', {})).rejects.toMatchObject({ code: 'message-rejected', message: 'not from here' })
  })

  test.each([[undefined], [null], ['yes'], [{}]])('a reply of another form (%j) is no answer', async (reply) => {
    await expect(sendTo(reply)('warning:get', {})).rejects.toMatchObject({ code: 'no-answer' })
  })

  test('a background that went away is no answer', async () => {
    const send = createSend({ sendMessage: () => Promise.reject(new Error('The message port closed before a response was received.')) })
    await expect(send('warning:get', {})).rejects.toMatchObject({ code: 'no-answer', message: /port closed/ })
  })
})
