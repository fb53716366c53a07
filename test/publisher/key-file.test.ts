import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { keyId } from '../../src/lists/signed-state.ts'
import { verifiesEd25519 } from '../../src/publisher/ed25519.ts'
import { createKeyFile, readKeyFile } from '../../src/publisher/key-file.ts'
import { temporaryFolder } from '../support/publisher.ts'

const refusal = (message: RegExp) => expect.objectContaining({ code: 'key-file', message: expect.stringMatching(message) })

describe('a key file', () => {
  test('holds an Ed25519 key that only its owner may read, and its public half lies beside it', () => {
    const path = join(temporaryFolder(), 'wary.key')
    const key = createKeyFile(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(createPrivateKey(readFileSync(path)).asymmetricKeyType).toBe('ed25519')
    expect(readFileSync(`${path}.pub`, 'utf8')).toBe(`${toHex(key.publicKey)}\n`)
    expect(key.publicKey).toHaveLength(32)
    expect(key.id).toEqual(keyId(key.publicKey))
    expect(readKeyFile(path).publicKey).toEqual(key.publicKey)
  })

  test('signs what the public half verifies', () => {
    const key = createKeyFile(join(temporaryFolder(), 'wary.key'))
    const statement = new Uint8Array([1, 2, 3])
    const [signature] = key.signed(statement).signatures
    expect(signature?.keyId).toEqual(key.id)
    expect(verifiesEd25519(key.publicKey, statement, signature?.signature ?? new Uint8Array())).toBe(true)
    expect(verifiesEd25519(key.publicKey, new Uint8Array([1, 2, 4]), signature?.signature ?? new Uint8Array())).toBe(false)
    expect(verifiesEd25519(key.publicKey, statement, new Uint8Array(64))).toBe(false)
    expect(verifiesEd25519(key.publicKey, statement, new Uint8Array(3))).toBe(false)
  })

  test('verification is that of RFC 8032 (section 7.1, test 2)', () => {
    const publicKey = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex')
    const signature = Buffer.from(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
      'hex',
    )
    expect(verifiesEd25519(publicKey, new Uint8Array([0x72]), signature)).toBe(true)
    expect(verifiesEd25519(publicKey, new Uint8Array([0x73]), signature)).toBe(false)
  })

  test('is never overwritten, nor is a public half, and nothing is left of the attempt', () => {
    const path = join(temporaryFolder(), 'wary.key')
    writeFileSync(path, 'precious')
    expect(() => createKeyFile(path)).toThrow(refusal(/wary\.key is there already, and a key is never overwritten/))
    expect(readFileSync(path, 'utf8')).toBe('precious')
    const other = join(temporaryFolder(), 'other.key')
    writeFileSync(`${other}.pub`, 'precious')
    expect(() => createKeyFile(other)).toThrow(refusal(/other\.key\.pub is there already/))
    expect(existsSync(other)).toBe(false)
    expect(() => createKeyFile(join(other, 'no', 'folder'))).toThrow(refusal(/cannot be written/))
  })

  test.each([0o644, 0o640, 0o620, 0o601])('is refused when others may use it (mode %o)', (mode) => {
    const path = join(temporaryFolder(), 'wary.key')
    createKeyFile(path)
    chmodSync(path, mode)
    expect(() => readKeyFile(path)).toThrow(refusal(new RegExp(`others may use .*\\(mode ${mode.toString(8)}\\): chmod 600 `)))
    chmodSync(path, 0o400)
    expect(readKeyFile(path).publicKey).toHaveLength(32)
  })

  test('is refused when it is something else', () => {
    const folder = temporaryFolder()
    expect(() => readKeyFile(join(folder, 'absent'))).toThrow(refusal(/absent is not there: wary keygen makes one/))
    mkdirSync(join(folder, 'folder'), { mode: 0o700 })
    expect(() => readKeyFile(join(folder, 'folder'))).toThrow(refusal(/cannot be read/))
    const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text, { mode: 0o600 })
    write('empty', '')
    write('text', 'hello')
    write('rsa', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }))
    write('public', generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }))
    for (const name of ['empty', 'text', 'public']) expect(() => readKeyFile(join(folder, name))).toThrow(refusal(/no private key in PEM/))
    expect(() => readKeyFile(join(folder, 'rsa'))).toThrow(refusal(/an Ed25519 key is needed, not rsa/))
  })

  test('is deterministic: the same statement gets the same signature', () => {
    const path = join(temporaryFolder(), 'wary.key')
    const key = createKeyFile(path)
    const statement = new Uint8Array(100)
    const byNode = sign(null, statement, createPrivateKey(readFileSync(path)))
    expect(key.signed(statement).signatures[0]?.signature).toEqual(new Uint8Array(byNode))
  })
})
