import { fromHex } from '../../src/bytes.ts'
import { WaryError } from '../../src/errors.ts'
import { THREAT_TYPES, type ThreatType } from '../../src/protocol/threat-type.ts'
import { parseLists, parseServer } from './setting-values.ts'

/**
 * Where lists come from beside the main server: another Wary server, a server's filters alone, Google with the user's own key, or a feed as
 * it stands on the web.
 */
export type SourceSetting =
  | {
      readonly kind: 'wary' | 'filter'
      readonly server: string
      /** Of the key set that signs, 64 hexadecimal digits. */
      readonly fingerprint: string
      readonly lists: readonly string[]
    }
  | { readonly kind: 'google'; readonly apiKey: string; readonly lists: readonly string[]; readonly server?: string }
  | { readonly kind: 'feed'; readonly url: string; readonly threatType: ThreatType }

export type SourceKind = SourceSetting['kind']

const MOST_SOURCES = 16
const LONGEST_URL = 2048

/** The same for the same address, whatever else is set. */
export function sourceId(source: SourceSetting): string {
  switch (source.kind) {
    case 'wary':
      return source.server
    case 'filter':
      return `filter ${source.server}`
    case 'google':
      return 'google'
    case 'feed':
      return source.url
  }
}

/** @throws {WaryError} `setting-invalid` for the first that is not valid, or is there twice */
export function parseSources(value: unknown): readonly SourceSetting[] {
  if (!Array.isArray(value)) refuse('the sources must be a list')
  if (value.length > MOST_SOURCES) refuse(`at most ${MOST_SOURCES} sources`)
  const sources = value.map(parseSource)
  const ids = sources.map(sourceId)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) refuse(`${twice} is a source already`)
  return sources
}

function parseSource(value: unknown): SourceSetting {
  if (typeof value !== 'object' || value === null) refuse('a source must have a kind and an address')
  const fields = new Map<string, unknown>(Object.entries(value))
  const kind = fields.get('kind')
  switch (kind) {
    case 'wary':
    case 'filter':
      return {
        kind,
        server: present(parseServer(fields.get('server')), 'the server'),
        fingerprint: parseFingerprint(fields.get('fingerprint')),
        lists: parseLists(fields.get('lists')),
      }
    case 'google': {
      const server = fields.get('server')
      return {
        kind,
        apiKey: parseApiKey(fields.get('apiKey')),
        lists: parseLists(fields.get('lists')),
        ...(server === undefined ? {} : { server: present(parseServer(server), 'the server') }),
      }
    }
    case 'feed':
      return { kind, url: parseFeedUrl(fields.get('url')), threatType: parseThreatType(fields.get('threatType')) }
    default:
      return refuse(`no source is of the kind ${String(kind).slice(0, 20)}`)
  }
}

function parseFingerprint(value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) refuse('the fingerprint must have 64 hexadecimal digits')
  return fromHex(value).length === 32 ? value : refuse('the fingerprint must be 32 bytes')
}

/** @throws {WaryError} `setting-invalid` */
export function parseApiKey(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  return /^[A-Za-z0-9_-]{20,80}$/.test(text) ? text : refuse('this is not what an API key of Google looks like')
}

/** Address of a feed: `https:`, or `http:` on loopback. @throws {WaryError} `setting-invalid` */
export function parseFeedUrl(value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST_URL) refuse('the feed needs an address')
  let url: URL
  try {
    url = new URL(value.trim())
  } catch (error) {
    throw new WaryError('setting-invalid', 'the address of a feed must look like https://lists.example/phishing.txt', { cause: error })
  }
  const loopback = url.hostname === 'localhost' || url.hostname === '127.0.0.1'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))
    refuse('the address of a feed must begin with https:// (http:// only for 127.0.0.1 and localhost)')
  if (url.username !== '' || url.password !== '') refuse('the address of a feed must have no user name or password in it')
  url.hash = ''
  return url.href
}

function parseThreatType(value: unknown): ThreatType {
  return THREAT_TYPES.find((type) => type === value) ?? refuse(`no threat is called ${String(value).slice(0, 40)}`)
}

function present(text: string, what: string): string {
  return text === '' ? refuse(`${what} is missing`) : text
}

function refuse(message: string): never {
  throw new WaryError('setting-invalid', message)
}
