import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fromHex, toHex } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { keyId, type SignedStatement } from '../lists/signed-state.ts'
import { fileFault } from './file-fault.ts'

/** Ed25519 public keys in DER end in their 32 raw bytes (RFC 8410). */
const RAW_BYTES = 32

/** Signs what is published: one key, or several at once (key-ring.ts). */
export interface Signer {
  /** Of every key that signs. */
  readonly publicKeys: readonly Uint8Array[]
  signed(statement: Uint8Array): SignedStatement
}

/** A publisher's key: signs statements, and never leaves this object. */
export class SigningKey implements Signer {
  readonly publicKey: Uint8Array
  readonly #key: KeyObject

  /** @throws {WaryError} `key-file` unless it is an Ed25519 private key */
  constructor(key: KeyObject) {
    if (key.asymmetricKeyType !== 'ed25519')
      throw new WaryError('key-file', `an Ed25519 key is needed, not ${key.asymmetricKeyType ?? 'another kind'}`)
    this.#key = key
    this.publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES))
  }

  /** 8 bytes (signed-state.ts). */
  get id(): Uint8Array {
    return keyId(this.publicKey)
  }

  get publicKeys(): readonly Uint8Array[] {
    return [this.publicKey]
  }

  signed(statement: Uint8Array): SignedStatement {
    return { statement, signatures: [{ keyId: this.id, signature: new Uint8Array(sign(null, statement, this.#key)) }] }
  }
}

/**
 * Makes a key and writes it to `path` (PKCS #8, PEM, mode 0600) and its public half to `path.pub` (64 hexadecimal digits).
 * @throws {WaryError} `key-file` when one of them is there already (a key is never overwritten) or cannot be written; nothing is left then
 */
export function createKeyFile(path: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = new SigningKey(privateKey)
  writeNew(path, String(privateKey.export({ format: 'pem', type: 'pkcs8' })), 0o600)
  try {
    writeNew(`${path}.pub`, `${toHex(key.publicKey)}\n`, 0o644)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  return key
}

function writeNew(path: string, text: string, mode: number): void {
  try {
    writeFileSync(path, text, { mode, flag: 'wx', flush: true })
  } catch (error) {
    if (fileFault(error) === 'EEXIST')
      throw new WaryError('key-file', `${path} is there already, and a key is never overwritten: choose another name`, { cause: error })
    throw new WaryError('key-file', `${path} cannot be written: ${asWaryError(error).message}`, { cause: error })
  }
}

/** @throws {WaryError} `key-file` for a file that cannot be read, is no Ed25519 private key, or that others may read */
export function readKeyFile(path: string): SigningKey {
  const pem = readPrivate(path)
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (error) {
    throw new WaryError('key-file', `${path} holds no private key in PEM (PKCS #8)`, { cause: error })
  }
  return new SigningKey(key)
}

function readPrivate(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const mode = fstatSync(file).mode & 0o777
      // Windows has no such modes.
      const text = readFileSync(file, 'utf8')
      // A file that holds no key at all needs no other mode, but another name: the next step says so.
      if (process.platform !== 'win32' && (mode & 0o077) !== 0 && text.includes('PRIVATE KEY'))
        throw new WaryError('key-file', `others may use ${path} (mode ${mode.toString(8)}): chmod 600 ${path}`)
      return text
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof WaryError) throw error
    const reason = fileFault(error) === 'ENOENT' ? 'is not there: wary keygen makes one' : `cannot be read: ${asWaryError(error).message}`
    throw new WaryError('key-file', `${path} ${reason}`, { cause: error })
  }
}

/**
 * The public half of a key, as `createKeyFile` writes it: 64 hexadecimal digits.
 * @throws {WaryError} `key-file` for a file that cannot be read or holds anything else
 */
export function readPublicKeyFile(path: string): Uint8Array {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = fileFault(error) === 'ENOENT' ? 'is not there' : `cannot be read: ${asWaryError(error).message}`
    throw new WaryError('key-file', `${path} ${reason}`, { cause: error })
  }
  if (/^[0-9a-fA-F]{64}$/.test(text)) return fromHex(text)
  const instead = text.includes('PRIVATE KEY') ? `a private key, which nobody else may see: give ${path}.pub` : 'no public key in it'
  throw new WaryError('key-file', `${path}: ${instead}`)
}
