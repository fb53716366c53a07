import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'
import { FRAMES, RESOURCES, type Scope } from './standing-rule.ts'

type Rule = chrome.declarativeNetRequest.Rule

/** The part of `chrome.declarativeNetRequest` for rules that end with the browser. */
export interface SessionRulesApi {
  getSessionRules(): Promise<Rule[]>
  updateSessionRules(options: { removeRuleIds?: number[]; addRules?: Rule[] }): Promise<void>
}

/** A header that nobody sends: excluding it makes a rule wait for the response's headers, and match every response. */
const NEVER_SENT = 'x-wary-never'
/** Above the standing blocks' priority. */
const ALLOW_PRIORITY = 3
/** Chrome takes numbers up to 2^31 - 1. */
const PRIVATE_FIRST_ID = 1_000_000_000

/** Chrome takes 5,000 session rules of an extension, its private windows included. */
const MOST_TABS = 500
const MOST_FRAMES = 200
const LONGEST_FILTER = 1500

/** `requestDomains` takes no IPv6 address; the tab alone is narrow enough for the moment that such a rule lives. */
function inTab(tabId: number, hosts: readonly string[], resourceTypes: Rule['condition']['resourceTypes']): Rule['condition'] {
  const named = hosts.some((host) => host.startsWith('[')) ? {} : { requestDomains: [...hosts] }
  return { tabIds: [tabId], ...(resourceTypes === undefined ? {} : { resourceTypes }), ...named }
}

/** The filter that matches one address: what has a meaning in filters becomes a wildcard, and a very long address is cut. */
function addressFilter(url: string): string {
  const address = (url.split('#')[0] ?? '').replace(/[*^|]/g, '*')
  return address.length > LONGEST_FILTER ? `|${address.slice(0, LONGEST_FILTER)}` : `|${address}|`
}

function frameKey(tabId: number, url: string): string {
  return `${tabId} ${url}`
}

interface Pass {
  readonly hosts: readonly string[]
  /** The page that it was given for has been shown: only its frames are left. */
  readonly shown: boolean
}

/**
 * Rules of single tabs, a few at a time: a block that stops a response whose request is already out, and the pass of a page
 * that a person chose to open. Calls are kept in order; a rule never outlives the worker that made it.
 */
export class SessionRules {
  readonly #api: SessionRulesApi
  readonly #logger: Logger
  readonly #blocks = new Map<number, number>()
  readonly #passes = new Map<number, number>()
  readonly #passed = new Map<number, Pass>()
  readonly #frames = new Map<string, number>()
  readonly #firstId: number
  #nextId: number
  #queue: Promise<void>

  /** @param options.incognito for private windows: their worker shares all rules with that of the others, so each has numbers of its own */
  constructor(options: { readonly api: SessionRulesApi; readonly logger: Logger; readonly incognito?: boolean }) {
    this.#api = options.api
    this.#logger = options.logger
    this.#firstId = options.incognito ? PRIVATE_FIRST_ID : 1
    this.#nextId = this.#firstId
    this.#queue = this.#clean()
  }

  /** Stops responses to main-frame requests of `host` in the tab, from their headers on. */
  block(tabId: number, host: string): Promise<void> {
    return this.#replace(this.#blocks, tabId, {
      priority: 1,
      action: { type: 'block' },
      condition: { ...inTab(tabId, [host], ['main_frame']), excludedResponseHeaders: [{ header: NEVER_SENT }] },
    })
  }

  unblock(tabId: number): Promise<void> {
    return this.#replace(this.#blocks, tabId, undefined)
  }

  /** Stops a frame of this address in the tab. The oldest such rules give way: a page can name addresses without end. */
  blockFrame(tabId: number, url: string): Promise<void> {
    return this.#replace(
      this.#frames,
      frameKey(tabId, url),
      {
        priority: 1,
        action: { type: 'block' },
        condition: {
          tabIds: [tabId],
          resourceTypes: [...FRAMES],
          urlFilter: addressFilter(url),
          isUrlFilterCaseSensitive: true,
          excludedResponseHeaders: [{ header: NEVER_SENT }],
        },
      },
      MOST_FRAMES,
    )
  }

  unblockFrame(tabId: number, url: string): Promise<void> {
    return this.#replace(this.#frames, frameKey(tabId, url), undefined)
  }

  async unblockFrames(tabId: number): Promise<void> {
    const keys = [...this.#frames.keys()].filter((key) => key.startsWith(`${tabId} `))
    await Promise.all(keys.map((key) => this.#replace(this.#frames, key, undefined)))
  }

  /** Lets requests of `hosts` and their subdomains through in the tab, for its page and the frames of it, whatever standing blocks say. */
  pass(tabId: number, hosts: readonly string[]): Promise<void> {
    return this.#allow(tabId, { hosts, shown: false })
  }

  /** The tab shows a page: a pass of this page is left to its frames, one of the page before ends. */
  pageShown(tabId: number): Promise<void> {
    const pass = this.#passed.get(tabId)
    return pass === undefined || pass.shown ? this.endPass(tabId) : this.#allow(tabId, { ...pass, shown: true })
  }

  endPass(tabId: number): Promise<void> {
    this.#passed.delete(tabId)
    return this.#replace(this.#passes, tabId, undefined)
  }

  #allow(tabId: number, pass: Pass): Promise<void> {
    this.#passed.set(tabId, pass)
    const scope: Scope = pass.shown ? 'frame' : 'page'
    return this.#replace(this.#passes, tabId, {
      priority: ALLOW_PRIORITY,
      action: { type: 'allow' },
      condition: inTab(tabId, pass.hosts, RESOURCES[scope]),
    })
  }

  async #clean(): Promise<void> {
    try {
      const own = (id: number): boolean => id >= this.#firstId && id < PRIVATE_FIRST_ID === this.#firstId < PRIVATE_FIRST_ID
      const left = (await this.#api.getSessionRules()).filter(({ id }) => own(id))
      if (left.length > 0) await this.#api.updateSessionRules({ removeRuleIds: left.map((rule) => rule.id) })
    } catch (error) {
      this.#logger.warn('session-rules', asWaryError(error))
    }
  }

  #replace<K>(rules: Map<K, number>, key: K, rule: Omit<Rule, 'id'> | undefined, most = MOST_TABS): Promise<void> {
    const former = rules.get(key)
    if (former === undefined && rule === undefined) return this.#queue
    rules.delete(key)
    const id = this.#nextId
    const gone = former === undefined ? [] : [former]
    if (rule !== undefined) {
      this.#nextId++
      rules.set(key, id)
      const [oldest] = rules
      if (rules.size > most && oldest !== undefined) {
        rules.delete(oldest[0])
        gone.push(oldest[1])
      }
    }
    this.#queue = this.#queue.then(async () => {
      try {
        await this.#api.updateSessionRules({
          removeRuleIds: gone,
          addRules: rule === undefined ? [] : [{ ...rule, id }],
        })
      } catch (error) {
        this.#logger.warn('session-rules', asWaryError(error))
      }
    })
    return this.#queue
  }
}
