/**
 * That what a caller without types gives is bytes: numbers, arrays and other views would be read as something else than they are, and in
 * silence. By the name of the class, as what comes from another realm (a frame, a worker's global scope) is as good.
 * @throws {TypeError}
 */
export function checkBytes(value: Uint8Array, what: string): void {
  if (!ArrayBuffer.isView(value) || value[Symbol.toStringTag] !== 'Uint8Array') throw new TypeError(`${what} must be a Uint8Array`)
}
