/** What may come next, one character a kind of token: `v`alue, `k`ey, `:`, `,`, and the ends `}` and `]`. */
type Expected = 'v' | 'k' | ':' | 'v]' | 'k}' | ',]' | ',}' | 'end'

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD_END = /[\s\]},:]|$/y

/**
 * Where `text` stops being JSON: offset of the first character that cannot be, or its length where it ends too early. The engines' own
 * messages name no place for most errors, and quote the text instead. Linear, without recursion.
 */
export function jsonFault(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, faultOffset(text)).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function faultOffset(text: string): number {
  const open: ('}' | ']')[] = []
  let expected: Expected = 'v'
  let at = 0
  const after = (): Expected => {
    const end = open.at(-1)
    return end === undefined ? 'end' : `,${end}`
  }
  while (at < text.length) {
    const character = text.charAt(at)
    if (' \t\n\r'.includes(character)) at++
    else if (expected === 'end') return at
    else if ((character === '}' || character === ']') && expected.endsWith(character)) {
      open.pop()
      expected = after()
      at++
    } else if (character === ':' || character === ',') {
      if (!expected.startsWith(character)) return at
      expected = character === ',' && open.at(-1) === '}' ? 'k' : 'v'
      at++
    } else if (expected.startsWith('k')) {
      const end = character === '"' ? stringEnd(text, at) : { fault: at }
      if ('fault' in end) return end.fault
      at = end.end
      expected = ':'
    } else if (!expected.startsWith('v')) return at
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      expected = character === '{' ? 'k}' : 'v]'
      at++
    } else {
      const end = character === '"' ? stringEnd(text, at) : literalEnd(text, at)
      if ('fault' in end) return end.fault
      at = end.end
      expected = after()
    }
  }
  return at
}

type TokenEnd = { readonly end: number } | { readonly fault: number }

function literalEnd(text: string, at: number): TokenEnd {
  LITERAL.lastIndex = at
  if (!LITERAL.test(text)) return { fault: at }
  WORD_END.lastIndex = LITERAL.lastIndex
  return WORD_END.test(text) ? { end: LITERAL.lastIndex } : { fault: LITERAL.lastIndex }
}

function stringEnd(text: string, start: number): TokenEnd {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') return { end: at + 1 }
    if (character < ' ') return { fault: at }
    if (character !== '\\') continue
    const escaped = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6))
    if (!escaped) return { fault: at }
    at += escaped[0].length
  }
  return { fault: text.length }
}
