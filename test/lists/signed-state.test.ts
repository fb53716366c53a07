import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../src/bytes.ts'
import { decodeFilterState, encodeFilterState } from '../../src/lists/filter-state.ts'
import { HashList } from '../../src/lists/hash-list.ts'
import { checkState, decodeListState, encodeListState, type ListState } from '../../src/lists/signed-state.ts'

const number = fc.integer({ min: 0, max: 2 ** 40 })
const text = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz-@.0123456789'), maxLength: 64 })
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('statements', () => {
  it('come back, and no shorter or longer bytes are taken', () => {
    const states = fc.record({
      name: text,
      epoch: number,
      sequence: number,
      entryCount: number,
      entryLength: fc.constantFrom(4, 8, 16, 32),
      checksum: hash,
      pslVersion: text,
      issuedAt: number.map((n) => n * 1000),
      expiresAt: number.map((n) => n * 1000),
    })
    fc.assert(
      fc.property(states, (state) => {
        const statement = encodeListState(state as ListState)
        expect(decodeListState(statement)).toEqual(state)
        const refused = expect.objectContaining({ code: 'state-format' })
        for (let length = 0; length < statement.length; length++)
          expect(() => decodeListState(statement.subarray(0, length))).toThrow(refused)
        expect(() => decodeListState(new Uint8Array([...statement, 0]))).toThrow(refused)
        expect(() => decodeFilterState(statement)).toThrow(refused)
      }),
      { numRuns: 50 },
    )
  })

  const good: ListState = {
    name: 'se-4b',
    epoch: 1,
    sequence: 1,
    entryCount: 2,
    entryLength: 4,
    checksum: new Uint8Array(32),
    pslVersion: 'x',
    issuedAt: 0,
    expiresAt: 0,
  }

  it.each<Partial<ListState>>([
    { name: 'x'.repeat(65) },
    { name: 'ü' },
    { pslVersion: 'a\nb' },
    { checksum: new Uint8Array(31) },
    { entryCount: 2 ** 53 },
    { sequence: -1 },
    { epoch: 0.5 },
    { expiresAt: Number.NaN },
  ])('are not made of what nobody would take: %j', (change) => {
    expect(() => encodeListState({ ...good, ...change })).toThrow(expect.objectContaining({ code: 'state-format' }))
  })

  it('with one field changed in its bytes are refused', () => {
    const refused = expect.objectContaining({ code: 'state-format' })
    const changed = (at: number, bytes: string): Uint8Array => {
      const statement = encodeListState(good)
      statement.set(fromHex(bytes), at)
      return statement
    }
    // The last field is the expiry: its number begins 8 bytes before the end, its length 12.
    const end = encodeListState(good).length
    expect(() => decodeListState(changed(end - 8, '001fffffffffffff'))).toThrow(refused) // seconds fit, milliseconds do not
    expect(() => decodeListState(changed(end - 8, '0020000000000000'))).toThrow(refused)
    expect(() => decodeListState(changed(end - 12, '00000007'))).toThrow(refused)
    expect(() => decodeListState(changed(end - 12, 'ffffffff'))).toThrow(refused)
    expect(() => decodeListState(changed(0, '58'))).toThrow(refused) // tag
    expect(decodeListState(changed(end - 8, '000000e8d4a50fff')).expiresAt).toBe(0xe8d4a50fff * 1000)
  })

  it('of filters come back', () => {
    const states = fc.record({
      name: text,
      epoch: number,
      sequence: number,
      entryCount: number,
      byteLength: number,
      checksum: hash,
      issuedAt: number.map((n) => n * 1000),
      expiresAt: number.map((n) => n * 1000),
    })
    fc.assert(
      fc.property(states, (state) => {
        expect(decodeFilterState(encodeFilterState(state))).toEqual(state)
      }),
    )
  })
})

describe('checkState', () => {
  const list = HashList.fromSorted({ name: 'se-4b', version: new Uint8Array(0), entryLength: 4, entries: fromHex('0000000100000002') })
  const state: ListState = {
    name: 'se-4b',
    epoch: 1,
    sequence: 1,
    entryCount: 2,
    entryLength: 4,
    checksum: list.checksum(),
    pslVersion: 'x',
    issuedAt: 0,
    expiresAt: 0,
  }
  it('takes the list that it is about', () => expect(() => checkState(state, list)).not.toThrow())
  it.each([{ name: 'mw-4b' }, { entryCount: 3 }, { entryLength: 8 as const }, { checksum: new Uint8Array(32) }])('refuses %j', (change) =>
    expect(() => checkState({ ...state, ...change }, list)).toThrow(expect.objectContaining({ code: 'state-mismatch' })),
  )
})
