import { InvalidArgumentError } from 'commander'
import { rate } from './option-values.ts'

/** Filters place keys by 64 bits of hash: keys that share them are the same to every kind. */
export const LEAST_RATE = 2 ** -64

/** Of bytes. Decimal as disks and networks count, binary as memory does. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
}

/** A number of entries up to `most`, such as 1000000, 1e9 or 2.5e6. */
export function entryCount(most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+(\.\d+)?(e\d{1,2})?$/i.test(text) ? Number(text) : Number.NaN
    if (Number.isInteger(number) && number >= 1 && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}, such as 1000000 or 1e6.`)
  }
}

/** A size such as 1800000000, 1.8GB or 64MiB, in whole bytes. */
export function byteSize(most: number): (text: string) => number {
  return (text) => {
    const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?(?:e\d{1,2})?) ?([A-Za-z]*)$/.exec(text) ?? []
    const bytes = digits !== '' && Object.hasOwn(UNITS, unit) ? Math.floor(Number(digits) * (UNITS[unit] as number)) : Number.NaN
    if (bytes >= 1 && bytes <= most) return bytes
    throw new InvalidArgumentError('It must be a size from 1 byte on, such as 1800000, 1.8MB or 64MiB.')
  }
}

/** A false positive rate that hashes of 64 bits can keep for one key at least. */
export function hashableRate(text: string): number {
  const number = rate(text)
  if (number >= LEAST_RATE) return number
  throw new InvalidArgumentError('It must be 2^-64 (5.4e-20) or more: filters see 64 bits of a key.')
}
