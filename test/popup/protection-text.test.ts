import { describe, expect, test } from 'vitest'
import type { Protection } from '../../extension/messaging/messages.ts'
import { protectionText } from '../../extension/popup/protection-text.ts'
import { formatting, wording } from '../support/english.ts'

const NOW = Date.UTC(2026, 11, 1, 12, 0, 0)
const text = (protection: Protection | undefined) => protectionText(protection, { wording, formatting, now: NOW })

describe('the state in one sentence', () => {
  test.each<[Protection | undefined, string, string]>([
    [{ state: 'protected' }, 'good', 'Protected'],
    [{ state: 'stale', since: NOW - 2 * 86_400_000 }, 'caution', 'Protected by an old list'],
    [{ state: 'starting' }, 'neutral', 'Starting: no list yet'],
    [{ state: 'damaged' }, 'danger', 'Not protected: the stored list is damaged'],
    [{ state: 'off', reason: 'not-configured' }, 'danger', 'Not protected: no server is set'],
    [{ state: 'off', reason: 'no-permission' }, 'danger', 'Not protected: permission is missing'],
    [undefined, 'danger', 'Wary does not answer'],
  ])('%j', (protection, tone, sentence) => {
    expect(text(protection)).toMatchObject({ tone, sentence })
    expect(text(protection).detail).toMatch(/\w/)
  })

  test('since when a list is old', () => {
    expect(text({ state: 'stale', since: NOW - 2 * 86_400_000 }).detail).toMatch(/2 days ago/)
  })
})
