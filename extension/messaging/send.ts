import type { MessageMap, MessageType } from './messages.ts'

/** The background refused a message, failed while it answered, or nobody answered (`no-answer`). */
export class BackgroundError extends Error {
  override readonly name = 'BackgroundError'
  /** An `ErrorCode`, or `no-answer`. */
  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Sends one message to the background. Rejects with a `BackgroundError` when it is refused or the background is gone. */
export type Send = <T extends MessageType>(type: T, request: MessageMap[T]['request']) => Promise<MessageMap[T]['answer']>

/** @param sendMessage the browser's `runtime.sendMessage`; the reply's form is that of background/message-router.ts */
export function createSend({ sendMessage }: { readonly sendMessage: (message: unknown) => Promise<unknown> }): Send {
  return async <T extends MessageType>(type: T, request: MessageMap[T]['request']) => {
    let reply: unknown
    try {
      reply = await sendMessage({ type, request })
    } catch (error) {
      // The browser's words for a background that stopped while it worked on the answer, or that has no listener yet.
      throw new BackgroundError('no-answer', error instanceof Error ? error.message : String(error), { cause: error })
    }
    if (typeof reply !== 'object' || reply === null || !('ok' in reply)) throw new BackgroundError('no-answer', 'nobody answered')
    if (reply.ok !== true) throw refusal(reply)
    // Ours by contract: the router of the same build made it. A field that is undefined is missing after the way through the browser.
    return ('answer' in reply ? reply.answer : undefined) as MessageMap[T]['answer']
  }
}

function refusal(reply: object): BackgroundError {
  const code = 'error' in reply && typeof reply.error === 'string' ? reply.error : 'internal'
  const message = 'message' in reply && typeof reply.message === 'string' ? reply.message : 'the background failed'
  return new BackgroundError(code, message)
}
