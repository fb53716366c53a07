import type { VerifyEd25519 } from '../ports.ts'

/** One signature that must be looked at. */
export interface SignatureQuestion {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/**
 * A check that asks about one signature after the other: browsers verify asynchronously, the server at once, and the rules are the same
 * for both.
 */
export type Verifying<T> = Generator<SignatureQuestion, T, boolean>

/** What `check` comes to, each question answered by `verify`. */
export async function verified<T>(check: Verifying<T>, verify: VerifyEd25519): Promise<T> {
  let step = check.next()
  while (!step.done) {
    const { publicKey, message, signature } = step.value
    step = check.next(await verify(publicKey, message, signature))
  }
  return step.value
}

/** As `verified`, without waiting. */
export function verifiedNow<T>(
  check: Verifying<T>,
  verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean,
): T {
  let step = check.next()
  while (!step.done) {
    const { publicKey, message, signature } = step.value
    step = check.next(verify(publicKey, message, signature))
  }
  return step.value
}
