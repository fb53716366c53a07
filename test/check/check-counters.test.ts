import { expect, it } from 'vitest'
import { CheckCounters } from '../../src/check/check-counters.ts'

const page = { url: 'http://a.test/', freshness: { kind: 'fresh' } } as const

it('counts verdicts by kind and stage, requests and errors', () => {
  const counters = new CheckCounters()
  counters.countVerdict({ kind: 'safe', stage: 'filter', ...page })
  counters.countVerdict({ kind: 'safe', stage: 'filter', ...page })
  counters.countVerdict({ kind: 'threat', stage: 'search', hits: [], ...page })
  counters.countVerdict({ kind: 'unverified', stage: 'search', hits: [], reason: { kind: 'contradiction' }, ...page })
  counters.countVerdict({ kind: 'unchecked', stage: 'none', reason: 'no-list', ...page })
  counters.countRequest(44, { decoy: false })
  counters.countRequest(44, { decoy: true })
  counters.countRequest(46, { decoy: false })
  counters.countFrame({ kind: 'safe', stage: 'filter', ...page })
  counters.countFrame({ kind: 'threat', stage: 'cache', hits: [], ...page })
  counters.countError('http-timeout')
  counters.countError('http-timeout')
  expect(counters.snapshot()).toEqual({
    checked: 5,
    byStage: { filter: 2, list: 0, 'full-hash': 0, cache: 0, search: 2, allowance: 0, none: 1 },
    threats: 1,
    unverified: 1,
    unchecked: 1,
    asked: 2,
    decoys: 1,
    askedBytes: 134,
    frames: { checked: 2, blocked: 1 },
    errors: { 'http-timeout': 2 },
  })
})

it('hands out copies', () => {
  const counters = new CheckCounters()
  const before = counters.snapshot()
  counters.countError('internal')
  counters.countVerdict({ kind: 'safe', stage: 'filter', ...page })
  expect(before).toEqual(new CheckCounters().snapshot())
})
