import { equalBytes, fromHex, toHex } from '../bytes.ts'
import { type KeySet, makeKeySet, singleKey } from '../lists/key-set.ts'
import { keyId } from '../lists/signed-state.ts'
import { parseListName } from '../protocol/threat-type.ts'

/** What a published version says of itself in manifest.json. Times are milliseconds since 1970, in whole seconds. */
export interface PublishedManifest {
  readonly format: 1
  readonly epoch: number
  readonly sequence: number
  readonly issuedAt: number
  readonly expiresAt: number
  /** Ed25519 key that signed it, 64 hexadecimal digits. For whoever reads the folder; clients pin the key by other ways. */
  readonly publicKey: string
  /** 16 hexadecimal digits (signed-state.ts). */
  readonly keyId: string
  /** Who must have signed; the version holds the chain of key sets then. Absent for a publisher with this one key. */
  readonly keySet?: ManifestKeySet
  readonly lists: readonly ManifestList[]
}

export interface ManifestList {
  readonly name: string
  readonly entries: number
  /** Former versions that are kept (published-bases.ts), newest first; absent in versions of publishers that made no deltas yet. */
  readonly bases?: readonly ManifestBase[]
}

/** A version that clients may still hold, and which of its deltas the version's folder has: those that are smaller than the whole. */
export interface ManifestBase {
  /** EPOCH.SEQUENCE */
  readonly version: string
  /** LIST.from-EPOCH.SEQUENCE.hashlist */
  readonly list: boolean
  /** LIST.from-EPOCH.SEQUENCE.filter */
  readonly filter: boolean
}

/** Lists as people are told of them: their bases are for servers. */
export function namedLists(lists: readonly ManifestList[]): { readonly name: string; readonly entries: number }[] {
  return lists.map(({ name, entries }) => ({ name, entries }))
}

export interface ManifestKeySet {
  readonly version: number
  readonly threshold: number
  /** Public keys of 64 hexadecimal digits, in the set's order. */
  readonly keys: readonly string[]
}

/** Who must have signed a version. */
export function keySetOf({ publicKey, keySet }: PublishedManifest): KeySet {
  return keySet === undefined ? singleKey(fromHex(publicKey)) : makeKeySet(keySet.version, keySet.threshold, keySet.keys.map(fromHex))
}

/** The last moment that a Date can be. */
const LARGEST_NUMBER = 8.64e15

/** @throws {Error} that says what is wrong; the caller knows the file */
export function parseManifest(text: string): PublishedManifest {
  const value: unknown = JSON.parse(text)
  const fields = fieldsOf(value)
  if (fields.get('format') !== 1) throw new Error('its format is not known')
  const publicKey = fields.get('publicKey')
  const id = fields.get('keyId')
  if (typeof publicKey !== 'string' || !/^[0-9a-f]{64}$/.test(publicKey)) throw new Error('publicKey is no key')
  if (typeof id !== 'string' || !equalBytes(keyId(fromHex(publicKey)), fromHex(id))) throw new Error('keyId is not that of publicKey')
  const keySet = fields.get('keySet')
  const lists = fields.get('lists')
  if (!Array.isArray(lists)) throw new Error('lists is no list')
  return {
    format: 1,
    epoch: whole(fields, 'epoch'),
    sequence: whole(fields, 'sequence'),
    issuedAt: whole(fields, 'issuedAt'),
    expiresAt: whole(fields, 'expiresAt'),
    publicKey,
    keyId: toHex(keyId(fromHex(publicKey))),
    ...(keySet === undefined ? {} : { keySet: parseKeySet(keySet) }),
    lists: lists.map(parseList),
  }
}

function parseList(value: unknown): ManifestList {
  const fields = fieldsOf(value)
  const name = fields.get('name')
  const bases = fields.get('bases')
  if (typeof name !== 'string' || parseListName(name) === undefined) throw new Error('a list has no usable name')
  const entries = whole(fields, 'entries')
  if (bases === undefined) return { name, entries }
  if (!Array.isArray(bases)) throw new Error('bases is no list')
  return { name, entries, bases: bases.map(parseBase) }
}

function parseBase(value: unknown): ManifestBase {
  const fields = fieldsOf(value)
  const [version, list, filter] = [fields.get('version'), fields.get('list'), fields.get('filter')]
  // It becomes part of a path.
  if (typeof version !== 'string' || !/^\d{1,16}\.\d{1,16}$/.test(version)) throw new Error('a base has no usable version')
  if (typeof list !== 'boolean' || typeof filter !== 'boolean') throw new Error('a base does not say which deltas it has')
  return { version, list, filter }
}

function parseKeySet(value: unknown): ManifestKeySet {
  const fields = fieldsOf(value)
  const keys = fields.get('keys')
  if (!Array.isArray(keys)) throw new Error('keys is no list')
  const set = makeKeySet(
    whole(fields, 'version'),
    whole(fields, 'threshold'),
    keys.map((key: unknown) => {
      if (typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key)) throw new Error('a key of the key set is no key')
      return fromHex(key)
    }),
  )
  return { version: set.version, threshold: set.threshold, keys: set.keys.map(toHex) }
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('not an object')
  return new Map<string, unknown>(Object.entries(value))
}

function whole(fields: ReadonlyMap<string, unknown>, name: string): number {
  const field = fields.get(name)
  if (typeof field !== 'number' || !Number.isSafeInteger(field) || field < 0 || field > LARGEST_NUMBER)
    throw new Error(`${name} is no whole number`)
  return field
}
