import { PackedArray } from './packed-array.ts'
import { SlotFlags } from './slot-flags.ts'

/**
 * The slots of a quotient filter. Remainders of one quotient lie beside each other in ascending order, a run; runs lie in the order of
 * their quotients, each as close behind the slot of its own number as the runs before it allow, and behind the last slot comes the first.
 * So the same fingerprints make the same slots, in whichever order they came and whatever was deleted in between.
 *
 * In bytes: the `SlotFlags`, then the remainders as a `PackedArray` (which ends in four zero bytes); that of a free slot is 0.
 */
export class QuotientTable {
  readonly quotientBits: number
  readonly remainderBits: number
  readonly slots: number
  readonly bytes: Uint8Array
  readonly flags: SlotFlags
  readonly remainders: PackedArray
  readonly #lastSlot: number

  /** @param bytes `QuotientTable.byteLength(quotientBits, remainderBits)` of them */
  constructor(bytes: Uint8Array, quotientBits: number, remainderBits: number) {
    this.bytes = bytes
    this.quotientBits = quotientBits
    this.remainderBits = remainderBits
    this.slots = 2 ** quotientBits
    this.#lastSlot = this.slots - 1
    this.flags = new SlotFlags(bytes, this.slots)
    this.remainders = new PackedArray(bytes.subarray(SlotFlags.byteLength(this.slots)), this.slots, remainderBits)
  }

  static byteLength(quotientBits: number, remainderBits: number): number {
    const slots = 2 ** quotientBits
    return SlotFlags.byteLength(slots) + PackedArray.byteLength(slots, remainderBits)
  }

  /** All slots free. */
  static empty(quotientBits: number, remainderBits: number): QuotientTable {
    return new QuotientTable(new Uint8Array(QuotientTable.byteLength(quotientBits, remainderBits)), quotientBits, remainderBits)
  }

  /** Whether this fingerprint is in. @throws {WaryError} `filter-format` where the slots contradict each other */
  has(quotient: number, remainder: number): boolean {
    return this.flags.occupied(quotient) && this.#find(this.flags.runStart(quotient), remainder) >= 0
  }

  /** Quotient and slot of every remainder, in ascending order of both quotients and remainders. */
  *entries(): Generator<[quotient: number, slot: number], void, undefined> {
    const { flags, slots } = this
    const last = this.#lastSlot
    // Counted on past the last slot, so that what comes later has the higher number.
    let next = -1
    for (let quotient = 0; quotient < slots; quotient++) {
      if (!flags.occupied(quotient)) continue
      // What lies in the first slots may belong to the last quotients.
      next = next < 0 ? flags.runStart(quotient) : Math.max(next, quotient)
      do yield [quotient, next++ & last]
      while (flags.continuation(next & last) && next < 2 * slots)
    }
  }

  /** At least one slot must be free, and still be free afterwards. */
  insert(quotient: number, remainder: number): void {
    const { flags, remainders } = this
    if (flags.free(quotient)) {
      flags.occupy(quotient)
      remainders.set(quotient, remainder)
      return
    }
    const hasRun = flags.occupied(quotient)
    flags.occupy(quotient)
    const start = flags.runStart(quotient)
    let slot = start
    if (hasRun) {
      while (remainders.get(slot) < remainder) {
        slot = (slot + 1) & this.#lastSlot
        if (!flags.continuation(slot) || slot === start) break
      }
      // The first of the run becomes its second.
      if (slot === start) flags.setContinuation(start, true)
    }
    const free = flags.firstFree(slot)
    flags.insert(slot, free, slot !== start, slot !== quotient)
    if (free < slot) {
      const last = remainders.get(this.#lastSlot)
      remainders.insertAt(slot, this.#lastSlot, remainder)
      remainders.insertAt(0, free, last)
    } else remainders.insertAt(slot, free, remainder)
  }

  /** False where there is no such fingerprint. */
  remove(quotient: number, remainder: number): boolean {
    const { flags, remainders } = this
    if (!flags.occupied(quotient)) return false
    const start = flags.shifted(quotient) ? flags.runStart(quotient) : quotient
    const slot = this.#find(start, remainder)
    if (slot < 0) return false
    const next = (slot + 1) & this.#lastSlot
    const headOfMore = slot === start && flags.continuation(next)
    if (slot === start && !headOfMore) flags.vacate(quotient)
    if (!flags.shifted(next)) {
      // Nothing was moved on account of this slot: so it is for most of them, but in a very full filter.
      flags.clear(slot)
      remainders.set(slot, 0)
      return true
    }
    if (headOfMore) flags.setContinuation(next, false)
    const to = (flags.firstUnshifted(next) - 1) & this.#lastSlot
    flags.remove(slot, to, flags.occupiedBetween(quotient, slot) + (headOfMore && slot !== quotient ? 1 : 0))
    if (to < slot) {
      remainders.removeAt(slot, this.#lastSlot, remainders.get(0))
      remainders.removeAt(0, to, 0)
    } else remainders.removeAt(slot, to, 0)
    return true
  }

  /** The first slot of the run from `start` on that has this remainder; -1 if none. */
  #find(start: number, remainder: number): number {
    let slot = start
    do {
      const other = this.remainders.get(slot)
      if (other >= remainder) return other === remainder ? slot : -1
      slot = (slot + 1) & this.#lastSlot
    } while (this.flags.continuation(slot) && slot !== start)
    return -1
  }
}
