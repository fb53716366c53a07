import { describe, expect, test } from 'vitest'
import type { FeedItem } from '../../src/feeds/feed.ts'
import { readPlain } from '../../src/feeds/plain.ts'

const read = (text: string): FeedItem[] => [...readPlain(text)]
const listed = (text: string) =>
  read(text).map((item) => ('entry' in item ? `${item.entry.line} ${item.entry.expression}` : item.reject.reason))

describe('a plain feed', () => {
  test('has a domain, a URL or a hosts-file line a line, with any line ends', () => {
    expect(
      listed(
        'evil.test\r\nhttps://other.test/page?x=1\n0.0.0.0 third.test\r127.0.0.1\tfourth.test fifth.test\n::1 sixth.test\n:: last.test',
      ),
    ).toEqual([
      '1 evil.test/',
      '2 other.test/page?x=1',
      '3 third.test/',
      '4 fourth.test/',
      '4 fifth.test/',
      '5 sixth.test/',
      '6 last.test/',
    ])
  })

  test('passes over empty lines and comments, but not over a fragment', () => {
    expect(listed('\ufeff# hosts\n\n! title\n  \t\n  evil.test  # why\nother.test/a#b\n \t# indented')).toEqual([
      '5 evil.test/',
      '6 other.test/a',
    ])
  })

  test('rejects bad lines with line number, text and reason, and goes on', () => {
    expect(read('evil.test\nco.uk\n0.0.0.0 localhost\ntwo names\nlast.test')).toEqual([
      { entry: { expression: 'evil.test/', threatType: undefined, line: 1 } },
      { reject: { line: 2, text: 'co.uk', reason: 'a public suffix: it would list every site below it' } },
      { reject: { line: 3, text: '0.0.0.0 localhost', reason: 'an address of this device' } },
      { reject: { line: 4, text: 'two names', reason: 'more than one address in a line' } },
      { entry: { expression: 'last.test/', threatType: undefined, line: 5 } },
    ])
  })

  test('survives hostile lines in no time', () => {
    const megabyte = 1 << 20
    const lines = [
      '\u001b]0;owned\u0007evil.test',
      'a\ud800.test',
      'a'.repeat(megabyte),
      ' #'.repeat(megabyte / 2),
      `${'a #'.repeat(megabyte / 3)}\u2028`,
      ' '.repeat(megabyte),
      '%25'.repeat(600),
      '/'.repeat(2000),
      `a.test/${'../'.repeat(600)}`,
      '\u0000',
      'evil.test',
    ]
    const began = performance.now()
    const items = read(lines.join('\n'))
    expect(performance.now() - began).toBeLessThan(1000)
    const rejects = items.flatMap((item) => ('reject' in item ? [item.reject] : []))
    expect(rejects.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10])
    for (const { text } of rejects) {
      expect(text.length).toBeLessThanOrEqual(200)
      expect(text).not.toMatch(/\p{Cc}|\p{Cs}/u)
    }
    expect(listed(lines.join('\n')).slice(-1)).toEqual(['11 evil.test/'])
  })

  test('does not grow with its own length: a million lines', () => {
    let count = 0
    for (const item of readPlain('evil.test\n'.repeat(100_000))) if ('entry' in item) count++
    expect(count).toBe(100_000)
  })
})
