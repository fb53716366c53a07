import { asWaryError } from '../../src/errors.ts'
import type { Logger } from '../../src/ports.ts'

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

/** `requestDomains` takes no IPv6 address; the tab alone is narrow enough for the moment that such a rule lives. */
function mainFrame(tabId: number, hosts: readonly string[]): Rule['condition'] {
  const named = hosts.some((host) => host.startsWith('[')) ? {} : { requestDomains: [...hosts] }
  return { tabIds: [tabId], resourceTypes: ['main_frame'], ...named }
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
      condition: { ...mainFrame(tabId, [host]), excludedResponseHeaders: [{ header: NEVER_SENT }] },
    })
  }

  unblock(tabId: number): Promise<void> {
    return this.#replace(this.#blocks, tabId, undefined)
  }

  /** Lets main-frame requests of `hosts` and their subdomains through in the tab, whatever standing blocks say. */
  pass(tabId: number, hosts: readonly string[]): Promise<void> {
    return this.#replace(this.#passes, tabId, {
      priority: ALLOW_PRIORITY,
      action: { type: 'allow' },
      condition: mainFrame(tabId, hosts),
    })
  }

  endPass(tabId: number): Promise<void> {
    return this.#replace(this.#passes, tabId, undefined)
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

  #replace(rules: Map<number, number>, tabId: number, rule: Omit<Rule, 'id'> | undefined): Promise<void> {
    const former = rules.get(tabId)
    if (former === undefined && rule === undefined) return this.#queue
    rules.delete(tabId)
    const id = this.#nextId
    if (rule !== undefined) {
      this.#nextId++
      rules.set(tabId, id)
    }
    this.#queue = this.#queue.then(async () => {
      try {
        await this.#api.updateSessionRules({
          removeRuleIds: former === undefined ? [] : [former],
          addRules: rule === undefined ? [] : [{ ...rule, id }],
        })
      } catch (error) {
        this.#logger.warn('session-rules', asWaryError(error))
      }
    })
    return this.#queue
  }
}
