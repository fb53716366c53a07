import { WaryError } from '../../src/errors.ts'
import { crc32 } from '../../src/filter/crc32.ts'

/** Small pages: IndexedDB copies whole values, and a cold check must not copy megabytes (design: memory and cold start). */
export const PAGE_BYTES = 4096
const CHECKSUM_BYTES = 4

/** How many pages `length` bytes take. */
export function pageCount(length: number): number {
  return Math.ceil(length / PAGE_BYTES)
}

/** Room for a whole page, to be used again and again: twelve thousand pages are 50 MB that somebody would have to collect. */
export function pageRoom(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(PAGE_BYTES + CHECKSUM_BYTES)
}

/**
 * Page number `index` of `bytes` as it is stored: at most 4,096 bytes of them, and their CRC-32 (little-endian) behind.
 * @param room of `pageRoom`: a whole page is written there, and holds until the next one
 */
export function sealedPage(bytes: Uint8Array, index: number, room: Uint8Array<ArrayBuffer>): Uint8Array {
  const part = bytes.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES)
  const page = part.length === PAGE_BYTES ? room : new Uint8Array(part.length + CHECKSUM_BYTES)
  page.set(part)
  new DataView(page.buffer).setUint32(part.length, crc32(part), true)
  return page
}

/**
 * The bytes of a stored page. `length` is what the page must have, of the whole's `total` bytes.
 * @throws {WaryError} `storage-damaged`
 */
export function openedPage(page: unknown, index: number, total: number): Uint8Array {
  const length = Math.min(PAGE_BYTES, total - index * PAGE_BYTES)
  if (!(page instanceof Uint8Array)) throw new WaryError('storage-damaged', `page ${index} is not there`)
  if (page.length !== length + CHECKSUM_BYTES)
    throw new WaryError('storage-damaged', `page ${index} has ${page.length} bytes instead of ${length + CHECKSUM_BYTES}`)
  const bytes = page.subarray(0, length)
  const stored = new DataView(page.buffer, page.byteOffset + length, CHECKSUM_BYTES).getUint32(0, true)
  if (crc32(bytes) !== stored) throw new WaryError('storage-damaged', `page ${index} does not match its checksum`)
  return bytes
}
