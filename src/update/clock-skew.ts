import type { StoredList } from '../ports.ts'

/** Clocks of devices and servers differ by seconds; a difference of an hour is no such thing, and a list's expiry is days away. */
const NOTABLE_MS = 60 * 60_000

/**
 * By how many milliseconds a server's clock is ahead of this device's, from the `Date` of its answer and the `Age` that caches on the way have given it
 * (RFC 9110 section 6.6.1, RFC 9111 section 5.1). Undefined where the server tells none, or the difference is less than an hour. The
 * server is believed in one thing only by this: what a person is told, and whether a list that would be refused as expired is taken as stale.
 *
 * @param now of this device, milliseconds since 1970
 */
export function clockSkew(headers: Headers, now: number): number | undefined {
  const at = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(at)) return undefined
  const age = /^\d{1,9}$/.test(headers.get('age') ?? '') ? 1000 * Number(headers.get('age')) : 0
  const skew = at + age - now
  return Math.abs(skew) < NOTABLE_MS ? undefined : skew
}

/**
 * Whether a statement that has expired by this device's clock may be taken, as stale: that clock is ahead of the server's, and nothing fresher is held.
 * Otherwise a device with a wrong clock would never get a list. Whoever lies about the time gains nothing: without the lie nothing newer would be
 * held either, what is older than what was seen is refused as ever, and the popup says "stale" and why.
 */
export function staleAnyhow(held: StoredList | undefined, now: number, clockSkewMs: number | undefined): boolean {
  const ahead = clockSkewMs !== undefined && clockSkewMs < 0
  return ahead && (held?.state === undefined || now >= held.state.expiresAt)
}
