import { asWaryError, WaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import { type MessageMap, type MessageType, PAGE_PATHS, type PageName, SENDERS } from '../messaging/messages.ts'

/** Who sent a message, as the browser says it. A page cannot forge any of these. */
export interface Sender {
  readonly id?: string | undefined
  readonly url?: string | undefined
  readonly frameId?: number | undefined
  readonly tab?: { readonly id?: number | undefined } | undefined
}

/** The page that asks. `recordId` is the `r` of its address: it names a record, and opens none of another tab. */
export interface Asker {
  readonly page: PageName
  readonly tabId: number | undefined
  readonly recordId: string | undefined
}

export type Handlers = {
  readonly [T in MessageType]: (request: MessageMap[T]['request'], asker: Asker) => Promise<MessageMap[T]['answer']>
}

export type Reply =
  | { readonly ok: true; readonly answer: unknown }
  | { readonly ok: false; readonly error: string; readonly message: string }

/**
 * Takes messages only from our own pages, each only those listed for it (messaging/messages.ts), and only from a page at the top of
 * its tab or popup: what a page in a frame asks may be somebody's click through a veil.
 */
export class MessageRouter {
  readonly #extensionId: string
  readonly #origin: string
  readonly #handlers: Handlers
  readonly #logger: Logger

  constructor(options: { readonly extensionId: string; readonly origin: string; readonly handlers: Handlers; readonly logger: Logger }) {
    this.#extensionId = options.extensionId
    this.#origin = options.origin
    this.#handlers = options.handlers
    this.#logger = options.logger
  }

  /** For `runtime.onMessage`: a promise of the reply for every message, refusals included. */
  async receive(message: unknown, sender: Sender): Promise<Reply> {
    try {
      const { type, request } = parse(message)
      const asker = this.#identify(sender)
      if (asker === undefined || !SENDERS[type].includes(asker.page)) {
        throw new WaryError('message-rejected', `${type} is not taken from ${sender.url === undefined ? 'an unknown page' : 'this page'}`)
      }
      return { ok: true, answer: await this.#dispatch(type, request, asker) }
    } catch (error) {
      const failure = asWaryError(error)
      this.#logger.warn('message-failed', failure)
      return { ok: false, error: failure.code, message: failure.message }
    }
  }

  #dispatch<T extends MessageType>(type: T, request: MessageMap[T]['request'], asker: Asker): Promise<MessageMap[T]['answer']> {
    return this.#handlers[type](request, asker)
  }

  #identify(sender: Sender): Asker | undefined {
    if (sender.id !== this.#extensionId || sender.url === undefined || (sender.frameId !== undefined && sender.frameId !== 0))
      return undefined
    const url = new URL(sender.url)
    if (`${url.protocol}//${url.host}` !== this.#origin) return undefined
    const page = (Object.keys(PAGE_PATHS) as PageName[]).find((name) => PAGE_PATHS[name] === url.pathname)
    return page && { page, tabId: sender.tab?.id, recordId: url.searchParams.get('r') ?? undefined }
  }
}

/** A message of a known type. Fields of a request are checked by the handlers that use them. */
function parse(message: unknown): { type: MessageType; request: never } {
  if (typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string' && 'request' in message) {
    const { type, request } = message
    const known = (Object.keys(SENDERS) as MessageType[]).find((name) => name === type)
    if (known !== undefined && typeof request === 'object' && request !== null) return { type: known, request: request as never }
  }
  throw new WaryError('message-rejected', 'no message of this form is known')
}
