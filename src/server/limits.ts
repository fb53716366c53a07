/** What a server takes at most. Times are milliseconds. */
export interface ServerLimits {
  /** Characters of a request's address. 1,000 prefixes need 26,000. */
  readonly urlLength: number
  /** Of one hashes:search (v5, SearchHashesRequest.hash_prefixes). */
  readonly prefixes: number
  /** Of one hashLists:batchGet. */
  readonly names: number
  /** For a request to arrive. */
  readonly requestMs: number
  /** Without a byte either way, after which a connection is closed. */
  readonly idleMs: number
  /** For requests under way when the server stops. */
  readonly stopMs: number
}

export const DEFAULT_LIMITS: ServerLimits = {
  urlLength: 64 * 1024,
  prefixes: 1000,
  names: 64,
  requestMs: 10_000,
  idleMs: 30_000,
  stopMs: 2_000,
}
