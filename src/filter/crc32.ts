/**
 * TABLES[k x 256 + b]: the remainder of byte b with k zero bytes behind it, so that sixteen bytes are taken at a time ("slicing", Kounavis
 * and Berry 2005).
 */
const SLICES = 16
const TABLES = new Int32Array(SLICES * 256)
for (let byte = 0; byte < 256; byte++) {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  TABLES[byte] = crc
}
for (let i = 256; i < TABLES.length; i++) {
  const former = TABLES[i - 256] as number
  TABLES[i] = (former >>> 8) ^ (TABLES[former & 255] as number)
}

/** CRC-32 (ISO 3309, as in gzip and PNG) of `bytes`, unsigned. `former` continues an earlier part's. */
export function crc32(bytes: Uint8Array, former = 0): number {
  let crc = ~former
  let at = 0
  const whole = bytes.length - (bytes.length % SLICES)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (; at < whole; at += SLICES) {
    crc =
      remainder(view.getInt32(at, true) ^ crc, 15) ^
      remainder(view.getInt32(at + 4, true), 11) ^
      remainder(view.getInt32(at + 8, true), 7) ^
      remainder(view.getInt32(at + 12, true), 3)
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ (TABLES[(crc ^ (bytes[at] as number)) & 255] as number)
  return ~crc >>> 0
}

/** Of four bytes, the first of which has `slice` bytes behind it. */
function remainder(four: number, slice: number): number {
  const table = slice << 8
  return (
    (TABLES[table + (four & 255)] as number) ^
    (TABLES[table - 256 + ((four >>> 8) & 255)] as number) ^
    (TABLES[table - 512 + ((four >>> 16) & 255)] as number) ^
    (TABLES[table - 768 + (four >>> 24)] as number)
  )
}
