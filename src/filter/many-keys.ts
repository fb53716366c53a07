/**
 * Keys that are asked about together come as ready hashes in one array, high and low halves in turn; the numbers of those found go to
 * another.
 * @throws {RangeError} `count` is none, an array is too short for `count` keys, or its bytes for their numbers
 */
export function checkRoom(ready: Int32Array, count: number, found?: Uint8Array | Uint32Array): void {
  if (!Number.isInteger(count) || count < 0) throw new RangeError(`${count} is no number of keys`)
  if (2 * count > ready.length) throw new RangeError(`${ready.length} halves are no ${count} ready hashes`)
  if (found && count > found.length) throw new RangeError(`no room for ${count} numbers in an array of ${found.length}`)
  if (found instanceof Uint8Array && count > 256) throw new RangeError(`the numbers of ${count} keys do not fit bytes`)
}
