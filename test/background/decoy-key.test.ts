import { expect, test } from 'vitest'
import { DecoyKey } from '../../extension/background/decoy-key.ts'
import { toHex } from '../../src/bytes.ts'
import { RecordingLogger } from '../support/fakes.ts'

function area(kept: Record<string, unknown> = {}) {
  return {
    kept,
    get: (key: string) => Promise.resolve(key in kept ? { [key]: kept[key] } : {}),
    set: (items: Record<string, unknown>) => Promise.resolve(void Object.assign(kept, items)),
  }
}
const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length))

test('is made once, kept, and read again by the next worker', async () => {
  const storage = area()
  const key = await new DecoyKey({ area: storage, randomBytes, logger: new RecordingLogger() }).get()
  expect(key).toHaveLength(32)
  expect(storage.kept).toEqual({ decoyKey: toHex(key) })
  expect(await new DecoyKey({ area: storage, randomBytes, logger: new RecordingLogger() }).get()).toEqual(key)
})

test.each([[null], [7], ['ab'], ['zz'.repeat(32)]])('rubbish in its place is replaced: %j', async (rubbish) => {
  const storage = area({ decoyKey: rubbish })
  expect(await new DecoyKey({ area: storage, randomBytes, logger: new RecordingLogger() }).get()).toHaveLength(32)
  expect(storage.kept['decoyKey']).toMatch(/^[0-9a-f]{64}$/)
})

test('questions that come together make one', async () => {
  const storage = area()
  const subject = new DecoyKey({ area: storage, randomBytes, logger: new RecordingLogger() })
  const [first, second] = await Promise.all([subject.get(), subject.get()])
  expect(second).toEqual(first)
  expect(storage.kept).toEqual({ decoyKey: toHex(first) })
})

test.each(['get', 'set'] as const)('a storage whose %s fails is tried again, and until then one other key serves', async (fault) => {
  let fails = true
  const storage = area()
  const failing = {
    get: (key: string) => (fails && fault === 'get' ? Promise.reject(new Error('no')) : storage.get(key)),
    set: (items: Record<string, unknown>) => (fails && fault === 'set' ? Promise.reject(new Error('no')) : storage.set(items)),
  }
  const logger = new RecordingLogger()
  const subject = new DecoyKey({ area: failing, randomBytes, logger })
  const key = await subject.get()
  expect(await subject.get()).toEqual(key)
  expect(logger.lines.map(({ event, error }) => [event, error?.code])).toEqual(Array(2).fill(['decoy-key', 'storage-failed']))
  expect(storage.kept).toEqual({})
  fails = false
  expect(await subject.get()).toEqual(key)
  expect(storage.kept).toEqual({ decoyKey: toHex(key) })
})

test('a key that could not be read comes back with the storage', async () => {
  let fails = true
  const storage = area({ decoyKey: 'ab'.repeat(32) })
  const failing = { ...storage, get: (key: string) => (fails ? Promise.reject(new Error('no')) : storage.get(key)) }
  const subject = new DecoyKey({ area: failing, randomBytes, logger: new RecordingLogger() })
  expect(toHex(await subject.get())).not.toBe('ab'.repeat(32))
  fails = false
  expect(toHex(await subject.get())).toBe('ab'.repeat(32))
})
