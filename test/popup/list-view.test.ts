import { expect, test } from 'vitest'
import type { ListView } from '../../extension/messaging/messages.ts'
import { listDetails, listSummary } from '../../extension/popup/list-view.ts'
import { formatting, wording } from '../support/english.ts'

const NOW = Date.UTC(2026, 11, 1, 12, 0, 0)
const HOUR = 3_600_000
const list: ListView = {
  name: 'se-4b',
  entries: 13_757,
  entryLength: 4,
  updatedAt: NOW - HOUR,
  filterOnly: false,
  signed: { sequence: 42, issuedAt: NOW - 3 * HOUR, expiresAt: NOW + 48 * HOUR },
  filter: { bits: 197_793, hashes: 10, fillRatio: 0.5012, expectedRate: 0.000999 },
}

test('a list in one line', () => {
  expect(listSummary(list, { wording, formatting, now: NOW })).toBe('version 42 · 13,757 entries · published 3 hours ago')
})

test('everything about its filter', () => {
  const details = Object.fromEntries(listDetails(list, { wording, formatting, now: NOW }))
  expect(details).toMatchObject({
    listEntryLength: '4 bytes',
    filterSize: '197,793 bits (25 kB)',
    filterHashes: '10',
    filterFill: '50.1%',
    filterRate: '0.0999%',
  })
  expect(details.listExpires).toMatch(/^in 2 days/)
})
