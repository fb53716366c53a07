import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asWaryError, WaryError } from '../errors.ts'
import { keySetsOf, openingKeyChain } from '../lists/key-chain.ts'
import { type KeySet, keySetFingerprint } from '../lists/key-set.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { verifiedNow } from '../lists/verifying.ts'
import { decodeKeyChain, encodeKeyChain } from '../protocol/key-chain-message.ts'
import { verifiesEd25519 } from './ed25519.ts'
import { fileFault } from './file-fault.ts'
import type { FileSystem } from './file-system.ts'

/** Name of the file, in the data folder and in each version that was published with it. */
export const KEY_CHAIN_FILE = 'keys.chain'

/**
 * The newest set of a chain that holds from its first set to its last.
 * @throws {WaryError} as `openKeyChain`
 */
export function newestKeySet(chain: readonly SignedStatement[]): KeySet {
  const [first] = keySetsOf(chain)
  return verifiedNow(openingKeyChain(chain, { fingerprint: keySetFingerprint(first as KeySet) }), verifiesEd25519)
}

/**
 * DATA/keys.chain: the publisher's key sets, which the next publication takes with it. Clients see the chain of the version in force, so
 * that the newest set and the lists that it signed come into force together.
 */
export class KeyChainFile {
  readonly path: string
  readonly #folder: string
  readonly #files: FileSystem

  constructor(folder: string, files: FileSystem) {
    this.#folder = folder
    this.path = join(folder, KEY_CHAIN_FILE)
    this.#files = files
  }

  /** Undefined where there is none. @throws {WaryError} `publish-damaged` for one that does not hold */
  read(): readonly SignedStatement[] | undefined {
    try {
      const chain = decodeKeyChain(new Uint8Array(readFileSync(this.path)))
      newestKeySet(chain)
      return chain
    } catch (error) {
      if (fileFault(error) === 'ENOENT') return undefined
      throw new WaryError('publish-damaged', `${this.path}: ${asWaryError(error).message}`, { cause: error })
    }
  }

  /** Replaces the file as a whole. @throws {WaryError} `publish-failed`; the former one is as it was then */
  write(chain: readonly SignedStatement[]): void {
    try {
      this.#files.makeFolder(this.#folder)
      this.#files.write(`${this.path}.new`, encodeKeyChain(chain))
      this.#files.rename(`${this.path}.new`, this.path)
      this.#files.syncFolder(this.#folder)
    } catch (error) {
      throw new WaryError('publish-failed', `${this.path} cannot be written: ${asWaryError(error).message}`, { cause: error })
    }
  }
}
