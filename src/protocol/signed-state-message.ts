import { create, toBinary } from '@bufbuild/protobuf'
import { asWaryError, WaryError } from '../errors.ts'
import { MOST_SIGNATURES, type SignedStatement } from '../lists/signed-state.ts'
import { WarySignedStateSchema } from './gen/safebrowsing_pb.ts'
import { WireReader } from './wire-reader.ts'

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
    return readSignedState(new WireReader(bytes))
  } catch (error) {
    throw new WaryError('state-format', `not a signed state: ${asWaryError(error).message}`, { cause: error })
  }
}

/** @param former what an earlier occurrence of the same field said: messages merge. @throws {WaryError} `list-format` */
export function readSignedState(reader: WireReader, former?: SignedStatement): SignedStatement {
  let statement = former?.statement ?? new Uint8Array(0)
  const signatures = [...(former?.signatures ?? [])]
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) statement = reader.bytes()?.slice() ?? statement
    else if (field === 2) {
      const message = reader.message()
      if (message === undefined) continue
      if (signatures.length === MOST_SIGNATURES) throw new WaryError('list-format', 'too many signatures')
      signatures.push(readSignature(message))
    } else reader.skip()
  }
  return { statement, signatures }
}

function readSignature(reader: WireReader): SignedStatement['signatures'][number] {
  let keyId = new Uint8Array(0) as Uint8Array
  let signature = new Uint8Array(0) as Uint8Array
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) keyId = reader.bytes()?.slice() ?? keyId
    else if (field === 2) signature = reader.bytes()?.slice() ?? signature
    else reader.skip()
  }
  return { keyId, signature }
}
