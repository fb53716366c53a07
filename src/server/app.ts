import { Hono } from 'hono'
import { toHex } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import { keySetFingerprint } from '../lists/key-set.ts'
import type { Clock, Logger } from '../ports.ts'
import { PROTOBUF_TYPE } from '../protocol/download.ts'
import { searchJson } from '../protocol/json.ts'
import { KEYS_PATH } from '../protocol/paths.ts'
import { encodeSearchAnswer } from '../protocol/search-message.ts'
import { JSON_TYPE, jsonAnswer, jsonBytes, pageAnswer, protobufAnswer } from './answers.ts'
import { ApiError } from './api-error.ts'
import { cacheableAnswer } from './cacheable-answer.ts'
import type { Edition } from './edition.ts'
import { healthOf } from './health.ts'
import { DEFAULT_LIMITS, type ServerLimits } from './limits.ts'
import { PublishedAnswers } from './published-answers.ts'
import type { PublishedStore } from './published-store.ts'
import { formOf } from './request-form.ts'
import { CACHE_MS, searchAnswer } from './search-answer.ts'
import { searchedPrefixes } from './search-request.ts'
import { testPage } from './test-pages.ts'

/** What was answered. Never a query: it holds hash prefixes, which say something about where people browse. */
export interface AnsweredRequest {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Of the answer's body. */
  readonly bytes: number
  readonly ms: number
}

export interface AppOptions {
  readonly store: PublishedStore
  readonly clock: Clock
  readonly logger: Logger
  readonly limits?: ServerLimits
  /** Every request as it came, prefixes included: a witness for tests, not for logs. */
  readonly onRequest?: (request: Request) => void
  /** After every answer. */
  readonly onAnswer?: (answered: AnsweredRequest) => void
}

export interface App {
  fetch(request: Request): Response | Promise<Response>
}

/** Without a host permission an extension asks like any other origin; nothing here depends on who asks, and nothing is kept about them. */
const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Age, Content-Range, Date, ETag, Wary-Filter-Delta, Wary-Signature, Wary-Statement, Wary-Version',
  'content-security-policy': "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Accept, If-None-Match, If-Range, Range',
  'access-control-max-age': '86400',
}
/** One address has two forms. */
const SEARCH_HEADERS = { vary: 'Accept', 'cache-control': `private, max-age=${CACHE_MS / 1000}` }

/** The verification server as a function from Request to Response: Safe Browsing v5, filters, health, test pages. */
export function createApp(options: AppOptions): App {
  const { store, clock, logger, limits = DEFAULT_LIMITS, onRequest, onAnswer } = options
  const startedAt = clock.now()
  const app = new Hono()
  const answers = new PublishedAnswers({ clock, limits })

  app.get('/v5/:method', (context) => {
    const form = formOf(context.req.raw)
    // The whole segment, because a colon begins a parameter in a route's pattern.
    switch (context.req.param('method')) {
      case 'hashes:search': {
        const answer = searchAnswer(current(store), searchedPrefixes(form.query, limits.prefixes))
        return form.json ? jsonAnswer(searchJson(answer), SEARCH_HEADERS) : protobufAnswer(encodeSearchAnswer(answer), SEARCH_HEADERS)
      }
      case 'hashLists:batchGet':
        return answers.batch(current(store), form)
      case 'hashLists':
        return answers.names(current(store), form)
      default:
        throw nothingHere()
    }
  })

  app.get('/v5/hashList/:name', (context) => answers.list(current(store), formOf(context.req.raw), context.req.param('name')))

  app.get('/v1/filters/:name', (context) => answers.filter(current(store), formOf(context.req.raw), context.req.param('name')))

  app.get(KEYS_PATH, (context) => {
    const { request, json, vary } = formOf(context.req.raw)
    const { keys } = current(store)
    return cacheableAnswer(request, {
      body: () => (json ? jsonBytes(keys.json()) : keys.bytes),
      type: json ? JSON_TYPE : PROTOBUF_TYPE,
      etag: `"${keys.tag}${json ? '-json' : ''}"`,
      cacheControl: 'no-cache',
      ...(vary === undefined ? {} : { vary }),
    })
  })

  app.get('/healthz', () => {
    const health = healthOf(store, startedAt, clock.now())
    return jsonAnswer(health, { 'cache-control': 'no-store' }, health.status === 'empty' ? 503 : 200)
  })

  app.get('*', (context) => {
    const { hostname, pathname } = new URL(context.req.url)
    const page = testPage(hostname, pathname) ?? (pathname === '/' ? indexPage(store.edition) : undefined)
    if (page === undefined) throw nothingHere()
    return page
  })

  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }))
  app.all('*', () => {
    throw new ApiError('METHOD_NOT_ALLOWED', 'only GET, HEAD and OPTIONS')
  })
  app.onError((error) => refusal(error, logger))

  return {
    async fetch(request) {
      const began = clock.now()
      onRequest?.(request)
      const answer =
        request.url.length > limits.urlLength
          ? refusal(new ApiError('URL_TOO_LONG', `an address has at most ${limits.urlLength} characters`), logger)
          : await app.fetch(request)
      for (const [name, value] of Object.entries(COMMON_HEADERS)) answer.headers.set(name, value)
      const { pathname } = new URL(request.url)
      const bytes = request.method === 'HEAD' ? 0 : Number(answer.headers.get('content-length') ?? 0)
      onAnswer?.({ method: request.method, path: pathname, status: answer.status, bytes, ms: clock.now() - began })
      return answer
    },
  }
}

function refusal(error: unknown, logger: Logger): Response {
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL', 'the server failed; its log says why')
  if (known !== error) logger.warn('request-failed', asWaryError(error))
  const headers = { 'cache-control': 'no-store', ...(known.refusal === 'METHOD_NOT_ALLOWED' ? { allow: 'GET, HEAD, OPTIONS' } : {}) }
  return jsonAnswer(known.toJson(), headers, known.code)
}

function nothingHere(): ApiError {
  return new ApiError('NOT_FOUND', 'there is nothing at this address')
}

function current({ edition, failure }: PublishedStore): Edition {
  if (edition !== undefined) return edition
  throw new ApiError('UNAVAILABLE', failure ? 'what is published is damaged; /healthz says why' : 'nothing is published yet')
}

function indexPage(edition: Edition | undefined): Response {
  const signed = edition
    ? `The keys that sign its lists have the fingerprint ${toHex(keySetFingerprint(edition.keys.set))}.`
    : 'Nothing is published yet.'
  return pageAnswer(
    'A Wary verification server',
    `<p>It serves lists of malicious addresses and answers questions about four bytes of a hash, by Safe Browsing v5.</p>
<p>${signed} <a href="/healthz">Health</a></p>`,
  )
}
