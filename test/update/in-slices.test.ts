import { describe, expect, it } from 'vitest'
import { sha256 as noble } from '@noble/hashes/sha2.js'
import { HashList } from '../../src/lists/hash-list.ts'
import { applyingUpdate } from '../../src/lists/list-update.ts'
import { decodingBatch, encodeBatch } from '../../src/protocol/hash-list-message.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import { hashing, sha256Bytes } from '../../src/hash/sha256.ts'
import { inSlices } from '../../src/update/in-slices.ts'
import { FakeClock } from '../support/fakes.ts'
import { fullUpdate, TestPublisher } from '../support/signed-list.ts'

const clock = new FakeClock()
const signal = new AbortController().signal

it('hashes what others do not disturb: between two steps they hash too', async () => {
  for (const length of [0, 1, 63, 64, 65_535, 65_536, 65_537, 1_000_003, 9 * 65_536]) {
    const bytes = Uint8Array.from({ length }, (_, i) => Math.imul(i + length, 0x9e3779b1) >>> 24)
    const steps = hashing(bytes)
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) {
      count++
      fullHash(`other${count}.test/`)
    }
    expect(step.value, `${length} bytes`).toEqual(noble(bytes))
    expect(step.value).toEqual(sha256Bytes(bytes))
    expect(count).toBe(Math.floor(length / 65_536))
  }
})

describe('an update of a long list', () => {
  const publisher = new TestPublisher()
  const update = fullUpdate(publisher, { name: 'se-8b', expressions: Array.from({ length: 60_000 }, (_, i) => `evil${i}.test/`) })
  const body = encodeBatch([update])

  it('is decoded, checked and hashed in steps, none of them long, with the outcome of one step', async () => {
    let pauses = 0
    const pause = async () => void pauses++
    const [decoded] = await inSlices(decodingBatch(body), { clock, pause, signal })
    expect(decoded).toEqual(update)
    let steps = 0
    const applying = applyingUpdate(undefined, update)
    let step = applying.next()
    for (; !step.done; step = applying.next()) steps++
    expect(step.value.entries).toEqual(update.additions?.entries)
    expect(steps).toBeGreaterThan(10)
    // 15 steps of decoding.
    let decodingSteps = 0
    for (const _ of decodingBatch(body)) decodingSteps++
    expect(decodingSteps).toBeGreaterThan(10)
  })

  it('keeps nothing of the message that it came in', () => {
    const copy = body.slice()
    const steps = decodingBatch(copy)
    let step = steps.next()
    for (; !step.done; step = steps.next());
    copy.fill(0)
    expect(step.value[0]).toEqual(update)
  })

  it('hashes a list once', () => {
    const list = HashList.fromSorted({
      name: 'se-8b',
      version: new Uint8Array(1),
      entryLength: 8,
      entries: update.additions?.entries ?? new Uint8Array(0),
    })
    const first = list.checksum()
    expect(list.checksum()).toBe(first)
    expect(first).toEqual(update.checksum)
  })
})

it('ends with the reason of its signal', async () => {
  const controller = new AbortController()
  const pause = async () => controller.abort(new Error('enough'))
  await expect(inSlices(hashing(new Uint8Array(65_536 * 40)), { clock, pause, signal: controller.signal })).rejects.toThrow('enough')
})
