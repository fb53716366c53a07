import { concatBytes, fromHex } from '../../src/bytes.ts'
import type { EntryLength } from '../../src/lists/hash-list.ts'
import type { RiceEncoded } from '../../src/lists/rice.ts'

/*
 * Rice-Golomb coding as the v5 text has it, bit by bit and slowly. Shares nothing with src/lists/rice.ts: tests and fuzzing compare the two.
 */

/** The parameters that the text allows. */
export const RICE_PARAMETERS: { readonly [L in EntryLength]: readonly [least: number, most: number] } = {
  4: [3, 30],
  8: [35, 62],
  16: [99, 126],
  32: [227, 254],
}

/** Packed entries; undefined for what is no coding of ascending entries. */
export function riceByBits(entryLength: EntryLength, encoded: RiceEncoded): Uint8Array | undefined {
  const { firstValue, riceParameter, entriesCount, encodedData } = encoded
  const [least, most] = RICE_PARAMETERS[entryLength]
  if (firstValue.length !== entryLength || !(entriesCount >= 0)) return undefined
  if (entriesCount > 0 && !(riceParameter >= least && riceParameter <= most)) return undefined
  let at = 0
  const bit = (): number | undefined => {
    const byte = encodedData[at >> 3]
    return byte === undefined ? undefined : (byte >> (at++ & 7)) & 1
  }
  let value = BigInt(`0x${Buffer.from(firstValue).toString('hex')}`)
  const values = [value]
  for (let i = 0; i < entriesCount; i++) {
    let difference = 0n
    for (;;) {
      const one = bit()
      if (one === undefined) return undefined
      if (one === 0) break
      difference++
    }
    difference <<= BigInt(riceParameter)
    for (let place = 0; place < riceParameter; place++) {
      const one = bit()
      if (one === undefined) return undefined
      if (one === 1) difference |= 1n << BigInt(place)
    }
    value += difference
    if (difference === 0n || value >= 1n << BigInt(8 * entryLength)) return undefined
    values.push(value)
  }
  return concatBytes(values.map((each) => fromHex(each.toString(16).padStart(2 * entryLength, '0'))))
}

/** The coding of packed, ascending entries with `riceParameter`, however many bits it takes. */
export function riceCodedWith(riceParameter: number, entryLength: EntryLength, entries: Uint8Array): RiceEncoded {
  const values = Array.from({ length: entries.length / entryLength }, (_, i) =>
    BigInt(`0x${Buffer.from(entries.subarray(i * entryLength, (i + 1) * entryLength)).toString('hex')}`),
  )
  const bits: number[] = []
  for (const [i, value] of values.slice(1).entries()) {
    const difference = value - (values[i] as bigint)
    for (let ones = difference >> BigInt(riceParameter); ones > 0n; ones--) bits.push(1)
    bits.push(0)
    for (let place = 0; place < riceParameter; place++) bits.push(Number((difference >> BigInt(place)) & 1n))
  }
  const encodedData = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [at, bit] of bits.entries()) encodedData[at >> 3] = (encodedData[at >> 3] as number) | (bit << (at & 7))
  return { firstValue: entries.slice(0, entryLength), riceParameter, entriesCount: values.length - 1, encodedData }
}
