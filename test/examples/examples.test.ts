import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { forbiddenImports } from '../../scripts/import-check.ts'
import { IMPORT_RULES } from '../../scripts/import-rules.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'docs/examples')
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'))
const LOADER = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href

/** Runs an example as `npx tsx docs/examples/NAME` does; all that it prints. */
function run(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', LOADER, join(FOLDER, name)], { cwd: ROOT })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    }
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve(printed) : reject(new Error(`${name} ended with ${code}:\n${printed}`))))
  })
}

describe('the examples', () => {
  test('are all here, are named in their README, are short, and import the library by its name', () => {
    expect(NAMES).toEqual(['crawler-dedup.ts', 'one-hit-wonders.ts', 'skip-the-disk-read.ts', 'username-check.ts', 'worker-dedup.ts'])
    const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8')
    for (const name of NAMES) {
      const source = readFileSync(join(FOLDER, name), 'utf8')
      expect(readme).toContain(`(${name})`)
      expect(source.split('\n').length, name).toBeLessThanOrEqual(61)
      expect(source, name).toMatch(/from 'wary\/filter'/)
      expect(forbiddenImports(`docs/examples/${name}`, source, IMPORT_RULES)).toEqual([])
    }
    expect(forbiddenImports('docs/examples/x.ts', `import { x } from '../../src/filter/bloom.ts'`, IMPORT_RULES)).toHaveLength(1)
  })

  test('hold the types of the library', () => {
    const { stdout, status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', FOLDER], {
      encoding: 'utf8',
    })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  })

  test('skip-the-disk-read: the same keys are found with a tenth of the reads', async () => {
    const printed = await run('skip-the-disk-read.ts')
    const [, found, reads] = /^without filters: (\d+) of 1000 keys found by (\d+) reads$/m.exec(printed)?.map(Number) ?? []
    const [, foundToo, fewer] = /^with filters: {4}(\d+) of 1000 keys found by (\d+) reads$/m.exec(printed)?.map(Number) ?? []
    expect([found, foundToo]).toEqual([500, 500])
    expect(fewer).toBeLessThan(Number(reads) / 10)
    const [, vain, bytes] = /^ {2}(\d+) files were read in vain; the filters take (\d+) bytes$/m.exec(printed)?.map(Number) ?? []
    // One in a hundred of some 7,500 questions about files that do not have the key.
    expect(vain).toBeGreaterThan(30)
    expect(vain).toBeLessThan(130)
    expect(bytes).toBeLessThan(25_000)
  })

  test('crawler-dedup: about one page in a thousand is missed, or fewer, and none is fetched twice', async () => {
    const printed = await run('crawler-dedup.ts')
    const [, links, fetched, pages, missed] =
      /^(\d+) links met, (\d+) of (\d+) pages fetched, (\d+) missed$/m.exec(printed)?.map(Number) ?? []
    expect(pages).toBe(100_000)
    expect(links).toBeGreaterThan(600_000)
    expect(Number(fetched) + Number(missed)).toBe(pages)
    expect(fetched).toBeLessThanOrEqual(100_000)
    expect(missed).toBeLessThan(100)
    expect(printed).toContain('a rate of 0.100 %\nthe filter takes 180 kB\n')
  })

  test('username-check: the database is asked about taken names and one free name in a hundred, and no answer is wrong', async () => {
    const printed = await run('username-check.ts')
    expect(printed).toMatch(/^"Member7 " is taken\n"somebody\.new" is free\n/)
    const counts =
      /^(\d+) names tried: (\d+) answered by the filter alone, (\d+) by the database, (\d+) of them in vain; (\d+) wrong answers$/m
    const [, tried, alone, asked, vain, wrong] = counts.exec(printed)?.map(Number) ?? []
    expect({ tried, wrong }).toEqual({ tried: 5002, wrong: 0 })
    expect(Number(alone) + Number(asked)).toBe(tried)
    // 500 names and the first are taken.
    expect(Number(asked) - Number(vain)).toBe(501)
    expect(vain).toBeGreaterThan(10)
    expect(vain).toBeLessThan(90)
  })

  test('one-hit-wonders: more hits with less than half of the writes', async () => {
    const printed = await run('one-hit-wonders.ts')
    const [all, second] = [...printed.matchAll(/^ {2}([\d.]+) % of the requests answered from the cache, (\d+) writes$/gm)].map(
      ([, hits, writes]) => ({ hits: Number(hits), writes: Number(writes) }),
    )
    expect(second?.hits).toBeGreaterThan((all?.hits ?? 100) + 3)
    expect(second?.writes).toBeLessThan((all?.writes ?? 0) / 2)
  })

  test('worker-dedup: nothing is left out, and only what two workers met in one round is done twice', async () => {
    const printed = await run('worker-dedup.ts')
    const rounds = [...printed.matchAll(/^round \d: (\d+) done of (\d+) different URLs; the merged filter has (\d+) bytes$/gm)]
    expect(rounds).toHaveLength(5)
    for (const [, done, given] of rounds) expect(Number(done)).toBeGreaterThanOrEqual(Number(given))
    const [, done, given, bytes] = rounds.at(-1)?.map(Number) ?? []
    expect(bytes).toBeGreaterThan(Number(rounds[0]?.[3]))
    expect(printed).toMatch(
      new RegExp(`^30000 URLs given, ${Number(done) - Number(given)} done again by another worker in the same round$`, 'm'),
    )
    expect(Number(done) - Number(given)).toBeLessThan(0.05 * 30_000)
  })
})
