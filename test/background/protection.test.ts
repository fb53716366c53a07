import { describe, expect, it } from 'vitest'
import { Protection } from '../../extension/background/protection.ts'
import { WaryError } from '../../src/errors.ts'
import type { StoredList } from '../../src/ports.ts'
import { FakeClock, T0 } from '../support/fakes.ts'
import { storedList } from '../support/signed-list.ts'

function make(options: { lists?: StoredList[]; damage?: WaryError; gap?: boolean; clockSkewMs?: number; configured?: boolean } = {}) {
  const clock = new FakeClock()
  const changes: string[] = []
  const protection = new Protection({
    holder: { lists: options.lists ?? [], damage: options.damage, gap: options.gap ?? false, clockSkewMs: options.clockSkewMs },
    clock,
    configured: () => options.configured ?? true,
    onObstacle: () => changes.push(protection.view().state),
  })
  return { protection, clock, changes }
}

const damage = new WaryError('storage-damaged', 'a page is missing')

describe('Protection', () => {
  it('is read from what is loaded', () => {
    expect(make({ lists: [storedList({ expressions: ['a.test/'], testEntries: false })] }).protection.view()).toEqual({
      state: 'protected',
    })
    expect(make().protection.view()).toEqual({ state: 'starting' })
    expect(make({ damage }).protection.view()).toEqual({ state: 'damaged' })
    expect(make({ configured: false }).protection.view()).toEqual({ state: 'off', reason: 'not-configured' })
  })

  it('tells the cascade why there is nothing to check against', () => {
    expect(make().protection.inForce()).toEqual({ kind: 'none', reason: 'no-list' })
    expect(make({ damage }).protection.inForce()).toEqual({ kind: 'none', reason: 'damaged' })
    expect(make({ configured: false }).protection.inForce()).toEqual({ kind: 'none', reason: 'not-configured' })
    expect(make({ lists: [storedList({ expressions: ['a.test/'], testEntries: false })] }).protection.inForce()).toMatchObject({
      kind: 'lists',
      gap: undefined,
    })
  })

  it('is stale from the earliest expiry on', () => {
    const lists = [
      storedList({ expressions: ['a.test/'], testEntries: false, expiresAt: T0 + 2000 }),
      storedList({ expressions: ['a.test/'], testEntries: false, name: 'mw-4b', expiresAt: T0 + 1000 }),
    ]
    const { protection, clock } = make({ lists })
    clock.advance(999)
    expect(protection.view()).toEqual({ state: 'protected' })
    clock.advance(1)
    expect(protection.view()).toEqual({ state: 'stale', since: T0 + 1000 })
  })

  it('that is stale says what the servers’ clocks say', () => {
    const lists = [storedList({ expressions: ['a.test/'], testEntries: false, expiresAt: T0 - 1 })]
    expect(make({ lists, clockSkewMs: -5e9 }).protection.view()).toEqual({ state: 'stale', since: T0 - 1, clockSkewMs: -5e9 })
  })

  it('says an obstacle before anything else, once for each change', () => {
    const { protection, changes } = make({ lists: [storedList({ expressions: ['a.test/'], testEntries: false })] })
    protection.obstruct('no-permission')
    protection.obstruct('no-permission')
    protection.obstruct(undefined)
    expect(changes).toEqual(['off', 'protected'])
  })

  it('shows the filter as it is', () => {
    const [view] = make({ lists: [storedList({ expressions: ['a.test/', 'b.test/'], testEntries: false })] }).protection.listViews()
    expect(view).toMatchObject({ name: 'se-4b', entries: 2, entryLength: 4, filterOnly: false, signed: { sequence: 1 } })
    expect(view?.filter.hashes).toBeGreaterThan(1)
    expect(view?.filter.fillRatio).toBeGreaterThan(0)
  })
})
