import { expect, test } from 'vitest'
import { printable } from '../../src/feeds/printable.ts'

test('leaves ordinary text of any script alone', () => {
  for (const text of ['evil.test/a?b=c', 'пример.испытание', '例え.テスト', 'naïve “quotes” – €']) expect(printable(text)).toBe(text)
})

test.each([
  ['an escape sequence', '\u001b[2Jx', '\ufffd[2Jx'],
  ['an 8-bit control sequence', '\u009b31m', '\ufffd31m'],
  ['line ends, which would forge lines', 'a\r\nb\u2028c\u0085d', 'a\ufffd\ufffdb\ufffdc\ufffdd'],
  ['a bell and a delete', '\u0007\u007f', '\ufffd\ufffd'],
  ['text that runs the other way', 'gpj.\u202eexe', 'gpj.\ufffdexe'],
  ['invisible characters', 'pay\u200bpal\u00ad\ufeff', 'pay\ufffdpal\ufffd\ufffd'],
  ['lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
])('replaces %s', (_what, text, shown) => {
  expect(printable(text)).toBe(shown)
})
