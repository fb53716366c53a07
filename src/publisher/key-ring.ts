import { equalBytes } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import type { Signer, SigningKey } from './key-file.ts'

/** Keys that sign together. */
export class KeyRing implements Signer {
  readonly publicKeys: readonly Uint8Array[]
  readonly #keys: readonly SigningKey[]

  /** @throws {WaryError} `key-set` for the same key twice: it counts once, however often it signs */
  constructor(keys: readonly SigningKey[]) {
    this.publicKeys = keys.map(({ publicKey }) => publicKey)
    if (this.publicKeys.some((key, i) => this.publicKeys.slice(0, i).some((former) => equalBytes(former, key))))
      throw new WaryError('key-set', 'the same key is given twice')
    this.#keys = keys
  }

  signed(statement: Uint8Array): SignedStatement {
    return { statement, signatures: this.#keys.flatMap((key) => key.signed(statement).signatures) }
  }
}
