import { describe, expect, test } from 'vitest'
import type { WarningView } from '../../extension/messaging/messages.ts'
import { warningFacts } from '../../extension/warning/facts.ts'
import { warningText } from '../../extension/warning/warning-text.ts'
import type { Hit } from '../../src/check/verdict.ts'
import { THREAT_TYPES } from '../../src/protocol/threat-type.ts'
import { formatting, wording } from '../support/english.ts'

const NOW = Date.UTC(2026, 11, 1, 12, 0, 0)
const hit: Hit = {
  expression: 'evil.test/',
  list: 'se-4b',
  source: 'https://lists.example',
  threatType: 'SOCIAL_ENGINEERING',
  entryLength: 4,
}
const view: WarningView = {
  url: 'https://www.evil.test/login',
  domain: 'evil.test',
  kind: 'threat',
  hits: [hit],
  list: { name: 'se-4b', sequence: 1042, issuedAt: NOW - 3 * 3_600_000 },
}
const facts = (of: WarningView) => warningFacts(of, { wording, formatting, now: NOW }).map(({ label, value }) => [label, value])

describe('the words of a warning', () => {
  test('each kind of threat has its own title, explanation and advice', () => {
    const texts = THREAT_TYPES.map((threatType) => warningText({ kind: 'threat', hits: [{ ...hit, threatType }] }))
    for (const part of ['title', 'lead', 'advice'] as const) {
      expect(new Set(texts.map((text) => text[part])).size).toBe(THREAT_TYPES.length)
    }
  })

  test('the soft warning is another page', () => {
    expect(warningText({ kind: 'unverified', hits: [hit] })).toMatchObject({ title: 'unverifiedTitle' })
    expect(warningText({ kind: 'unverified', hits: [] }).lead).toBe('unverifiedLeadFault')
  })
})

describe('the details of a warning', () => {
  test('what was found, by which list', () => {
    expect(facts(view)).toEqual([
      ['factThreat', 'phishing'],
      ['factExpression', 'evil.test/'],
      ['factList', 'se-4b, version 1,042'],
      ['factPublished', expect.stringMatching(/^3 hours ago \(Dec 1, 2026, 9:00\sAM\)$/)],
      ['factEntry', '4 bytes of the SHA-256 hash'],
      ['factServer', 'https://lists.example'],
      ['factAddress', 'https://www.evil.test/login'],
    ])
  })

  test('a list that is not in force any more is only named', () => {
    const { list: _, ...without } = view
    expect(facts(without)).toContainEqual(['factList', 'se-4b'])
  })

  test('why a page could not be checked', () => {
    expect(facts({ ...view, kind: 'unverified', reason: 'http-timeout' })).toContainEqual([
      'factReason',
      'the verification server did not answer in time (http-timeout)',
    ])
  })

  test('long and deceptive texts are cut and made visible', () => {
    const long = facts({ ...view, url: `https://evil.test/${'x'.repeat(2_000_000)}`, hits: [{ ...hit, expression: 'evil.test/\u202e' }] })
    expect(Math.max(...long.map(([, value = '']) => value.length))).toBe(2000)
    expect(long).toContainEqual(['factExpression', 'evil.test/\\u{202e}'])
  })
})
