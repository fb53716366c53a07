import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS } from '../../extension/messaging/messages.ts'
import { encodeSearchAnswer } from '../../src/protocol/search-message.ts'
import { SigningKey } from '../../src/publisher/key-file.ts'
import { BROWSER_NAMES, type BrowserUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { scriptedPage } from '../support/sites.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/
const PROTOBUF = { 'content-type': 'application/x-protobuf', 'access-control-allow-origin': '*' }

describe.each(BROWSER_NAMES)('a server that goes bad: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension

  beforeAll(async () => {
    world = await World.start(name, { serving: false })
    world.sites.route('good.test', '/', scriptedPage('Good'))
    world.sites.route('listed.test', '/', scriptedPage('Listed'), { latencyMs: 20 })
    world.sites.route('denied.test', '/', scriptedPage('Denied'), { latencyMs: 20 })
    browser = await launchBrowser(name, { extensionDir: world.extensionDir })
    extension = new Extension(browser)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  async function popupText(selector: string): Promise<string> {
    const popup = await browser.openExtensionPage(PAGE_PATHS.popup)
    try {
      return await until(`${selector} in the popup`, async () => (await popup.text(selector)) || undefined)
    } finally {
      await popup.close()
    }
  }

  test('first run without any list: pages load, and the popup says so', async () => {
    expect(await extension.protection()).toEqual({ state: 'starting' })
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('listed.test'))
    expect(await tab.text('h1')).toBe('Listed')
    expect(await extension.verdictOf(world.sites.url('listed.test'))).toMatchObject({ kind: 'unchecked', reason: 'no-list' })
    expect((await popupText('#protection')).toLowerCase()).toContain('starting: no list yet')
    const update = await until('the failed update', async () => {
      const status = await extension.status()
      return status.update.lastError?.code === 'http-network' ? status.update : undefined
    })
    // A device without any list is not protected at all: it tries again within minutes, not after a quarter of an hour.
    expect((update.notBefore ?? 0) - Date.now()).toBeLessThan(5 * 60_000)
    await tab.close()
  })

  test('the first list protects at once', async () => {
    await world.publish(['listed.test', 'denied.test'])
    await world.up()
    await extension.update()
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('listed.test'))
    await tab.waitForUrl(WARNING)
    await tab.close()
  })

  const batch = async (request: Request): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await (await fetch(request.url.replace(/&version=[^&]*/g, ''), { headers: { 'x-test': 'direct' } })).arrayBuffer())

  /** Answers updates by `make`, everything else by the server itself. */
  function updatesGet(make: (request: Request) => Response | Promise<Response>): void {
    world.fault = (request) =>
      request.url.includes('/v5/hashLists:batchGet') && request.headers.get('x-test') === null ? make(request) : undefined
  }

  const faults: readonly (readonly [string, string, (request: Request) => Response | Promise<Response>])[] = [
    [
      'a list with one changed bit',
      'list-',
      async (request) => {
        const bytes = await batch(request)
        const at = Math.floor(bytes.length / 2)
        bytes[at] = (bytes[at] as number) ^ 4
        return new Response(bytes, { headers: PROTOBUF })
      },
    ],
    ['a truncated body', 'list-format', async (request) => new Response((await batch(request)).subarray(0, 5000), { headers: PROTOBUF })],
    [
      'an error 500',
      'http-status',
      () =>
        new Response('{"error":{"code":500,"message":"broken"}}', {
          status: 500,
          headers: { ...PROTOBUF, 'content-type': 'application/json' },
        }),
    ],
    [
      'HTML',
      'http-type',
      () => new Response('<!doctype html><h1>Please log in</h1>', { headers: { ...PROTOBUF, 'content-type': 'text/html' } }),
    ],
    ['HTML that says it is a list', 'list-format', () => new Response('<!doctype html><h1>Please log in</h1>', { headers: PROTOBUF })],
    ['nothing', 'list-missing', () => new Response(new Uint8Array(0), { headers: PROTOBUF })],
  ]
  test.each(faults)('%s: the old list stays, the popup names the reason, the next try backs off', async (_name, code, make) => {
    const before = (await extension.status()).sources.map(({ lists }) => lists)
    updatesGet(make)
    await expect(extension.update()).rejects.toThrow(code)
    world.fault = undefined
    const { sources, update } = await extension.status()
    expect(sources.map(({ lists }) => lists)).toEqual(before)
    expect(update.lastError?.code).toContain(code)
    expect(update.failures).toBeGreaterThan(0)
    expect((update.notBefore ?? 0) - Date.now()).toBeGreaterThan(14 * 60_000)
    expect(await popupText('#update-error')).toContain(update.lastError?.code)
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('listed.test'))
    await tab.waitForUrl(WARNING)
    await tab.close()
  })

  test('a list that somebody else signed is refused', async () => {
    const before = (await extension.status()).sources.map(({ lists }) => lists)
    const stranger = new SigningKey(generateKeyPairSync('ed25519').privateKey)
    await world.publish(['good.test'], { key: stranger })
    await expect(extension.update()).rejects.toThrow('state-key-unknown')
    expect((await extension.status()).sources.map(({ lists }) => lists)).toEqual(before)
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    expect(await tab.text('h1')).toBe('Good')
    await tab.close()
  })

  test('an older list than the one in force is refused', async () => {
    await world.publish(['listed.test', 'denied.test'])
    let old: Uint8Array<ArrayBuffer> | undefined
    updatesGet(async (request) => {
      old = await batch(request)
      return new Response(old, { headers: PROTOBUF })
    })
    await extension.update()
    world.fault = undefined
    await world.publish(['listed.test', 'denied.test'])
    await extension.update()
    updatesGet(() => new Response(old, { headers: PROTOBUF }))
    await expect(extension.update()).rejects.toThrow('state-rollback')
    world.fault = undefined
    await extension.update()
  })

  test('an empty answer for a prefix that the signed list holds does not open the page', async () => {
    world.fault = (request) =>
      request.url.includes('/v5/hashes:search')
        ? new Response(encodeSearchAnswer({ cacheDurationMs: 300_000, fullHashes: [] }), { headers: PROTOBUF })
        : undefined
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('good.test'))
    await tab.goto(world.sites.url('denied.test'))
    await tab.waitForUrl(WARNING)
    await tab.waitForSelector('body[data-kind="unverified"]')
    expect(await extension.verdictOf(world.sites.url('denied.test'))).toMatchObject({
      kind: 'unverified',
      reason: { kind: 'contradiction' },
    })
    world.fault = undefined
    await tab.close()
  })
})
