import { describe, expect, it } from 'vitest'
import { Allowances } from '../../extension/background/allowances.ts'
import type { Hit } from '../../src/check/verdict.ts'

const hit: Hit = {
  expression: 'bad.test/',
  list: 'se-4b',
  source: 'https://lists.example',
  threatType: 'SOCIAL_ENGINEERING',
  entryLength: 4,
}

describe('Allowances', () => {
  function make() {
    const clock = { time: 1000, now: () => clock.time }
    return { clock, allowances: new Allowances({ clock }) }
  }

  it('allows the hits of one tab until its next page', () => {
    const { allowances } = make()
    allowances.grantOnce(1, [hit])
    expect(allowances.allows(hit, { tabId: 1 })).toBe(true)
    expect(allowances.allows(hit, { tabId: 2 })).toBe(false)
    allowances.consume(1)
    expect(allowances.allows(hit, { tabId: 1 })).toBe(false)
  })

  it('allows what belongs to the page that it was given for, and not that page again', () => {
    const { allowances } = make()
    const within = { tabId: 1, within: true }
    allowances.grantOnce(1, [hit])
    expect(allowances.allows(hit, within)).toBe(false)
    expect(allowances.knows(1)).toBe(false)
    allowances.consume(1)
    expect(allowances.allows(hit, within)).toBe(true)
    expect(allowances.knows(1)).toBe(true)
    expect(allowances.allows({ ...hit, expression: 'bad.test/path' }, within)).toBe(false)
    expect(allowances.allows(hit, { tabId: 2, within: true })).toBe(false)
    allowances.consume(1)
    expect(allowances.allows(hit, within)).toBe(false)
  })

  it('is bound to expression and list', () => {
    const { allowances } = make()
    allowances.grantOnce(1, [hit])
    expect(allowances.allows({ ...hit, expression: 'bad.test/path' }, { tabId: 1 })).toBe(false)
    expect(allowances.allows({ ...hit, list: 'mw-4b' }, { tabId: 1 })).toBe(false)
  })

  it('ends by itself after a minute', () => {
    const { allowances, clock } = make()
    allowances.grantOnce(1, [hit])
    clock.time += 59_999
    expect(allowances.allows(hit, { tabId: 1 })).toBe(true)
    clock.time += 1
    expect(allowances.allows(hit, { tabId: 1 })).toBe(false)
  })
})
