import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import { blocksRun, growth } from '../support/work-done.ts'

/** For twice the size: steps are counted, bytes are estimated. */
async function expectLinear(size: number, work: (size: number) => () => unknown): Promise<void> {
  const { blocks, bytes } = await growth(size, work)
  expect(blocks).toBeLessThan(2.2)
  expect(bytes).toBeLessThan(2.6)
}

const all = (href: string) => (): unknown => {
  const url = canonicalize(href)
  return [url.text, url.host, url.path, url.query, expressions(url)]
}

/** What the URL parser leaves for us to do grows with these; the numbers are of repeats. */
const SHAPES: readonly (readonly [name: string, repeats: number, href: (repeats: number) => string])[] = [
  ['escapes in a path', 40_000, (n) => `http://bad.test/${'%61'.repeat(n)}`],
  ['escapes in a query', 40_000, (n) => `http://bad.test/?${'%61'.repeat(n)}`],
  ['escapes of escapes, one in the other', 20_000, (n) => `http://bad.test/%${'25'.repeat(n)}41`],
  ['escapes of percent signs', 20_000, (n) => `http://bad.test/${'%25'.repeat(n)}41`],
  ['escapes of escapes, one after the other', 15_000, (n) => `http://bad.test/${'%25%34%31'.repeat(n)}`],
  ['escapes that end in none', 20_000, (n) => `http://bad.test/?${'%2'.repeat(n)}`],
  ['percent signs alone', 40_000, (n) => `http://bad.test/?${'%'.repeat(n)}`],
  ['steps up that are hidden', 10_000, (n) => `http://bad.test/${'a/%252e%252e/'.repeat(n)}x`],
  ['steps down and up that are hidden', 10_000, (n) => `http://bad.test/${'a/'.repeat(n)}${'%252e%252e/'.repeat(n)}x`],
  ['directories', 40_000, (n) => `http://bad.test/${'a/'.repeat(n)}%20`],
  ['slashes', 40_000, (n) => `http://bad.test/${'/'.repeat(n)}x`],
  ['hidden slashes', 20_000, (n) => `http://bad.test/${'%2f'.repeat(n)}x`],
  ['bytes that must be escaped', 20_000, (n) => `http://bad.test/${'%ff'.repeat(n)}`],
  ['letters that are not ASCII', 20_000, (n) => `http://bad.test/${'ü'.repeat(n)}`],
]

describe('time is linear', () => {
  it.each(SHAPES)('in %s', async (_, repeats, href) => {
    await expectLinear(repeats, (size) => all(href(size)))
  })

  it('in what a plain address has', async () => {
    const plain = (n: number) => `http://bad.test/${'a/'.repeat(n)}${'b'.repeat(n)}?${'c'.repeat(n)}`
    await expectLinear(40_000, (size) => all(plain(size)))
  })

  // Names and dots are read by the URL parser and by regular expressions: hardly any step is ours, and none may grow faster.
  it.each<[string, (n: number) => string]>([
    ['dots before a host', (n) => `http://${'.'.repeat(n)}bad.test/`],
    ['dots in a host', (n) => `http://bad${'.'.repeat(n)}test/`],
    ['dots behind a host', (n) => `http://bad.test${'.'.repeat(n)}/`],
    ['names of a host', (n) => `http://${'a.'.repeat(n)}bad.test/`],
    ['dots around an IP address', (n) => `http://1.2.3.4${'.'.repeat(n)}/`],
  ])('in %s', async (_, href) => {
    const [once, twice] = [await blocksRun(all(href(10_000))), await blocksRun(all(href(20_000)))]
    expect(twice).toBeLessThan(2.2 * once)
  })
})

describe('what is not linear shows', () => {
  const here = '/test/url/sizes.test.ts'
  it('in blocks, where it is our loop', async () => {
    const pairs = (size: number) => () => {
      let equal = 0
      for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) if (i === j) equal++
      return equal
    }
    expect((await growth(300, pairs, here)).blocks).toBeGreaterThan(3.5)
  })

  it("in bytes, where it is the engine's: unescaping again and again", async () => {
    const again = (size: number) => () => {
      let text = `%${'25'.repeat(size)}41`
      for (let former = ''; former !== text; ) {
        former = text
        text = text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      }
      return text
    }
    const { blocks, bytes } = await growth(1000, again, here)
    expect(blocks).toBeLessThan(2.2)
    expect(bytes).toBeGreaterThan(3)
  })
})

describe('what comes out is right at any size', () => {
  it.each<[string, string, string]>([
    ['2 MB', `http://bad.test/${'a'.repeat(2_000_000)}`, `bad.test/${'a'.repeat(2_000_000)}`],
    ['2 MB of escapes', `http://bad.test/?${'%61'.repeat(666_666)}`, `bad.test/?${'a'.repeat(666_666)}`],
    ['10,000 dots', `http://${'.'.repeat(10_000)}bad${'.'.repeat(10_000)}test/`, 'bad.test/'],
    ['100,000 nested escapes', `http://bad.test/%${'25'.repeat(100_000)}41`, 'bad.test/A'],
    ['100,000 percent signs', `http://bad.test/${'%25'.repeat(100_000)}41`, `bad.test/${'%25'.repeat(99_999)}A`],
    ['100,000 steps up', `http://bad.test/${'../'.repeat(100_000)}x`, 'bad.test/x'],
    ['100,000 steps up that are hidden', `http://bad.test/${'%252e%252e/'.repeat(100_000)}x`, 'bad.test/x'],
  ])('%s', (_, href, expected) => {
    const made = canonicalize(href).text
    expect(made.length).toBe(expected.length)
    expect(made === expected).toBe(true)
    expect(expressions(canonicalize(href)).length).toBeLessThanOrEqual(30)
  })
})
