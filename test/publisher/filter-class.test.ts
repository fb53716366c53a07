import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterClass } from '../../src/publisher/filter-class.ts'

test.each([
  [0, 1],
  [1, 1],
  [6, 6],
  [15, 15],
  [17, 18],
  [64, 64],
  [65, 72],
  [512, 512],
  [513, 576],
  [1000, 1024],
  [1025, 1152],
  [141_009, 147_456],
  [1_000_000, 1_048_576],
])('%d entries have the class %d', (count, capacity) => {
  expect(filterClass(count)).toBe(capacity)
})

test('a class holds the list, is an eighth larger at most, and its own class', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000_000 }), (count) => {
      const capacity = filterClass(count)
      expect(capacity).toBeGreaterThanOrEqual(count)
      expect(capacity).toBeLessThan(count * 1.125 + 1.5)
      expect(filterClass(capacity)).toBe(capacity)
    }),
  )
})

test('the former class stays between 70 and 100 % of it, and only there', () => {
  expect([700, 850, 1000].map((count) => filterClass(count, 1000))).toEqual([1000, 1000, 1000])
  expect([699, 1001].map((count) => filterClass(count, 1000))).toEqual([704, 1024])
})

test('a list that goes up and down by a twentieth has one class', () => {
  let former: number | undefined
  const classes = new Set<number>()
  for (let i = 0; i < 100; i++) {
    former = filterClass(Math.round(100_000 * (1 + 0.05 * Math.sin(i))), former)
    classes.add(former)
  }
  expect(classes.size).toBeLessThanOrEqual(2)
  expect([...classes].slice(-1)).toEqual([former])
})
