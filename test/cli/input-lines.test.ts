import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, lineBatches } from '../../src/cli/input-lines.ts'

/** The lines of `chunks`, which are overwritten as soon as the next one is asked for. */
async function linesOf(chunks: readonly Uint8Array[], most?: number): Promise<Line[]> {
  const lines: Line[] = []
  const lent = async function* () {
    for (const chunk of chunks) {
      const copy = chunk.slice()
      yield copy
      copy.fill(0x0a)
    }
  }
  for await (const batch of lineBatches(lent(), most)) lines.push(...batch)
  return lines
}

function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, i) => bytes.slice(places[i], end))
}

const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** Text full of ends, characters of every length in UTF-8, and byte order marks. */
const TEXT = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', 'ä', '€', '\u{1f600}', '\ufeff', '\0'), { maxLength: 60 })
const CUTS = fc.array(fc.nat(), { maxLength: 20 })

test('gives the same lines however the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(TEXT, CUTS, async (characters, cuts) => {
      const text = characters.join('')
      const wanted = text.replace(/^\ufeff/, '').split('\n')
      // What follows the last end is a line only if there is something.
      if (text === '' || text.endsWith('\n')) wanted.pop()
      expect(await linesOf(cut(bytesOf(text), cuts))).toEqual(wanted.map((line) => line.replace(/\r$/, '')))
    }),
    { numRuns: 1000 },
  )
})

test('gives the same lines of any bytes with any limit, however they are cut', async () => {
  const bytes = fc.array(fc.oneof(fc.constantFrom(0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0xc3, 0xa4), fc.integer({ min: 0, max: 255 })), {
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(bytes, CUTS, fc.integer({ min: 1, max: 30 }), async (numbers, cuts, most) => {
      const whole = Uint8Array.from(numbers)
      const lines = await linesOf(cut(whole, cuts), most)
      expect(lines).toEqual(await linesOf([whole], most))
      expect(lines).toEqual(
        await linesOf(
          Array.from(whole, (byte) => Uint8Array.of(byte)),
          most,
        ),
      )
    }),
    { numRuns: 1000 },
  )
})

test('keeps no line that is longer than the limit, and goes on after it', async () => {
  const long = 'x'.repeat(11)
  expect(await linesOf([bytesOf(`${'y'.repeat(10)}\n${long}\n${long}`), bytesOf(`${long}\nz\n`)], 10)).toEqual([
    'yyyyyyyyyy',
    { start: 'x'.repeat(10) },
    { start: 'x'.repeat(10) },
    'z',
  ])
  // The limit counts bytes, and half a character is not shown.
  expect(await linesOf([bytesOf('ääääää\näääää')], 10)).toEqual([{ start: 'äääää' }, 'äääää'])
  expect(await linesOf([bytesOf('ääääää')], 11)).toEqual([{ start: 'äääää' }])
})

test('replaces what is no UTF-8, within its line', async () => {
  const bytes = Uint8Array.from([0x61, 0xc3, 0x0a, 0xa4, 0x62, 0x0a, 0xf0, 0x9f, 0x98])
  expect(await linesOf([bytes])).toEqual(['a\ufffd', '\ufffdb', '\ufffd'])
})

test('gives a line before it asks for more than that line', async () => {
  let asked = 0
  const chunks = async function* () {
    for (const text of ['one\ntw', 'o\n', 'three']) {
      asked++
      yield bytesOf(text)
    }
  }
  const batches = lineBatches(chunks())
  expect([(await batches.next()).value, asked]).toEqual([['one'], 1])
  expect([(await batches.next()).value, asked]).toEqual([['two'], 2])
  expect([(await batches.next()).value, asked]).toEqual([['three'], 3])
  expect((await batches.next()).done).toBe(true)
})

test('needs no more memory for a line without an end than for the longest', async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(0x78)
  let most = 0
  const endless = async function* () {
    for (let i = 0; i < 300; i++) {
      yield chunk
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
  }
  const before = process.memoryUsage().arrayBuffers
  const lines: Line[] = []
  for await (const batch of lineBatches(endless())) lines.push(...batch)
  expect(lines).toEqual([{ start: 'x'.repeat(1000) }])
  expect(most - before).toBeLessThan(24 * 1024 * 1024)
})
