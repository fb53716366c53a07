import { basename } from 'node:path'
import { equalBytes, toHex } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { type KeySet, keySetFingerprint } from '../lists/key-set.ts'
import { keyId, opening, type SignedStatement } from '../lists/signed-state.ts'
import { verifiedNow } from '../lists/verifying.ts'
import type { Clock } from '../ports.ts'
import { verifiesEd25519 } from './ed25519.ts'
import { type FileSystem, realFileSystem } from './file-system.ts'
import { PendingPublication, type PendingVersion } from './pending-publication.ts'
import { withPublishLock } from './publish-lock.ts'
import { PublishedFolder, versionName } from './published-folder.ts'
import { keySetOf, type PublishedManifest } from './published-manifest.ts'
import { keyChangeWarning, knownKeys, type PublisherKeys } from './publisher-keys.ts'
import { collectSignatures } from './signature-file.ts'
import { withSignatures } from './signed-file.ts'

export interface FinishOptions {
  readonly dataFolder: string
  readonly clock: Clock
  readonly files?: FileSystem
}

export interface FinishedPublication {
  readonly manifest: PublishedManifest
  readonly version: string
  readonly keys: PublisherKeys
  readonly warnings: readonly string[]
}

/**
 * Puts the version that waits in DATA/pending in force, with the signatures that have come back.
 * @throws {WaryError} `state-threshold`, `state-key-unknown` while signatures are missing (it waits on), `publish-failed` when it has
 *   expired or been overtaken, `publish-damaged`, `publish-locked`
 */
export function finishPublication({ dataFolder, clock, files = realFileSystem }: FinishOptions): Promise<FinishedPublication> {
  return withPublishLock(dataFolder, async () => {
    const folder = new PublishedFolder(dataFolder, files)
    const current = folder.current()
    const former = current && folder.manifest(current.version)
    const pending = new PendingPublication(dataFolder, files)
    const waiting = pending.read()
    const keys = knownKeys({ dataFolder, folder, files, former, formerVersion: current?.version })
    const set = keySetOf(waiting.manifest)
    checkTimely(waiting, { keys, former, highest: folder.highest(), now: clock.now() })
    const { statements, refused } = collected(waiting, set)
    const signer = set.keys.find((key) =>
      statements.every(({ signatures }) => signatures.some((each) => equalBytes(each.keyId, keyId(key)))),
    )
    const publicKey = signer ?? (set.keys[0] as Uint8Array)
    const manifest = { ...waiting.manifest, publicKey: toHex(publicKey), keyId: toHex(keyId(publicKey)) }
    const left = folder.put(manifest, signedFiles(waiting.files, statements))
    const published = keys ?? { set, chain: undefined }
    const change = keyChangeWarning(former, published)
    const warnings = [...(change ? [change] : []), ...refused, ...left, ...removed(pending)]
    return { manifest, version: versionName(manifest.sequence), keys: published, warnings }
  })
}

function checkTimely(
  { manifest }: PendingVersion,
  about: { keys: PublisherKeys | undefined; former: PublishedManifest | undefined; highest: number; now: number },
): void {
  const { keys, former, highest, now } = about
  const again = '; prepare it anew by "wary publish --unsigned"'
  if (now >= manifest.expiresAt) throw new WaryError('publish-failed', `what waits has expired before it was signed${again}`)
  if (manifest.sequence <= Math.max(former?.sequence ?? 0, highest) || (former && manifest.epoch < former.epoch))
    throw new WaryError('publish-failed', `another version was published after this one was prepared${again}`)
  const same = !keys || equalBytes(keySetFingerprint(keys.set), keySetFingerprint(keySetOf(manifest)))
  if (!same) throw new WaryError('publish-failed', `the keys have changed since it was prepared${again}`)
}

function collected(waiting: PendingVersion, set: KeySet): { statements: readonly SignedStatement[]; refused: readonly string[] } {
  const refused: string[] = []
  const statements = waiting.statements.map((path) => {
    const found = collectSignatures(path, [set])
    refused.push(...found.refused)
    try {
      verifiedNow(opening(found.signed, set), verifiesEd25519)
    } catch (error) {
      const { code, message } = asWaryError(error)
      const missing =
        found.signed.signatures.length === 0 ? `not signed yet, and ${set.threshold} of ${set.keys.length} keys must` : message
      throw new WaryError(code === 'state-key-unknown' ? 'state-threshold' : code, `${basename(path)}: ${missing}${also(refused)}`, {
        cause: error,
      })
    }
    return found.signed
  })
  return { statements, refused }
}

function also(refused: readonly string[]): string {
  return refused.length === 0 ? '' : ` (${refused.join('; ')})`
}

/** @throws {WaryError} `publish-damaged` when a statement is in no file */
function signedFiles(files: ReadonlyMap<string, Uint8Array>, statements: readonly SignedStatement[]): ReadonlyMap<string, Uint8Array> {
  const signed = new Map(files)
  for (const statement of statements) {
    let found = false
    for (const [name, bytes] of files) {
      const file = withSignatures(bytes, statement)
      if (!file) continue
      signed.set(name, file)
      found = true
    }
    if (!found) throw new WaryError('publish-damaged', 'a statement that was signed is in no file of what waits')
  }
  return signed
}

/** It is in force by now: that it also waits on harms nobody, because its number is taken. */
function removed(pending: PendingPublication): string[] {
  try {
    pending.remove()
    return []
  } catch (error) {
    return [asWaryError(error).message]
  }
}
