import { Hono } from 'hono'
import { equalBytes, fromBase64, toBase64, toHex } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import type { Clock, Logger } from '../ports.ts'
import { PROTOBUF_TYPE } from '../protocol/download.ts'
import { encodeBatch, encodeHashList } from '../protocol/hash-list-message.ts'
import { batchJson, hashListJson, listsJson, searchJson } from '../protocol/json.ts'
import { encodeSearchAnswer, type SearchAnswer } from '../protocol/search-message.ts'
import { threatTypeNumber } from '../protocol/threat-type.ts'
import { ApiError } from './api-error.ts'
import type { Edition, PublishedStore, ServedList } from './published-store.ts'
import { searchedPrefixes } from './search-request.ts'
import { htmlPage, testPage } from './test-pages.ts'

/** How long a client may keep an answer of hashes:search. */
const CACHE_MS = 300_000
const LONGEST_URL = 64 * 1024
const MOST_LISTS = 64
const SEARCH_CACHE = `private, max-age=${CACHE_MS / 1000}`

/** What was answered. Never a query: it holds hash prefixes, which say something about where people browse. */
export interface AnsweredRequest {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
}

export interface AppOptions {
  readonly store: PublishedStore
  readonly clock: Clock
  readonly logger: Logger
  /** After every answer. */
  readonly onAnswer?: (answered: AnsweredRequest) => void
}

export interface App {
  fetch(request: Request): Response | Promise<Response>
}

/** The verification server as a function from Request to Response: Safe Browsing v5, filters, health, test pages. */
export function createApp(options: AppOptions): App {
  const { store, clock, logger, onAnswer } = options
  const startedAt = clock.now()
  const app = new Hono()

  app.use(async (context, next) => {
    const began = clock.now()
    if (context.req.url.length > LONGEST_URL) throw new ApiError('INVALID_ARGUMENT', 'the address is too long')
    await next()
    // Without a host permission, an extension asks like any other origin; nothing here depends on who asks.
    context.res.headers.set('access-control-allow-origin', '*')
    context.res.headers.set('access-control-expose-headers', 'ETag, Wary-Statement, Wary-Signature')
    context.res.headers.set('x-content-type-options', 'nosniff')
    context.res.headers.set('referrer-policy', 'no-referrer')
    onAnswer?.({ method: context.req.method, path: context.req.path, status: context.res.status, ms: clock.now() - began })
  })

  app.onError((error, context) => {
    const known = error instanceof ApiError ? error : new ApiError('INTERNAL', 'the server failed; its log says why')
    if (known !== error) logger.warn('request-failed', asWaryError(error), { path: context.req.path })
    return context.json(known.toJson(), known.code)
  })
  app.notFound((context) => context.json(new ApiError('NOT_FOUND', 'there is nothing at this address').toJson(), 404))

  app.options(
    '*',
    () =>
      new Response(null, {
        status: 204,
        headers: { 'access-control-allow-methods': 'GET, HEAD, OPTIONS', 'access-control-max-age': '86400' },
      }),
  )

  app.get('/v5/:method', (context) => {
    const query = new URL(context.req.url).searchParams
    const json = wantsJson(context.req.raw)
    switch (context.req.param('method')) {
      case 'hashes:search': {
        const answer = search(current(store), searchedPrefixes(query))
        return json
          ? context.json(searchJson(answer), 200, { 'cache-control': SEARCH_CACHE })
          : protobuf(encodeSearchAnswer(answer), SEARCH_CACHE)
      }
      case 'hashLists:batchGet': {
        const updates = batch(current(store), query)
        return json ? context.json(batchJson(updates, query.get('wary') === '1')) : protobuf(encodeBatch(updates), listCache(updates))
      }
      case 'hashLists': {
        const updates = [...current(store).lists.values()].map(({ update }) => ({ ...update, additions: undefined }))
        return json ? context.json(listsJson(updates)) : protobuf(encodeBatch(updates), 'no-cache')
      }
      default:
        return context.notFound()
    }
  })

  app.get('/v5/hashList/:name', (context) => {
    const query = new URL(context.req.url).searchParams
    const update = answerFor(find(current(store), context.req.param('name')), version(query.get('version') ?? ''))
    return wantsJson(context.req.raw)
      ? context.json(hashListJson(update, query.get('wary') === '1'))
      : protobuf(encodeHashList(update), listCache([update]))
  })

  app.get('/v1/filters/:name', (context) => {
    const { manifest } = current(store)
    const { filter, filterState } = find(current(store), context.req.param('name'))
    const etag = `"${manifest.epoch}.${manifest.sequence}"`
    const headers = {
      etag,
      'cache-control': 'no-cache',
      'wary-statement': toBase64(filterState.statement),
      'wary-signature': filterState.signatures.map(({ keyId: id, signature }) => `${toHex(id)}:${toBase64(signature)}`).join(', '),
    }
    const known = (context.req.header('if-none-match') ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
    if (known) return new Response(null, { status: 304, headers })
    return new Response(new Uint8Array(filter), { headers: { ...headers, 'content-type': 'application/octet-stream' } })
  })

  app.get('/healthz', (context) => {
    const { edition, failure } = store
    const status = edition === undefined ? 'empty' : failure === undefined ? 'ok' : 'degraded'
    const health = {
      status,
      uptimeSeconds: Math.floor((clock.now() - startedAt) / 1000),
      ...(edition === undefined
        ? {}
        : {
            epoch: edition.manifest.epoch,
            sequence: edition.manifest.sequence,
            expiresAt: new Date(edition.manifest.expiresAt).toISOString(),
          }),
      lists: edition?.manifest.lists ?? [],
      ...(failure === undefined ? {} : { error: { code: failure.code, message: failure.message } }),
    }
    return context.json(health, status === 'empty' ? 503 : 200, { 'cache-control': 'no-store' })
  })

  app.get('*', (context) => {
    const { hostname, pathname } = new URL(context.req.url)
    const page = testPage(hostname, pathname)
    if (page !== undefined) return page
    if (pathname !== '/') return context.notFound()
    const key = store.edition?.manifest.keyId
    return htmlPage(
      'A Wary verification server',
      `<p>It serves lists of malicious addresses and answers questions about four bytes of a hash, by Safe Browsing v5.</p>
<p>${key === undefined ? 'Nothing is published yet.' : `Lists are signed by the key ${key}.`} <a href="/healthz">Health</a></p>`,
    )
  })
  return app
}

function current(store: PublishedStore): Edition {
  if (store.edition === undefined) throw new ApiError('UNAVAILABLE', 'nothing is published yet')
  return store.edition
}

function find(edition: Edition, name: string): ServedList {
  const list = edition.lists.get(name)
  if (list === undefined) throw new ApiError('NOT_FOUND', 'there is no list of this name')
  return list
}

function search(edition: Edition, prefixes: readonly Uint8Array[]): SearchAnswer {
  const byHash = new Map<string, { readonly hash: Uint8Array; readonly types: Set<number> }>()
  for (const prefix of prefixes) {
    for (const list of edition.lists.values()) {
      for (const { hash, threatTypes } of list.fullHashes.withPrefix(prefix)) {
        const key = toHex(hash)
        const found = byHash.get(key) ?? { hash, types: new Set<number>() }
        for (const type of threatTypes) found.types.add(threatTypeNumber(type))
        byHash.set(key, found)
      }
    }
  }
  const fullHashes = [...byHash.values()].map(({ hash, types }) => ({
    hash,
    details: [...types].map((threatType) => ({ threatType, attributes: [] })),
  }))
  return { cacheDurationMs: CACHE_MS, fullHashes }
}

function batch(edition: Edition, query: URLSearchParams): ListUpdate[] {
  const names = query.getAll('names')
  const versions = query.getAll('version')
  if (names.length === 0) throw new ApiError('INVALID_ARGUMENT', 'names is missing')
  if (names.length > MOST_LISTS) throw new ApiError('INVALID_ARGUMENT', `at most ${MOST_LISTS} names`)
  if (new Set(names).size !== names.length) throw new ApiError('INVALID_ARGUMENT', 'a name is repeated')
  return names.map((name, i) => answerFor(find(edition, name), version(versions[i] ?? '')))
}

function version(text: string): Uint8Array {
  try {
    return fromBase64(text.replaceAll(' ', '+'))
  } catch {
    throw new ApiError('INVALID_ARGUMENT', 'a version is not base64')
  }
}

/** The whole list, or to a client that holds this version an update that changes nothing. */
function answerFor({ update }: ServedList, held: Uint8Array): ListUpdate {
  return equalBytes(held, update.version) ? { ...update, partial: true, additions: undefined, removals: undefined } : update
}

function listCache(updates: readonly ListUpdate[]): string {
  const wait = Math.min(...updates.map((update) => update.minimumWaitMs))
  return `public, max-age=${Math.floor(wait / 1000)}`
}

function protobuf(bytes: Uint8Array<ArrayBuffer>, cacheControl: string): Response {
  return new Response(bytes, { headers: { 'content-type': PROTOBUF_TYPE, 'cache-control': cacheControl } })
}

function wantsJson(request: Request): boolean {
  const alt = new URL(request.url).searchParams.get('alt') ?? new URL(request.url).searchParams.get('$alt')
  if (alt !== null) return alt.startsWith('json')
  return /\bapplication\/json\b/.test(request.headers.get('accept') ?? '')
}
