import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../src/bytes.ts'
import { readEthPhishingDetect } from '../../src/feeds/eth-phishing-detect.ts'
import { readPlain } from '../../src/feeds/plain.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { Clock, Logger } from '../../src/ports.ts'
import { createKeyFile, type SigningKey } from '../../src/publisher/key-file.ts'
import { type Publication, publish } from '../../src/publisher/publish.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { createApp } from '../../src/server/app.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { type RunningServer, serve } from '../../src/server/serve.ts'
import type { BrowserName } from '../../test/support/browsers/browser-under-test.ts'
import { Sites, scriptedPage } from '../../test/support/sites.ts'
import { buildExtension } from '../extension-build.ts'
import { freePort } from './free-port.ts'
import { startPage } from './start-page.ts'

const clock: Clock = { now: () => Date.now() }
const quiet: Logger = { info: () => undefined, warn: () => undefined }
const START_HOST = 'start.wary.test'

/** The whole of Wary on this device for one demonstration: list, server, sites, extension. Everything is gone after `stop`. */
export class Demo {
  /** Our own pages that stand for the web: *.wary.test, and whatever a tour adds. */
  readonly sites = new Sites()
  readonly port: number
  readonly #folder: string
  readonly #key: SigningKey
  readonly #store: PublishedStore
  #server: RunningServer | undefined
  #sentBytes = 0
  #added: readonly string[] = []

  private constructor(folder: string, port: number) {
    this.#folder = folder
    this.port = port
    this.#key = createKeyFile(join(folder, 'root.key'))
    this.#store = new PublishedStore({ folder: new PublishedFolder(join(folder, 'data')), logger: quiet })
  }

  static async prepare(): Promise<Demo> {
    const demo = new Demo(mkdtempSync(join(tmpdir(), 'wary-demo-')), await freePort(8750))
    await demo.sites.start()
    demo.sites.route(START_HOST, '/', startPage({ server: demo.serverUrl, site: (host, path) => demo.page(host, path) }))
    return demo
  }

  get serverUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get startUrl(): string {
    return this.sites.url(START_HOST)
  }

  /** Address of a test page, which the server shows. */
  page(host: string, path = '/'): string {
    return `http://${host}:${this.port}${path}`
  }

  /** Bytes of HTTP requests (line and header) that reached the verification server since the last call. */
  takeSentBytes(): number {
    const bytes = this.#sentBytes
    this.#sentBytes = 0
    return bytes
  }

  /** Publishes the phishing list of the npm package, and `added`; the server serves it when this resolves. */
  async publish(added: readonly string[] = []): Promise<Publication> {
    this.#added = added
    const publication = await publish({
      dataFolder: join(this.#folder, 'data'),
      key: this.#key,
      clock,
      minimumWaitMs: 0,
      lists: [
        {
          stem: 'se',
          feeds: [
            { name: 'eth-phishing-detect', items: readEthPhishingDetect(feedText()) },
            { name: 'added', items: readPlain(added.join('\n')) },
          ],
        },
      ],
    })
    this.#store.reload()
    return publication
  }

  async up(): Promise<void> {
    if (this.#server !== undefined) return
    const app = createApp({ store: this.#store, clock, logger: quiet })
    const own = `127.0.0.1:${this.port}`
    const counted = {
      fetch: (request: Request): Response | Promise<Response> => {
        if (request.headers.get('host') === own) this.#sentBytes += requestBytes(request)
        return app.fetch(request)
      },
    }
    this.#server = await serve({ app: counted, store: this.#store, logger: quiet, port: this.port })
  }

  async down(): Promise<void> {
    await this.#server?.close()
    this.#server = undefined
  }

  build(browser: BrowserName): Promise<string> {
    const target = browser === 'chromium' ? 'chrome' : 'firefox'
    return buildExtension({
      target,
      outDir: join(this.#folder, 'dist'),
      server: this.serverUrl,
      rootKey: toHex(this.#key.publicKey),
      lists: 'se-4b',
    })
  }

  /** Names on the list as it is published. */
  listed(): readonly string[] {
    const hosts: string[] = []
    for (const item of readEthPhishingDetect(feedText())) if ('entry' in item) hosts.push(item.entry.expression.slice(0, -1))
    return [...hosts, ...this.#added]
  }

  /** A host that is on no list while the first four bytes of its hash are on ours: a false positive that the server clears. */
  falsePositive(): string {
    const prefixes = new Set(this.listed().map((host) => toHex(fullHash(`${host}/`).subarray(0, 4))))
    for (let i = 0; ; i++) {
      const host = `chance${i}.test`
      if (!prefixes.has(toHex(fullHash(`${host}/`).subarray(0, 4)))) continue
      this.sites.route(host, '/', scriptedPage('A page that shares four bytes of a hash with a listed one'))
      return host
    }
  }

  async stop(): Promise<void> {
    await this.down()
    await this.sites.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function requestBytes(request: Request): number {
  const { pathname, search } = new URL(request.url)
  let bytes = `${request.method} ${pathname}${search} HTTP/1.1\r\n\r\n`.length
  for (const [name, value] of request.headers) bytes += name.length + value.length + ': \r\n'.length
  return bytes
}

function feedText(): string {
  const path = createRequire(import.meta.url).resolve('eth-phishing-detect/src/config.json')
  return readFileSync(path, 'utf8')
}

/** Folder for what a tour leaves: screenshots and its rows. */
export function tourFolder(browser: BrowserName): string {
  const folder = join('.wary', 'tour', browser)
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
  return folder
}
