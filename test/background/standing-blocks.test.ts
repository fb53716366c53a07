import { describe, expect, it } from 'vitest'
import { type DynamicRulesApi, StandingBlocks } from '../../extension/background/standing-blocks.ts'
import type { Hit } from '../../src/check/verdict.ts'
import { RecordingLogger } from '../support/fakes.ts'
import { storedList } from '../support/signed-list.ts'

type Rule = chrome.declarativeNetRequest.Rule

function hit(expression: string): Hit {
  return { expression, list: 'se-4b', source: 'https://lists.example', threatType: 'SOCIAL_ENGINEERING', entryLength: 4 }
}

function browserRules(options: { unsupported?: (regex: string) => boolean } = {}) {
  const state: { rules: Rule[]; kept: Record<string, unknown>; refuse: boolean } = { rules: [], kept: {}, refuse: false }
  const api: DynamicRulesApi = {
    getDynamicRules: async () => state.rules,
    updateDynamicRules: async ({ removeRuleIds = [], addRules = [] }) => {
      if (state.refuse) throw new Error('refused')
      const left = state.rules.filter((rule) => !removeRuleIds.includes(rule.id))
      if (addRules.some((rule) => left.some((other) => other.id === rule.id))) throw new Error('a rule of this id exists')
      state.rules = [...left, ...addRules]
    },
    isRegexSupported: async ({ regex }) => ({ isSupported: !options.unsupported?.(regex) }),
  }
  const area = {
    get: async (key: string) => ({ [key]: state.kept[key] }),
    set: async (items: Record<string, unknown>) => void Object.assign(state.kept, structuredClone(items)),
  }
  const make = (readOnly = false) => new StandingBlocks({ api, area, logger: new RecordingLogger(), readOnly })
  return { state, make }
}

describe('StandingBlocks', () => {
  it('has one rule for all hosts and one for each other pattern, for pages and their frames', async () => {
    const { state, make } = browserRules()
    const subject = make()
    await subject.ready
    await subject.add([hit('a.test/'), hit('b.test/')])
    await subject.add([hit('b.test/'), hit('c.test/page')])
    expect(state.rules).toHaveLength(2)
    expect(state.rules[0]?.condition.requestDomains).toEqual(['a.test', 'b.test'])
    expect(state.rules[1]?.condition.regexFilter).toContain('c\\.test')
    for (const { action, condition } of state.rules)
      expect([action.type, condition.resourceTypes]).toEqual(['block', ['main_frame', 'sub_frame', 'object']])
  })

  it('blocks what was confirmed for frames in frames alone, until a page of it is confirmed too', async () => {
    const { state, make } = browserRules()
    const subject = make()
    await subject.add([hit('a.test/'), hit('b.test/page')], 'frame')
    expect(state.rules.map(({ condition }) => condition.resourceTypes)).toEqual([
      ['sub_frame', 'object'],
      ['sub_frame', 'object'],
    ])
    expect(subject.covers('http://a.test/')).toBe(false)
    expect(subject.covers('http://a.test/', 'frame')).toBe(true)
    expect(subject.hits('http://a.test/')).toEqual([])
    await subject.add([hit('a.test/')], 'page')
    await subject.add([hit('a.test/')], 'frame')
    expect(subject.covers('http://a.test/')).toBe(true)
    expect(state.rules.find(({ condition }) => condition.requestDomains)?.condition.resourceTypes).toContain('main_frame')
    expect(state.rules).toHaveLength(2)
    // In another worker as well.
    const second = make()
    await second.ready
    expect(second.covers('http://b.test/page')).toBe(false)
    expect(second.covers('http://b.test/page', 'frame')).toBe(true)
    await second.clear('http://b.test/page')
    expect(second.covers('http://b.test/page', 'frame')).toBe(false)
  })

  it('in private windows tells what the regular ones have blocked, and changes nothing', async () => {
    const { state, make } = browserRules()
    await make().add([hit('a.test/')])
    // As a worker leaves it that died in the middle of a change.
    state.kept.standingUnwritten = true
    const before = structuredClone(state)
    const subject = make(true)
    await subject.ready
    await subject.add([hit('b.test/')])
    await subject.clear('http://a.test/')
    await subject.reconcile([])
    expect(subject.covers('http://a.test/x')).toBe(true)
    expect(subject.covers('http://b.test/')).toBe(false)
    expect(state).toEqual(before)
  })

  it('knows what it covers, in another worker too, and takes it back', async () => {
    const { state, make } = browserRules()
    const first = make()
    await first.ready
    await first.add([hit('a.test/'), hit('c.test/page')])
    const second = make()
    await second.ready
    expect(second.covers('http://www.a.test/x')).toBe(true)
    expect(second.covers('http://c.test/page?q')).toBe(true)
    expect(second.covers('http://c.test/')).toBe(false)
    expect(second.covers('not an address')).toBe(false)
    await second.clear('http://www.a.test/x')
    expect(second.covers('http://a.test/')).toBe(false)
    expect(state.rules.map((rule) => rule.condition.requestDomains)).toEqual([undefined])
    await second.clear('http://c.test/page')
    expect(state.rules).toEqual([])
  })

  it('drops what left the list', async () => {
    const { state, make } = browserRules()
    const subject = make()
    await subject.ready
    await subject.add([hit('a.test/'), hit('b.test/')])
    await subject.reconcile([storedList({ expressions: ['b.test/'], testEntries: false })])
    expect(state.rules[0]?.condition.requestDomains).toEqual(['b.test'])
    await subject.reconcile([])
    expect(state.rules).toEqual([])
  })

  it('leaves out a pattern that the browser does not take, and keeps the others', async () => {
    const { state, make } = browserRules({ unsupported: (regex) => regex.includes('long') })
    const subject = make()
    await subject.ready
    await subject.add([hit('a.test/long'), hit('a.test/short'), hit('b.test/')])
    expect(state.rules).toHaveLength(2)
  })

  it('repairs what a refusal, or a worker that died in between, has left apart', async () => {
    const { state, make } = browserRules()
    const first = make()
    await first.ready
    state.refuse = true
    await first.add([hit('a.test/')])
    expect(state.rules).toEqual([])
    state.refuse = false
    // In the same worker by the next change, though it brings nothing new ...
    await first.add([hit('a.test/')])
    expect(state.rules[0]?.condition.requestDomains).toEqual(['a.test'])
    // ... and in another one by itself.
    state.refuse = true
    await first.add([hit('b.test/')])
    state.refuse = false
    await make().add([])
    expect(state.rules[0]?.condition.requestDomains).toEqual(['a.test', 'b.test'])
  })

  it('survives rubbish that somebody stored', async () => {
    const { state, make } = browserRules()
    state.kept.standing = [null, 7, { expression: 'no slash', list: 'se-4b' }, { expression: 'a.test/', list: 'se-4b' }]
    const subject = make()
    await subject.ready
    expect(subject.covers('http://a.test/')).toBe(true)
  })
})
