/**
 * An LSM tree, such as Bigtable or Cassandra: data lies in many sorted files, newest first, and a key may be in any of them. Each file has a
 * filter in memory that says which keys are certainly not in it, so that nearly every lookup reads the one file that has the key, or none.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BloomFilter, guard } from 'wary/filter'

const TABLES = 10
const KEYS = 2_000
const RECORD = 32
const folder = mkdtempSync(join(tmpdir(), 'sstables-'))
let reads = 0

/** A file of records of 32 bytes, "key value", sorted by key; and the filter of its keys. */
function writeTable(number: number) {
  const keys = Array.from({ length: KEYS }, (_, i) => `user${(i * TABLES + number).toString().padStart(6, '0')}`)
  const path = join(folder, `${number}.sst`)
  writeFileSync(path, keys.map((key) => `${key} of table ${number}`.padEnd(RECORD)).join(''))
  const filter = BloomFilter.create({ capacity: KEYS, rate: 0.01 })
  for (const key of keys) filter.add(key)
  return { path, filter }
}

/** Binary search on the disk: about eleven reads. */
function search(path: string, key: string): string | undefined {
  const file = openSync(path, 'r')
  const record = Buffer.alloc(RECORD)
  let [low, high] = [0, KEYS]
  try {
    while (low < high) {
      const middle = (low + high) >> 1
      readSync(file, record, 0, RECORD, middle * RECORD)
      reads++
      const found = record.toString().trimEnd()
      if (found.startsWith(`${key} `)) return found.slice(key.length + 1)
      if (found < key) low = middle + 1
      else high = middle
    }
  } finally {
    closeSync(file)
  }
  return undefined
}

const tables = Array.from({ length: TABLES }, (_, i) => writeTable(i))
const searchAll = tables.map(({ path }) => (key: string) => search(path, key))
const guarded = tables.map(({ filter }, i) => guard(filter, searchAll[i]))
