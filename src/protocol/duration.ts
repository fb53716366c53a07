import { create } from '@bufbuild/protobuf'
import { type Duration, DurationSchema } from '@bufbuild/protobuf/wkt'

/** google.protobuf.Duration of whole, non-negative milliseconds. */
export function durationOf(milliseconds: number): Duration {
  return create(DurationSchema, { seconds: BigInt(Math.floor(milliseconds / 1000)), nanos: (milliseconds % 1000) * 1_000_000 })
}

export function millisecondsOf(duration: Duration): number {
  return Number(duration.seconds) * 1000 + Math.floor(duration.nanos / 1_000_000)
}
