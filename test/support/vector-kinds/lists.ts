import { createHash, createPrivateKey, sign } from 'node:crypto'
import { expect } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../../src/bytes.ts'
import { fullHash } from '../../../src/hash/full-hash.ts'
import { type EntryLength, HashList } from '../../../src/lists/hash-list.ts'
import { singleKey } from '../../../src/lists/key-set.ts'
import { applyUpdate, type ListUpdate, updatedList } from '../../../src/lists/list-update.ts'
import { decodeRice } from '../../../src/lists/rice-decoding.ts'
import { encodeRice } from '../../../src/lists/rice-encoding.ts'
import { decodeListState, encodeListState, keyId, type ListState, openStatement } from '../../../src/lists/signed-state.ts'
import { parseListName } from '../../../src/protocol/threat-type.ts'
import { verifyEd25519 } from '../signed-list.ts'
import { vectorKind } from '../vectors.ts'

const REFUSED = expect.objectContaining({ name: 'WaryError', code: 'list-format' })
const ascii = (text: string) => new TextEncoder().encode(text)
const NONE = { version: new Uint8Array(0), removals: undefined, minimumWaitMs: 0, signed: undefined } as const

interface Hashed {
  readonly utf8?: string
  readonly expression?: string
  readonly procedure?: string
  readonly prefix_bits?: number
  readonly sorted_prefixes_ascii?: readonly string[]
}

const hashes = vectorKind<Hashed, string>(/^sb_hashes/, ({ input, expected }) => {
  if (input.sorted_prefixes_ascii) {
    const entries = concatBytes(input.sorted_prefixes_ascii.map(ascii))
    const list = HashList.fromSorted({ name: 'se-4b', version: new Uint8Array(0), entryLength: 4, entries })
    expect(toHex(list.checksum())).toBe(expected)
    return
  }
  const repeated = /^'(.)' repeated (\d+)$/.exec(input.procedure ?? '')
  const text = input.expression ?? input.utf8 ?? (repeated ? repeated[1]?.repeat(Number(repeated[2])) : undefined)
  if (text === undefined) throw new Error(`an input of an unknown form: ${JSON.stringify(input)}`)
  expect(toHex(fullHash(text)).slice(0, (input.prefix_bits ?? 256) / 4)).toBe(expected)
})

/** Prefixes of 4, 5 and 8 letters, stretched to the entry lengths that v5 has; the letters keep their order and who begins with whom. */
const STRETCHED: Readonly<Record<number, EntryLength>> = { 4: 4, 5: 8, 8: 16 }
const stretched = (text: string): string => [...text].map((letter, i) => letter.repeat([1, 1, 1, 1, 4, 3, 3, 2][i] ?? 1)).join('')

const prefixSets = vectorKind<{ stored: readonly string[]; query: string }, number>(/^sb_prefix_set_/, ({ input, expected }) => {
  const query = ascii(stretched(input.query))
  let longest = 0
  for (const [letters, entryLength] of Object.entries(STRETCHED)) {
    const stored = input.stored.filter((each) => each.length === Number(letters))
    const list = HashList.fromSorted({ name: '', version: NONE.version, entryLength, entries: ascii(stored.map(stretched).join('')) })
    // A query that is shorter than a list's entries begins with none of them, and nobody may ask about it.
    if (query.length < entryLength) expect(() => list.has(query)).toThrow(RangeError)
    else if (list.has(query)) longest = Number(letters)
  }
  expect(input.stored.every((each) => each.length in STRETCHED)).toBe(true)
  expect(longest).toBe(expected)
})

interface Coded {
  readonly bits: number
  readonly rice_parameter: number
  readonly entries_count: number
  readonly first_value_hex?: string
  readonly encoded_hex?: string
}

const rice = vectorKind<Coded, { values_be_hex?: readonly string[]; error?: string }>(/^rice_v5/, ({ input, expected }) => {
  const entryLength = (input.bits / 8) as EntryLength
  const encoded = {
    firstValue: fromHex(input.first_value_hex ?? '00'.repeat(entryLength)),
    riceParameter: input.rice_parameter,
    entriesCount: input.entries_count,
    encodedData: fromHex(input.encoded_hex ?? ''),
  }
  if (expected.error !== undefined) {
    expect(() => decodeRice(entryLength, encoded)).toThrow(REFUSED)
    return
  }
  const packed = decodeRice(entryLength, encoded)
  expect(toHex(packed)).toBe(expected.values_be_hex?.join(''))
  // Our own coding of the same values decodes to them, whatever parameter it picks.
  const again = encodeRice(entryLength, packed)
  if (again === undefined) throw new Error('nothing encoded')
  expect(decodeRice(entryLength, again)).toEqual(packed)
})

interface Update {
  readonly prefix_size: EntryLength
  readonly old_prefixes_be_hex: readonly string[]
  readonly partial_update: boolean
  readonly compressed_removals: null
  readonly additions_four_bytes: { first_value: number; rice_parameter: number; entries_count: number; encoded_hex: string } | null
  readonly sha256_checksum_hex: string
  readonly version: string
}
interface Updated {
  readonly result: string
  readonly error?: string
  readonly prefixes_be_hex?: readonly string[]
  readonly checksum_hex?: string
}

const listUpdates = vectorKind<Update, Updated>(/^sb_v5_list_update/, ({ input, expected }) => {
  const entryLength = input.prefix_size
  const name = `se-${entryLength}b`
  const old = HashList.fromSorted({ name, version: new Uint8Array(1), entryLength, entries: fromHex(input.old_prefixes_be_hex.join('')) })
  const added = input.additions_four_bytes
  if (input.compressed_removals !== null) throw new Error('removals in a form that is not known here')
  const entries =
    added &&
    decodeRice(4, {
      firstValue: fromHex(added.first_value.toString(16).padStart(8, '0')),
      riceParameter: added.rice_parameter,
      entriesCount: added.entries_count,
      encodedData: fromHex(added.encoded_hex),
    })
  const update: ListUpdate = {
    ...NONE,
    name,
    version: ascii(input.version),
    partial: input.partial_update,
    additions: entries ? { entryLength: 4, entries } : undefined,
    checksum: fromHex(input.sha256_checksum_hex),
  }
  if (expected.result === 'error') {
    expect(expected.error).toBe('checksum mismatch')
    expect(() => applyUpdate(old, update)).toThrow(expect.objectContaining({ code: 'list-checksum' }))
    return
  }
  const list = applyUpdate(old, update)
  expect(toHex(list.entries)).toBe(expected.prefixes_be_hex?.join(''))
  expect(toHex(list.checksum())).toBe(expected.checksum_hex)
  expect(new TextDecoder().decode(list.version)).toBe(input.version)
})

const listNames = vectorKind<string, { hash_bytes: number }>(/^sb_v5_hash_lists/, ({ input, expected, note }) => {
  const empty = updatedList(undefined, { ...NONE, name: input, partial: false, additions: undefined, checksum: new Uint8Array(0) })
  expect(empty.entryLength).toBe(expected.hash_bytes)
  // Lists of other kinds, such as Chrome's own, have no threat type here and so are never asked for.
  const kind = parseListName(input)
  if (kind === undefined) return 'not asked for'
  expect({ ...kind, told: note?.startsWith(kind.threatType) }).toMatchObject({ entryLength: expected.hash_bytes, told: true })
  return undefined
})

interface SignedInput {
  readonly private_key_hex: string
  readonly state: Omit<ListState, 'checksum' | 'issuedAt' | 'expiresAt'> & { checksum: string; issued: number; expires: number }
}
interface SignedOutput {
  readonly statement_hex: string
  readonly public_key_hex: string
  readonly key_id_hex: string
  readonly signature_hex: string
}
const PKCS8 = fromHex('302e020100300506032b657004220420')

const signedStates = vectorKind<SignedInput, SignedOutput>(/^wary_signed_state/, async ({ input, expected }) => {
  const { checksum, issued, expires, ...rest } = input.state
  const state: ListState = { ...rest, checksum: fromHex(checksum), issuedAt: issued * 1000, expiresAt: expires * 1000 }
  const [statement, publicKey, id] = [fromHex(expected.statement_hex), fromHex(expected.public_key_hex), fromHex(expected.key_id_hex)]
  expect(toHex(encodeListState(state))).toBe(expected.statement_hex)
  expect(decodeListState(statement)).toEqual(state)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, fromHex(input.private_key_hex)]), format: 'der', type: 'pkcs8' })
  expect(toHex(sign(null, statement, key))).toBe(expected.signature_hex)
  expect(toHex(keyId(publicKey))).toBe(expected.key_id_hex)
  expect(createHash('sha256').update(publicKey).digest('hex').slice(0, 16)).toBe(expected.key_id_hex)

  const signature = { keyId: id, signature: fromHex(expected.signature_hex) }
  const opened = (bytes: Uint8Array, signatures: readonly (typeof signature)[], trusted = publicKey) =>
    openStatement({ statement: bytes, signatures }, singleKey(trusted), verifyEd25519)
  expect(await opened(statement, [signature])).toBe(statement)
  const changed = statement.slice()
  changed[changed.length - 1] = (changed[changed.length - 1] as number) ^ 1
  await expect(opened(changed, [signature])).rejects.toMatchObject({ code: 'state-signature' })
  await expect(opened(statement, [signature], new Uint8Array(32).fill(3))).rejects.toMatchObject({ code: 'state-key-unknown' })
  await expect(opened(statement, [])).rejects.toMatchObject({ code: 'state-key-unknown' })
  const cut = { ...signature, signature: signature.signature.subarray(1) }
  await expect(opened(statement, [cut])).rejects.toMatchObject({ code: 'state-signature' })
})

export const LIST_KINDS = [hashes, prefixSets, rice, listUpdates, listNames, signedStates]
