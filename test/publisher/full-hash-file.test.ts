import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex } from '../../src/bytes.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { ThreatType } from '../../src/protocol/threat-type.ts'
import { FullHashCollection, FullHashFile } from '../../src/publisher/full-hash-file.ts'

function fileOf(entries: readonly (readonly [Uint8Array, ThreatType])[]): Uint8Array {
  const collection = new FullHashCollection()
  for (const [hash, type] of entries) collection.add(hash, type)
  return collection.toBytes()
}

/** `file` after `change`, with a checksum that holds. */
function changed(file: Uint8Array, change: (file: Uint8Array) => void): Uint8Array {
  const copy = file.slice()
  change(copy)
  copy.set(createHash('sha256').update(copy.subarray(0, -32)).digest(), copy.length - 32)
  return copy
}

const hash = (start: string) => fromHex(start.padEnd(64, '0'))

describe('LIST.fullhashes', () => {
  test('has exactly these bytes', () => {
    const file = fileOf([
      [hash('bb'), 'MALWARE'],
      [hash('aa'), 'SOCIAL_ENGINEERING'],
      [hash('bb'), 'POTENTIALLY_HARMFUL_APPLICATION'],
    ])
    const head = `57464853 01 000000 02000000 ${'aa'.padEnd(64, '0')} ${'bb'.padEnd(64, '0')} 02 09`.replaceAll(' ', '')
    expect(toHex(file)).toBe(head + toHex(createHash('sha256').update(fromHex(head)).digest()))
  })

  test('finds every hash of a prefix, with its threat types', () => {
    const file = new FullHashFile(
      fileOf([
        [hash('0000000000'), 'MALWARE'],
        [hash('1111111100'), 'SOCIAL_ENGINEERING'],
        [hash('1111111111'), 'UNWANTED_SOFTWARE'],
        [hash('1111111111'), 'MALWARE'],
        [hash('ffffffffff'), 'MALWARE'],
      ]),
    )
    const found = (prefix: string) => file.withPrefix(fromHex(prefix)).map((each) => [toHex(each.hash).slice(0, 10), ...each.threatTypes])
    expect(file.count).toBe(4)
    expect(found('00000000')).toEqual([['0000000000', 'MALWARE']])
    expect(found('11111111')).toEqual([
      ['1111111100', 'SOCIAL_ENGINEERING'],
      ['1111111111', 'MALWARE', 'UNWANTED_SOFTWARE'],
    ])
    expect(found('ffffffff')).toEqual([['ffffffffff', 'MALWARE']])
    for (const prefix of ['00000001', '11111110', '11111112', 'fffffffe']) expect(found(prefix)).toEqual([])
    expect(new FullHashFile(fileOf([])).withPrefix(fromHex('00000000'))).toEqual([])
  })

  test('finds each of many', () => {
    const hashes = Array.from({ length: 2000 }, (_, i) => fullHash(`host${i}.test/`))
    const file = new FullHashFile(fileOf(hashes.map((each) => [each, 'MALWARE'])))
    for (const each of hashes) expect(file.withPrefix(each.subarray(0, 4)).map((found) => toHex(found.hash))).toContain(toHex(each))
    const sorted = Array.from({ length: file.count }, (_, i) => toHex(file.hash(i)))
    expect(sorted).toEqual(hashes.map(toHex).sort())
  })

  test('an entry that is already there is not new', () => {
    const collection = new FullHashCollection()
    expect(collection.add(hash('aa'), 'MALWARE')).toBe(true)
    expect(collection.add(hash('aa'), 'MALWARE')).toBe(false)
    expect(collection.add(hash('aa'), 'SOCIAL_ENGINEERING')).toBe(false)
    expect(collection.count).toBe(1)
    expect(toHex(collection.entries(4))).toBe('aa000000')
  })

  const whole = fileOf([
    [hash('aa'), 'MALWARE'],
    [hash('bb'), 'MALWARE'],
  ])
  test.each([
    ['nothing', new Uint8Array(), 'not such a file'],
    ['another file', new Uint8Array(200), 'not such a file'],
    ['a cut file', whole.subarray(0, -1), 'its length does not match its count'],
    ['a file with a tail', new Uint8Array([...whole, 0]), 'its length does not match its count'],
    ['a flipped bit', whole.map((byte, i) => (i === 20 ? byte ^ 1 : byte)), 'its checksum does not hold'],
    ['a later version', changed(whole, (file) => file.fill(2, 4, 5)), 'format version 2 is not known'],
    ['a count of 4 billion', changed(whole, (file) => file.fill(255, 8, 12)), 'its length does not match its count'],
    ['hashes out of order', changed(whole, (file) => file.fill(0xcc, 12, 13)), 'hashes are not in strictly ascending order'],
    ['the same hash twice', changed(whole, (file) => file.fill(0xaa, 44, 45)), 'hashes are not in strictly ascending order'],
    ['a hash without a threat type', changed(whole, (file) => file.fill(0, 76, 77)), 'a hash has threat types that are not known'],
    ['an unknown threat type', changed(whole, (file) => file.fill(16, 77, 78)), 'a hash has threat types that are not known'],
  ])('refuses %s', (_what, file, message) => {
    expect(() => new FullHashFile(file)).toThrow(
      expect.objectContaining({ code: 'publish-damaged', message: `the full hashes cannot be used: ${message}` }),
    )
  })

  test('reads a file that lies anywhere in a larger array', () => {
    const larger = new Uint8Array(whole.length + 3)
    larger.set(whole, 3)
    expect(new FullHashFile(larger.subarray(3)).count).toBe(2)
  })
})
