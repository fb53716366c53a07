import { expect, it } from 'vitest'
import { backoffMs, interruptionMs, nextAlarm, notBeforeAfterSuccess } from '../../src/update/schedule.ts'
import { recordFigure } from '../support/figures.ts'

const CLIENTS = 1_000_000
const SECOND = 1000
const MINUTE = 60 * SECOND
const BUCKET = 10 * SECOND
const END = 3 * 60 * MINUTE
const WAIT = 5 * MINUTE

/** Uniform in [0, 1), the same every time (mulberry32). */
let state = 1
const random = {
  next: (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  },
}

/** Requests in each ten seconds, of clients that begin at `start` and whose server is down from `downAt` to `upAt`. */
function requests(start: () => number, downAt: number, upAt: number): Int32Array {
  const counts = new Int32Array(END / BUCKET)
  for (let i = 0; i < CLIENTS; i++) {
    let failures = 0
    for (let now = start(); now < END; ) {
      counts[Math.floor(now / BUCKET)] = (counts[Math.floor(now / BUCKET)] as number) + 1
      const fails = now >= downAt && now < upAt
      failures = fails ? failures + 1 : 0
      const notBefore = fails ? now + backoffMs(failures, random) : notBeforeAfterSuccess(now, [WAIT])
      now = nextAlarm({ notBefore, failures }, now, random)
    }
  }
  return counts
}

const peak = (counts: Int32Array, from: number, to: number): number => Math.max(...counts.subarray(from / BUCKET, to / BUCKET))
/** What ten seconds get where everybody comes evenly, with the mean of the jitter on every wait. */
const even = (CLIENTS * BUCKET) / (1.05 * WAIT)

it('a million clients stay spread over a server’s outage of half an hour', () => {
  const counts = requests(() => random.next() * 1.05 * WAIT, 60 * MINUTE, 90 * MINUTE)
  const before = peak(counts, 10 * MINUTE, 60 * MINUTE) / even
  const after = peak(counts, 90 * MINUTE, END) / even
  recordFigure({ name: 'a million clients: busiest 10 s, of an even spread, before an outage', value: before, unit: 'x' })
  recordFigure({ name: 'a million clients: busiest 10 s, of an even spread, after an outage', value: after, unit: 'x' })
  expect(before).toBeLessThan(1.15)
  // They come back over an hour, each at its own moment: never more at a time than on any other day.
  expect(after).toBeLessThan(1.15)
  // Down, it is asked a tenth as often.
  expect(peak(counts, 75 * MINUTE, 90 * MINUTE) / even).toBeLessThan(0.5)
})

it('clients that begin at one moment drift apart', () => {
  const counts = requests(() => 0, END, END)
  expect(counts[0]).toBe(CLIENTS)
  const hourly = [1, 2].map((hour) => peak(counts, hour * 60 * MINUTE, (hour + 1) * 60 * MINUTE) / even)
  recordFigure({ name: 'a million clients that began at one moment: busiest 10 s in the third hour', value: hourly[1] ?? 0, unit: 'x' })
  expect(hourly[1]).toBeLessThan(hourly[0] ?? 0)
  expect(hourly[1]).toBeLessThan(3.2)
})

it('a browser that ends the worker in every update does not make it come faster', () => {
  const waits = Array.from({ length: 12 }, (_, failures) => interruptionMs(failures))
  expect(waits.slice(0, 4)).toEqual([1, 2, 4, 8].map((minutes) => minutes * MINUTE))
  expect(Math.max(...waits)).toBe(24 * 60 * MINUTE)
})
