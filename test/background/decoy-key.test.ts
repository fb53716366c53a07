import { expect, test } from 'vitest'
import { DecoyKey } from '../../extension/background/decoy-key.ts'
import { toHex } from '../../src/bytes.ts'

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
  const key = await new DecoyKey({ area: storage, randomBytes }).get()
  expect(key).toHaveLength(32)
  expect(storage.kept).toEqual({ decoyKey: toHex(key) })
  expect(await new DecoyKey({ area: storage, randomBytes }).get()).toEqual(key)
})

test.each([[null], [7], ['ab'], ['zz'.repeat(32)]])('rubbish in its place is replaced: %j', async (rubbish) => {
  const storage = area({ decoyKey: rubbish })
  expect(await new DecoyKey({ area: storage, randomBytes }).get()).toHaveLength(32)
  expect(storage.kept['decoyKey']).toMatch(/^[0-9a-f]{64}$/)
})

test('a storage that fails is asked again', async () => {
  let fails = true
  const storage = area()
  const failing = { ...storage, get: (key: string) => (fails ? Promise.reject(new Error('no')) : storage.get(key)) }
  const subject = new DecoyKey({ area: failing, randomBytes })
  await expect(subject.get()).rejects.toThrow('no')
  fails = false
  expect(await subject.get()).toHaveLength(32)
})
