import { describe, expect, it } from 'vitest'
import { backoffMs, interruptionMs, mustWait, nextAlarm, notBeforeAfterSuccess } from '../../src/update/schedule.ts'
import { fixedRandom, T0 } from '../support/fakes.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe('backoffMs', () => {
  it.each([
    [1, 0, 15],
    [1, 0.5, 22.5],
    [2, 0, 30],
    [3, 0.999, 119.94],
    [7, 0, 960],
    [8, 0, 1440],
    [2000, 0.5, 1440],
  ])('after %i failures with %f waits %f minutes', (failures, random, minutes) => {
    expect(backoffMs(failures, fixedRandom(random))).toBeCloseTo(minutes * MINUTE)
  })
})

it('comes back sooner to a device without any list', () => {
  expect([1, 2, 3, 4, 5, 6, 40].map((failures) => backoffMs(failures, fixedRandom(0), { empty: true }) / MINUTE)).toEqual([
    1, 2, 4, 8, 15, 30, 1440,
  ])
})

it('waits a minute after an interrupted attempt, then doubles up to a day', () => {
  expect([0, 1, 5, 40].map(interruptionMs)).toEqual([MINUTE, 2 * MINUTE, 32 * MINUTE, DAY])
})

describe('notBeforeAfterSuccess', () => {
  it('takes the longest minimum wait, at most a day', () => {
    expect(notBeforeAfterSuccess(T0, [])).toBe(T0)
    expect(notBeforeAfterSuccess(T0, [1000, 3000, 2000])).toBe(T0 + 3000)
    expect(notBeforeAfterSuccess(T0, [10 * 365 * DAY])).toBe(T0 + DAY)
  })
})

describe('nextAlarm', () => {
  it.each([
    ['nothing known: in 5 minutes', undefined, 0, 5 * MINUTE],
    ['a short minimum wait: in 5 minutes', T0 + 1000, 0, 5 * MINUTE],
    ['a past moment: in 5 minutes', T0 - DAY, 0, 5 * MINUTE],
    ['a longer one is obeyed', T0 + 30 * MINUTE, 0, 30 * MINUTE],
    ['with up to 10 % jitter', T0 + 30 * MINUTE, 0.5, 31.5 * MINUTE],
    ['a record from a clock set back binds for a day at most', T0 + 900 * DAY, 0, DAY],
  ])('%s', (_, notBefore, random, expected) => {
    expect(nextAlarm({ notBefore, failures: 0 }, T0, fixedRandom(random))).toBeCloseTo(T0 + expected)
  })
})

it('wakes a minute after a failure at the earliest', () => {
  expect(nextAlarm({ notBefore: T0 + 1000, failures: 1 }, T0, fixedRandom(0))).toBe(T0 + MINUTE)
})

describe('mustWait', () => {
  const success = { notBefore: T0 + MINUTE, failures: 0, lastAttemptAt: T0 }
  const failure = { notBefore: T0 + MINUTE, failures: 2, lastAttemptAt: T0 }
  it.each([
    ['nothing recorded', { notBefore: undefined, failures: 0, lastAttemptAt: undefined }, T0, false, true, false],
    ['minimum wait not over', success, T0, false, true, true],
    ['minimum wait not over, forced', success, T0, true, true, true],
    ['minimum wait not over, a wanted list is missing', success, T0, false, false, false],
    ['minimum wait over', success, T0 + MINUTE, false, true, false],
    ['back-off not over', failure, T0, false, true, true],
    ['back-off not over, a wanted list is missing', failure, T0, false, false, true],
    ['back-off not over, forced', failure, T0, true, true, false],
    ['written before the clock was set back', { notBefore: T0 + 3 * DAY, failures: 2, lastAttemptAt: T0 }, T0, false, true, false],
  ])('%s', (_, record, now, force, complete, expected) => {
    expect(mustWait(record, now, { force, complete })).toBe(expected)
  })

  const long = { notBefore: T0 + 60 * MINUTE, failures: 0, lastAttemptAt: T0 }
  it.each([
    ['within a minute of the last attempt', long, T0 + MINUTE - 1, true],
    ['a minute after it', long, T0 + MINUTE, false],
    ['after a failure', { ...long, failures: 1 }, T0 + MINUTE, true],
  ])('urgent %s', (_, record, now, expected) => {
    expect(mustWait(record, now, { force: false, complete: true, urgent: true })).toBe(expected)
  })
})
