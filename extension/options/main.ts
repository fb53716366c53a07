/**
 * Options page: where the lists come from. For tests: #server, #rootKey, #lists, #save, #test, #outcome[data-kind], #FIELD-origin.
 */
import { asWaryError } from '../../src/errors.ts'
import type { SettingsView } from '../messaging/messages.ts'
import { element, localizePage, message } from '../page/localize.ts'
import { send, sendPatiently } from '../page/send.ts'
import { consoleLogger } from '../platform/logger.ts'

const FIELDS = ['server', 'rootKey', 'lists'] as const
const ORIGINS = { default: 'originDefault', build: 'originBuild', user: 'originUser', policy: 'originPolicy' } as const

function field(name: (typeof FIELDS)[number]): HTMLInputElement {
  return element<HTMLInputElement>(name)
}

function show({ settings, sources }: SettingsView): void {
  field('server').value = settings.server
  field('rootKey').value = settings.rootKey
  field('lists').value = settings.lists.join(', ')
  for (const name of FIELDS) {
    field(name).disabled = sources[name] === 'policy'
    element(`${name}-origin`).textContent = message(ORIGINS[sources[name]])
  }
  element<HTMLButtonElement>('save').disabled = FIELDS.every((name) => sources[name] === 'policy')
}

function tell(kind: 'good' | 'bad', text: string): void {
  element('outcome').dataset.kind = kind
  element('outcome').textContent = text
}

async function save(): Promise<void> {
  const lists = field('lists')
    .value.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const answer = await send('settings:save', {
    settings: { version: 1, server: field('server').value, rootKey: field('rootKey').value, lists },
  })
  if ('error' in answer) {
    tell('bad', answer.message)
    return
  }
  show(answer)
  tell('good', message('optionsSaved'))
}

async function test(): Promise<void> {
  tell('good', message('optionsTesting'))
  const answer = await send('settings:test', { server: field('server').value })
  if (answer.ok) tell('good', message('optionsTestOk', answer.lists.join(', ')))
  else tell('bad', message('optionsTestFailed', answer.error, answer.message))
}

function guarded(work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    consoleLogger.warn('options', asWaryError(error))
    tell('bad', error instanceof Error ? error.message : String(error))
  })
}

localizePage()
element('form').addEventListener('submit', (event) => {
  event.preventDefault()
  guarded(save)
})
element('test').addEventListener('click', () => guarded(test))
guarded(async () => show(await sendPatiently('settings:get', {})))
