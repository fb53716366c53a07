import { describe, expect, it } from 'vitest'
import { type Asker, type Handlers, MessageRouter } from '../../extension/background/message-router.ts'
import { type MessageType, PAGE_PATHS, type PageName, SENDERS } from '../../extension/messaging/messages.ts'
import { RecordingLogger } from '../support/fakes.ts'

const ORIGIN = 'chrome-extension://abcdefghijklmnop'
const ID = 'abcdefghijklmnop'
const TYPES = Object.keys(SENDERS) as MessageType[]
const PAGES = Object.keys(PAGE_PATHS) as PageName[]

function router(): { router: MessageRouter; calls: { type: string; asker: Asker }[] } {
  const calls: { type: string; asker: Asker }[] = []
  const entries = TYPES.map((type) => [
    type,
    async (_request: unknown, asker: Asker) => {
      calls.push({ type, asker })
      return {}
    },
  ])
  const handlers: Handlers = Object.fromEntries(entries)
  return { router: new MessageRouter({ extensionId: ID, origin: ORIGIN, handlers, logger: new RecordingLogger() }), calls }
}

describe('MessageRouter', () => {
  it.each(TYPES.flatMap((type) => PAGES.map((page) => [type, page] as const)))('%s from the %s page', async (type, page) => {
    const { router: subject, calls } = router()
    const sender = { id: ID, url: `${ORIGIN}${PAGE_PATHS[page]}?r=abc`, frameId: 0, tab: { id: 7 } }
    const reply = await subject.receive({ type, request: {} }, sender)
    if (SENDERS[type].includes(page)) {
      expect(reply).toEqual({ ok: true, answer: {} })
      expect(calls).toEqual([{ type, asker: { page, tabId: 7, recordId: 'abc' } }])
    } else {
      expect(reply).toMatchObject({ ok: false, error: 'message-rejected' })
      expect(calls).toEqual([])
    }
  })

  const warning = `${ORIGIN}${PAGE_PATHS.warning}`
  it.each([
    ['a web page', { id: ID, url: 'https://evil.test/extension/warning/index.html', frameId: 0, tab: { id: 7 } }],
    ['another extension', { id: 'other', url: warning, frameId: 0, tab: { id: 7 } }],
    ['our page in a frame', { id: ID, url: warning, frameId: 3, tab: { id: 7 } }],
    ['an unlisted page of ours', { id: ID, url: `${ORIGIN}/extension/leave/index.html`, frameId: 0, tab: { id: 7 } }],
    ['a host that begins like ours', { id: ID, url: `${ORIGIN}.evil.test${PAGE_PATHS.warning}`, frameId: 0, tab: { id: 7 } }],
    ['nobody', { id: ID }],
    ['an unknown sender', {}],
  ])('refuses %s', async (_name, sender) => {
    const { router: subject, calls } = router()
    expect(await subject.receive({ type: 'warning:proceed', request: {} }, sender)).toMatchObject({ ok: false, error: 'message-rejected' })
    expect(calls).toEqual([])
  })

  it.each([
    [undefined],
    [null],
    ['warning:proceed'],
    [{}],
    [{ type: 'warning:proceed' }],
    [{ type: 'toString', request: {} }],
    [{ type: 'warning:get', request: null }],
  ])('refuses the malformed message %j', async (message) => {
    const { router: subject, calls } = router()
    const reply = await subject.receive(message, { id: ID, url: warning, frameId: 0, tab: { id: 7 } })
    expect(reply).toMatchObject({ ok: false, error: 'message-rejected' })
    expect(calls).toEqual([])
  })

  it('names a failure of the handler', async () => {
    const { router: subject } = router()
    const failing = new MessageRouter({
      extensionId: ID,
      origin: ORIGIN,
      logger: new RecordingLogger(),
      handlers: { ...(subject as unknown as { handlers: Handlers }).handlers, 'warning:get': () => Promise.reject(new Error('gone')) },
    })
    expect(await failing.receive({ type: 'warning:get', request: {} }, { id: ID, url: warning, frameId: 0 })).toEqual({
      ok: false,
      error: 'internal',
      message: 'Error: gone',
    })
  })
})
