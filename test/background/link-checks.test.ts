import { describe, expect, test } from 'vitest'
import { LinkChecks, type MenusApi } from '../../extension/background/link-checks.ts'
import type { Verdict } from '../../src/check/verdict.ts'
import { RecordingLogger } from '../support/fakes.ts'

type Listener = Parameters<MenusApi['onClicked']['addListener']>[0]

function make() {
  const listeners: Listener[] = []
  const shown: { search: string; incognito: boolean }[] = []
  const entries: string[] = []
  let ids = 0
  const checks = new LinkChecks({
    menus: {
      create: ({ id }) => void entries.push(id),
      removeAll: async () => void entries.splice(0),
      onClicked: { addListener: (listener) => void listeners.push(listener) },
    },
    title: () => 'Check',
    judge: async (url): Promise<Verdict> => ({ kind: 'safe', url, stage: 'filter', freshness: { kind: 'fresh' } }),
    show: async (search, incognito) => void shown.push({ search, incognito }),
    createId: () => `id${ids++}`,
    logger: new RecordingLogger(),
  })
  const click: Listener = (info, tab) => {
    for (const listener of listeners) listener(info, tab)
  }
  return { checks, click, shown, entries }
}

describe('"check this link"', () => {
  test('is in the menu once, however often it is put there', async () => {
    const { checks, entries } = make()
    await checks.install()
    await checks.install()
    expect(entries).toEqual(['check-link'])
  })

  test('opens a window whose address does not name the link, private where the link is', async () => {
    const { checks, click, shown } = make()
    click({ menuItemId: 'check-link', linkUrl: 'http://secret.test/' }, { incognito: true })
    expect(shown).toEqual([{ search: '?r=id0', incognito: true }])
    expect(await checks.outcome('id0')).toMatchObject({ url: 'http://secret.test/', verdict: { kind: 'safe' } })
  })

  test('another entry, no link, an unknown check: nothing', async () => {
    const { checks, click, shown } = make()
    click({ menuItemId: 'other', linkUrl: 'http://a.test/' })
    click({ menuItemId: 'check-link' })
    expect(shown).toEqual([])
    expect(await checks.outcome('id0')).toBeUndefined()
    expect(await checks.outcome(undefined)).toBeUndefined()
  })

  test('only the last few are kept', async () => {
    const { checks, click } = make()
    for (let i = 0; i < 20; i++) click({ menuItemId: 'check-link', linkUrl: `http://${i}.test/` })
    expect(await checks.outcome('id11')).toBeUndefined()
    expect(await checks.outcome('id12')).toMatchObject({ url: 'http://12.test/' })
  })
})
