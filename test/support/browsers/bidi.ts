import type { Browser } from 'puppeteer-core'

interface Context {
  readonly context: string
  readonly url: string
}

interface Connection {
  send(method: string, params: object): Promise<{ result: unknown }>
}

function hasConnection(browser: object): browser is { connection: Connection } {
  return 'connection' in browser && typeof browser.connection === 'object' && browser.connection !== null && 'send' in browser.connection
}

/**
 * WebDriver BiDi without the driver's page model: Firefox reports no load events for moz-extension: pages, so that model is stale as soon as
 * a navigation ends on one. Everything here asks the browser about the tab as it is now.
 */
export class Bidi {
  readonly #connection: Connection

  constructor(browser: Browser) {
    if (!hasConnection(browser)) throw new Error('This is not a browser driven by WebDriver BiDi')
    this.#connection = browser.connection
  }

  async send(method: string, params: object): Promise<unknown> {
    return (await this.#connection.send(method, params)).result
  }

  async createTab(): Promise<string> {
    const answer = await this.send('browsingContext.create', { type: 'tab', background: false })
    return text(answer, 'context')
  }

  async closeTab(context: string): Promise<void> {
    await this.send('browsingContext.close', { context })
  }

  /** Open tabs. */
  contexts(): Promise<Context[]> {
    return this.#tree({ maxDepth: 0 })
  }

  async #tree(params: object): Promise<Context[]> {
    const answer = await this.send('browsingContext.getTree', params)
    const contexts = typeof answer === 'object' && answer !== null && 'contexts' in answer ? answer.contexts : undefined
    if (!Array.isArray(contexts)) throw new Error('The browser named no contexts')
    return contexts.map((context) => ({ context: text(context, 'context'), url: text(context, 'url') }))
  }

  /**
   * Runs an expression in a tab, awaits it and answers a string, number, boolean or null as itself; undefined for anything else. Rejects with the
   * page's error.
   */
  async evaluate(context: string, expression: string): Promise<unknown> {
    const answer = await this.send('script.evaluate', { expression, target: { context }, awaitPromise: true, userActivation: false })
    if (typeof answer !== 'object' || answer === null) throw new Error('The browser answered nothing')
    if ('exceptionDetails' in answer) throw new Error(`In the page: ${text(answer.exceptionDetails, 'text')}`)
    if (!('result' in answer) || typeof answer.result !== 'object' || answer.result === null) return undefined
    if ('value' in answer.result) return answer.result.value
    return 'type' in answer.result && answer.result.type === 'null' ? null : undefined
  }

  /** Runs an expression with the rights of the browser's own window. */
  async inBrowser(expression: string): Promise<unknown> {
    const [window] = await this.#tree({ 'moz:scope': 'chrome', maxDepth: 0 })
    if (window === undefined) throw new Error('The browser has no window')
    return this.evaluate(window.context, expression)
  }
}

function text(value: unknown, key: string): string {
  const found = typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined
  if (typeof found !== 'string') throw new Error(`The browser's answer has no ${key}`)
  return found
}
