import { equalBytes, toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { keySetsOf } from '../lists/key-chain.ts'
import { type KeySet, keySetFingerprint, singleKey } from '../lists/key-set.ts'
import { keyId, type SignedStatement } from '../lists/signed-state.ts'
import { decodeKeyChain } from '../protocol/key-chain-message.ts'
import type { FileSystem } from './file-system.ts'
import { KEY_CHAIN_FILE, KeyChainFile, newestKeySet } from './key-chain-file.ts'
import type { PublishedFolder } from './published-folder.ts'
import { keySetOf, type PublishedManifest } from './published-manifest.ts'

/** Who may sign for a data folder now. */
export interface PublisherKeys {
  readonly set: KeySet
  /** How one gets there; undefined for a publisher with one key who never said more. */
  readonly chain: readonly SignedStatement[] | undefined
}

export interface DataFolder {
  readonly dataFolder: string
  readonly folder: PublishedFolder
  readonly files: FileSystem
  /** Of the version in force. */
  readonly former: PublishedManifest | undefined
  /** Its name. */
  readonly formerVersion: string | undefined
}

/**
 * By DATA/keys.chain; where it is missing, as the version in force was signed. Undefined before anything says so.
 * @throws {WaryError} `publish-damaged`
 */
export function knownKeys({ dataFolder, folder, files, former, formerVersion }: DataFolder): PublisherKeys | undefined {
  const chain = new KeyChainFile(dataFolder, files).read()
  if (chain) return { set: newestKeySet(chain), chain }
  if (!former || formerVersion === undefined) return undefined
  if (!former.keySet) return { set: keySetOf(former), chain: undefined }
  const published = decodeKeyChain(folder.read(formerVersion, KEY_CHAIN_FILE))
  return { set: newestKeySet(published), chain: published }
}

/** Who must sign a version that is made without keys. @throws {WaryError} `key-set` when nothing says so, `publish-damaged` */
export function keysToPrepare(data: DataFolder): PublisherKeys {
  return told(knownKeys(data))
}

/**
 * Who must sign the next version. One key alone needs no words about it, and signs also after another one (a warning says what that means).
 * @throws {WaryError} `key-set` when these keys may not sign it, or are too few, `publish-damaged`
 */
export function keysToPublish(data: DataFolder, publicKeys: readonly Uint8Array[]): PublisherKeys {
  const known = knownKeys(data)
  const [only, second] = publicKeys
  const keys = only && !second && !known?.chain ? { set: singleKey(only), chain: undefined } : told(known)
  const { set } = keys
  const stranger = publicKeys.find((key) => !set.keys.some((each) => equalBytes(each, key)))
  if (stranger)
    throw new WaryError(
      'key-set',
      `the key ${toHex(keyId(stranger))} may not sign here ("wary keys show" names them, "wary keys rotate" changes them)`,
    )
  if (publicKeys.length < set.threshold)
    throw new WaryError(
      'key-set',
      `${set.threshold} of ${set.keys.length} keys must sign, and ${publicKeys.length === 1 ? 'one is' : `${publicKeys.length || 'none'} are`} given: ` +
        'name more by --key, or take --unsigned and "wary sign"',
    )
  return keys
}

function told(keys: PublisherKeys | undefined): PublisherKeys {
  if (keys) return keys
  throw new WaryError('key-set', 'it is not known yet whose signatures count: "wary keys init" says so once, from the public halves')
}

/** What browsers that trust the former version's keys should be told; undefined where nothing changes for them. */
export function keyChangeWarning(former: PublishedManifest | undefined, { set, chain }: PublisherKeys): string | undefined {
  if (!former) return undefined
  const before = keySetFingerprint(keySetOf(former))
  if (equalBytes(before, keySetFingerprint(set))) return undefined
  const followed = chain && keySetsOf(chain).some((each) => equalBytes(keySetFingerprint(each), before))
  if (followed) return `signed by version ${set.version} of the keys from now on; browsers follow by the chain of key sets`
  const by = former.keySet
    ? `other keys than the version before (${toHex(before).slice(0, 16)})`
    : `another key than the version before (${former.keyId})`
  return `signed by ${by}: browsers that trust ${former.keySet ? 'those' : 'that one'} refuse this version and keep their list`
}
