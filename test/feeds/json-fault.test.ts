import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonFault } from '../../src/feeds/json-fault.ts'

describe('where a text stops being JSON', () => {
  test.each([
    ['', 1, 1],
    ['x', 1, 1],
    ['{\n  "a": [1, 2\n  "b"]\n}', 3, 3],
    ['{\n  "a": 1,\n}', 3, 1],
    ['[1,]', 1, 4],
    ['[1 2]', 1, 4],
    ['{"a" 1}', 1, 6],
    ['{a: 1}', 1, 2],
    ['{"a": tru}', 1, 7],
    ['{"a": truest}', 1, 11],
    ['[01]', 1, 3],
    ['[1.]', 1, 3],
    ['["a\nb"]', 1, 4],
    ['["\\x"]', 1, 3],
    ['["\\u12G4"]', 1, 3],
    ['["abc', 1, 6],
    ['{"a": [1, 2]', 1, 13],
    ['[]]', 1, 3],
    ['[}', 1, 2],
    ['{]', 1, 2],
    ['{} {}', 1, 4],
    ['[1:2]', 1, 3],
    ["['a']", 1, 2],
  ])('%j', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(jsonFault(text)).toEqual({ line, column })
  })

  test('is its end for any JSON, and where the engine says it is, or where that word, number or escape begins', () => {
    let said = 0
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '"', '}', ']', ',', ':', '1', 'x', '\\', '\n', '{'), (json, at, put) => {
        expect(jsonFault(json)).toEqual({ line: 1, column: json.length + 1 })
        const text = json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1)
        try {
          JSON.parse(text)
        } catch (error) {
          const position = /at position (\d+)/.exec(String(error))?.[1]
          if (position === undefined) return
          said++
          const { line, column } = jsonFault(text)
          const before = text.split('\n').slice(0, line - 1)
          const offset = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
          expect(text.slice(offset, Number(position))).toMatch(/^\\?[-+.a-z0-9]*$/i)
          expect(offset).toBeLessThanOrEqual(Number(position))
        }
      }),
      { numRuns: 3000 },
    )
    expect(said).toBeGreaterThan(50)
  })

  test('does not overflow on nesting or long strings', () => {
    expect(jsonFault('['.repeat(300_000)).column).toBe(300_001)
    expect(jsonFault(`["${'\\n'.repeat(300_000)}`).column).toBe(600_003)
  })
})
