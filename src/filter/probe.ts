/**
 * The probes of a key, from 64 bits of its hash: the first is `a` itself, each next one `nextProbe(former, b)`. Like double hashing
 * (Kirsch, Mitzenmacher 2006), but with a mix in each step: with plain steps of `b` only the bits of `a` and `b` that tell bit positions
 * apart would count, and small filters would err far above their rate (Dillinger, Manolios 2004).
 */
export function nextProbe(former: number, b: number): number {
  return (Math.imul(former ^ (former >>> 15), 0x2c1b3c6d) + b) | 0
}

/**
 * floor(h x size / 2^32), exactly, for 32 bits of hash, signed or not, and whole sizes up to 2^32 (Lemire 2016). The product may need 64
 * bits and a double holds 53: rounded up to a whole number, a few hashes in 2^32 would land elsewhere than in programs that count in whole
 * numbers. Rounding never passes a whole number, so only those that come out as one need a second look, which makes this twice as fast as
 * counting in 16-bit halves.
 */
export function scaled(h: number, size: number): number {
  const product = (h >>> 0) * (size / 0x100000000)
  const whole = product >>> 0
  return whole === product ? corrected(whole, h, size) : whole
}

/** The lower half of the true product tells where it lies: just above `whole`, or, with the upper bit set, just below. */
function corrected(whole: number, h: number, size: number): number {
  return Math.imul(h, size) < 0 ? whole - 1 : whole
}
