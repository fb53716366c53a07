/**
 * An LSM tree, such as Bigtable or Cassandra: data lies in many sorted files, newest first, and a key may be in any of them. Each file has a
 * filter in memory that says which keys are certainly not in it, so that nearly every lookup reads the one file that has the key, or none.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BloomFilter, guard, type Key } from 'wary/filter'

const TABLES = 10
const KEYS = 2_000
const RECORD = 32
const folder = mkdtempSync(join(tmpdir(), 'sstables-'))
const keyOf = (number: number) => `user${number.toString().padStart(6, '0')}`
let reads = 0

/** A file of records of 32 bytes, "key value", sorted by key; and the filter of its keys. */
function writeTable(number: number) {
  const keys = Array.from({ length: KEYS }, (_, i) => keyOf(i * TABLES + number))
  const path = join(folder, `${number}.sst`)
  writeFileSync(path, keys.map((key) => `${key} of table ${number}`.padEnd(RECORD)).join(''))
  const filter = BloomFilter.create({ capacity: KEYS, rate: 0.01 })
  for (const key of keys) filter.add(key)
  return { filter, search: (key: Key) => search(path, String(key)) }
}

/** Binary search on the disk: about eleven reads. */
function search(path: string, key: string): string | undefined {
  const file = openSync(path, 'r')
  const record = Buffer.alloc(RECORD)
  let [low, high] = [0, KEYS]
  while (low < high) {
    const middle = (low + high) >> 1
    readSync(file, record, 0, RECORD, middle * RECORD)
    reads++
    const found = record.toString().trimEnd()
    if (found.startsWith(`${key} `)) low = high = middle
    else if (found < key) low = middle + 1
    else high = middle
  }
  const found = record.toString().trimEnd()
  closeSync(file)
  return found.startsWith(`${key} `) ? found.slice(key.length + 1) : undefined
}

/** Asks one file after the other for 500 keys that are there and 500 that are not. @returns how many were found */
function serve(tables: readonly ((key: Key) => string | undefined)[]): number {
  reads = 0
  const asked = Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? keyOf(19 * i) : `${keyOf(19 * i)}x`))
  return asked.filter((key) => tables.some((table) => table(key) !== undefined)).length
}

const tables = Array.from({ length: TABLES }, (_, i) => writeTable(i))
console.log(`without filters: ${serve(tables.map(({ search }) => search))} of 1000 keys found by ${reads} reads`)
const guarded = tables.map(({ filter, search }) => guard(filter, search))
console.log(`with filters:    ${serve(guarded)} of 1000 keys found by ${reads} reads`)
const vain = guarded.reduce((sum, { counts }) => sum + counts.missed, 0)
console.log(`  ${vain} files were read in vain; the filters take ${tables.reduce((sum, { filter }) => sum + filter.byteLength, 0)} bytes`)
rmSync(folder, { recursive: true })
