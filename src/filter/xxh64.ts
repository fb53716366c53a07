const PRIME1 = 0x9e3779b185ebca87n
const PRIME2 = 0xc2b2ae3d27d4eb4fn
const PRIME3 = 0x165667b19e3779f9n
const PRIME4 = 0x85ebca77c2b2ae63n
const PRIME5 = 0x27d4eb2f165667c5n

const STRIPE = 32

/**
 * XXH64 (Yann Collet, xxHash specification 0.1.1) of `bytes`, for filters that others fill or ask, such as Parquet's. Some microseconds a
 * key: bigints are exact, not fast.
 * @param seed 64 bits
 * @returns 0 to 2^64 - 1
 */
export function xxh64(bytes: Uint8Array, seed = 0n): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { length } = bytes
  let at = 0
  let hash = u64(seed + PRIME5)
  if (length >= STRIPE) {
    const lanes = [seed + PRIME1 + PRIME2, seed + PRIME2, seed, seed - PRIME1].map(u64)
    for (; at + STRIPE <= length; at += STRIPE) {
      for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i] as bigint, view.getBigUint64(at + 8 * i, true))
    }
    const [first = 0n, second = 0n, third = 0n, fourth = 0n] = lanes
    hash = u64(turned(first, 1n) + turned(second, 7n) + turned(third, 12n) + turned(fourth, 18n))
    for (const lane of lanes) hash = u64((hash ^ round(0n, lane)) * PRIME1 + PRIME4)
  }
  hash = u64(hash + BigInt(length))
  for (; at + 8 <= length; at += 8) {
    hash = u64(turned(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * PRIME1 + PRIME4)
  }
  if (at + 4 <= length) {
    hash = u64(turned(hash ^ u64(BigInt(view.getUint32(at, true)) * PRIME1), 23n) * PRIME2 + PRIME3)
    at += 4
  }
  for (; at < length; at++) hash = u64(turned(hash ^ u64(BigInt(bytes[at] as number) * PRIME5), 11n) * PRIME1)
  hash = u64((hash ^ (hash >> 33n)) * PRIME2)
  hash = u64((hash ^ (hash >> 29n)) * PRIME3)
  return hash ^ (hash >> 32n)
}

function round(lane: bigint, input: bigint): bigint {
  return u64(turned(u64(lane + input * PRIME2), 31n) * PRIME1)
}

function turned(value: bigint, by: bigint): bigint {
  return u64(value << by) | (value >> (64n - by))
}

function u64(value: bigint): bigint {
  return BigInt.asUintN(64, value)
}
