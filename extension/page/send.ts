import { WaryError } from '../../src/errors.ts'
import type { MessageMap, MessageType } from '../messaging/messages.ts'
import { browser } from '../platform/browser.ts'

function isReply(value: unknown): value is { readonly ok: boolean; readonly answer?: unknown; readonly message?: unknown } {
  return typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean'
}

/**
 * Asks the background. The answer's form is the background's promise (MessageMap): both are of one build.
 * @throws {WaryError} `message-rejected` with the background's reason, or when nobody answers
 */
export async function send<T extends MessageType>(type: T, request: MessageMap[T]['request']): Promise<MessageMap[T]['answer']> {
  const reply: unknown = await browser.runtime.sendMessage({ type, request })
  if (!isReply(reply)) throw new WaryError('message-rejected', 'the background gave no answer')
  if (!reply.ok) throw new WaryError('message-rejected', String(reply.message))
  return reply.answer as MessageMap[T]['answer']
}

const ATTEMPTS = 5
const PAUSE_MS = 400

/** As `send`, again for a while when nobody answers: a worker that wakes up, or was just replaced by a newer version. */
export async function sendPatiently<T extends MessageType>(type: T, request: MessageMap[T]['request']): Promise<MessageMap[T]['answer']> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(type, request)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
