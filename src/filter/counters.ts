import { nextProbe, scaled } from './probe.ts'

/**
 * The counters of a counting Bloom filter: 4 bits each, counter i in byte i >> 1, in the lower half where i is even. Fifteen means fifteen
 * or more: such a counter stays as it is, whatever is added or deleted, because nobody knows any more how many keys it stands for.
 */
const FULL = 15

/** Bytes of so many counters: a half one is rounded up. */
export function counterBytes(counters: number): number {
  return Math.ceil(counters / 2)
}

/** 0 to 15. */
export function counter(array: Uint8Array, index: number): number {
  return ((array[index >>> 1] as number) >> ((index & 1) << 2)) & FULL
}

/** Adds one to the k counters of a key (probe.ts), to each as often as the key's probes point to it. */
export function addToCounters(array: Uint8Array, counters: number, hashes: number, a: number, b: number): void {
  let probe = a
  for (let i = hashes; i > 0; i--) {
    change(array, scaled(probe, counters), 1)
    probe = nextProbe(probe, b)
  }
}

/**
 * Takes one from the k counters of a key.
 * @returns false, and nothing has changed, where one of them had nothing left to take: the key is not in
 */
export function takeFromCounters(array: Uint8Array, counters: number, hashes: number, a: number, b: number): boolean {
  let probe = a
  for (let i = 0; i < hashes; i++) {
    const index = scaled(probe, counters)
    if (counter(array, index) === 0) {
      addToCounters(array, counters, i, a, b)
      return false
    }
    change(array, index, -1)
    probe = nextProbe(probe, b)
  }
  return true
}

/** Whether none of a key's counters is 0. */
export function countersHave(array: Uint8Array, counters: number, hashes: number, a: number, b: number): boolean {
  let probe = a
  for (let i = hashes; i > 0; i--) {
    if (counter(array, scaled(probe, counters)) === 0) return false
    probe = nextProbe(probe, b)
  }
  return true
}

function change(array: Uint8Array, index: number, by: 1 | -1): void {
  const shift = (index & 1) << 2
  const byte = array[index >>> 1] as number
  if (((byte >> shift) & FULL) !== FULL) array[index >>> 1] = byte + (by << shift)
}

/** Bit i of what comes back is set where counter i is not 0: the bits of the standard filter with the same keys. */
export function bitsOfCounters(array: Uint8Array, counters: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(counters / 8))
  for (let i = 0; i < array.length; i++) {
    const byte = array[i] as number
    const pair = ((byte & 0x0f) === 0 ? 0 : 1) | (byte < 0x10 ? 0 : 2)
    bits[i >> 2] = (bits[i >> 2] as number) | (pair << ((i & 3) << 1))
  }
  return bits
}
