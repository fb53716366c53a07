import { describe, expect, test } from 'vitest'
import { missingLists, readForm, readServer, written } from '../../extension/options/settings-form.ts'

const KEY = 'ab'.repeat(32)
const good = { server: 'https://lists.example', rootKey: KEY, lists: 'se-4b', decoys: '0' }

describe('the settings form', () => {
  test('what is valid', () => {
    const entered = {
      server: ' https://lists.example/ ',
      rootKey: `${KEY.slice(0, 32)}\n ${KEY.slice(32).toUpperCase()}`,
      lists: 'se-4b, mw-4b,',
      decoys: ' 3',
    }
    expect(readForm(entered)).toEqual({
      kind: 'valid',
      settings: { version: 1, server: 'https://lists.example', rootKey: KEY, lists: ['se-4b', 'mw-4b'], decoys: 3 },
    })
    expect(readForm({ ...good, server: '', rootKey: '' }).kind).toBe('valid')
  })

  test.each([
    [{ server: 'lists.example' }, { server: 'problemServer' }],
    [{ server: 'http://lists.example' }, { server: 'problemServer' }],
    [{ server: 'https://lists.example/path' }, { server: 'problemServer' }],
    [{ rootKey: 'abc' }, { rootKey: 'problemRootKey' }],
    [{ rootKey: '' }, { rootKey: 'problemRootKeyMissing' }],
    [{ lists: 'phishing' }, { lists: 'problemLists' }],
    [{ lists: ' ' }, { lists: 'problemLists' }],
    [{ decoys: '' }, { decoys: 'problemDecoys' }],
    [{ decoys: '9' }, { decoys: 'problemDecoys' }],
    [{ decoys: '1.5' }, { decoys: 'problemDecoys' }],
    [
      { server: 'x', rootKey: 'x', lists: 'x' },
      { server: 'problemServer', rootKey: 'problemRootKey', lists: 'problemLists' },
    ],
  ])('%j is not', (change, problems) => {
    expect(readForm({ ...good, ...change })).toEqual({ kind: 'invalid', problems })
  })

  test('what is shown is what was read', () => {
    const outcome = readForm(good)
    expect(outcome.kind === 'valid' && written(outcome.settings)).toEqual(good)
  })

  test('the server to test', () => {
    expect(readServer('http://127.0.0.1:8750')).toEqual({ server: 'http://127.0.0.1:8750' })
    expect(readServer('')).toEqual({ problem: 'problemServerMissing' })
    expect(readServer('ftp://x')).toEqual({ problem: 'problemServer' })
  })

  test('lists that a server lacks', () => {
    expect(missingLists('se-4b, mw-4b', ['se-4b'])).toEqual(['mw-4b'])
    expect(missingLists('nonsense', ['se-4b'])).toEqual([])
  })
})
