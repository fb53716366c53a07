import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../../src/bytes.ts'
import { OutputLines } from '../../src/cli/output-lines.ts'

function recorded() {
  const writes: string[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const lines = new OutputLines(async (bytes) => {
    writes.push(decoder.decode(bytes, { stream: true }))
    bytes.fill(0)
  })
  return { lines, writes, text: () => writes.join('') }
}

test('any text goes in and comes out as JSON that steers no terminal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii' }), async (any, plain) => {
      const { lines, text } = recorded()
      for (const each of [any, plain, '"\\\u007f\u009b31m\u202e\ud800']) {
        lines.quoted(each)
        lines.plain('\n')
      }
      await lines.flush()
      const [first, second, third, ...rest] = text().split('\n')
      expect([first, second, third].map((line) => JSON.parse(line ?? ''))).toEqual([any, plain, '"\\\u007f\u009b31m\u202e\ud800'])
      expect(rest).toEqual([''])
      expect(text()).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
    }),
  )
})

test('writes bytes in hexadecimal', async () => {
  const { lines, text } = recorded()
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  lines.hex(bytes)
  lines.hex(bytes, 254, 255)
  lines.json({ a: [1, null, 'ä\n'] })
  await lines.flush()
  expect(text()).toBe(`${toHex(bytes)}fe{"a":[1,null,"ä\\n"]}`)
})

test('gathers lines to large writes, and takes one that is larger than a write', async () => {
  const { lines, writes, text } = recorded()
  let wanted = ''
  for (let i = 0; i < 20_000; i++) {
    const word = i === 7000 ? 'long'.repeat(1_000_000) : `word${i}ä`
    wanted += `"${word}"\n`
    lines.quoted(word)
    lines.plain('\n')
    if (lines.full) await lines.flush()
  }
  await lines.flush()
  await lines.flush()
  expect(text() === wanted).toBe(true)
  expect(writes.length).toBeLessThan(8)
  expect(Math.min(...writes.slice(0, -1).map((write) => write.length))).toBeGreaterThan(50_000)
  expect(Math.max(...writes.filter((write) => write.length < 4_000_000).map((write) => write.length))).toBeLessThan(70_000)
})
