import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { canonicalizeLoose } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import { startWary, wary, waryHere, waryInShell } from '../support/cli.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** What the command prints for a page. */
function facts(url: string, canonical: string, all: readonly string[]) {
  const slash = canonical.indexOf('/')
  const scheme = url.startsWith('https:') ? 'https' : 'http'
  return { url, canonical: `${scheme}://${canonical}`, host: canonical.slice(0, slash), expressions: all, hashes: all.map(sha256) }
}

const refused = (url: string) => ({ url, error: { name: 'url-invalid', message: expect.any(String) } })

function jsonLines(text: string): unknown[] {
  expect(text).toMatch(/\n$/)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

/** The command in this process, over `chunks` of standard input. */
async function hashed(...chunks: (string | Uint8Array)[]) {
  const stdinChunks = async function* () {
    for (const chunk of chunks) yield typeof chunk === 'string' ? bytesOf(chunk) : chunk
  }
  const { code, stdout, stderr } = await waryHere(['expressions'], { stdinChunks })
  expect([code, stderr]).toEqual([0, ''])
  return { lines: jsonLines(stdout), stdout }
}

test('as a program: a line of JSON for each line, in order, also for those that no browser could open', async () => {
  const stdin = ['https://www.evil.test/a/b.html?c', 'EVIL.test:8080', '', 'http://[', 'ftp://evil.test/', ' http://ä.test/ä#x '].join(
    '\r\n',
  )
  const { code, stdout, stderr } = await wary(['expressions'], { stdin })
  expect([code, stderr]).toEqual([0, ''])
  const all = ['/', '/a/', '/a/b.html', '/a/b.html?c'].flatMap((path) => [`evil.test${path}`, `www.evil.test${path}`])
  expect(jsonLines(stdout)).toEqual([
    facts('https://www.evil.test/a/b.html?c', 'www.evil.test/a/b.html?c', all),
    facts('EVIL.test:8080', 'evil.test/', ['evil.test/']),
    refused(''),
    refused('http://['),
    refused('ftp://evil.test/'),
    facts(' http://ä.test/ä#x ', 'xn--4ca.test/%C3%A4', ['xn--4ca.test/', 'xn--4ca.test/%C3%A4']),
  ])
  // Its first fields come first, for people and for grep.
  expect(stdout).toMatch(
    /^\{"url":"https:[^"]*","canonical":"https:\/\/www\.evil\.test\/a\/b\.html\?c","host":"www\.evil\.test","expressions":\["evil\.test\/",/,
  )
})

test('nothing at all gives nothing at all', async () => {
  expect(await waryHere(['expressions'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('knows a line that is cut anywhere', async () => {
  const bytes = bytesOf('\ufeffhttp://a.test/ä€\u{1f600}\r\nb.test\n')
  const wanted = [
    facts('http://a.test/ä€\u{1f600}', 'a.test/%C3%A4%E2%82%AC%F0%9F%98%80', ['a.test/', 'a.test/%C3%A4%E2%82%AC%F0%9F%98%80']),
    facts('b.test', 'b.test/', ['b.test/']),
  ]
  expect((await hashed(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).lines).toEqual(wanted)
  for (let at = 0; at < bytes.length; at++) expect((await hashed(bytes.slice(0, at), bytes.slice(at))).lines).toEqual(wanted)
})

test('whatever a line holds, the output is JSON in as many lines and steers no terminal', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('http://', 'a.test', '/', '?', '"', '\\', '\u001b[31m', '\u202e', '%22', '%5C', '%'),
  )
  const line = fc.array(part, { maxLength: 8 }).map((parts) => parts.join('').replace(/[\r\n]/g, ''))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async (urls) => {
      const { lines, stdout } = await hashed(`${urls.join('\n')}\n`)
      expect(lines).toEqual(
        // A byte order mark at the very start is none of the text, and half a pair is no UTF-8.
        urls.map((url, i) => expect.objectContaining({ url: (i === 0 ? url.replace(/^\ufeff/, '') : url).toWellFormed() })),
      )
      expect(stdout).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
    }),
    { numRuns: 500 },
  )
})

test('shows no control character as it is', async () => {
  const { stdout, lines } = await hashed('http://a.test/\u001b[31m?\u0007\u009b\n')
  expect(stdout).toContain('"url":"http://a.test/\\u001b[31m?\\u0007\\u009b","canonical":"http://a.test/%1B[31m?%07%C2%9B"')
  expect(lines).toHaveLength(1)
  const quotes = '"quoted"\\'
  expect((await hashed(`http://a.test/?${quotes}`)).lines).toEqual([
    facts(`http://a.test/?${quotes}`, `a.test/?${quotes}`, ['a.test/', `a.test/?${quotes}`]),
  ])
})

test('a line without measure costs that line only', async () => {
  const mebibyte = 'x'.repeat(1024 * 1024)
  const longest = `http://a.test/${'y'.repeat(4 * 1024 * 1024 - 14)}`
  const { lines } = await hashed('http://a.test/?', mebibyte, mebibyte, mebibyte, mebibyte, mebibyte, '\na.test\n', longest, '\nb.test')
  expect(lines[0]).toEqual({
    url: `http://a.test/?${'x'.repeat(985)}`,
    error: { name: 'url-invalid', message: 'the line is longer than 4 MiB; this is its start' },
  })
  expect(lines.slice(1)).toEqual([
    facts('a.test', 'a.test/', ['a.test/']),
    expect.objectContaining({ url: longest, hashes: [sha256('a.test/'), sha256(longest.slice(7))] }),
    facts('b.test', 'b.test/', ['b.test/']),
  ])
})

test('writes as it reads, in large pieces, and waits for each', async () => {
  const writes: number[] = []
  let waiting = 0
  const stdoutBytes = async (bytes: Uint8Array) => {
    writes.push(bytes.length)
    waiting++
    await new Promise((resolve) => setImmediate(resolve))
    waiting--
  }
  const atChunk: number[] = []
  const stdinChunks = async function* () {
    for (let chunk = 0; chunk < 4; chunk++) {
      expect(waiting).toBe(0)
      atChunk.push(writes.length)
      yield bytesOf(Array.from({ length: 500 }, (_, i) => `http://www.host${i}.test/a/b?c=${chunk}\n`).join(''))
    }
  }
  expect(await waryHere(['expressions'], { stdinChunks, stdoutBytes })).toMatchObject({ code: 0 })
  // What a chunk gave is written before the next is read.
  expect(atChunk).toEqual([0, 1, 2, 3].map((chunk) => (chunk * writes.length) / 4))
  expect(Math.max(...writes)).toBeGreaterThan(64 * 1024)
  expect(Math.max(...writes)).toBeLessThan(72 * 1024)
})

test('as a program: answers line by line to who asks line by line', async () => {
  const child = startWary(['expressions'])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  child.stdout.setEncoding('utf8')
  for (const url of ['a.test', 'b.test']) {
    child.stdin.write(`${url}\n`)
    const answer = await new Promise((resolve) => child.stdout.once('data', resolve))
    expect(jsonLines(String(answer))).toEqual([facts(url, `${url}/`, [`${url}/`])])
  }
  child.stdin.end()
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
})

test('as a program: reads no further than what it has written is taken', async () => {
  const child = startWary(['expressions'])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  child.stdin.on('error', () => undefined)
  child.stdin.write('a.test\n')
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.stdout.pause()
  const urls = 'http://www.host.test/a/b/c/d/e?f\n'.repeat(10_000)
  let taken = 0
  const stalled = () => new Promise((resolve) => setTimeout(() => resolve('stalled'), 2000))
  const drained = () => new Promise((resolve) => child.stdin.once('drain', () => resolve('drained')))
  for (let ended: unknown; ended !== 'stalled' && taken < 30; taken++) {
    child.stdin.write(urls)
    ended = await Promise.race([drained(), stalled()])
  }
  expect(taken).toBeLessThan(10)
})

test('as a program: ends quietly when its reader has seen enough', async () => {
  const { code, stdout, stderr } = await waryInShell(
    '{ "$@"; echo "ended with $?" >&2; } | head -n 1',
    ['expressions'],
    'a.test\n'.repeat(100_000),
  )
  expect([code, jsonLines(stdout), stderr]).toEqual([0, [facts('a.test', 'a.test/', ['a.test/'])], 'ended with 0\n'])
})

test.runIf(existsSync('/dev/full'))('as a program: says when its output cannot be written', async () => {
  const failed = await waryInShell('"$@" > /dev/full', ['expressions'], 'a.test\n')
  expect(failed).toEqual({ code: 1, stdout: '', stderr: 'wary: file-failed: standard output: no space left on device\n' })
})

test('agrees with the parts that the extension is made of', async () => {
  const urls = ['http://a.b.c.d.e.f.example.co.uk/1/2/3/4/5/6.html?q=1', 'http://1.2.3.4/a//b/../c', 'http://[::1]/', 'x.test/%2525']
  const { lines } = await hashed(urls.join('\n'))
  expect(lines).toEqual(
    urls.map((url) => {
      const all = expressions(canonicalizeLoose(url))
      return expect.objectContaining({ url, expressions: all, hashes: all.map(sha256) })
    }),
  )
})

test('has help with an example', async () => {
  const { code, stdout } = await waryHere(['expressions', '--help'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: wary expressions .*\nExample:\n {2}wary expressions /s)])
})
