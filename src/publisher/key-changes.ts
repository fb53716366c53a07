import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { equalBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { LONGEST_CHAIN, openingKeyChain } from '../lists/key-chain.ts'
import { decodeKeySet, encodeKeySet, type KeySet, keySetFingerprint, makeKeySet } from '../lists/key-set.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { verifiedNow } from '../lists/verifying.ts'
import { verifiesEd25519 } from './ed25519.ts'
import { type FileSystem, realFileSystem } from './file-system.ts'
import { KeyChainFile } from './key-chain-file.ts'
import { withPublishLock } from './publish-lock.ts'
import { PublishedFolder } from './published-folder.ts'
import { type DataFolder, knownKeys, type PublisherKeys } from './publisher-keys.ts'
import { collectSignatures, readStatement, STATEMENT_END } from './signature-file.ts'

export interface KeysOptions {
  readonly dataFolder: string
  readonly files?: FileSystem
}

export interface NewKeys extends KeysOptions {
  /** How many of the keys must sign. */
  readonly threshold: number
  readonly publicKeys: readonly Uint8Array[]
}

/** A key set that waits for signatures in DATA/pending-keys. */
export interface PendingKeys {
  readonly former: KeySet
  readonly set: KeySet
  /** The file to be signed. */
  readonly statementPath: string
  readonly signed: SignedStatement
  /** Files that count for nothing, and why. */
  readonly refused: readonly string[]
}

export interface ChangedKeys {
  readonly set: KeySet
  readonly chain: readonly SignedStatement[]
  readonly warnings: readonly string[]
}

/**
 * The first key set of a data folder, in DATA/keys.chain. It needs no signature: who trusts it does so by its fingerprint.
 *
 * @param anew starts over although there are keys: nothing leads from them to these, and everybody must subscribe anew
 * @throws {WaryError} `key-set` when there are keys, or for keys that make no set; `publish-failed`, `publish-locked`, `publish-damaged`
 */
export function initKeys({ anew = false, ...options }: NewKeys & { readonly anew?: boolean }): Promise<ChangedKeys> {
  return withPublishLock(options.dataFolder, async () => {
    const set = makeKeySet(1, options.threshold, options.publicKeys)
    const data = openFolder(options)
    const known = anew ? undefined : knownKeys(data)
    if (known && (known.chain || !sameSet(known.set, set)))
      throw new WaryError(
        'key-set',
        `version ${known.set.version} of the keys is in use here: "wary keys rotate" changes them so that browsers follow; --anew starts over, and everybody must subscribe anew`,
      )
    const chain = [{ statement: encodeKeySet(set), signatures: [] }]
    new KeyChainFile(options.dataFolder, data.files).write(chain)
    return { set, chain, warnings: [] }
  })
}

/**
 * Writes the key set that shall follow the one in use to DATA/pending-keys, to be signed by the former and by the new keys.
 * @throws {WaryError} `key-set` when nobody's keys are known yet, when another change waits with signatures, or for keys that make no set
 */
export function prepareRotation({ threshold, publicKeys, ...options }: NewKeys): Promise<PendingKeys> {
  return withPublishLock(options.dataFolder, async () => {
    const data = openFolder(options)
    const former = inUse(data).set
    const set = makeKeySet(former.version + 1, threshold, publicKeys)
    const folder = pendingPath(options.dataFolder)
    const path = join(folder, `keys-${set.version}${STATEMENT_END}`)
    const statement = encodeKeySet(set)
    const waiting = existsSync(folder) ? readdirSync(folder) : []
    const same = waiting.includes(basename(path)) && equalBytes(readStatement(path), statement)
    if (!same && waiting.some((name) => !name.endsWith(STATEMENT_END)))
      throw new WaryError('key-set', `another change of the keys has been signed by somebody; to give it up, remove ${folder}`)
    if (!same) {
      data.files.remove(folder)
      data.files.makeFolder(folder)
      data.files.write(path, statement)
    }
    return pendingKeys(former, path)
  })
}

/** The change that waits. @throws {WaryError} `key-set` when none does */
export function waitingKeys(options: KeysOptions): PendingKeys {
  const { set } = inUse(openFolder(options))
  const folder = pendingPath(options.dataFolder)
  const [name] = existsSync(folder) ? readdirSync(folder).filter((each) => each.endsWith(STATEMENT_END)) : []
  if (name === undefined) throw new WaryError('key-set', 'no change of the keys waits here: "wary keys rotate" prepares one')
  return pendingKeys(set, join(folder, name))
}

/**
 * Puts the set that waits at the end of DATA/keys.chain, if enough former and enough new keys have signed it.
 * @throws {WaryError} `keys-chain` while signatures are missing (it waits on), `key-set`, `publish-failed`, `publish-locked`, `publish-damaged`
 */
export function finishRotation(options: KeysOptions): Promise<ChangedKeys> {
  return withPublishLock(options.dataFolder, async () => {
    const data = openFolder(options)
    const { set: former, chain: before = [{ statement: encodeKeySet(former), signatures: [] }] } = inUse(data)
    const pending = waitingKeys(options)
    const chain = [...before, pending.signed].slice(-LONGEST_CHAIN)
    const set = verifiedNow(openingKeyChain(chain, { set: former }), verifiesEd25519)
    new KeyChainFile(options.dataFolder, data.files).write(chain)
    const warnings = [...pending.refused]
    if (chain.length <= before.length) warnings.push('the oldest key set was left out: subscribe links with its fingerprint work no more')
    try {
      data.files.remove(pendingPath(options.dataFolder))
    } catch (error) {
      warnings.push(asWaryError(error).message)
    }
    return { set, chain, warnings }
  })
}

function pendingPath(dataFolder: string): string {
  return join(dataFolder, 'pending-keys')
}

function pendingKeys(former: KeySet, statementPath: string): PendingKeys {
  const { signed, refused } = collectSignatures(statementPath, [former, decodeKeySet(readStatement(statementPath))])
  return { former, set: decodeKeySet(signed.statement), statementPath, signed, refused }
}

function inUse(data: DataFolder): PublisherKeys {
  const known = knownKeys(data)
  if (!known) throw new WaryError('key-set', 'there are no keys to follow yet: "wary keys init" says whose signatures count')
  return known
}

function openFolder({ dataFolder, files = realFileSystem }: KeysOptions): DataFolder {
  const folder = new PublishedFolder(dataFolder, files)
  const current = folder.current()
  return { dataFolder, folder, files, former: current && folder.manifest(current.version), formerVersion: current?.version }
}

function sameSet(a: KeySet, b: KeySet): boolean {
  return equalBytes(keySetFingerprint(a), keySetFingerprint(b))
}
