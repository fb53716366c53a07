import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { KEY_KINDS } from './support/vector-kinds/keys.ts'
import { LIST_KINDS } from './support/vector-kinds/lists.ts'
import { PROTOCOL_KINDS } from './support/vector-kinds/protocol.ts'
import { RICE_V4_KINDS } from './support/vector-kinds/rice-v4.ts'
import { URL_KINDS } from './support/vector-kinds/url.ts'
import { WPT_KINDS } from './support/vector-kinds/wpt.ts'
import { type VectorKind, vectorFiles, vectors } from './support/vectors.ts'

/** A file of a known kind runs as it is put into test/vectors; one of an unknown kind fails. */
const KINDS: readonly VectorKind[] = [...URL_KINDS, ...WPT_KINDS, ...LIST_KINDS, ...KEY_KINDS, ...RICE_V4_KINDS, ...PROTOCOL_KINDS]

/** Hash functions and filters have their vectors run where their code is tested. */
const OF_FILTERS = /^(bloom|murmur3|xxhash)_/
const filterTests = readdirSync(new URL('filter', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(`filter/${name}`, import.meta.url), 'utf8'))

/**
 * How many entries count with another value than their file's, or are about what cannot be here; why is said at their kind. A change in these
 * counts is a change in what we do.
 */
const DEPARTURES: Readonly<Record<string, number>> = {
  'psl.json': 5,
  'rice_v4_go.json': 2,
  'sb_canonicalization_go.json': 7,
  'sb_canonicalization_google_docs.json': 7,
  'sb_path_go.json': 1,
  'sb_v5_hash_lists.json': 9,
  'sb_v5_proto.json': 4,
  'wpt_verifydnslength.json': 10,
}
/** Where they are another engine's, and fewer with a newer one. */
const AT_MOST: Readonly<Record<string, number>> = { 'wpt_toascii.json': 14, 'wpt_url_absolute.json': 5 }

const table: string[] = []
afterAll(() => {
  process.stdout.write(`vectors run and passed, and departed from:\n${table.sort().join('\n')}\n`)
})

const short = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 100)}...` : text
}

for (const file of vectorFiles()) {
  const kinds = KINDS.filter(({ files }) => files.test(file))
  if (kinds.length === 0 && OF_FILTERS.test(file)) {
    it(`${file} runs under test/filter`, () => {
      expect(filterTests.some((source) => source.includes(`'${file}'`))).toBe(true)
    })
    continue
  }
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    it(`${file} is of one known kind`, () => {
      throw new Error(`${file} is of ${kinds.length === 0 ? 'no known kind: register how its entries are checked' : 'several kinds'}`)
    })
    continue
  }
  const entries = vectors<never, never>(file)
  describe(`${file} (${entries.length})`, () => {
    const departures: string[] = []
    let passed = 0
    it('has entries', () => expect(entries.length).toBeGreaterThan(0))
    it.each(entries.map((vector, i) => [i, short(vector.input), vector] as const))('%i: %s', async (_, __, vector) => {
      const departure = await kind.check(vector)
      if (typeof departure === 'string') departures.push(departure)
      passed++
    })
    it('departs as often as is known', () => {
      const most = AT_MOST[file]
      if (most !== undefined) expect(departures.length).toBeLessThanOrEqual(most)
      else if (file in DEPARTURES) expect(departures).toHaveLength(DEPARTURES[file] ?? 0)
    })
    afterAll(() => {
      table.push(`  ${file.padEnd(40)} ${String(passed).padStart(4)} of ${String(entries.length).padEnd(4)} ${departures.length}`)
    })
  })
}
