import { describe, expect, it } from 'vitest'
import { canonicalize, canonicalizeLoose } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import { v5, vectors } from '../support/vectors.ts'

/** Entries of these files compare sets of whole expressions, of hosts, or of paths; `note` says which. */
describe.each(['sb_expressions_go.json', 'sb_expressions_google_docs.json'])('%s', (file) => {
  it.each(vectors<string, readonly string[] | null>(file))('$note $input', (vector) => {
    const expected = v5(vector)
    if (expected === null) {
      expect(() => canonicalize(vector.input)).toThrow(expect.objectContaining({ code: 'url-invalid' }))
      return
    }
    const all = expressions(canonicalizeLoose(vector.input))
    const note = vector.note ?? ''
    const hosts = all.map((expression) => expression.slice(0, expression.indexOf('/')))
    const paths = all.map((expression) => expression.slice(expression.indexOf('/')))
    const made = note.includes('hosts only') ? hosts : note.includes('paths only') ? paths : all
    expect(new Set(made)).toEqual(new Set(expected))
  })
})

describe('disagreements.json', () => {
  const all = vectors<string, readonly string[] | string | null>('disagreements.json')
  const kind = ({ kind }: (typeof all)[number]): string => String(kind)
  it.each(all.filter((vector) => kind(vector) === 'hosts' || kind(vector) === 'expressions'))('$kind $input', (vector) => {
    const made = expressions(canonicalizeLoose(vector.input))
    const compared = kind(vector) === 'hosts' ? made.map((expression) => expression.slice(0, expression.indexOf('/'))) : made
    expect(new Set(compared)).toEqual(new Set(v5(vector)))
  })
  it.each(all.filter((vector) => kind(vector) === 'host' || kind(vector) === 'ipv4'))('$kind $input', (vector) => {
    const expected = v5(vector)
    if (expected === null) expect(() => canonicalizeLoose(vector.input)).toThrow(expect.objectContaining({ code: 'url-invalid' }))
    else expect(canonicalizeLoose(vector.input).host).toBe(expected)
  })
  it('has no entry of another kind', () => {
    expect(all.filter((vector) => !['host', 'ipv4', 'hosts', 'expressions'].includes(kind(vector)))).toEqual([])
  })
})

describe('expressions', () => {
  it('are ordered for searching: hosts alone first, the shortest first', () => {
    expect(expressions(canonicalize('http://a.b.c.test/1/2.html?q'))).toEqual([
      'c.test/',
      'b.c.test/',
      'a.b.c.test/',
      'c.test/1/',
      'b.c.test/1/',
      'a.b.c.test/1/',
      'c.test/1/2.html',
      'b.c.test/1/2.html',
      'a.b.c.test/1/2.html',
      'c.test/1/2.html?q',
      'b.c.test/1/2.html?q',
      'a.b.c.test/1/2.html?q',
    ])
  })

  it('are at most 30, without repeats', () => {
    const all = expressions(canonicalize('http://a.b.c.d.e.f.g.test/1/2/3/4/5/6/7.html?q'))
    expect(all).toHaveLength(30)
    expect(new Set(all).size).toBe(30)
  })

  it('of an IP address are of that host only', () => {
    expect(expressions(canonicalize('http://1.2.3.4/a'))).toEqual(['1.2.3.4/', '1.2.3.4/a'])
  })
})
