import { describe, expect, test } from 'vitest'
import { verdictText } from '../../extension/page/verdict-text.ts'
import type { Hit, Stage, UncheckedReason, Verdict } from '../../src/check/verdict.ts'
import { formatting, wording } from '../support/english.ts'

const NOW = Date.UTC(2026, 11, 1, 12, 0, 0)
const answered = { url: 'https://www.evil.test/', freshness: { kind: 'fresh' } } as const
const hit: Hit = { expression: 'evil.test/', list: 'mw-4b', source: '', threatType: 'MALWARE', entryLength: 4 }
const text = (verdict: Verdict | undefined) => verdictText(verdict, { wording, formatting, now: NOW })

describe('a verdict in words', () => {
  test.each<[Stage, string]>([
    ['filter', 'Not on the list: nothing was sent.'],
    ['list', 'Not on the list: nothing was sent.'],
    ['cache', 'Not on the list: nothing was sent.'],
    ['search', 'Not on the list: the server cleared it.'],
    ['allowance', 'On the list, opened because you chose so.'],
  ])('safe, answered by %s', (stage, sentence) => {
    expect(text({ ...answered, kind: 'safe', stage }).sentence).toBe(sentence)
  })

  test.each<[Stage, RegExp]>([
    ['full-hash', /nothing was sent/],
    ['cache', /nothing was sent/],
    ['search', /first four bytes/],
  ])('a threat, answered by %s', (stage, detail) => {
    const words = text({ ...answered, kind: 'threat', stage, hits: [hit] })
    expect(words.sentence).toBe('On the list: malware.')
    expect(words.detail).toMatch(detail)
  })

  test('only questions to the server say that anything was sent', () => {
    for (const stage of ['filter', 'list', 'cache', 'full-hash'] as const) {
      const words = text({ ...answered, kind: stage === 'full-hash' ? 'threat' : 'safe', stage, hits: [hit] })
      expect(`${words.sentence} ${words.detail}`).not.toMatch(/got the first four bytes/)
    }
  })

  test('not verified, with the reason', () => {
    const reason = { kind: 'error', code: 'http-timeout', message: 'x' } as const
    expect(text({ ...answered, kind: 'unverified', stage: 'search', hits: [hit], reason }).detail).toMatch(/in time \(http-timeout\)/)
    const contradiction = { kind: 'contradiction' } as const
    expect(text({ ...answered, kind: 'unverified', stage: 'search', hits: [hit], reason: contradiction }).detail).toMatch(/contradicts/)
  })

  test('not checked: every reason has its own words', () => {
    const reasons: UncheckedReason[] = ['no-list', 'damaged', 'not-configured', 'not-web', 'invalid-url', 'no-permission', 'paused']
    const sentences = reasons.map((reason) => text({ ...answered, kind: 'unchecked', stage: 'none', reason }).sentence)
    expect(new Set(sentences).size).toBe(reasons.length)
    for (const sentence of sentences) expect(sentence).not.toMatch(/safe|on the list/i)
  })

  test('an expired list is said', () => {
    const freshness = { kind: 'stale', since: NOW - 3 * 86_400_000 } as const
    expect(text({ ...answered, freshness, kind: 'safe', stage: 'filter' }).detail).toMatch(/expired 3 days ago/)
  })

  test('a tab that nobody has seen', () => {
    expect(text(undefined)).toEqual({ sentence: 'No web page has been checked in this tab yet.', detail: undefined })
  })
})
