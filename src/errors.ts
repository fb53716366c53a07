/**
 * Every failure that Wary foresees has one of these codes. The popup, the log, `--json` and the counters show the code;
 * the message says what happened and, where a person can act, what to do next.
 */
export type ErrorCode =
  | 'url-invalid' // not an absolute http(s) URL that a browser could open
  | 'filter-format' // bytes that are not a filter file of a known version, or damaged
  | 'filter-parameter'
  | 'filter-mismatch' // filters that cannot be merged
  | 'list-format' // protobuf or Rice data that cannot be a hash list
  | 'list-checksum' // decoded entries do not hash to the list's own checksum
  | 'list-missing' // the server does not carry a list that was asked for
  | 'list-self-test' // the new list or its filter does not find an entry that it must hold
  | 'state-missing' // an answer without a signed state from a source that signs
  | 'state-format'
  | 'state-signature'
  | 'state-threshold' // fewer of the publisher's keys have signed than its key set asks for
  | 'state-key-unknown'
  | 'state-rollback' // (epoch, sequence) below what was seen before
  | 'state-expired'
  | 'state-mismatch' // the statement is about another list or other entries
  | 'keys-unknown' // the chain of key sets does not hold the one that is trusted here
  | 'keys-rollback' // the chain of key sets ends before the one that is trusted here
  | 'keys-chain' // a chain of key sets with a gap, or a set in it that the former one did not sign
  | 'http-network'
  | 'http-status'
  | 'http-timeout'
  | 'http-type' // another content type than asked for, such as HTML
  | 'http-too-large'
  | 'http-truncated'
  | 'search-answer' // a verification answer that breaks the protocol
  | 'search-backoff' // not asked: the server failed a moment ago
  | 'storage-damaged'
  | 'storage-evicted' // the browser has removed what was stored
  | 'storage-quota'
  | 'storage-failed'
  | 'setting-invalid'
  | 'not-configured'
  | 'message-rejected'
  | 'feed-format'
  | 'key-file'
  | 'key-set' // keys and a threshold that make no key set
  | 'sign-refused' // a statement that this key does not sign: not decodable, or older than what it signed before
  | 'publish-failed'
  | 'publish-locked' // another publish runs in the same folder
  | 'publish-damaged'
  | 'serve-failed' // the server cannot listen
  | 'file-failed' // a file that a command was given cannot be read or written
  | 'usage'
  | 'internal'

/** A failure that Wary foresees: for programs by its code, for people by its message. */
export class WaryError extends Error {
  override readonly name = 'WaryError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** `error` itself when it is ours, else wrapped with `code`, its message and the original as cause. */
export function asWaryError(error: unknown, code: ErrorCode = 'internal'): WaryError {
  if (error instanceof WaryError) return error
  return new WaryError(code, error instanceof Error ? `${error.name}: ${error.message}` : String(error), { cause: error })
}
