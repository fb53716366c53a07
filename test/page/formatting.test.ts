import { describe, expect, test } from 'vitest'
import { Formatting } from '../../extension/page/formatting.ts'
import { formatting } from '../support/english.ts'

const NOW = Date.UTC(2026, 11, 1, 12, 0, 0)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('formatting', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1500, '1.5 kB'],
    [34_300, '34 kB'],
    [1_234_567, '1.2 MB'],
    [64_000_000, '64 MB'],
  ])('%d bytes', (value, text) => {
    expect(formatting.bytes(value)).toBe(text)
  })

  test.each([
    [0, 'now'],
    [-20_000, '20 seconds ago'],
    [-5 * MINUTE, '5 minutes ago'],
    [25 * MINUTE, 'in 25 minutes'],
    [-2 * HOUR, '2 hours ago'],
    [-3 * 24 * HOUR, '3 days ago'],
    [-400, 'now'],
  ])('an age of %d ms', (difference, text) => {
    expect(formatting.age(NOW + difference, NOW)).toBe(text)
  })

  test('shares keep three digits however small they are', () => {
    expect(formatting.share(0.000987654)).toBe('0.0988%')
    expect(formatting.share(0.5031)).toBe('50.3%')
    expect(formatting.share(0)).toBe('0%')
  })

  test('moments', () => {
    // Which space stands before PM depends on the version of ICU.
    expect(formatting.moment(NOW)).toMatch(/^Dec 1, 2026, 12:00\sPM$/)
    expect(formatting.soon(NOW + HOUR, NOW)).toMatch(/^1:00\sPM$/)
    expect(formatting.soon(NOW + 24 * HOUR, NOW)).toMatch(/^Dec 2, 2026, 12:00\sPM$/)
  })

  test('other languages write it their way', () => {
    expect(new Formatting({ locale: 'de' }).number(1234567)).toBe('1.234.567')
  })
})
