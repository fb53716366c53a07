import type { VerifyEd25519 } from '../../src/ports.ts'

/** Ed25519 by the browser's Web Cryptography (Chrome 137, Firefox 129). */
export const verifyEd25519: VerifyEd25519 = async (publicKey, message, signature) => {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), { name: 'Ed25519' }, false, ['verify'])
  return crypto.subtle.verify({ name: 'Ed25519' }, key, new Uint8Array(signature), new Uint8Array(message))
}
