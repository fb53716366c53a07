import { create, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf'
import { asWaryError, WaryError } from '../errors.ts'
import { LONGEST_CHAIN } from '../lists/key-chain.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { type WaryKeyChain, WaryKeyChainSchema } from './gen/safebrowsing_pb.ts'
import { readSignedState } from './signed-state-message.ts'
import { WireReader } from './wire-reader.ts'

/** A chain of signed key sets, oldest first, as `GET /v1/keys` answers it (docs/protocol.md, "Key chain"). */
export function encodeKeyChain(chain: readonly SignedStatement[]): Uint8Array<ArrayBuffer> {
  return toBinary(WaryKeyChainSchema, toMessage(chain))
}

/** The same in proto3's JSON form. */
export function keyChainJson(chain: readonly SignedStatement[]): JsonValue {
  return toJson(WaryKeyChainSchema, toMessage(chain))
}

/** What it says is checked by `openKeyChain` alone. @throws {WaryError} `state-format` */
export function decodeKeyChain(bytes: Uint8Array): readonly SignedStatement[] {
  try {
    const reader = new WireReader(bytes)
    const sets: SignedStatement[] = []
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      const message = field === 1 ? reader.message() : reader.skip()
      if (message === undefined) continue
      if (sets.length > LONGEST_CHAIN) throw new WaryError('state-format', 'too many key sets')
      sets.push(readSignedState(message))
    }
    return sets
  } catch (error) {
    throw new WaryError('state-format', `not a chain of key sets: ${asWaryError(error).message}`, { cause: error })
  }
}

function toMessage(chain: readonly SignedStatement[]): WaryKeyChain {
  return create(WaryKeyChainSchema, {
    sets: chain.map(({ statement, signatures }) => ({ statement, signatures: signatures.map((each) => ({ ...each })) })),
  })
}
