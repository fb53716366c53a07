import { describe, expect, it } from 'vitest'
import { TabHistory } from '../../extension/background/tab-history.ts'
import { RecordingLogger } from '../support/fakes.ts'

function area() {
  const kept: Record<string, unknown> = {}
  return {
    kept,
    get: async (key: string) => ({ [key]: kept[key] }),
    set: async (items: Record<string, unknown>) => void Object.assign(kept, structuredClone(items)),
  }
}

const URL = 'http://bad.test/'

describe('TabHistory', () => {
  it('knows a step back from our page onto the entry of the page it stands for', async () => {
    const subject = new TabHistory({ area: area(), logger: new RecordingLogger() })
    await subject.ready
    subject.standIn(1, URL)
    expect(subject.isStepBack(1, URL)).toBe(false)
    subject.entry(1, URL)
    expect(subject.isStepBack(1, URL)).toBe(false)
    subject.shown(1)
    expect(subject.isStepBack(1, URL)).toBe(true)
    expect(subject.isStepBack(2, URL)).toBe(false)
    expect(subject.isStepBack(1, 'http://other.test/')).toBe(false)
  })

  it('takes a visit from another page, or after leaving for it, as a visit', async () => {
    const subject = new TabHistory({ area: area(), logger: new RecordingLogger() })
    await subject.ready
    subject.standIn(1, URL)
    subject.entry(1, URL)
    subject.shown(1)
    subject.left(1)
    expect(subject.isStepBack(1, URL)).toBe(false)
  })

  it('takes an address typed over a warning without an entry as a visit', async () => {
    const subject = new TabHistory({ area: area(), logger: new RecordingLogger() })
    await subject.ready
    subject.standIn(1, URL)
    subject.shown(1)
    expect(subject.isStepBack(1, URL)).toBe(false)
  })

  it('outlives the worker and forgets a closed tab', async () => {
    const shared = area()
    const first = new TabHistory({ area: shared, logger: new RecordingLogger() })
    await first.ready
    first.standIn(1, URL)
    first.entry(1, URL)
    first.shown(1)
    await expect.poll(() => JSON.stringify(shared.kept)).toContain('"shown":true')
    const second = new TabHistory({ area: shared, logger: new RecordingLogger() })
    await second.ready
    expect(second.isStepBack(1, URL)).toBe(true)
    second.forgetTab(1)
    expect(second.isStepBack(1, URL)).toBe(false)
  })
})
