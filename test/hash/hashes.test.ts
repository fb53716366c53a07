import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { concatBytes, toHex } from '../../src/bytes.ts'
import { asFullHash, fullHash } from '../../src/hash/full-hash.ts'
import { hashPrefix, prefixBytes, prefixHex } from '../../src/hash/hash-prefix.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { vectors } from '../support/vectors.ts'

interface Input {
  readonly utf8?: string
  readonly expression?: string
  readonly procedure?: string
  readonly prefix_bits?: number
  readonly sorted_prefixes_ascii?: readonly string[]
}

function text(input: Input): string | undefined {
  return input.expression ?? input.utf8 ?? (input.procedure === "'a' repeated 1000000" ? 'a'.repeat(1_000_000) : undefined)
}

describe('sb_hashes.json', () => {
  it.each(vectors<Input, string>('sb_hashes.json'))('$input', ({ input, expected }) => {
    if (input.sorted_prefixes_ascii) {
      const entries = concatBytes(input.sorted_prefixes_ascii.map((prefix) => new TextEncoder().encode(prefix)))
      const list = HashList.fromSorted({ name: 'se-4b', version: new Uint8Array(0), entryLength: 4, entries })
      expect(toHex(list.checksum())).toBe(expected)
      return
    }
    const hashed = text(input)
    if (hashed === undefined) throw new Error(`an input of an unknown form: ${JSON.stringify(input)}`)
    expect(toHex(fullHash(hashed)).slice(0, (input.prefix_bits ?? 256) / 4)).toBe(expected)
  })
})

describe('fullHash', () => {
  it('agrees with the platform on UTF-8', () => {
    for (const expression of ['', 'bad.test/', 'bad.test/ü€😀', '\u0000', 'x'.repeat(1000)]) {
      expect(toHex(fullHash(expression))).toBe(createHash('sha256').update(expression).digest('hex'))
    }
  })
  it('has 32 bytes', () => expect(() => asFullHash(new Uint8Array(31))).toThrow(expect.objectContaining({ code: 'list-format' })))
})

describe('hashPrefix', () => {
  it('is unsigned and big-endian, and comes back', () => {
    const prefix = hashPrefix(new Uint8Array([0xff, 0x00, 0x01, 0x80, 9]))
    expect(prefix).toBe(0xff000180)
    expect(prefixHex(prefix)).toBe('ff000180')
    expect(prefixHex(hashPrefix(new Uint8Array([0, 0, 0, 1])))).toBe('00000001')
    expect([...prefixBytes(prefix)]).toEqual([0xff, 0x00, 0x01, 0x80])
  })
  it('needs four bytes', () => expect(() => hashPrefix(new Uint8Array(3))).toThrow(RangeError))
})
