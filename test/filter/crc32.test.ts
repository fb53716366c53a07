import { crc32 as zlib } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crc32 } from '../../src/filter/crc32.ts'

it('has the check value of the catalogue', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  expect(crc32(new Uint8Array(0))).toBe(0)
})

it('is that of the platform, at any offset, in one go or in parts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(20), fc.nat(200), (bytes, offset, cut) => {
      const part = bytes.subarray(Math.min(offset, bytes.length))
      expect(crc32(part)).toBe(zlib(part))
      expect(crc32(part.subarray(cut), crc32(part.subarray(0, cut)))).toBe(zlib(part))
    }),
  )
})
