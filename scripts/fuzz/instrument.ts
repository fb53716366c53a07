/** A node of the syntax tree (ESTree), as far as it matters here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export interface Instrumented {
  readonly code: string
  /** Counters used so far, those of former modules included. */
  readonly counters: number
  /** Texts and numbers that the code compares with or looks for: what mutations may put into an input. */
  readonly literals: readonly (string | number)[]
}

/** Where the counters are: an array that is there before any instrumented module runs. */
export const COUNTERS = '__waryCounters'

/**
 * Counts how often every block of `code` runs: functions, branches, loops, cases, both sides of conditions and short circuits. `tree` is its
 * syntax tree; `first` the number of counters that other modules have.
 */
export function instrument(code: string, tree: unknown, first: number): Instrumented {
  const insertions: { readonly at: number; readonly text: string; readonly order: number }[] = []
  const literals: (string | number)[] = []
  let counters = first
  let order = 0
  const put = (at: number, text: string): void => {
    insertions.push({ at, text, order: order++ })
  }
  const count = (): string => `${COUNTERS}[${counters++}]++`

  const statement = (node: Node): void => {
    if (node.type === 'BlockStatement') {
      put(node.start + 1, `${count()};`)
      walk(node)
      return
    }
    put(node.start, `{${count()};`)
    walk(node)
    put(node.end, '}')
  }
  const expression = (node: Node): void => {
    put(node.start, `(${count()},`)
    walk(node)
    put(node.end, ')')
  }

  /** Fields of which the values are branches: statements, or expressions. */
  const branches = (node: Node): { readonly [field: string]: (branch: Node) => void } => {
    switch (node.type) {
      case 'IfStatement':
        return { consequent: statement, alternate: statement }
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'CatchClause':
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        return { body: statement }
      case 'ArrowFunctionExpression':
        return { body: (body) => (body.type === 'BlockStatement' ? statement(body) : expression(body)) }
      case 'ConditionalExpression':
        return { consequent: expression, alternate: expression }
      case 'LogicalExpression':
        return { right: expression }
      default:
        return {}
    }
  }

  function walk(node: Node): void {
    const value = node['value']
    if (node.type === 'Literal' && (typeof value === 'string' || typeof value === 'number')) literals.push(value)
    const special = branches(node)
    if (node.type === 'SwitchCase') {
      const [body] = node['consequent'] as readonly Node[]
      if (body) put(body.start, `${count()};`)
    }
    for (const [field, child] of Object.entries(node)) {
      const visit = special[field] ?? walk
      if (isNode(child)) visit(child)
      else if (Array.isArray(child)) for (const each of child) if (isNode(each)) walk(each)
    }
  }

  walk(tree as Node)
  // A stable sort: what was put first at a place stands first, which nests brackets as the tree does.
  insertions.sort((a, b) => a.at - b.at || a.order - b.order)
  let out = ''
  let from = 0
  for (const { at, text } of insertions) {
    out += code.slice(from, at) + text
    from = at
  }
  return { code: out + code.slice(from), counters, literals }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
}
