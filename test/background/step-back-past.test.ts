import { describe, expect, test } from 'vitest'
import { stepBackPast } from '../../extension/background/step-back-past.ts'

const LISTED = 'http://listed.test/'

/**
 * A tab whose history can misbehave as Chrome's does while an error page commits: `faults` says, call by call, where `goBack` leads instead of
 * one entry back.
 */
class Tab {
  readonly entries: readonly string[]
  index: number
  steps = 0
  readonly #faults: ('same' | 'ok' | 'slow')[]
  #busy = 0

  constructor(entries: readonly string[], index: number, faults: ('same' | 'ok' | 'slow')[] = []) {
    this.entries = entries
    this.index = index
    this.#faults = faults
  }

  get url(): string {
    return this.entries[this.index] ?? ''
  }

  readonly api = {
    tabs: {
      goBack: () => {
        this.steps++
        if (this.index === 0) return Promise.reject(new Error('Cannot find a next page in history.'))
        const fault = this.#faults.shift() ?? 'ok'
        if (fault !== 'same') this.index--
        if (fault === 'slow') this.#busy = 5
        return Promise.resolve()
      },
      get: () => Promise.resolve({ incognito: false, status: this.#busy-- > 0 ? 'loading' : 'complete' }),
    },
    webNavigation: { getFrame: () => Promise.resolve({ url: this.#busy > 0 ? LISTED : this.url }) },
  }

  past(wanted = (): boolean => this.url === LISTED): Promise<'left' | 'stuck'> {
    return stepBackPast(this.api, { tabId: 1, url: LISTED, wanted, pause: () => Promise.resolve() })
  }
}

describe('a step back past the entry of a listed page', () => {
  test('is one step where the browser does as told', async () => {
    const tab = new Tab(['http://good.test/', LISTED], 1)
    expect(await tab.past()).toBe('left')
    expect(tab).toMatchObject({ url: 'http://good.test/', steps: 1 })
  })

  test('is repeated when the first led to the same entry again, and goes no further than the page before', async () => {
    const tab = new Tab(['about:blank', 'http://good.test/', LISTED], 2, ['same', 'same'])
    expect(await tab.past()).toBe('left')
    expect(tab).toMatchObject({ url: 'http://good.test/', steps: 3 })
  })

  test('waits for a page that is slow to come', async () => {
    const tab = new Tab(['about:blank', 'http://good.test/', LISTED], 2, ['slow'])
    let polls = 0
    expect(await tab.past(() => polls++ < 12)).toBe('left')
    expect(tab).toMatchObject({ url: 'http://good.test/', steps: 1 })
  })

  test('says so where no page is before, and where none is reached', async () => {
    const first = new Tab([LISTED], 0)
    expect(await first.past()).toBe('stuck')
    const never = new Tab(['http://good.test/', LISTED], 1, ['same', 'same', 'same', 'same', 'same'])
    expect(await never.past()).toBe('stuck')
    expect(never.steps).toBe(4)
  })

  test('leaves a tab alone that has begun something else', async () => {
    const tab = new Tab(['http://good.test/', LISTED], 1, ['same'])
    expect(await tab.past(() => false)).toBe('left')
    expect(tab.steps).toBe(1)
  })
})
