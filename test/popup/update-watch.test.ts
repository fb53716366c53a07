import { describe, expect, test } from 'vitest'
import type { ListView, Status } from '../../extension/messaging/messages.ts'
import { UpdateWatch } from '../../extension/popup/update-watch.ts'
import type { UpdateStatus } from '../../src/update/update-status.ts'

const T0 = 1_000_000
const list: ListView = {
  name: 'se-4b',
  entries: 10,
  entryLength: 4,
  filterOnly: false,
  updatedAt: 0,
  filter: { bits: 1, hashes: 1, fillRatio: 0, expectedRate: 0 },
}
const update: UpdateStatus = {
  lastAttemptAt: 1,
  lastSuccessAt: 1,
  notBefore: undefined,
  failures: 0,
  lastError: undefined,
  progress: undefined,
  remarks: [],
}

function status(change: Partial<UpdateStatus> = {}, sequence = 7): Status {
  const counters: Status['counters'] = {
    checked: 0,
    byStage: { filter: 0, list: 0, 'full-hash': 0, cache: 0, search: 0, allowance: 0, none: 0 },
    threats: 0,
    unverified: 0,
    unchecked: 0,
    asked: 0,
    decoys: 0,
    askedBytes: 0,
    frames: { checked: 0, blocked: 0 },
    errors: {},
  }
  return {
    protection: { state: 'protected' },
    tab: undefined,
    firstVisit: undefined,
    sources: [
      {
        id: 'https://lists.example',
        kind: 'wary',
        address: 'https://lists.example',
        lists: [{ ...list, signed: { sequence, issuedAt: 0, expiresAt: 0 } }],
        update: { ...update, ...change },
      },
    ],
    update: { ...update, ...change },
    counters,
    privateWindows: true,
  }
}

describe('following an update', () => {
  test('to its success, with or without something new', () => {
    const watch = new UpdateWatch(status(), T0)
    expect(watch.ended(status(), T0)).toBeUndefined()
    expect(watch.ended(status({ lastAttemptAt: T0, progress: { phase: 'verifying' } }), T0 + 250)).toBeUndefined()
    expect(watch.ended(status({ lastAttemptAt: T0, lastSuccessAt: T0 + 300 }, 8), T0 + 500)).toBe('updateDone')
    expect(watch.ended(status({ lastAttemptAt: T0, lastSuccessAt: T0 + 300 }), T0 + 500)).toBe('updateUnchanged')
  })

  test('one that is over before anybody looked', () => {
    expect(new UpdateWatch(status(), T0).ended(status({ lastAttemptAt: T0, lastSuccessAt: T0 + 1 }, 8), T0 + 250)).toBe('updateDone')
  })

  test('a former failure is not taken for this one, while a slow server says nothing', () => {
    const lastError = { code: 'http-status', message: 'x' } as const
    const watch = new UpdateWatch(status({ failures: 2, lastError }), T0)
    expect(watch.ended(status({ failures: 2, lastError, lastAttemptAt: T0 }), T0 + 10_000)).toBeUndefined()
    expect(watch.ended(status({ failures: 3, lastError, lastAttemptAt: T0 }), T0 + 20_000)).toBe('updateFailedShort')
  })

  test('one that never began, and one that was called off', () => {
    expect(new UpdateWatch(status(), T0).ended(status(), T0 + 3000)).toBe('updateNotAnswered')
    const watch = new UpdateWatch(status(), T0)
    watch.ended(status({ lastAttemptAt: T0, progress: { phase: 'building' } }), T0 + 250)
    expect(watch.ended(status({ lastAttemptAt: T0 }), T0 + 500)).toBe('updateNotAnswered')
  })
})
