const TABLE = new Uint32Array(256).map((_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** CRC-32 (ISO 3309, as in gzip and PNG) of `bytes`, unsigned. `former` continues an earlier part's. */
export function crc32(bytes: Uint8Array, former = 0): number {
  let crc = ~former
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] as number)) & 255] as number)
  return ~crc >>> 0
}
