/** What has come of a download so far. */
export interface Parts {
  /** Strong ETag of the body that the bytes are of. */
  readonly etag: string
  readonly totalBytes: number
  /** When the first of them came, milliseconds since 1970. */
  readonly startedAt: number
  readonly bytes: Uint8Array
}

/** Keeps the body of one long download over the death of whoever receives it. */
export interface PartStore {
  /** Undefined where nothing is kept, or not of this `key`. */
  load(key: string): Promise<Parts | undefined>
  /** Forgets what was kept, whatever its key, and begins anew. */
  begin(key: string, head: Omit<Parts, 'bytes'>): Promise<void>
  /** Adds to what `begin` began. */
  append(bytes: Uint8Array): Promise<void>
  clear(): Promise<void>
}
