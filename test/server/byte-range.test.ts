import { describe, expect, test } from 'vitest'
import { askedRange } from '../../src/server/byte-range.ts'

const TAG = '"abc"'
const asked = (headers: Record<string, string>, length = 100, method = 'GET') =>
  askedRange(new Request('http://lists.test/', { headers, method }), TAG, length)

describe('a range', () => {
  test.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-', { first: 0, last: 99 }],
    ['bytes=10-19', { first: 10, last: 19 }],
    ['bytes=99-', { first: 99, last: 99 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-1', { first: 99, last: 99 }],
    ['bytes=-100', { first: 0, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['Bytes=1-2', { first: 1, last: 2 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=2-1', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0x1-2', 'whole'],
    ['bytes=1.5-2', 'whole'],
    ['bytes=9999999999999999999-', 'whole'],
    ['items=0-1', 'whole'],
    ['0-1', 'whole'],
  ])('%s', (range, expected) => {
    expect(asked({ range })).toEqual(expected)
  })

  test('of nothing cannot be', () => {
    expect(asked({ range: 'bytes=0-' }, 0)).toBe('unsatisfiable')
    expect(asked({ range: 'bytes=-5' }, 0)).toBe('unsatisfiable')
    expect(asked({}, 0)).toBe('whole')
  })

  test('counts for GET only', () => {
    expect(asked({ range: 'bytes=0-1' }, 100, 'HEAD')).toBe('whole')
  })

  test.each([
    [TAG, { first: 5, last: 99 }],
    [` ${TAG} `, { first: 5, last: 99 }],
    ['"other"', 'whole'],
    [`W/${TAG}`, 'whole'],
    [`${TAG}, "other"`, 'whole'],
    ['*', 'whole'],
    ['Tue, 01 Dec 2026 00:00:00 GMT', 'whole'],
  ])('if the representation is still %s', (condition, expected) => {
    expect(asked({ range: 'bytes=5-', 'if-range': condition })).toEqual(expected)
  })
})
