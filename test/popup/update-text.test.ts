import { describe, expect, test } from 'vitest'
import { progressText } from '../../extension/page/progress-text.ts'
import { historyText } from '../../extension/popup/update-text.ts'
import type { UpdateStatus } from '../../src/update/update-status.ts'
import { formatting, wording } from '../support/english.ts'

const NOW = Date.UTC(2026, 11, 1, 12, 0, 0)
const MINUTE = 60_000
const means = { wording, formatting, now: NOW }
const idle: UpdateStatus = {
  lastAttemptAt: NOW - 5 * MINUTE,
  lastSuccessAt: NOW - 5 * MINUTE,
  notBefore: NOW + 25 * MINUTE,
  failures: 0,
  lastError: undefined,
  progress: undefined,
  remarks: [],
}

describe('a running update in words', () => {
  test('how much of how much', () => {
    const progress = { phase: 'downloading', receivedBytes: 34_000, totalBytes: 60_000 } as const
    expect(progressText(progress, means)).toEqual({ phase: 'Downloading filter update… 34 kB of 60 kB', share: 34 / 60 })
  })

  test.each([[undefined], [0], [20_000]])('a size of %s tells nothing', (totalBytes) => {
    const progress = { phase: 'downloading', receivedBytes: 34_000, totalBytes } as const
    expect(progressText(progress, means)).toEqual({ phase: 'Downloading filter update… 34 kB', share: undefined })
  })

  test('every phase has its own words', () => {
    const phases = [undefined, { phase: 'verifying' }, { phase: 'building' }, { phase: 'storing' }] as const
    expect(new Set(phases.map((progress) => progressText(progress, means).phase)).size).toBe(4)
  })
})

describe('former updates in words', () => {
  test('a success', () => {
    expect(historyText(idle, true, means)).toEqual({
      last: 'Last update 5 minutes ago.',
      error: undefined,
      next: 'Next attempt in 25 minutes.',
    })
  })

  test('a failure, with message and code, and what it means for the list', () => {
    const lastError = { code: 'http-status', message: 'the server answered 500' } as const
    const failed = { ...idle, failures: 1, lastAttemptAt: NOW - MINUTE, lastError }
    expect(historyText(failed, true, means).error).toBe(
      'Last attempt failed 1 minute ago: the server answered 500 (http-status). The list that was there stays in force.',
    )
    expect(historyText({ ...failed, lastSuccessAt: undefined }, false, means)).toMatchObject({
      last: 'No update so far.',
      error: 'Last attempt failed 1 minute ago: the server answered 500 (http-status).',
    })
  })

  test('no wait, nothing about it; and a clock that went back makes no update of the future', () => {
    expect(historyText({ ...idle, notBefore: NOW - 1 }, true, means).next).toBeUndefined()
    expect(historyText({ ...idle, lastSuccessAt: NOW + 60 * MINUTE }, true, means).last).toBe('Last update now.')
  })
})
