import { namedLists } from '../publisher/published-manifest.ts'
import type { PublishedStore } from './published-store.ts'

/**
 * What `/healthz` answers. `status`: `ok`; `degraded`, the newest version is damaged and the former served; `expired`, clients refuse the
 * lists until they are published anew; `empty`, there is nothing to serve. The HTTP status is 503 for `empty`, else 200.
 */
export interface Health {
  readonly status: 'ok' | 'degraded' | 'expired' | 'empty'
  readonly uptimeSeconds: number
  /** Of what is served; absent when that is nothing. Times in ISO 8601. */
  readonly version?: string
  readonly epoch?: number
  readonly sequence?: number
  readonly issuedAt?: string
  readonly expiresAt?: string
  readonly keyId?: string
  readonly lists: readonly { readonly name: string; readonly entries: number }[]
  /** Why the newest version is not served. */
  readonly error?: { readonly code: string; readonly message: string }
}

export function healthOf({ edition, failure }: PublishedStore, startedAt: number, now: number): Health {
  const about = edition && {
    version: edition.version,
    epoch: edition.manifest.epoch,
    sequence: edition.manifest.sequence,
    issuedAt: new Date(edition.manifest.issuedAt).toISOString(),
    expiresAt: new Date(edition.manifest.expiresAt).toISOString(),
    keyId: edition.manifest.keyId,
  }
  const expired = edition !== undefined && now >= edition.manifest.expiresAt
  return {
    status: edition === undefined ? 'empty' : failure !== undefined ? 'degraded' : expired ? 'expired' : 'ok',
    uptimeSeconds: Math.floor((now - startedAt) / 1000),
    ...about,
    lists: namedLists(edition?.manifest.lists ?? []),
    ...(failure && { error: { code: failure.code, message: failure.message } }),
  }
}
