import { concatBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import type { Fetch } from '../ports.ts'

export const PROTOBUF_TYPE = 'application/x-protobuf'

/** An error body is read for its message only; servers' own are far smaller. */
const ERROR_BODY_LIMIT = 64 * 1024

export interface DownloadOptions {
  readonly fetch: Fetch
  /** Longest body in bytes, by Content-Length and while it streams in. */
  readonly limitBytes: number
  /** Milliseconds for the whole exchange, the body included. */
  readonly timeoutMs: number
  /** Milliseconds without any byte after which the exchange counts as stuck; none by default. */
  readonly idleTimeoutMs?: number
  /** Aborts the exchange; `download` then rejects with this signal's reason. */
  readonly signal?: AbortSignal
  /** Media type to ask for, which the answer must have. Default: protobuf. */
  readonly type?: string
  /** True: whatever type the server names will do, as for a text file of somebody's web space. */
  readonly anyType?: boolean
  /** Request headers beside `Accept`, such as `If-None-Match`: a 304 is then an answer, not an error. */
  readonly headers?: Readonly<Record<string, string>>
  /** Gets the answer's head before its body is read. */
  readonly onHead?: (response: Response) => void
  /** Gets each piece of the body as it comes; the next is read when it resolves. A rejection ends the exchange and is thrown. */
  readonly onChunk?: (chunk: Uint8Array) => Promise<void>
  /** Called after the headers and after every chunk. `totalBytes` is the server's Content-Length, if it says one that still can be true. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void
}

export interface Downloaded {
  readonly bytes: Uint8Array
  /**
   * Fewer bytes came than Content-Length said. No failure by itself: a compressed body's Content-Length is another number, and
   * across origins nobody tells that it was compressed. It explains why a body cannot be decoded.
   */
  readonly short: boolean
  /** 304 only where a condition was sent: there is nothing new, and no body. */
  readonly status: number
  /** As the server spells it, quotes included; undefined where it names none. */
  readonly etag: string | undefined
}

/**
 * GETs a body. Every request has the same shape: no credentials, referrer, cache or redirect, and always the same header,
 * so that requests differ in their target only.
 *
 * @param url absolute; never part of an error message, because it may hold a hash prefix
 * @throws {WaryError} `http-network`, `http-status`, `http-timeout`, `http-type`, `http-too-large`, `http-truncated`
 */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const exchange = new Exchange(options)
  try {
    const response = await exchange.race(requested(url, options, exchange.signal))
    exchange.alive()
    const etag = response.headers.get('etag') ?? undefined
    if (response.status === 304 && options.headers !== undefined) return { bytes: new Uint8Array(0), short: false, status: 304, etag }
    if (!response.ok) throw await statusError(response, exchange)
    checkType(response, options)
    options.onHead?.(response)
    return { ...(await read(response, options, exchange)), status: response.status, etag }
  } finally {
    // Ends a body that was refused half-way, so that the rest of it is not transferred.
    exchange.end()
  }
}

function checkType(response: Response, { type: expected = PROTOBUF_TYPE, anyType }: DownloadOptions): void {
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (anyType || type === expected) return
  throw new WaryError('http-type', `expected ${expected}, the server sent ${type ? type.slice(0, 80) : 'no type'}`)
}

async function requested(url: string, { fetch, type = PROTOBUF_TYPE, headers }: DownloadOptions, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'GET',
      headers: { accept: type, ...headers },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      redirect: 'error',
      mode: 'cors',
      signal,
    })
  } catch (error) {
    throw new WaryError('http-network', `the server cannot be reached (${cause(error)})`, { cause: error })
  }
}

async function read(response: Response, options: DownloadOptions, exchange: Exchange): Promise<Pick<Downloaded, 'bytes' | 'short'>> {
  const { limitBytes, onProgress, onChunk } = options
  const length = response.headers.get('content-length') ?? ''
  const announced = /^\d{1,15}$/.test(length) ? Number(length) : undefined
  if (announced !== undefined && announced > limitBytes) throw tooLarge(limitBytes, `Content-Length ${announced}`)
  // One array of the announced length, and no second one of all chunks: a list's body is tens of megabytes.
  const whole = new Uint8Array(announced ?? 0)
  const surplus: Uint8Array[] = []
  let received = 0
  onProgress?.(0, announced)
  const reader = response.body?.getReader()
  for (;;) {
    if (!reader) break
    const step = await exchange.race(reader.read().catch(truncated))
    if (step.done) break
    exchange.alive()
    const start = received
    received += step.value.byteLength
    if (received > limitBytes) throw tooLarge(limitBytes, 'the body')
    if (received <= whole.length) whole.set(step.value, start)
    else surplus.push(surplus.length === 0 ? concatBytes([whole.subarray(0, start), step.value]) : step.value)
    if (onChunk) await exchange.race(onChunk(step.value))
    onProgress?.(received, announced !== undefined && received <= announced ? announced : undefined)
  }
  const bytes = surplus.length > 0 ? concatBytes(surplus) : whole.subarray(0, received)
  return { bytes, short: announced !== undefined && received < announced }
}

/** Google's error shape is `{"error":{"code","message","status"}}`; anything else adds nothing to the status. */
async function statusError(response: Response, exchange: Exchange): Promise<WaryError> {
  const said = await errorMessage(response, exchange)
  return new WaryError('http-status', `the server answered ${response.status}${said ? `: ${said}` : ''}`)
}

async function errorMessage(response: Response, exchange: Exchange): Promise<string | undefined> {
  if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    const { bytes } = await read(response, { fetch: exchange.options.fetch, limitBytes: ERROR_BODY_LIMIT, timeoutMs: 0 }, exchange)
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
    const { error } = body
    if (typeof error !== 'object' || error === null || !('message' in error) || typeof error.message !== 'string') return undefined
    return error.message.slice(0, 200)
  } catch (error) {
    // The status is the failure; an unreadable explanation of it must not hide it. Only the caller's own abort goes on.
    if (exchange.aborted) throw error
    return undefined
  }
}

function truncated(error: unknown): never {
  throw new WaryError('http-truncated', `the answer ended early (${cause(error)})`, { cause: error })
}

function tooLarge(limitBytes: number, what: string): WaryError {
  return new WaryError('http-too-large', `${what} is over the limit of ${limitBytes} bytes`)
}

/** Node names the reason (`ECONNREFUSED`) in the cause's code only; browsers have a message without the URL. */
function cause(error: unknown): string {
  const inner = error instanceof Error ? error.cause : undefined
  if (typeof inner === 'object' && inner !== null && 'code' in inner && typeof inner.code === 'string') return inner.code
  return asWaryError(error, 'http-network').message.slice(0, 200)
}

/** Timeouts and abort of one request. They hold even for a `fetch` that ignores its signal. */
class Exchange {
  readonly options: DownloadOptions
  readonly #controller = new AbortController()
  readonly #total: ReturnType<typeof setTimeout>
  #idle: ReturnType<typeof setTimeout> | undefined
  readonly #onAbort = () => this.#controller.abort(this.options.signal?.reason)

  constructor(options: DownloadOptions) {
    this.options = options
    options.signal?.throwIfAborted()
    options.signal?.addEventListener('abort', this.#onAbort)
    this.#total = setTimeout(() => this.#expire(`no complete answer within ${options.timeoutMs} ms`), options.timeoutMs)
    this.alive()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The caller gave up; the reason is the caller's. */
  get aborted(): boolean {
    return this.options.signal?.aborted === true
  }

  /** Something came in: the time without any byte starts anew. */
  alive(): void {
    const { idleTimeoutMs } = this.options
    if (idleTimeoutMs === undefined) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#expire(`nothing received for ${idleTimeoutMs} ms`), idleTimeoutMs)
  }

  /** `step`, unless the exchange is over before it. An abort shows in `step` too, as an error without its reason: the reason wins. */
  race<T>(step: Promise<T>): Promise<T> {
    const { signal } = this
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => reject(signal.reason)
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort)
      step
        .then(resolve, (error: unknown) => reject(signal.aborted ? signal.reason : error))
        .finally(() => signal.removeEventListener('abort', onAbort))
    })
  }

  end(): void {
    clearTimeout(this.#total)
    clearTimeout(this.#idle)
    this.options.signal?.removeEventListener('abort', this.#onAbort)
    this.#controller.abort(new WaryError('http-network', 'the exchange has ended'))
  }

  #expire(message: string): void {
    this.#controller.abort(new WaryError('http-timeout', message))
  }
}
