/** The first four bytes of a full hash as an unsigned big-endian number: all that a search request ever carries. */
export type HashPrefix = number & { readonly hashPrefix: unique symbol }

/** @throws {RangeError} fewer than 4 bytes */
export function hashPrefix(hash: Uint8Array): HashPrefix {
  if (hash.length < 4) throw new RangeError(`a hash prefix needs 4 bytes, not ${hash.length}`)
  return new DataView(hash.buffer, hash.byteOffset, 4).getUint32(0) as HashPrefix
}

/** The four bytes of `prefix`. */
export function prefixBytes(prefix: HashPrefix): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, prefix)
  return bytes
}

/** Eight hexadecimal digits. */
export function prefixHex(prefix: HashPrefix): string {
  return prefix.toString(16).padStart(8, '0')
}
