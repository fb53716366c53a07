import { checkBytes } from './byte-check.ts'
import { checkCapacity, checkRate, refuseParameter } from './parameters.ts'
import { xxh64 } from './xxh64.ts'

/** One for each word of a block (parquet-format, BloomFilter.md). */
const SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31] as const
const BLOCK_BYTES = 32
export const BLOCK_BITS = BLOCK_BYTES * 8
/** The format counts bytes in a signed 32-bit number. */
export const MOST_BLOCKS = 2 ** 31 / BLOCK_BYTES - 1

const encoder = new TextEncoder()

/**
 * Split-block Bloom filter as in Apache Parquet files (parquet-format 2.11, BloomFilter.md): a key sets one bit in each of the eight 32-bit
 * words of one block. For exchange with programs that read and write Parquet; for anything else BloomFilter is smaller at the same rate,
 * and several times as fast as the bigints here.
 */
export class SplitBlockBloomFilter {
  readonly blocks: number
  readonly #view: DataView

  private constructor(bitset: Uint8Array) {
    this.blocks = bitset.length / BLOCK_BYTES
    this.#view = new DataView(bitset.buffer, bitset.byteOffset, bitset.byteLength)
  }

  /**
   * An empty filter of so many blocks of 32 bytes.
   * @throws {WaryError} `filter-parameter`
   */
  static ofBlocks(blocks: number): SplitBlockBloomFilter {
    if (!Number.isInteger(blocks) || blocks < 1 || blocks > MOST_BLOCKS)
      refuseParameter(`a split-block filter has 1 to ${MOST_BLOCKS} blocks, not ${blocks}`)
    return new SplitBlockBloomFilter(new Uint8Array(blocks * BLOCK_BYTES))
  }

  /**
   * An empty filter for `capacity` keys at the false positive rate `rate`: of the fewest blocks that keep it.
   * @throws {WaryError} `filter-parameter`
   */
  static create({ capacity, rate }: { readonly capacity: number; readonly rate: number }): SplitBlockBloomFilter {
    checkCapacity(capacity)
    checkRate(rate)
    let low = 1
    let high = MOST_BLOCKS
    if (splitBlockRate(high, capacity) > rate) refuseParameter(`${capacity} keys at the rate ${rate} need more than ${high} blocks`)
    while (low < high) {
      const middle = (low + high) >> 1
      if (splitBlockRate(middle, capacity) <= rate) high = middle
      else low = middle + 1
    }
    return SplitBlockBloomFilter.ofBlocks(low)
  }

  /**
   * The filter of a bitset as it stands behind its header in a Parquet file; not a copy.
   * @throws {WaryError} `filter-parameter` where it is no whole number of blocks
   */
  static fromBitset(bitset: Uint8Array): SplitBlockBloomFilter {
    checkBytes(bitset, 'a bitset')
    if (bitset.length === 0 || bitset.length % BLOCK_BYTES !== 0 || bitset.length / BLOCK_BYTES > MOST_BLOCKS)
      refuseParameter(`${bitset.length} bytes are no bitset of whole blocks`)
    return new SplitBlockBloomFilter(bitset)
  }

  /** Adds a value in Parquet's plain encoding, without the length in front of texts and bytes; texts as UTF-8. */
  add(value: Uint8Array | string): void {
    this.addHash(hashOf(value))
  }

  /** As `add`, of the value's XXH64 with seed 0; 64 bits, signed (as Java has them) or not. */
  addHash(hash: bigint): void {
    const start = this.#block(hash)
    for (const [i, mask] of masks(hash).entries()) {
      this.#view.setUint32(start + 4 * i, this.#view.getUint32(start + 4 * i, true) | mask, true)
    }
  }

  /** False: the value was never added. True: it was, or this is a false positive. */
  mightContain(value: Uint8Array | string): boolean {
    return this.mightContainHash(hashOf(value))
  }

  /** As `mightContain`, of the value's XXH64 with seed 0. */
  mightContainHash(hash: bigint): boolean {
    const start = this.#block(hash)
    return masks(hash).every((mask, i) => (this.#view.getUint32(start + 4 * i, true) & mask) !== 0)
  }

  /** Byte that the block of a hash begins at: the upper half chooses it. */
  #block(hash: bigint): number {
    return Number((BigInt.asUintN(32, hash >> 32n) * BigInt(this.blocks)) >> 32n) * BLOCK_BYTES
  }

  /** A copy of the bitset, 32 bytes for each block. */
  toBitset(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset, this.#view.byteLength).slice()
  }
}

/**
 * The rate to expect of a filter of `blocks` blocks with `keys` different keys in: blocks get j keys with the chance of Poisson's law, and
 * one with j keys errs with (1 - (31/32)^j)^8 (Putze, Sanders, Singler 2007). 0 to 1.
 */
export function splitBlockRate(blocks: number, keys: number): number {
  const mean = keys / blocks
  let chance = Math.exp(-mean)
  // Where hardly any block has few keys, all err.
  if (chance === 0) return 1
  let rate = 0
  for (let j = 1; j < mean + 12 * Math.sqrt(mean) + 20; j++) {
    chance *= mean / j
    rate += chance * (1 - (31 / 32) ** j) ** 8
  }
  return Math.min(rate, 1)
}

function hashOf(value: Uint8Array | string): bigint {
  if (typeof value === 'string') return xxh64(encoder.encode(value))
  checkBytes(value, 'a value')
  return xxh64(value)
}

/** The bit of each word that the lower half of a hash chooses. */
function masks(hash: bigint): number[] {
  const low = Number(hash & 0xffffffffn)
  return SALT.map((salt) => 1 << (Math.imul(low, salt) >>> 27))
}
