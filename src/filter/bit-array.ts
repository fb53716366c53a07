/** Set bits of `bytes`. Linear; a table-free count of eight bits at a time. */
export function setBits(bytes: Uint8Array): number {
  let set = 0
  for (const byte of bytes) {
    const pairs = byte - ((byte >> 1) & 0x55)
    const nibbles = (pairs & 0x33) + ((pairs >> 2) & 0x33)
    set += (nibbles + (nibbles >> 4)) & 0x0f
  }
  return set
}
