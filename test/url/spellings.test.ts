import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'

/*
 * One page has many addresses. Whoever wants it to be opened and not found writes another one, so all of them must come to the same expressions.
 */

type Text = fc.Arbitrary<string>

/** Each character on its own by one of `spell`'s ways. */
function each(text: string, spell: (character: string) => Text): Text {
  return fc.tuple(...[...text].map(spell)).map((parts) => parts.join(''))
}

const hex = (character: string, upper: boolean): string => {
  const digits = character.charCodeAt(0).toString(16).padStart(2, '0')
  return `%${upper ? digits.toUpperCase() : digits}`
}

/** The character itself, or escaped `depth` times: `a`, `%61`, `%2561`, `%25%36%31`. */
function escaped(character: string, depth: number): Text {
  if (depth === 0) return fc.constant(character)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(character) },
    {
      weight: 1,
      arbitrary: fc.boolean().chain((upper) => each(hex(character, upper), (digit) => escaped(digit, digit === '%' ? 0 : depth - 1))),
    },
    {
      weight: 1,
      arbitrary: escaped('%', depth - 1).chain((percent) =>
        percent === '%' ? fc.constant(hex(character, true)) : fc.constant(percent + hex(character, true).slice(1)),
      ),
    },
  )
}

const FULL_WIDTH = 0xfee0

/** A host's letter or digit: either case, escaped once, or as wide as an ideograph. */
const hostCharacter = (character: string): Text =>
  fc.constantFrom(
    character,
    character,
    character.toUpperCase(),
    hex(character, true),
    hex(character.toUpperCase(), false),
    String.fromCharCode(character.charCodeAt(0) + FULL_WIDTH),
    encodeURIComponent(String.fromCharCode(character.toUpperCase().charCodeAt(0) + FULL_WIDTH)),
  )
const dot: Text = fc.constantFrom('.', '.', '%2e', '%2E', '\u3002', '\uff0e', '\uff61')
const dots: Text = fc.array(dot, { minLength: 1, maxLength: 3 }).map((all) => all.join(''))

/** Labels between one or more dots, with dots before and after. */
function spelledHost(labels: readonly Text[]): Text {
  const around = fc.array(dot, { maxLength: 2 }).map((all) => all.join(''))
  return fc.tuple(around, fc.tuple(...labels.map((label) => fc.tuple(label, dots))), around).map(([before, all, after]) => {
    const joined = all.map(([label, behind], i) => label + (i < all.length - 1 ? behind : '')).join('')
    return before + joined + after
  })
}

const scheme: Text = fc.constantFrom('http', 'https').chain((name) => each(name, (c) => fc.constantFrom(c, c.toUpperCase())))
const slashes: Text = fc.constantFrom('//', '//', '\\\\', '/\\', '\\/', '///', '/', '')
const credentials: Text = fc.constantFrom('', '', 'user@', 'user:secret@', '@', 'good.test:80@', 'a%40b:c@@')
const port: Text = fc.constantFrom('', '', ':', ':8080', ':80', ':443', ':00080')
const fragment: Text = fc.constantFrom('', '', '#', '#top', '#/../?#')
const around: Text = fc.constantFrom('', '', ' ', '\t', '\n', '\r\n ', '\u0000\u001f')

/** Tabs and line ends anywhere: the URL parser takes them away first. */
const holes = (text: string): Text =>
  fc.array(fc.tuple(fc.nat(text.length), fc.constantFrom('\t', '\n', '\r')), { maxLength: 3 }).map((all) => {
    let out = text
    for (const [at, hole] of all) out = out.slice(0, at) + hole + out.slice(at)
    return out
  })

/** What may stand for one slash of a path. */
const separator: Text = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['\\', '//', '/\\/', '/./', '/%2e/', '/%2E\\', '/%252e/', '/x/../', '/x/%2e%2E/', '/x/.%2e/', '\\x\\..\\', '/x/%252e./', '/%2f/'],
      ...['/x/y/../../', '/%25%32%65/', '/x/%25%32%65%2e/'],
    ),
  },
)

const pathCharacter = (character: string): Text => escaped(character, 2)

function spelledPath(segments: readonly string[], directory: boolean, character: (character: string) => Text): Text {
  const parts = segments.map((segment) => fc.tuple(separator, each(segment, character)).map((pair) => pair.join('')))
  const end = directory || segments.length === 0 ? separator : fc.constant('')
  return fc
    .tuple(
      fc.tuple(...parts).map((all) => all.join('')),
      end,
    )
    .map((pair) => pair.join(''))
}

/** As it should be, as often as not: most addresses that are odd are odd in one place. */
const often = (plain: string, odd: Text): Text => fc.oneof(fc.constant(plain), odd)

interface Page {
  readonly address: string
  readonly spelled: Text
}

const UNRESERVED = 'abcxyzABZ019-_~'
const segment = fc
  .string({ unit: fc.constantFrom(...UNRESERVED, '.', '!', '$', '(', '=', '@', ':'), minLength: 1, maxLength: 6 })
  .filter((text) => !/^\.{1,2}$/.test(text))

/** The same page by an address as it should be, and by all others, given the same about its host. */
function pages(host: fc.Arbitrary<{ readonly plain: string; readonly spelled: Text }>): fc.Arbitrary<Page> {
  return fc
    .record({
      host,
      segments: fc.array(segment, { maxLength: 4 }),
      directory: fc.boolean(),
      query: fc.option(fc.string({ unit: fc.constantFrom(...UNRESERVED, '.', '/', '?', '=', '&', '+'), maxLength: 8 })),
    })
    .map(({ host, segments, directory, query }) => {
      const path = segments.length === 0 ? '/' : `/${segments.join('/')}${directory ? '/' : ''}`
      const search = query === null ? '' : `?${query}`
      const oddSearch = query === null ? fc.constant('') : each(query, pathCharacter).map((text) => `?${text}`)
      const oddPath = fc.oneof(spelledPath(segments, directory, fc.constant), spelledPath(segments, directory, pathCharacter))
      const front = fc.oneof(
        fc.constantFrom('http://', 'https://'),
        fc.tuple(scheme, slashes, credentials).map(([name, ...rest]) => `${name}:${rest.join('')}`),
      )
      const spelled = fc
        .tuple(front, often(host.plain, host.spelled), often('', port), often(path, oddPath), often(search, oddSearch), often('', fragment))
        .map((parts) => parts.join(''))
        .chain((text) => often(text, holes(text)))
        .chain((text) =>
          often(
            text,
            fc.tuple(around, around).map(([before, behind]) => before + text + behind),
          ),
        )
      return { address: `http://${host.plain}${path}${search}`, spelled }
    })
}

function sameExpressions(host: fc.Arbitrary<{ readonly plain: string; readonly spelled: Text }>, numRuns: number): void {
  const both = pages(host).chain(({ address, spelled }) => fc.tuple(fc.constant(address), spelled))
  fc.assert(
    fc.property(both, ([address, spelling]) => {
      expect(expressions(canonicalize(spelling))).toEqual(expressions(canonicalize(address)))
    }),
    { numRuns },
  )
}

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/).filter((text) => !text.startsWith('xn'))

describe('every spelling of a page has its expressions', () => {
  it('of a host of ASCII names', () => {
    const host = fc
      .tuple(fc.array(label, { minLength: 1, maxLength: 6 }), fc.constantFrom('test', 'co.uk', 'com', 'kobe.jp'))
      .map(([labels, suffix]) => [...labels, ...suffix.split('.')])
      .map((labels) => ({ plain: labels.join('.'), spelled: spelledHost(labels.map((text) => each(text, hostCharacter))) }))
    sameExpressions(host, 3000)
  })

  it('of a host of other letters', () => {
    const names = [
      ['xn--bcher-kva', 'bücher', 'BÜCHER', 'bu\u0308cher', 'b%C3%BCcher', 'XN--BCHER-KVA', 'b\u00adücher', '%62%c3%bc\uff43her'],
      ['xn--fsqu00a', '例子', '%E4%BE%8B子', 'xn--FSQU00A'],
      ['xn--e1afmkfd', 'пример', 'ПРИМЕР', '%D0%BFример'],
      ['xn--fa-hia', 'faß', 'FAß', 'fa%C3%9F'],
    ] as const
    const host = fc.constantFrom(...names).map(([ascii, ...others]) => ({
      plain: `www.${ascii}.test`,
      spelled: spelledHost([each('www', hostCharacter), fc.constantFrom(ascii, ...others), each('test', hostCharacter)]),
    }))
    sameExpressions(host, 1000)
  })

  /** One number of an IPv4 address: decimal, octal or hexadecimal, with zeros in front. */
  const number = (value: number): Text =>
    fc.tuple(fc.constantFrom(10, 8, 16), fc.nat(3)).map(([base, zeros]) => {
      if (base === 10) return String(value)
      const digits = '0'.repeat(zeros) + value.toString(base)
      return base === 8 ? `0${digits}` : `0x${digits}`
    })
  const byte = fc.oneof(fc.constantFrom(0, 1, 255), fc.nat(255))
  const bytes = fc.tuple(byte, byte, byte, byte)

  it('of an IPv4 address', () => {
    const host = bytes.map((octets) => {
      const [a, b, c, d] = octets
      const groups = [[a, b, c, d], [a, b, c * 256 + d], [a, (b * 256 + c) * 256 + d], [((a * 256 + b) * 256 + c) * 256 + d]]
      const dotted = fc
        .constantFrom(...groups)
        .chain((numbers) => fc.tuple(...numbers.map(number)).map((parts) => parts.join('.')))
        .chain((text) => each(text, (character) => (character === '.' ? dot : hostCharacter(character))))
      // A dot at the end is part of an address; the URL parser takes one away, and we the others.
      const ended = fc.tuple(dotted, fc.constantFrom('', '', '.', '..', '%2E')).map((pair) => pair.join(''))
      return { plain: octets.join('.'), spelled: ended }
    })
    sameExpressions(host, 2000)
  })

  it('of an IPv4 address in an IPv6 address', () => {
    const host = bytes.map((octets) => {
      const [a, b, c, d] = octets
      const [high, low] = [a * 256 + b, c * 256 + d].map((word) => word.toString(16)) as [string, string]
      const tails = [octets.join('.'), `${high}:${low}`, `${high.padStart(4, '0')}:${low.padStart(4, '0')}`]
      const fronts = ['::ffff:', '0:0:0:0:0:ffff:', '::0:FFFF:', '0000::ffff:', '64:ff9b::', '64:FF9B:0:0:0:0:', '0064:ff9b:0::0:']
      const spelled = fc.tuple(fc.constantFrom(...fronts), fc.constantFrom(...tails)).map((pair) => `[${pair.join('')}]`)
      return { plain: octets.join('.'), spelled }
    })
    sameExpressions(host, 1000)
  })

  it('but a host that is escaped twice is none', () => {
    for (const host of ['%2562ad.test', 'bad%252etest', 'b%25%36%31d.test'])
      expect(() => canonicalize(`http://${host}/`)).toThrow(expect.objectContaining({ code: 'url-invalid' }))
  })
})
