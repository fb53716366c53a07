/** Set bits of a 32-bit word, signed or not. */
export function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Set bits of two words together: in one go, as most of the time of a full quotient filter goes into this. */
export function onesOfBoth(a: number, b: number): number {
  const pairsA = a - ((a >>> 1) & 0x55555555)
  const pairsB = b - ((b >>> 1) & 0x55555555)
  const nibbles = (pairsA & 0x33333333) + ((pairsA >>> 2) & 0x33333333) + (pairsB & 0x33333333) + ((pairsB >>> 2) & 0x33333333)
  return Math.imul((nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24
}

/** Position of the lowest set bit of a word that is not 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** Position of the nth set bit of a word, counted from the lowest, which is number 1. */
export function nthBit(word: number, n: number): number {
  let rest = word
  for (let i = 1; i < n; i++) rest &= rest - 1
  return lowestBit(rest)
}

/** The lowest `count` bits, 0 to 32 of them. */
export function lowBits(count: number): number {
  return count === 32 ? -1 : (1 << count) - 1
}
