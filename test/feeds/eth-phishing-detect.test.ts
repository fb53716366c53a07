import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { readEthPhishingDetect } from '../../src/feeds/eth-phishing-detect.ts'

const path = createRequire(import.meta.url).resolve('eth-phishing-detect/src/config.json')
const config = (over: Record<string, unknown> = {}) => ({
  version: 2,
  tolerance: 2,
  fuzzylist: ['near.test'],
  whitelist: [],
  blacklist: [],
  ...over,
})
const read = (value: unknown, indent?: number) => [...readEthPhishingDetect(JSON.stringify(value, null, indent))]

describe('an eth-phishing-detect configuration', () => {
  test('lists what it blocks as phishing, less what it allows itself', () => {
    const items = read(config({ whitelist: ['Good.test'], blacklist: ['evil.test', 'good.test', 'sub.good.test'] }))
    expect(items).toEqual([
      { entry: { expression: 'evil.test/', threatType: 'SOCIAL_ENGINEERING', line: 1 } },
      { reject: { line: 2, text: 'good.test', reason: "in the feed's own allow list" } },
      { entry: { expression: 'sub.good.test/', threatType: 'SOCIAL_ENGINEERING', line: 3 } },
    ])
  })

  test('names lines of the file when it is pretty-printed', () => {
    const items = read(config({ whitelist: ['evil.test', 'x.test'], blacklist: ['evil.test', 'second.test', 'co.uk'] }), 2)
    expect(items.map((item) => ('entry' in item ? item.entry.line : item.reject.line))).toEqual([12, 13, 14])
  })

  test('and positions in the list from where a line holds something else', () => {
    const text = '{"version": 2, "whitelist": [],\n  "blacklist": [\n    "a.test",\n    "b.test", "c.test",\n    "d.test"\n  ]}'
    expect([...readEthPhishingDetect(text)].map((item) => ('entry' in item ? item.entry.line : 0))).toEqual([3, 2, 3, 4])
  })

  test('rejects what is no name', () => {
    const items = read(config({ blacklist: [1, null, ['a.test'], { a: '\u001b' }, '', 'localhost', 'a b'] }))
    expect(items.map((item) => ('reject' in item ? `${item.reject.line} ${item.reject.text}: ${item.reject.reason}` : item))).toEqual([
      '1 1: not a name',
      '2 null: not a name',
      '3 ["a.test"]: not a name',
      '4 {"a":"\\u001b"}: not a name',
      '5 : no browser could open this address',
      '6 localhost: an address of this device',
      '7 a b: no browser could open this address',
    ])
  })

  test.each([
    ['{"version": 2,\n "blacklist": [x]}', 'not JSON: line 2, column 16'],
    ['', 'not JSON: line 1, column 1'],
    ['null', 'not an eth-phishing-detect configuration of version 2'],
    ['"\u0007"', 'not JSON: line 1, column 2'],
    ['{"version": 3}', 'not an eth-phishing-detect configuration of version 2'],
    ['{"version": 2, "whitelist": []}', 'not an eth-phishing-detect configuration: it has no list "blacklist"'],
    ['{"version": 2, "blacklist": []}', 'not an eth-phishing-detect configuration: it has no list "whitelist"'],
  ])('refuses %j as a whole', (text, message) => {
    expect(() => [...readEthPhishingDetect(text)]).toThrow(expect.objectContaining({ code: 'feed-format', message }))
  })

  test('the published one: 13,752 names, of which it allows 3 itself', () => {
    const text = readFileSync(path, 'utf8')
    const lines = text.split('\n')
    const reasons: string[] = []
    let accepted = 0
    for (const item of readEthPhishingDetect(text)) {
      if ('reject' in item) {
        reasons.push(`${item.reject.text}: ${item.reject.reason}`)
        expect(lines[item.reject.line - 1]).toContain(`"${item.reject.text}"`)
      } else {
        accepted++
        expect(item.entry.line).toBeGreaterThan(1161)
        expect(lines[item.entry.line - 1]).toContain(`"${item.entry.expression.slice(0, -1)}"`)
      }
    }
    expect(reasons.sort()).toEqual([
      "coinbased.xyz: in the feed's own allow list",
      'com12786312634: a host without a dot',
      'iclexofmarket: a host without a dot',
      "metmask.com: in the feed's own allow list",
      "spi.club: in the feed's own allow list",
    ])
    expect(accepted).toBe(13_747)
  })
})
