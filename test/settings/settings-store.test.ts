import { describe, expect, it } from 'vitest'
import type { Settings } from '../../extension/settings/settings.ts'
import { type SettingsAreas, SettingsStore } from '../../extension/settings/settings-store.ts'
import { RecordingLogger } from '../support/fakes.ts'

const KEY = 'ab'.repeat(32)

function areas(options: { local?: Record<string, unknown>; managed?: Record<string, unknown> | Error }) {
  const local = { ...options.local }
  let managed = options.managed ?? new Error('no policy')
  const listeners: ((changes: Record<string, unknown>, area: string) => void)[] = []
  const made: SettingsAreas = {
    local: {
      get: async (key) => ({ [key]: local[key] }),
      set: async (items) => void Object.assign(local, items),
    },
    managed: {
      get: async () => {
        if (managed instanceof Error) throw managed
        return managed
      },
    },
    onChanged: { addListener: (listener) => void listeners.push(listener) },
  }
  const setPolicy = (policy: Record<string, unknown>): void => {
    managed = policy
    for (const listener of listeners) listener({}, 'managed')
  }
  return { made, local, setPolicy }
}

async function store(options: {
  local?: Record<string, unknown>
  managed?: Record<string, unknown> | Error
  build?: Record<string, unknown>
}) {
  const world = areas(options)
  const changes: Settings[] = []
  const subject = new SettingsStore({
    areas: world.made,
    build: options.build ?? {},
    logger: new RecordingLogger(),
    onChange: (settings) => changes.push(settings),
  })
  await subject.ready
  return { subject, changes, ...world }
}

describe('SettingsStore', () => {
  it('has policy over user over build over defaults, field by field', async () => {
    const { subject } = await store({
      build: { server: 'https://build.example', rootKey: KEY, lists: '' },
      local: { settings: { version: 1, server: 'https://user.example' } },
      managed: { lists: ['mw-4b'], decoys: 2 },
    })
    expect(subject.settings).toEqual({
      version: 1,
      server: 'https://user.example',
      rootKey: KEY,
      lists: ['mw-4b'],
      decoys: 2,
      firstRun: true,
      firstVisits: false,
      sources: [],
    })
    expect(subject.sources).toEqual({
      server: 'user',
      rootKey: 'build',
      lists: 'policy',
      decoys: 'policy',
      firstRun: 'default',
      firstVisits: 'default',
      sources: 'default',
    })
  })

  it('leaves out a field that does not hold and keeps the others', async () => {
    const { subject } = await store({
      local: { settings: { server: 'http://evil.example', rootKey: KEY } },
      build: { server: 'https://build.example' },
    })
    expect(subject.settings).toMatchObject({ server: 'https://build.example', rootKey: KEY })
  })

  it.each([[null], ['text'], [[1]], [7]])('survives stored rubbish: %j', async (rubbish) => {
    const { subject } = await store({ local: { settings: rubbish } })
    expect(subject.settings).toEqual({
      version: 1,
      server: '',
      rootKey: '',
      lists: ['se-4b'],
      decoys: 0,
      firstRun: true,
      firstVisits: false,
      sources: [],
    })
  })

  it('saves, says what changed once, and does not keep what holds anyway', async () => {
    const { subject, changes, local } = await store({ build: { server: 'https://build.example', rootKey: KEY } })
    await subject.save({ server: 'https://other.example', rootKey: KEY, lists: 'se-4b' })
    expect(local.settings).toEqual({ version: 1, server: 'https://other.example' })
    expect(changes.map((settings) => settings.server)).toEqual(['https://other.example'])
    await subject.save({ server: 'https://other.example', rootKey: KEY, lists: 'se-4b' })
    expect(changes).toHaveLength(1)
  })

  it('refuses a server without a key', async () => {
    const { subject, local } = await store({})
    await expect(subject.save({ server: 'https://other.example', rootKey: '', lists: 'se-4b' })).rejects.toMatchObject({
      code: 'setting-invalid',
    })
    expect(local.settings).toBeUndefined()
  })

  it('follows a policy that arrives late', async () => {
    const { subject, changes, setPolicy } = await store({ managed: {} })
    setPolicy({ server: 'https://policy.example', rootKey: KEY })
    await expect.poll(() => changes.length).toBe(1)
    expect(subject.settings.server).toBe('https://policy.example')
    expect(subject.sources.server).toBe('policy')
  })

  it('keeps what it does not understand through a save: a damaged value, or one of a newer version', async () => {
    const stored = { version: 1, decoys: 'many', newerThing: { a: 1 }, server: 'https://user.example', rootKey: KEY }
    const { subject, local } = await store({ local: { settings: stored } })
    expect(subject.settings.decoys).toBe(0)
    await subject.save({ lists: ['mw-4b'] })
    expect(local['settings']).toEqual({ ...stored, lists: ['mw-4b'] })
    // What the person enters anew takes the damaged one's place.
    await subject.save({ decoys: 2 })
    expect(local['settings']).toEqual({ ...stored, lists: ['mw-4b'], decoys: 2 })
  })
})
