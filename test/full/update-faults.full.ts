import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGE_PATHS, type Status } from '../../extension/messaging/messages.ts'
import { decodeHashList, encodeBatch } from '../../src/protocol/hash-list-message.ts'
import { BROWSER_NAMES, type BrowserUnderTest } from '../support/browsers/browser-under-test.ts'
import { launchBrowser } from '../support/browsers/launch.ts'
import { Extension } from '../support/extension.ts'
import { recordFigure } from '../support/figures.ts'
import { randomFrom } from '../support/random.ts'
import { scriptedPage } from '../support/sites.ts'
import { pause, until } from '../support/until.ts'
import { World } from '../support/world.ts'

const WARNING = /\/extension\/warning\/index\.html/
const SEED = 20261201
/** Flips of one bit and cuts, each at another place. */
const FLIPS = Number(process.env['WARY_FLIPS'] ?? 50)
const PROTOBUF = { 'content-type': 'application/x-protobuf', 'access-control-allow-origin': '*' }

type Bend = (bytes: Uint8Array<ArrayBuffer>, request: Request) => Response | Promise<Response>

/* After each fault: the listed page is caught, the list is whole, popup and status say why; once it is over the next update goes through. */
describe.each(BROWSER_NAMES)('faults of an update: %s', (name) => {
  let world: World
  let browser: BrowserUnderTest
  let extension: Extension
  let profileDir: string
  const random = randomFrom(SEED)
  let version = 0
  const trials = new Map<string, number>()

  beforeAll(async () => {
    world = await World.start(name)
    world.sites.route('listed.test', '/', scriptedPage('Listed'), { latencyMs: 20 })
    await publishNext()
    profileDir = mkdtempSync(join(tmpdir(), 'wary-faults-'))
    browser = await launchBrowser(name, { extensionDir: world.extensionDir, profileDir })
    extension = new Extension(browser)
    await extension.untilProtected()
  })
  afterAll(async () => {
    for (const [what, count] of trials)
      recordFigure({ name: `${name}: ${what}: listed page caught, list whole, reason named`, value: count, unit: 'trials' })
    await browser?.close()
    await world?.stop()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })

  /** Each version has one entry more: a list that is neither the one nor the other shows by its count. */
  async function publishNext(): Promise<void> {
    version++
    await world.publish(['listed.test', ...Array.from({ length: version }, (_, i) => `extra${i}.test`)])
  }
  const entries = (of: number): number => world.fillerCount + 5 + 1 + of

  const counted = (what: string): void => void trials.set(what, (trials.get(what) ?? 0) + 1)
  const heldIn = ({ sources }: Status): number => sources[0]?.lists[0]?.entries ?? 0

  async function expectCaught(): Promise<void> {
    const tab = await browser.newPage()
    await tab.goto(world.sites.url('listed.test'))
    await tab.waitForUrl(WARNING, 20_000)
    await tab.close()
  }

  async function popupSays(text: string): Promise<void> {
    const popup = await browser.openExtensionPage(PAGE_PATHS.popup)
    await until(`${text} in the popup`, async () => (await popup.text()).includes(text))
    await popup.close()
  }

  /** Answers updates by what `bend` makes of the server's own answer. */
  function bending(bend: Bend): void {
    world.fault = async (request) => {
      if (!request.url.includes('/v5/hashLists:batchGet')) return undefined
      const answer = await world.answer(request)
      return bend(new Uint8Array(await answer.arrayBuffer()), request)
    }
  }

  /** As `bending`, but every answer is a whole list: what is bent is not made good by asking for the list again. */
  function bendingWhole(bend: Bend): void {
    world.fault = async (request) => {
      if (!request.url.includes('/v5/hashLists:batchGet')) return undefined
      const whole = new Request(request.url.replace(/&version=[^&]*/g, ''), { headers: request.headers })
      return bend(new Uint8Array(await (await world.answer(whole)).arrayBuffer()), request)
    }
  }

  /** The update fails by one of `codes`; the list of before is in force, and the popup says so. */
  async function expectRefused(what: string, codes: RegExp, { popup = false } = {}): Promise<void> {
    const before = heldIn(await extension.status())
    const failure = await extension.update().then(
      () => 'no failure',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    expect(failure).toMatch(codes)
    const status = await extension.status()
    expect(heldIn(status)).toBe(before)
    expect(status.protection).toEqual({ state: 'protected' })
    expect(status.update.lastError?.code).toBe(failure.split(':', 1)[0])
    if (popup) {
      await popupSays(status.update.lastError?.code ?? 'nothing')
      await expectCaught()
    }
    counted(what)
  }

  async function expectWell(): Promise<void> {
    world.fault = undefined
    await extension.update()
    expect(heldIn(await extension.status())).toBe(entries(version))
    await expectCaught()
  }

  test('bits flipped at random places of whole lists', async () => {
    await publishNext()
    for (let trial = 0; trial < FLIPS; trial++) {
      bendingWhole((bytes) => {
        const at = Math.floor(random() * bytes.length)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
        return new Response(bytes, { headers: PROTOBUF })
      })
      // A flip in the server's wish to be left alone changes nothing that is signed: then the list is the right one.
      const before = heldIn(await extension.status())
      await extension.update().catch(() => undefined)
      const status = await extension.status()
      if (status.update.lastError === undefined) {
        expect(heldIn(status)).toBe(entries(version))
        await publishNext()
        counted('a bit flipped in what is not signed')
      } else {
        expect(status.update.lastError.code).toMatch(/^(list|state|http)-/)
        expect(heldIn(status)).toBe(before)
        if (trial % 10 === 0) {
          await popupSays(status.update.lastError.code)
          await expectCaught()
        }
        counted('a bit flipped in a whole list')
      }
      expect(status.protection).toEqual({ state: 'protected' })
    }
    await publishNext()
    await expectWell()
  })

  test('bits flipped at random places of deltas: the whole list is fetched instead', async () => {
    for (let trial = 0; trial < FLIPS / 2; trial++) {
      await publishNext()
      bending((bytes, request) => {
        if (!/version=[^&]/.test(request.url)) return new Response(bytes, { headers: PROTOBUF })
        const at = Math.floor(random() * bytes.length)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
        return new Response(bytes, { headers: PROTOBUF })
      })
      const before = heldIn(await extension.status())
      await extension.update().catch(() => undefined)
      const status = await extension.status()
      expect([before, entries(version)]).toContain(heldIn(status))
      if (heldIn(status) === before) expect(status.update.lastError?.code).toMatch(/^(list|state|http)-/)
      expect(status.protection).toEqual({ state: 'protected' })
      counted(heldIn(status) === before ? 'a bit flipped in a delta, refused' : 'a bit flipped in a delta, made good by the whole list')
    }
    await publishNext()
    await expectWell()
  })

  test('bodies cut at random places', async () => {
    await publishNext()
    for (let trial = 0; trial < FLIPS / 5; trial++) {
      bendingWhole((bytes) => new Response(bytes.subarray(0, 1 + Math.floor(random() * (bytes.length - 1))), { headers: PROTOBUF }))
      await expectRefused('a body cut', /^(list-format|list-missing|state-missing|list-checksum)/, { popup: trial % 5 === 0 })
    }
    await expectWell()
  })

  test('a server that dies in the middle of the body, and one that never ends it', async () => {
    await publishNext()
    for (const at of [0.1, 0.5, 0.95]) {
      bendingWhole((bytes) => {
        let sent = false
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            if (sent) {
              await pause(100)
              // The adapter destroys the socket.
              controller.error(new Error('the server died'))
              return
            }
            sent = true
            controller.enqueue(bytes.subarray(0, Math.ceil(at * bytes.length)))
          },
        })
        return new Response(body, { headers: { ...PROTOBUF, 'content-length': String(bytes.length) } })
      })
      await expectRefused('a server that died in the body', /^(http-truncated|http-network|list-format)/, { popup: at === 0.5 })
    }
    await expectWell()
  })

  test('another list under this name, and the state of another version', async () => {
    await publishNext()
    bendingWhole((bytes) => {
      // The same message with another list's name.
      const text = Buffer.from(bytes).toString('latin1').replaceAll('se-4b', 'mw-4b')
      return new Response(new Uint8Array(Buffer.from(text, 'latin1')), { headers: PROTOBUF })
    })
    await expectRefused('another list under this name', /^(list-missing|state-mismatch|state-signature)/, { popup: true })
    const former = decodeHashList(new Uint8Array(readFileSync(world.listFile('se-4b'))))
    await publishNext()
    const now = decodeHashList(new Uint8Array(readFileSync(world.listFile('se-4b'))))
    if (former.signed === undefined || now.signed === undefined) throw new Error('both lists are signed')
    const swapped = new Uint8Array(encodeBatch([{ ...now, signed: former.signed }]))
    bendingWhole(() => new Response(swapped, { headers: PROTOBUF }))
    await expectRefused('the state of another version', /^state-mismatch/, { popup: true })
    await expectWell()
  })

  test('an older version, signed and whole, served again', async () => {
    const old = new Uint8Array(encodeBatch([decodeHashList(new Uint8Array(readFileSync(world.listFile('se-4b'))))]))
    await publishNext()
    await expectWell()
    await publishNext()
    bendingWhole(() => new Response(old, { headers: PROTOBUF }))
    for (let i = 0; i < 3; i++) await expectRefused('an older version served again', /^state-rollback/, { popup: i === 0 })
    await expectWell()
  })

  const STEPS = ['downloading', 'verifying', 'building', 'storing'] as const
  test.each(STEPS)('the worker stopped while it is %s', async (step) => {
    let seen = 0
    for (let trial = 0; trial < 5; trial++) {
      const before = version
      await publishNext()
      bending(async (bytes) => {
        const half = Math.ceil(bytes.length / 2)
        let at = 0
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            await pause(step === 'downloading' ? 400 : 20)
            controller.enqueue(bytes.subarray(at, at + half))
            at += half
            if (at >= bytes.length) controller.close()
          },
        })
        return new Response(body, { headers: PROTOBUF })
      })
      const page = await browser.openExtensionPage(PAGE_PATHS.options)
      // Asked from a page, as quickly as it can, so that short steps are met.
      const phase = await page.evaluate(async (wanted: string) => {
        const api = (globalThis as unknown as { browser?: typeof chrome }).browser ?? chrome
        const ask = (type: string): Promise<{ answer: { update: { progress?: { phase: string } } } }> =>
          api.runtime.sendMessage({ type, request: {} }) as never
        await ask('update:now')
        const deadline = Date.now() + 3000
        let last = 'none'
        while (Date.now() < deadline) {
          const { answer } = await ask('status:get')
          last = answer.update.progress?.phase ?? 'none'
          if (last === wanted) return last
        }
        return last
      }, step)
      await browser.stopBackground()
      await page.close().catch(() => undefined)
      if (phase === step) seen++
      await expectCaught()
      const status = await extension.status()
      expect(status.protection).toEqual({ state: 'protected' })
      expect([entries(before), entries(version)]).toContain(heldIn(status))
      counted(`the worker stopped while ${step}`)
      world.fault = undefined
      await until('the end of what runs', async () => (await extension.status()).update.progress === undefined, 20_000)
      if (heldIn(await extension.status()) !== entries(version)) await extension.update()
      expect(heldIn(await extension.status())).toBe(entries(version))
    }
    recordFigure({ name: `${name}: of them seen to be ${step} a moment before`, value: seen, unit: 'of 5' })
  })

  test('pages of the database changed or deleted one by one', async () => {
    for (const how of ['deleted', 'flipped'] as const) {
      for (const kind of ['list', 'filter'] as const) {
        await world.down()
        const page = await browser.openExtensionPage(PAGE_PATHS.options)
        await page.evaluate(
          (way: string, what: string) =>
            new Promise<void>((resolve, reject) => {
              const opening = indexedDB.open('wary')
              opening.onerror = () => reject(opening.error)
              opening.onsuccess = () => {
                const store = opening.result.transaction('pages', 'readwrite').objectStore('pages')
                store.getAllKeys().onsuccess = ({ target }) => {
                  const keys = (target as IDBRequest<IDBValidKey[]>).result.filter((key) => (key as unknown[])[3] === what)
                  const key = keys[Math.floor(keys.length / 2)] as IDBValidKey
                  if (way === 'deleted') store.delete(key)
                  else
                    store.get(key).onsuccess = (event) => {
                      const bytes = (event.target as IDBRequest<Uint8Array>).result
                      bytes[7] = (bytes[7] ?? 0) ^ 16
                      store.put(bytes, key)
                    }
                }
                store.transaction.oncomplete = () => {
                  opening.result.close()
                  resolve()
                }
              }
            }),
          how,
          kind,
        )
        await page.close()
        await browser.stopBackground()
        await until('the damage is noticed', async () => (await extension.protection()).state === 'damaged')
        await popupSays('storage-damaged').catch(async () => popupSays('damaged'))
        await world.up()
        await until('the list is fetched anew', async () => (await extension.protection()).state === 'protected', 20_000).catch(() =>
          extension.update(),
        )
        expect(heldIn(await extension.status())).toBe(entries(version))
        await expectCaught()
        counted(`a page of the ${kind} ${how}`)
      }
    }
  })

  test('files of the database damaged, and removed, while the browser is down', async () => {
    for (const how of ['overwritten', 'removed'] as const) {
      await browser.restart()
      await extension.untilProtected()
      // Ends the browser's hold on its files; what is written after this start is not looked for.
      const folders = databaseFolders(profileDir)
      expect(folders).not.toEqual([])
      await browser.restartAfter(() => {
        for (const folder of folders) {
          if (how === 'removed') rmSync(folder, { recursive: true, force: true })
          else for (const path of filesIn(folder)) writeFileSync(path, Buffer.alloc(statSync(path).size, 0x5a))
        }
      })
      await until(
        'protection again',
        async () => {
          const status = await extension.status()
          if (status.protection.state === 'protected') return true
          if (status.update.progress === undefined) await extension.ask('update:now', {})
          return false
        },
        30_000,
      )
      expect(heldIn(await extension.status())).toBe(entries(version))
      await expectCaught()
      counted(`the database’s files ${how}`)
    }
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'LOCK')
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Where Chromium (IndexedDB/chrome-extension_…) and Firefox (storage/default/moz-extension+++…/idb) keep the extension's databases. */
function databaseFolders(profileDir: string): string[] {
  return readdirSync(profileDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /IndexedDB[\\/]chrome-extension_[^\\/]*$/.test(path) || /moz-extension\+\+\+[^\\/]*[\\/]idb$/.test(path))
}
