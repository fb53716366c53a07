/**
 * The probes of a key, from 64 bits of its hash: the first is `a` itself, each next one `nextProbe(former, b)`. Like double hashing (Kirsch,
 * Mitzenmacher 2006), but with a mix in each step: with plain steps of `b` only the bits of `a` and `b` that tell bit positions apart would
 * count, and small filters would err far above their rate (Dillinger, Manolios 2004).
 */
export function nextProbe(former: number, b: number): number {
  return (Math.imul(former ^ (former >>> 15), 0x2c1b3c6d) + b) | 0
}

/** floor(h x size / 2^32) for 32 bits of hash, signed or not, and sizes up to 2^32 (Lemire 2016). */
export function scaled(h: number, size: number): number {
  return scaledBy(h, upperHalf(size), size & 0xffff)
}

/**
 * As `scaled`, for a size in halves: `size = upper x 2^16 + lower`. All in 32-bit whole numbers: a double would round the product, and
 * turning numbers into doubles and back takes twice the time.
 */
export function scaledBy(h: number, upper: number, lower: number): number {
  const high = h >>> 16
  const low = h & 0xffff
  const middle = Math.imul(high, lower) + (Math.imul(low, lower) >>> 16)
  const carry = Math.imul(low, upper) + (middle & 0xffff)
  return (Math.imul(high, upper) + (middle >>> 16) + (carry >>> 16)) >>> 0
}

/** Of sizes up to 2^32, which has an upper half of 17 bits: shifts would lose it. */
export function upperHalf(size: number): number {
  return Math.floor(size / 0x10000)
}
