import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/demo/free-port.ts'
import { buildExtension } from '../../scripts/extension-build.ts'
import { toHex } from '../../src/bytes.ts'
import { readPlain } from '../../src/feeds/plain.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { Clock } from '../../src/ports.ts'
import { createKeyFile, type SigningKey } from '../../src/publisher/key-file.ts'
import { publish } from '../../src/publisher/publish.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { createApp } from '../../src/server/app.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { type RunningServer, serve } from '../../src/server/serve.ts'
import type { BrowserName } from './browsers/browser-under-test.ts'
import { RecordingLogger } from './fakes.ts'
import { Sites } from './sites.ts'

/** Filler, so that a colliding host is found in a moment: a search of 2^32 / 20,000 hashes. */
const FILLER = Array.from({ length: 20_000 }, (_, i) => `filler${i}.test`)

/** A request that reached the verification server. */
export interface ServerRequest {
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly at: number
}

const clock: Clock = { now: () => Date.now() }

/** Everything but the browser: sites, a publisher with a key, a verification server whose log is a witness, and the extension built for it. */
export class World {
  readonly sites = new Sites()
  readonly requests: ServerRequest[] = []
  readonly folder: string
  readonly key: SigningKey
  readonly port: number
  /** Answers instead of the server while it is set. */
  fault: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined
  extensionDir = ''
  #server: RunningServer | undefined
  readonly #store: PublishedStore
  readonly #dataFolder: string
  #listed: readonly string[] = []

  private constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
    this.#dataFolder = join(folder, 'data')
    this.key = createKeyFile(join(folder, 'root.key'))
    this.#store = new PublishedStore({ folder: new PublishedFolder(this.#dataFolder), logger: new RecordingLogger() })
  }

  /** `serving: false` leaves the server down. */
  static async start(browser: BrowserName, { serving = true }: { readonly serving?: boolean } = {}): Promise<World> {
    const world = new World(mkdtempSync(join(tmpdir(), 'wary-world-')), await freePort())
    await world.sites.start()
    world.extensionDir = await buildExtension({
      target: browser === 'chromium' ? 'chrome' : 'firefox',
      outDir: join(world.folder, 'dist'),
      server: world.serverUrl,
      rootKey: toHex(world.key.publicKey),
      lists: 'se-4b',
    })
    if (serving) await world.up()
    return world
  }

  get serverUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Publishes a list of these lines and the filler; the server has it when this resolves. */
  async publish(lines: readonly string[], options: { readonly minimumWaitMs?: number; readonly key?: SigningKey } = {}): Promise<void> {
    this.#listed = [...lines, ...FILLER]
    await publish({
      dataFolder: this.#dataFolder,
      key: options.key ?? this.key,
      clock,
      minimumWaitMs: options.minimumWaitMs ?? 0,
      lists: [{ stem: 'se', feeds: [{ name: 'test', items: readPlain(this.#listed.join('\n')) }] }],
    })
    this.#store.reload()
    if (this.#store.failure) throw this.#store.failure
  }

  /** The published file of a list, as it stands in the version in force. */
  listFile(name: string): string {
    const folder = new PublishedFolder(this.#dataFolder)
    return join(this.#dataFolder, 'versions', folder.current()?.version ?? '', `${name}.hashlist`)
  }

  /** How many entries `publish` adds to those that are named. */
  readonly fillerCount = FILLER.length

  /** What the server answers by itself: for faults that bend it. */
  async answer(request: Request): Promise<Response> {
    return createApp({ store: this.#store, clock, logger: new RecordingLogger() }).fetch(request)
  }

  async up(): Promise<void> {
    if (this.#server !== undefined) return
    const logger = new RecordingLogger()
    const app = createApp({ store: this.#store, clock, logger })
    const witness = {
      fetch: async (request: Request): Promise<Response> => {
        const { pathname, search } = new URL(request.url)
        this.requests.push({ path: pathname + search, headers: Object.fromEntries(request.headers), at: Date.now() })
        return (await this.fault?.(request)) ?? app.fetch(request)
      },
    }
    this.#server = await serve({ app: witness, store: this.#store, logger, port: this.port })
  }

  async down(): Promise<void> {
    await this.#server?.close()
    this.#server = undefined
  }

  clearLogs(): void {
    this.requests.length = 0
    this.sites.clear()
  }

  /** The `nth` host that is not listed while the first four bytes of its hash are. */
  collidingHost(nth = 0): string {
    const prefixes = new Set(this.#listed.map((line) => toHex(fullHash(line.includes('/') ? line : `${line}/`)).slice(0, 8)))
    let left = nth
    for (let i = 0; i < 20_000_000; i++) {
      const host = `c${i}.test`
      if (prefixes.has(toHex(fullHash(`${host}/`).subarray(0, 4))) && left-- === 0) return host
    }
    throw new Error('no host collides')
  }

  async stop(): Promise<void> {
    await this.down()
    await this.sites.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
