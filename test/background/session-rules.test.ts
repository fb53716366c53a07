import { describe, expect, it } from 'vitest'
import { SessionRules, type SessionRulesApi } from '../../extension/background/session-rules.ts'
import { RecordingLogger } from '../support/fakes.ts'

type Rule = chrome.declarativeNetRequest.Rule

function browserRules(left: Rule[] = [], incognito = false) {
  const state = { rules: left, fail: false }
  const api: SessionRulesApi = {
    getSessionRules: async () => state.rules,
    updateSessionRules: async ({ removeRuleIds = [], addRules = [] }) => {
      if (state.fail) throw new Error('refused')
      const kept = state.rules.filter((rule) => !removeRuleIds.includes(rule.id))
      if (addRules.some((rule) => kept.some((other) => other.id === rule.id))) throw new Error('a rule of this id exists')
      state.rules = [...kept, ...addRules]
    },
  }
  const logger = new RecordingLogger()
  return { state, logger, subject: new SessionRules({ api, logger, incognito }) }
}

const leftover: Rule = { id: 1, action: { type: 'block' }, condition: {} }

describe('SessionRules', () => {
  it('removes what another worker left, before it uses the same ids', async () => {
    const { state, subject, logger } = browserRules([leftover])
    await subject.block(5, 'bad.test')
    expect(state.rules).toHaveLength(1)
    expect(state.rules[0]?.condition).toEqual({
      tabIds: [5],
      requestDomains: ['bad.test'],
      resourceTypes: ['main_frame'],
      excludedResponseHeaders: [{ header: 'x-wary-never' }],
    })
    expect(logger.lines).toEqual([])
  })

  it('of private windows have numbers of their own: neither worker removes the rules of the other', async () => {
    const others: Rule = { ...leftover, id: 1_000_000_000 }
    const regular = browserRules([leftover, others])
    await regular.subject.block(5, 'bad.test')
    expect(regular.state.rules.map(({ id }) => id)).toEqual([1_000_000_000, 1])
    const own = browserRules([leftover, others], true)
    await own.subject.block(6, 'bad.test')
    await own.subject.pass(6, ['bad.test'])
    expect(own.state.rules.map(({ id }) => id)).toEqual([1, 1_000_000_000, 1_000_000_001])
    expect(own.state.rules[0]).toEqual(leftover)
  })

  it('has one block and one pass a tab, the pass above standing blocks', async () => {
    const { state, subject } = browserRules()
    await Promise.all([subject.block(5, 'a.test'), subject.block(5, 'b.test'), subject.pass(5, ['b.test']), subject.block(6, 'a.test')])
    expect(state.rules.map((rule) => [rule.action.type, rule.condition.tabIds, rule.condition.requestDomains])).toEqual([
      ['block', [5], ['b.test']],
      ['allow', [5], ['b.test']],
      ['block', [6], ['a.test']],
    ])
    expect(state.rules.find((rule) => rule.action.type === 'allow')?.priority).toBeGreaterThan(1)
    await Promise.all([subject.unblock(5), subject.endPass(5), subject.unblock(6), subject.unblock(7)])
    expect(state.rules).toEqual([])
  })

  it('leaves a pass to the frames of the page that it was given for, until the next page', async () => {
    const { state, subject } = browserRules()
    await subject.pass(5, ['a.test'])
    expect(state.rules[0]?.condition.resourceTypes).toEqual(['main_frame', 'sub_frame', 'object'])
    await subject.pageShown(5)
    expect(state.rules.map(({ condition }) => condition.resourceTypes)).toEqual([['sub_frame', 'object']])
    await subject.pageShown(5)
    expect(state.rules).toEqual([])
  })

  it('blocks a frame by its address alone, in its tab alone', async () => {
    const { state, subject } = browserRules()
    await subject.blockFrame(5, 'http://a.test/x?a=*|^#part')
    await subject.blockFrame(6, `http://a.test/${'x'.repeat(60_000)}`)
    expect(state.rules.map(({ condition }) => condition.urlFilter?.slice(0, 30))).toEqual([
      '|http://a.test/x?a=***|',
      `|http://a.test/${'x'.repeat(15)}`,
    ])
    expect(state.rules[1]?.condition.urlFilter?.length).toBeLessThan(2000)
    expect(state.rules.map(({ condition }) => [condition.tabIds, condition.requestDomains])).toEqual([
      [[5], undefined],
      [[6], undefined],
    ])
    await subject.unblockFrames(6)
    await subject.unblockFrame(5, 'http://a.test/x?a=*|^#part')
    expect(state.rules).toEqual([])
  })

  it('stays bounded for 10,000 listed addresses, in frames and in tabs: the oldest rules give way', async () => {
    const { state, subject, logger } = browserRules()
    for (let i = 0; i < 10_000; i++) void subject.blockFrame(5, `http://h${i}.test/`)
    await subject.blockFrame(5, 'http://last.test/')
    expect(state.rules).toHaveLength(200)
    expect(state.rules.at(-1)?.condition.urlFilter).toBe('|http://last.test/|')
    await subject.unblockFrames(5)
    for (let i = 0; i < 10_000; i++) void subject.block(5, `h${i}.test`)
    await subject.block(5, 'last.test')
    expect(state.rules.map(({ condition }) => condition.requestDomains)).toEqual([['last.test']])
    for (let tab = 10; tab < 2000; tab++) void subject.block(tab, 'a.test')
    await subject.block(2000, 'a.test')
    expect(state.rules).toHaveLength(500)
    expect(logger.lines).toEqual([])
  })

  it('names no IPv6 address, which these rules do not take', async () => {
    const { state, subject } = browserRules()
    await subject.block(5, '[::1]')
    expect(state.rules[0]?.condition.requestDomains).toBeUndefined()
    expect(state.rules[0]?.condition.tabIds).toEqual([5])
  })

  it('names a refusal and goes on', async () => {
    const { state, subject, logger } = browserRules()
    state.fail = true
    await subject.block(5, 'a.test')
    expect(logger.events()).toEqual(['session-rules'])
    state.fail = false
    await subject.block(6, 'a.test')
    expect(state.rules).toHaveLength(1)
  })
})
