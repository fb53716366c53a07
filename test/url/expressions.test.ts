import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'

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
