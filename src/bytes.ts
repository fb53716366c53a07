/** Lower-case hexadecimal of `bytes`. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/**
 * Bytes of a hexadecimal string, either case, without prefix or spaces.
 * @throws {RangeError} odd length or a character that is no hexadecimal digit
 */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 2 !== 0 || /[^0-9a-fA-F]/.test(text)) throw new RangeError(`not hexadecimal: ${text.slice(0, 40)}`)
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

/** Lexicographic order of unsigned bytes; a proper prefix sorts first. Suits `Array.prototype.sort`. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0
}

/** The four bytes from `at` on as a number, big-endian and signed: for arrays that are read too seldom to make a DataView of each. */
export function bigEndian32(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)
}

/** One array holding `parts` in order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0
  for (const part of parts) length += part.length
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Base64 (RFC 4648 section 4, padded). Linear and safe for inputs of any size. */
export function toBase64(bytes: Uint8Array): string {
  const chunk = 0x8000
  let binary = ''
  for (let i = 0; i < bytes.length; i += chunk) binary += String.fromCharCode(...bytes.subarray(i, i + chunk))
  return btoa(binary)
}

/**
 * Bytes of base64 text: plain or URL-safe alphabet, padded or not.
 * @throws {RangeError} any other character or an impossible length
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const plain = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={0,2}$/, '')
  if (plain.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(plain)) throw new RangeError(`not base64: ${text.slice(0, 40)}`)
  const binary = atob(plain)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
