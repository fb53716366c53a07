import { runInNewContext } from 'node:vm'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { Engine, type FuzzTarget } from '../../scripts/fuzz/engine.ts'
import { COUNTERS, instrument } from '../../scripts/fuzz/instrument.ts'
import { drawing, mutate } from '../../scripts/fuzz/mutate.ts'

const TREE = (code: string): unknown => parseSync('code.js', code).program

/** Fails for inputs that begin with WARY only; by chance that is one of four billion. */
const PLANTED = `
  (input) => {
    if (input[0] === 87)
      if (input[1] === 65)
        if (input[2] === 82) {
          if (input[3] === 89) throw new Error('found')
        }
  }`

function planted(counting: boolean): { fuzz: FuzzTarget; counters: Uint32Array } {
  const made = instrument(PLANTED, TREE(PLANTED), 0)
  const counters = new Uint32Array(made.counters)
  return { fuzz: runInNewContext(counting ? made.code : PLANTED, { [COUNTERS]: counters, Error }) as FuzzTarget, counters }
}

function search(counting: boolean, steps: number): Engine {
  const engine = new Engine({ ...planted(counting), seed: 1, longest: 16, dictionary: [] })
  for (let i = 0; i < steps; i++) engine.step()
  return engine
}

describe('Engine', () => {
  it('finds by coverage what chance does not find', () => {
    const found = [...search(true, 60_000).findings.values()]
    expect(found.map(({ input }) => new TextDecoder().decode(input))).toEqual(['WARY'])
    expect(search(false, 60_000).findings.size).toBe(0)
  })

  it('keeps inputs that reach something new, and says how much is reached', () => {
    const engine = search(true, 60_000)
    expect(engine.corpus.map((input) => input[0])).toContain(87)
    expect(engine.features).toBe(5)
    expect(engine.corpus.length).toBeLessThan(64)
  })

  it('makes the same inputs of the same seed', () => {
    expect(search(true, 2000).corpus).toEqual(search(true, 2000).corpus)
  })
})

describe('instrument', () => {
  it('counts blocks and changes nothing else', () => {
    const code = `
      const all = []
      function f(n) { if (n > 1) return f(n - 1); else { all.push(n) } return n ? 1 : 2 }
      for (let i = 0; i < 3; i++) all.push(i || 'none', (() => ({ i }))().i)
      switch (f(3)) { case 1: all.push('one'); break; default: all.push('other') }
      try { null.x } catch { all.push('caught') }
      let n = 2
      do n--; while (n > 0 && n < 5)
      const o = { g() { return a => a ?? 7 } }
      all.push(o.g()(undefined), n)
      all`
    const made = instrument(code, TREE(code), 3)
    const counters = new Uint32Array(made.counters)
    expect(runInNewContext(made.code, { [COUNTERS]: counters })).toEqual(runInNewContext(code))
    // The first three belong to other modules; of ours, what did not run is the default case and the `2` of the condition.
    expect([...counters.subarray(0, 3)]).toEqual([0, 0, 0])
    expect(counters.subarray(3).filter((count) => count === 0)).toHaveLength(2)
    expect(made.literals).toEqual(expect.arrayContaining(['none', 'other', 5, 7]))
  })
})

describe('mutate', () => {
  it('changes its input into another one, of a length that is allowed', () => {
    const draw = drawing(7)
    const input = new TextEncoder().encode('http://host/')
    const made = new Set<string>()
    for (let i = 0; i < 2000; i++) {
      const out = mutate(input, { draw, longest: 20, dictionary: [new Uint8Array([1, 2])], other: () => input })
      expect(out.length).toBeLessThanOrEqual(20)
      made.add(String(out))
    }
    expect(new TextDecoder().decode(input)).toBe('http://host/')
    expect(made.size).toBeGreaterThan(1500)
  })
})
