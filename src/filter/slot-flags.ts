import { lowBits, lowestBit, nthBit, ones, onesOfBoth } from './bit-word.ts'
import { refuseFile } from './encoding.ts'

/** Slots of a block: a bit of a 32-bit word each. */
const BLOCK = 32
const BLOCK_BYTES = 12
/** Where in a block's bytes the words of the three bits are. */
const OCCUPIED = 0
const CONTINUATION = 4
const SHIFTED = 8

/**
 * The three bits that each slot of a quotient filter has beside its remainder (quotient-table.ts): is_occupied, is_continuation, is_shifted.
 * For each block of 32 slots three little-endian words, bit i for slot i, so that a cluster is searched 32 slots at a time: where 0.95 of
 * all slots are in use, a key's cluster has 400 slots on average. Behind the last slot comes the first.
 */
export class SlotFlags {
  readonly #view: DataView
  readonly #lastBlock: number
  readonly #lastSlot: number

  /** @param slots a power of two from 32 on */
  constructor(bytes: Uint8Array, slots: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, SlotFlags.byteLength(slots))
    this.#lastSlot = slots - 1
    this.#lastBlock = slots / BLOCK - 1
  }

  static byteLength(slots: number): number {
    return (slots / BLOCK) * BLOCK_BYTES
  }

  /** Whether there is a run of the quotient of this number, here or further on. */
  occupied(slot: number): boolean {
    return ((this.#word(slot >>> 5, OCCUPIED) >>> (slot & 31)) & 1) !== 0
  }

  /** Whether the slot is not the first of its run. */
  continuation(slot: number): boolean {
    return ((this.#word(slot >>> 5, CONTINUATION) >>> (slot & 31)) & 1) !== 0
  }

  /** Whether the slot is not in the place that its quotient says. */
  shifted(slot: number): boolean {
    return ((this.#word(slot >>> 5, SHIFTED) >>> (slot & 31)) & 1) !== 0
  }

  /** Whether nothing is in the slot. The slot of a quotient that has remainders is in use, by them or by others. */
  free(slot: number): boolean {
    return (((this.#word(slot >>> 5, OCCUPIED) | this.#word(slot >>> 5, SHIFTED)) >>> (slot & 31)) & 1) === 0
  }

  /** From now on there are remainders of this quotient. */
  occupy(quotient: number): void {
    this.#setWord(quotient >>> 5, OCCUPIED, this.#word(quotient >>> 5, OCCUPIED) | (1 << (quotient & 31)))
  }

  /** There are none any more. */
  vacate(quotient: number): void {
    this.#setWord(quotient >>> 5, OCCUPIED, this.#word(quotient >>> 5, OCCUPIED) & ~(1 << (quotient & 31)))
  }

  /** Says whether the slot's remainder has the same quotient as the one before it. */
  setContinuation(slot: number, continuation: boolean): void {
    const bit = 1 << (slot & 31)
    const word = this.#word(slot >>> 5, CONTINUATION)
    this.#setWord(slot >>> 5, CONTINUATION, continuation ? word | bit : word & ~bit)
  }

  /** Makes a slot free behind which no other is shifted. */
  clear(slot: number): void {
    this.setContinuation(slot, false)
    this.#setWord(slot >>> 5, SHIFTED, this.#word(slot >>> 5, SHIFTED) & ~(1 << (slot & 31)))
  }

  /**
   * The slot where the run of `quotient` begins, which has one; or where it belongs if its bit has only just been set.
   *
   * Runs lie in the order of their quotients, so one has to count: as many runs as quotients. Up to `quotient` some of the runs have not yet
   * begun, and that many beginnings further on is the one.
   * @throws {WaryError} `filter-format` where the bits contradict each other
   */
  runStart(quotient: number): number {
    // Reads the words itself: so many calls of #word would not be inlined.
    const view = this.#view
    let block = quotient >>> 5
    let mask = lowBits((quotient & 31) + 1)
    let waiting = 0
    for (let steps = 0; ; steps++) {
      const at = block * BLOCK_BYTES
      const unshifted = ~view.getInt32(at + SHIFTED, true) & mask
      if (unshifted !== 0) mask &= -1 << (31 - Math.clz32(unshifted))
      waiting += onesOfBoth(view.getInt32(at + OCCUPIED, true) & mask, view.getInt32(at + CONTINUATION, true) | ~mask) - BLOCK
      if (unshifted !== 0) break
      if (steps > this.#lastBlock) refuseFile('a cluster of slots has no beginning')
      block = (block - 1) & this.#lastBlock
      mask = -1
    }
    return waiting <= 0 ? quotient : this.#nthStart((quotient + 1) & this.#lastSlot, waiting)
  }

  /** The nth slot from `from` on that is no continuation. */
  #nthStart(from: number, n: number): number {
    let block = from >>> 5
    let mask = -1 << (from & 31)
    let left = n
    for (let steps = 0; ; steps++) {
      const starts = ~this.#word(block, CONTINUATION) & mask
      const here = ones(starts)
      if (here >= left) return block * BLOCK + nthBit(starts, left)
      if (steps > this.#lastBlock) refuseFile('there are fewer runs than quotients')
      left -= here
      block = (block + 1) & this.#lastBlock
      mask = -1
    }
  }

  /** @throws {WaryError} `filter-format` where there is none, as here and below only in a damaged file */
  firstFree(from: number): number {
    let block = from >>> 5
    let mask = -1 << (from & 31)
    for (let steps = 0; steps <= this.#lastBlock + 1; steps++) {
      const free = ~(this.#word(block, OCCUPIED) | this.#word(block, SHIFTED)) & mask
      if (free !== 0) return block * BLOCK + lowestBit(free)
      block = (block + 1) & this.#lastBlock
      mask = -1
    }
    refuseFile('no slot is free')
  }

  /** The first slot from `from` on that is where its quotient says. @throws {WaryError} `filter-format` if there is none */
  firstUnshifted(from: number): number {
    let block = from >>> 5
    let mask = -1 << (from & 31)
    for (let steps = 0; steps <= this.#lastBlock + 1; steps++) {
      const unshifted = ~this.#word(block, SHIFTED) & mask
      if (unshifted !== 0) return block * BLOCK + lowestBit(unshifted)
      block = (block + 1) & this.#lastBlock
      mask = -1
    }
    refuseFile('a cluster of slots has no beginning')
  }

  /** Occupied quotients between the two, neither included. */
  occupiedBetween(from: number, to: number): number {
    let block = from >>> 5
    let mask = -2 << (from & 31)
    let count = 0
    while (block !== to >>> 5 || (to < from && mask !== -1)) {
      count += ones(this.#word(block, OCCUPIED) & mask)
      block = (block + 1) & this.#lastBlock
      mask = -1
    }
    return count + ones(this.#word(block, OCCUPIED) & mask & lowBits(to & 31))
  }

  /** The slots from `from` on were moved one further, up to `to`, which was free, and something with these two bits came to `from`. */
  insert(from: number, to: number, continuation: boolean, shifted: boolean): void {
    let block = from >>> 5
    let first = from & 31
    let incoming = continuation ? 1 : 0
    let shiftedBit = shifted ? 1 : 0
    for (;;) {
      const final = block === to >>> 5 && (to & 31) >= first
      const moved = lowBits(final ? (to & 31) + 1 : BLOCK) & (-1 << first)
      const above = moved & (-2 << first)
      const former = this.#word(block, CONTINUATION)
      this.#setWord(block, CONTINUATION, (former & ~moved) | ((former << 1) & above) | (incoming << first))
      this.#setWord(block, SHIFTED, (this.#word(block, SHIFTED) & ~moved) | above | (shiftedBit << first))
      if (final) return
      incoming = former >>> 31
      shiftedBit = 1
      block = (block + 1) & this.#lastBlock
      first = 0
    }
  }

  /**
   * The slots behind `from`, up to `to`, were moved one back, and `to` became free. Runs that came to lie in the slot of their quotient are
   * no longer shifted.
   * @param ahead occupied quotients before `from` whose runs begin there or later
   */
  remove(from: number, to: number, ahead: number): void {
    let block = from >>> 5
    let first = from & 31
    let waiting = ahead
    for (;;) {
      const final = block === to >>> 5 && (to & 31) >= first
      const moved = lowBits(final ? (to & 31) + 1 : BLOCK) & (-1 << first)
      const next = (block + 1) & this.#lastBlock
      const incoming = final ? 0 : this.#word(next, CONTINUATION) << 31
      const former = this.#word(block, CONTINUATION)
      const continuations = (former & ~moved) | ((((former & moved) >>> 1) | incoming) & moved)
      this.#setWord(block, CONTINUATION, continuations)
      const occupied = this.#word(block, OCCUPIED)
      const end = final ? to & 31 : BLOCK
      let shifted = moved & lowBits(end)
      for (let slot = first; slot < end; slot++) {
        const start = (~continuations >>> slot) & 1
        const own = (occupied >>> slot) & 1
        waiting += own - start
        // A run begins in its own slot, and none has to wait. No branch, as nobody can predict it; `waiting` is never below 0.
        shifted &= ~((start & own & ((waiting - 1) >>> 31)) << slot)
      }
      this.#setWord(block, SHIFTED, (this.#word(block, SHIFTED) & ~moved) | shifted)
      if (final) return
      block = next
      first = 0
    }
  }

  #word(block: number, which: number): number {
    return this.#view.getInt32(block * BLOCK_BYTES + which, true)
  }

  #setWord(block: number, which: number, word: number): void {
    this.#view.setInt32(block * BLOCK_BYTES + which, word, true)
  }
}
