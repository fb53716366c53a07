import { describe, expect, test } from 'vitest'
import { downloadText } from '../../extension/welcome/download-text.ts'
import type { UpdateStatus } from '../../src/update/update-status.ts'
import { formatting, wording } from '../support/english.ts'

const now = Date.UTC(2026, 11, 1)
const idle: UpdateStatus = {
  lastAttemptAt: undefined,
  lastSuccessAt: undefined,
  notBefore: undefined,
  failures: 0,
  lastError: undefined,
  progress: undefined,
  remarks: [],
}
const filter = { bits: 8, hashes: 1, fillRatio: 0.5, expectedRate: 0.001 }
const list = { name: 'se-4b', entries: 13757, entryLength: 4, filterOnly: false, updatedAt: now, filter }
const source = { id: 'a', kind: 'wary', address: 'https://lists.example', lists: [], update: idle } as const
const text = (sources: readonly object[], update: UpdateStatus) =>
  downloadText({ sources: sources as never, update }, { wording, formatting, now })

describe('the first download in words', () => {
  test('no source', () => {
    expect(text([], idle)).toMatchObject({ tone: 'danger', over: true, retry: false, running: undefined })
  })

  test('a download that runs', () => {
    const progress = { phase: 'downloading', receivedBytes: 30_000, totalBytes: 60_000 } as const
    expect(text([source], { ...idle, progress })).toMatchObject({
      tone: 'neutral',
      over: false,
      running: { phase: 'Downloading filter update… 30 kB of 60 kB', share: 0.5 },
    })
    expect(text([source], idle).running?.share).toBeUndefined()
  })

  test('a failure can be tried again, with its reason and code', () => {
    const lastError = { code: 'http-network', message: 'could not be reached' } as const
    const failed = text([source], { ...idle, lastError, lastAttemptAt: now - 5000, failures: 1 })
    expect(failed).toMatchObject({ tone: 'danger', retry: true, over: false, running: undefined })
    expect(failed.state).toBe('Last attempt failed 5 seconds ago: could not be reached (http-network).')
  })

  test('the list is there', () => {
    expect(text([{ ...source, lists: [list] }], idle)).toMatchObject({
      tone: 'good',
      over: true,
      state: 'The list is here: 13,757 entries. You are protected now.',
    })
  })
})
