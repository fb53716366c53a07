import { concatBytes } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import type { Clock, Logger } from '../ports.ts'
import { type Downloaded, type DownloadOptions, download } from './download.ts'
import type { PartStore } from './part-store.ts'

/** Below this a body comes again sooner than it is written down. */
const SHORTEST_KEPT_BYTES = 256 * 1024
/** What is written at a time: a browser may end the worker between any two of them. */
const PART_BYTES = 256 * 1024
/** Older parts are of a list that has been replaced since, most likely. */
const LONGEST_KEPT_MS = 60 * 60 * 1000

export interface ResumableOptions extends DownloadOptions {
  readonly parts: PartStore
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * As `download`, for bodies that take longer than the browser may let a worker live: what has come is kept, and an attempt after the
 * worker's death asks for the rest (RFC 9110, section 14: Range, with If-Range and the body's strong ETag). Where the server sends the whole
 * body all the same, that is taken. The caller clears the parts once the body has proved right, or wrong.
 *
 * A store that fails costs the resumption, never the download.
 */
export async function downloadResumably(url: string, options: ResumableOptions): Promise<Downloaded> {
  const kept = await attempt(options, () => options.parts.load(url))
  const usable = kept !== undefined && Math.abs(options.clock.now() - kept.startedAt) < LONGEST_KEPT_MS ? kept : undefined
  if (usable && usable.bytes.length === usable.totalBytes) return { bytes: usable.bytes, short: false, status: 200, etag: usable.etag }
  const keeper = new Keeper(url, options)
  const resumes = usable && { range: `bytes=${usable.bytes.length}-`, 'if-range': usable.etag }
  let before = 0
  const downloaded = await download(url, {
    ...options,
    ...(resumes ? { headers: { ...options.headers, ...resumes } } : {}),
    onHead: (response) => {
      options.onHead?.(response)
      before = usable && continues(response, usable.bytes.length) ? usable.bytes.length : 0
      keeper.head(response, before)
    },
    onChunk: (chunk) => keeper.take(chunk),
    onProgress: (received, total) => options.onProgress?.(before + received, total === undefined ? undefined : before + total),
  })
  await keeper.flush()
  return before === 0 || !usable ? downloaded : { ...downloaded, bytes: concatBytes([usable.bytes, downloaded.bytes]), status: 200 }
}

/** Whether the answer is the rest that was asked for, from byte `start` on. */
function continues(response: Response, start: number): boolean {
  return response.status === 206 && (response.headers.get('content-range') ?? '').startsWith(`bytes ${start}-`)
}

/** Collects pieces of the network's size into parts worth a transaction. */
class Keeper {
  readonly #url: string
  readonly #options: ResumableOptions
  #head: { readonly etag: string; readonly totalBytes: number } | undefined
  #begun = false
  #pieces: Uint8Array[] = []
  #waiting = 0

  constructor(url: string, options: ResumableOptions) {
    this.#url = url
    this.#options = options
  }

  head(response: Response, before: number): void {
    const etag = response.headers.get('etag') ?? ''
    const totalBytes = before + Number(response.headers.get('content-length') ?? Number.NaN)
    // A weak ETag says nothing about bytes (RFC 9110, section 8.8.1).
    this.#head = etag.startsWith('"') && totalBytes >= SHORTEST_KEPT_BYTES ? { etag, totalBytes } : undefined
    this.#begun = before > 0
  }

  async take(chunk: Uint8Array): Promise<void> {
    if (this.#head === undefined) return
    this.#pieces.push(chunk)
    this.#waiting += chunk.length
    if (this.#waiting >= PART_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    const { parts, clock } = this.#options
    if (this.#head === undefined || this.#waiting === 0) return
    const head = { ...this.#head, startedAt: clock.now() }
    const bytes = concatBytes(this.#pieces)
    this.#pieces = []
    this.#waiting = 0
    const written = await attempt(this.#options, async () => {
      if (!this.#begun) await parts.begin(this.#url, head)
      this.#begun = true
      await parts.append(bytes)
      return true
    })
    // What follows would not follow on what is there.
    if (!written) this.#head = undefined
  }
}

async function attempt<T>({ logger }: ResumableOptions, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    logger.warn('download-not-kept', asWaryError(error, 'storage-failed'))
    return undefined
  }
}
