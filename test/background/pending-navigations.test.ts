import { describe, expect, it } from 'vitest'
import { type PendingNavigation, PendingNavigations } from '../../extension/background/pending-navigations.ts'
import { RecordingLogger } from '../support/fakes.ts'

const memory = { get: async () => ({}), set: async () => undefined }

function pending(id: string, tabId: number, url = `http://bad.test/${id}`): PendingNavigation {
  return { id, tabId, url, phase: 'threat', hits: [], allowed: [], incognito: false }
}

describe('PendingNavigations', () => {
  it('gives a record to its own tab only', () => {
    const subject = new PendingNavigations({ area: memory, logger: new RecordingLogger() })
    subject.put(pending('a', 1))
    expect(subject.get('a', 1)?.url).toBe('http://bad.test/a')
    expect(subject.get('a', 2)).toBeUndefined()
    expect(subject.get('b', 1)).toBeUndefined()
  })

  it('replaces by id and forgets a tab', () => {
    const subject = new PendingNavigations({ area: memory, logger: new RecordingLogger() })
    subject.put({ ...pending('a', 1), phase: 'checking' })
    subject.put(pending('a', 1))
    subject.put(pending('b', 2))
    expect(subject.get('a', 1)?.phase).toBe('threat')
    subject.forgetTab(1)
    expect(subject.get('a', 1)).toBeUndefined()
    expect(subject.get('b', 2)).toBeDefined()
  })

  it('is bounded in records and characters, and keeps the newest whole', () => {
    const subject = new PendingNavigations({ area: memory, logger: new RecordingLogger() })
    for (let i = 0; i < 500; i++) subject.put(pending(`r${i}`, i))
    expect(Array.from({ length: 500 }, (_, i) => subject.get(`r${i}`, i)).filter(Boolean)).toHaveLength(60)
    const long = `http://bad.test/${'x'.repeat(2_000_000)}`
    subject.put(pending('long1', 1, long))
    subject.put(pending('long2', 2, long))
    expect(subject.get('long1', 1)).toBeUndefined()
    expect(subject.get('long2', 2)?.url).toBe(long)
  })
})
