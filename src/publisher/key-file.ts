import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { asWaryError, WaryError } from '../errors.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { keyId } from '../lists/signed-state.ts'

/** Ed25519 public keys in DER end in their 32 raw bytes (RFC 8410). */
const RAW_BYTES = 32

/** A publisher's key: signs statements, and never leaves this object. */
export class SigningKey {
  readonly publicKey: Uint8Array
  readonly #key: KeyObject

  constructor(key: KeyObject) {
    if (key.asymmetricKeyType !== 'ed25519')
      throw new WaryError('key-file', `an Ed25519 key is needed, not ${key.asymmetricKeyType ?? 'another kind'}`)
    this.#key = key
    this.publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES))
  }

  get id(): Uint8Array {
    return keyId(this.publicKey)
  }

  signed(statement: Uint8Array): SignedStatement {
    return { statement, signatures: [{ keyId: this.id, signature: new Uint8Array(sign(null, statement, this.#key)) }] }
  }
}

/**
 * Makes a key and writes it to `path` (PKCS #8, PEM, mode 0600) and its public half to `path.pub` (64 hexadecimal digits).
 * @throws {WaryError} `key-file` when a file is there already: a key is never overwritten
 */
export function createKeyFile(path: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = new SigningKey(privateKey)
  try {
    writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
    writeFileSync(`${path}.pub`, `${Buffer.from(key.publicKey).toString('hex')}\n`, { flag: 'wx' })
  } catch (error) {
    throw new WaryError(
      'key-file',
      `cannot write ${path}: ${asWaryError(error).message} (a key is never overwritten: choose another name)`,
      { cause: error },
    )
  }
  return key
}

/** @throws {WaryError} `key-file` for a file that cannot be read, is no Ed25519 key, or that others may read */
export function readKeyFile(path: string): SigningKey {
  let pem: string
  try {
    const file = openSync(path, 'r')
    try {
      const mode = fstatSync(file).mode & 0o777
      // Windows knows no such modes.
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        throw new WaryError('key-file', `others may read ${path} (mode ${mode.toString(8)}): chmod 600 ${path}`)
      }
      pem = readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw asWaryError(error, 'key-file')
  }
  try {
    return new SigningKey(createPrivateKey(pem))
  } catch (error) {
    throw new WaryError('key-file', `${path} holds no Ed25519 private key`, { cause: error })
  }
}
