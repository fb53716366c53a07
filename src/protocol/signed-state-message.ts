import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { asWaryError, WaryError } from '../errors.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { WarySignedStateSchema } from './gen/safebrowsing_pb.ts'

/** A signed statement as a message of its own, as it stands beside LIST.filter. */
export function encodeSignedState(signed: SignedStatement): Uint8Array<ArrayBuffer> {
  return toBinary(
    WarySignedStateSchema,
    create(WarySignedStateSchema, { statement: signed.statement, signatures: signed.signatures.map((each) => ({ ...each })) }),
  )
}

/** @throws {WaryError} `state-format` */
export function decodeSignedState(bytes: Uint8Array): SignedStatement {
  try {
    const { statement, signatures } = fromBinary(WarySignedStateSchema, bytes)
    return { statement, signatures: signatures.map(({ keyId, signature }) => ({ keyId, signature })) }
  } catch (error) {
    throw new WaryError('state-format', `not a signed state: ${asWaryError(error).message}`, { cause: error })
  }
}
