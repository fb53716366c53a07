import { expect, it } from 'vitest'
import { freshnessOf } from '../../src/check/freshness.ts'
import { T0 } from '../support/fakes.ts'
import { storedList } from '../support/signed-list.ts'

const lists = [storedList({ name: 'se-4b', expiresAt: T0 + 2000 }), storedList({ name: 'mw-4b', expiresAt: T0 + 1000 })]

it('is fresh until the first signed state expires, then stale since that moment', () => {
  expect(freshnessOf(lists, T0 + 999)).toEqual({ kind: 'fresh' })
  expect(freshnessOf(lists, T0 + 1000)).toEqual({ kind: 'stale', since: T0 + 1000 })
  expect(freshnessOf(lists, T0 + 5000)).toEqual({ kind: 'stale', since: T0 + 1000 })
})

it('is fresh without any signed state', () => {
  expect(freshnessOf([], T0)).toEqual({ kind: 'fresh' })
})
