import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { committedFolder, readInputs, TARGETS } from '../../scripts/fuzz/corpus.ts'
import type { FuzzTarget } from '../../scripts/fuzz/engine.ts'

/** Far below what a clone would notice; what fuzzing finds is kept small by it. */
const MOST_BYTES = 4096

it('every target has a corpus, and every corpus a target', () => {
  expect(readdirSync(new URL('../fuzz-corpus', import.meta.url)).sort()).toEqual([...TARGETS])
})

const modules = import.meta.glob<{ fuzz: FuzzTarget }>('../../scripts/fuzz/targets/*.ts', { eager: true })

describe.each(TARGETS)('%s', (target) => {
  const module = modules[`../../scripts/fuzz/targets/${target}.ts`]
  if (module === undefined) throw new Error(`no target ${target}`)
  const { fuzz } = module
  const inputs = readInputs(committedFolder(target))
  it('has seeds', () => expect(inputs.length).toBeGreaterThan(0))
  it.each(inputs)('$name', ({ input }) => {
    expect(input.length).toBeLessThanOrEqual(MOST_BYTES)
    fuzz(input)
  })
})
