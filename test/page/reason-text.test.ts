import { expect, test } from 'vitest'
import { reasonText } from '../../extension/page/reason-text.ts'

test.each([
  ['contradiction', 'reasonContradiction'],
  ['http-network', 'reasonNetwork'],
  ['http-timeout', 'reasonTimeout'],
  ['http-status', 'reasonAnswer'],
  ['search-backoff', 'reasonBackoff'],
  ['storage-damaged', 'reasonFault'],
  ['toString', 'reasonFault'],
])('%s', (code, key) => {
  expect(reasonText(code)).toBe(key)
})
