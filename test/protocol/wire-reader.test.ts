import { type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../src/bytes.ts'
import { encodeRice } from '../../src/lists/rice-encoding.ts'
import { BatchGetHashListsResponseSchema, HashListSchema, SearchHashesResponseSchema } from '../../src/protocol/gen/safebrowsing_pb.ts'
import { decodeHashList, encodeHashList } from '../../src/protocol/hash-list-message.ts'
import { decodeSearchAnswer } from '../../src/protocol/search-message.ts'
import { WireReader } from '../../src/protocol/wire-reader.ts'

const reader = (hex: string): WireReader => new WireReader(fromHex(hex.replaceAll(' ', '')))

describe('WireReader', () => {
  // protobuf.dev, "Encoding": the page's own examples.
  it.each([
    ['08 96 01', 150],
    ['08 ff ff ff ff ff ff ff ff ff 01', -1],
    ['08 80 80 80 80 08', -2147483648],
  ])('int32 of %s', (hex, value) => {
    const one = reader(hex)
    expect([one.next(), one.int32(), one.next()]).toEqual([1, value, 0])
  })

  it('reads every kind', () => {
    const all = reader(
      '08 ff ff ff ff ff ff ff ff ff 01 10 01 19 01 00 00 00 00 00 00 80 22 03 61 62 63 2a 03 01 96 01 28 07 30 ff ff ff ff 0f',
    )
    expect([all.next(), all.uint64()]).toEqual([1, 2n ** 64n - 1n])
    expect([all.next(), all.bool()]).toEqual([2, true])
    expect([all.next(), all.fixed64()]).toEqual([3, 2n ** 63n + 1n])
    expect([all.next(), all.string()]).toEqual([4, 'abc'])
    expect([all.next(), all.int32s()]).toEqual([5, [1, 150]])
    expect([all.next(), all.int32s()]).toEqual([5, [7]])
    expect([all.next(), all.uint32()]).toEqual([6, 2 ** 32 - 1])
    expect(all.next()).toBe(0)
  })

  it('passes over what it does not know, groups too, and values of another wire type', () => {
    const some = reader('0b 10 05 1b 08 01 1c 0c 15 01 02 03 04 1a 01 ff 20 09')
    expect([some.next(), some.skip()]).toEqual([1, undefined])
    expect([some.next(), some.bytes()]).toEqual([2, undefined])
    expect([some.next(), some.uint32()]).toEqual([3, undefined])
    expect([some.next(), some.int32()]).toEqual([4, 9])
  })

  it.each([
    ['a number that ends too early', '08 96'],
    ['a number that does not end', '08 ff ff ff ff ff ff ff ff ff ff 01'],
    ['a length behind the end', '0a 05 01'],
    ['a length of four gigabytes', '0a ff ff ff ff 0f'],
    ['field 0', '00 01'],
    ['wire type 6', '0e'],
    ['wire type 7', '0f'],
    ['an end without a beginning', '0c'],
    ['a group without an end', '0b 08 01'],
    ['groups within groups', '0b '.repeat(40)],
    ['text that is not UTF-8', '0a 01 ff'],
  ])('refuses %s', (_, hex) => {
    expect(() => {
      const all = reader(hex)
      for (let field = all.next(); field !== 0; field = all.next()) all.string()
    }).toThrow(expect.objectContaining({ code: 'list-format' }))
  })
})

/* Against the library that the server writes with. */
describe('reading by hand and by @bufbuild/protobuf', () => {
  const unknown = fc.constantFrom('', 'f03f01', 'fa3f03616263', 'f93f0102030405060708', 'fd3f01020304').map(fromHex)

  it('says the same of a hash list, with unknown fields anywhere and fields that come twice', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(4, 8, 16, 32) as fc.Arbitrary<4 | 8 | 16 | 32>,
        fc.uniqueArray(fc.nat({ max: 2 ** 31 }), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        unknown,
        unknown,
        (entryLength, values, partial, before, after) => {
          const entries = new Uint8Array(values.length * entryLength)
          for (const [i, value] of [...values].sort((a, b) => a - b).entries())
            new DataView(entries.buffer).setUint32(i * entryLength, value)
          const removals = Uint32Array.from([...values].sort((a, b) => a - b))
          const update = {
            name: `se-${entryLength}b`,
            version: new Uint8Array([1, 2]),
            partial,
            additions: { entryLength, entries },
            removals,
            checksum: new Uint8Array(32).fill(7),
            minimumWaitMs: 1_234_000,
            signed: { statement: new Uint8Array([9]), signatures: [{ keyId: new Uint8Array([1]), signature: new Uint8Array([2]) }] },
          }
          const message = encodeHashList(update)
          // The name once more: the last one counts.
          const bytes = concatBytes([before, fromHex('0a0178'), message, after])
          expect(decodeHashList(bytes)).toEqual(update)
          const theirs = fromBinary(HashListSchema, bytes)
          expect([theirs.name, theirs.partialUpdate, toHex(theirs.sha256Checksum)]).toEqual([update.name, partial, '07'.repeat(32)])
        },
      ),
      { numRuns: 150 },
    )
  })

  it('merges a message that comes in two parts', () => {
    const coded = encodeRice(4, new Uint8Array([0, 0, 0, 5, 0, 0, 1, 0, 0, 1, 0, 0]))
    if (coded === undefined) throw new Error('nothing coded')
    const { riceParameter, entriesCount, encodedData } = coded
    const head = (data: Uint8Array): Uint8Array => Uint8Array.from([0x22, data.length, ...data])
    const first = Uint8Array.from([0x08, 5, 0x10, riceParameter])
    const second = Uint8Array.from([0x18, entriesCount, 0x22, encodedData.length, ...encodedData])
    const name = Uint8Array.from([0x0a, 5, ...new TextEncoder().encode('se-4b')])
    const { additions } = decodeHashList(concatBytes([name, head(first), head(second)]))
    expect(additions && toHex(additions.entries)).toBe('000000050000010000010000')
  })

  it.each<[string, DescMessage, (bytes: Uint8Array) => unknown]>([
    ['a search answer', SearchHashesResponseSchema, decodeSearchAnswer],
    ['a batch', BatchGetHashListsResponseSchema, (bytes) => decodeHashList(bytes)],
  ])('never goes another way than by a named error for %s of any bytes', (_, schema, read) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          read(bytes)
        } catch (error) {
          expect(error).toMatchObject({ name: 'WaryError' })
        }
        // Theirs may throw as well; it must not hang or end the process.
        try {
          toBinary(schema, fromBinary(schema, bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
      { numRuns: 500 },
    )
  })
})
