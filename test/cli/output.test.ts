import { expect, test } from 'vitest'
import { grouped, moment, Output } from '../../src/cli/output.ts'

function recorded() {
  const lines: string[] = []
  const output = new Output({ stdout: (text) => lines.push(`1 ${text}`), stderr: (text) => lines.push(`2 ${text}`) })
  return { output, lines }
}

test('keeps facts and notes apart, each a line without control characters', () => {
  const { output, lines } = recorded()
  output.line('a\u001b[31m\nb')
  output.note('c\rd\u2028')
  output.line()
  expect(lines).toEqual(['1 a\ufffd[31m\ufffdb\n', '2 c\ufffdd\ufffd\n', '1 \n'])
})

test('aligns columns but does not fill the last', () => {
  const { output, lines } = recorded()
  output.table([['a', 'long cell', 'x'], ['abc', 'b', 'y'], ['only']])
  expect(lines).toEqual(['1   a    long cell  x\n', '1   abc  b          y\n', '1   only\n'])
})

test('prints JSON in one line that means the same and is harmless on a terminal', () => {
  const { output, lines } = recorded()
  const value = { text: 'ä\u0007\u007f\u009b31m\u202e\u2028\ud800\u{e0041}"\\' }
  output.json(value)
  expect(lines).toHaveLength(1)
  const text = (lines[0] ?? '').slice(2)
  expect(JSON.parse(text)).toEqual(value)
  expect(text.slice(0, -1)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  expect(text).toContain('ä')
})

test('writes numbers and moments', () => {
  expect([grouped(13_752), moment(Date.UTC(2026, 0, 1)), moment(1)]).toEqual(['13,752', '2026-01-01T00:00:00Z', '1970-01-01T00:00:00.001Z'])
})
