import { concatBytes, equalBytes } from '../bytes.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { encodeSignedState } from '../protocol/signed-state-message.ts'

/** Field 50001 of HashList, which carries bytes (wire type 2). */
const FIELD = varint((50_001 << 3) | 2)

/**
 * A file of a version with signatures put to a statement that stood in it unsigned: a WarySignedState itself, or a HashList, which ends
 * with one (fields are written by their numbers, and this one has the highest). Undefined for a file that does not hold the statement so.
 */
export function withSignatures(file: Uint8Array, signed: SignedStatement): Uint8Array | undefined {
  const before = encodeSignedState({ statement: signed.statement, signatures: [] })
  const after = encodeSignedState(signed)
  if (equalBytes(file, before)) return after
  const end = embedded(before)
  const start = file.length - end.length
  if (start < 0 || !equalBytes(file.subarray(start), end)) return undefined
  return concatBytes([file.subarray(0, start), embedded(after)])
}

function embedded(message: Uint8Array): Uint8Array {
  return concatBytes([FIELD, varint(message.length), message])
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Uint8Array.from([...bytes, rest])
}
