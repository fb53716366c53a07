import { create } from '@bufbuild/protobuf'
import { type Duration, DurationSchema } from '@bufbuild/protobuf/wkt'
import type { WireReader } from './wire-reader.ts'

/** google.protobuf.Duration of whole, non-negative milliseconds. */
export function durationOf(milliseconds: number): Duration {
  return create(DurationSchema, { seconds: BigInt(Math.floor(milliseconds / 1000)), nanos: (milliseconds % 1000) * 1_000_000 })
}

/** The milliseconds of a google.protobuf.Duration. @throws {WaryError} `list-format` */
export function readDuration(reader: WireReader): number {
  let seconds = 0n
  let nanos = 0
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) seconds = reader.int64() ?? seconds
    else if (field === 2) nanos = reader.int32() ?? nanos
    else reader.skip()
  }
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000)
}
