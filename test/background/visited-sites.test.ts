import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { VisitedSites } from '../../extension/background/visited-sites.ts'
import { RecordingLogger } from '../support/fakes.ts'

function make(store: Record<string, unknown> = {}, fill = 7) {
  const state = { wanted: true }
  const logger = new RecordingLogger()
  const area = {
    get: async (key: string) => (key in store ? { [key]: structuredClone(store[key]) } : {}),
    set: async (items: Record<string, unknown>) => void Object.assign(store, structuredClone(items)),
    remove: async (key: string) => void delete store[key],
  }
  const visited = new VisitedSites({ area, wanted: () => state.wanted, randomBytes: (length) => new Uint8Array(length).fill(fill), logger })
  return { visited, store, state, logger, area }
}

describe('visited sites', () => {
  test('the first page of a site is the first, another of it in another tab is not', async () => {
    const { visited } = make()
    await visited.load()
    expect(visited.wouldBeFirst('https://www.example.org/')).toBe(true)
    visited.note(1, 'https://www.example.org/')
    expect(visited.firstVisitOf(1)).toBe(true)
    visited.note(1, 'https://login.example.org/next')
    expect(visited.firstVisitOf(1)).toBe(true)
    visited.note(2, 'https://example.org/')
    expect(visited.firstVisitOf(2)).toBe(false)
    expect(visited.wouldBeFirst('https://example.org/other')).toBe(false)
    expect(visited.wouldBeFirst('https://example.com/')).toBe(true)
    visited.forgetTab(1)
    expect(visited.firstVisitOf(1)).toBeUndefined()
  })

  test('outlives the worker, and names no site where it is kept', async () => {
    const first = make()
    await first.visited.load()
    first.visited.note(1, 'https://secret.example/')
    await first.visited.load()
    expect(JSON.stringify(first.store)).not.toContain('secret')
    const second = make(first.store)
    await second.visited.load()
    expect(second.visited.wouldBeFirst('https://secret.example/')).toBe(false)
    expect(second.logger.lines).toEqual([])
  })

  test('another device keeps the same site in other bits', async () => {
    const kept = async (fill: number): Promise<string> => {
      const { visited, store } = make({}, fill)
      await visited.load()
      visited.note(1, 'https://secret.example/')
      await visited.load()
      return JSON.stringify(Object.entries(store).map(([, value]) => Reflect.get(Object(value), 'filter')))
    }
    expect(await kept(1)).not.toBe(await kept(2))
  })

  test('where it is not wanted nothing is noted, and what was noted is erased', async () => {
    const { visited, store, state } = make()
    await visited.load()
    visited.note(1, 'https://example.org/')
    await visited.load()
    expect(Object.keys(store)).toEqual(['visitedSites'])
    state.wanted = false
    await visited.load()
    expect(store).toEqual({})
    expect(visited.firstVisitOf(1)).toBeUndefined()
    visited.note(1, 'https://example.org/')
    await visited.load()
    expect(store).toEqual({})
    expect(visited.wouldBeFirst('https://example.org/')).toBeUndefined()
  })

  test('what is damaged is said, and begins anew', async () => {
    const { visited, logger } = make({ visitedSites: { salt: '07', filter: 'not hex' } })
    await visited.load()
    expect(logger.lines.map(({ event }) => event)).toEqual(['visited-sites'])
    expect(visited.wouldBeFirst('https://example.org/')).toBe(true)
  })

  test('asks for no history', () => {
    const manifest: { permissions: string[] } = JSON.parse(readFileSync(new URL('../../manifest.json', import.meta.url), 'utf8'))
    expect(manifest.permissions).not.toContain('history')
  })
})
