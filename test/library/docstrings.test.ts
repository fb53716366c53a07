import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

const ENTRY = fileURLToPath(new URL('../../src/filter/index.ts', import.meta.url))

interface Documented {
  /** `name`, or `Class.member`. */
  readonly name: string
  readonly line: number
}

/** What other programs may call or write and nothing is said about: exported functions, classes, and their public members. */
function undocumented(path: string, exported: ReadonlySet<string>): Documented[] {
  const source = readFileSync(path, 'utf8')
  const { program, comments } = parseSync(path, source)
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  const isDocumented = (start: number) => docs.some(({ end }) => end <= start && source.slice(end, start).trim() === '')
  const found: Documented[] = []
  const look = (name: string, start: number) => {
    if (!isDocumented(start)) found.push({ name, line: source.slice(0, start).split('\n').length })
  }
  new Visitor({
    ExportNamedDeclaration({ declaration, start }) {
      if (declaration?.type === 'FunctionDeclaration' && declaration.id && exported.has(declaration.id.name))
        look(declaration.id.name, start)
      if (declaration?.type !== 'ClassDeclaration' || !declaration.id || !exported.has(declaration.id.name)) return
      look(declaration.id.name, start)
      for (const member of declaration.body.body) {
        if (member.type !== 'MethodDefinition' || member.kind === 'constructor' || member.key.type !== 'Identifier') continue
        if (member.accessibility === 'private' || INHERITED.has(member.key.name)) continue
        look(`${declaration.id.name}.${member.key.name}`, member.start)
      }
    },
  }).visit(program)
  return found
}

/** Members that the interfaces describe, for every kind alike (membership-filter.ts); editors show that text. */
const INHERITED = new Set(membersOf(join(dirname(ENTRY), 'membership-filter.ts')))

function membersOf(path: string): string[] {
  const names: string[] = []
  new Visitor({
    TSMethodSignature({ key }) {
      if (key.type === 'Identifier') names.push(key.name)
    },
    TSPropertySignature({ key }) {
      if (key.type === 'Identifier') names.push(key.name)
    },
  }).visit(parseSync(path, readFileSync(path, 'utf8')).program)
  return names
}

/** Names that the entry hands on as values, by the file that has them. */
function exportsOf(path: string): Map<string, Set<string>> {
  const byFile = new Map<string, Set<string>>()
  for (const { entries } of parseSync(path, readFileSync(path, 'utf8')).module.staticExports) {
    for (const { moduleRequest, exportName, isType } of entries) {
      if (isType || moduleRequest === null) continue
      const file = join(dirname(path), moduleRequest.value)
      byFile.set(file, (byFile.get(file) ?? new Set()).add(exportName.name ?? ''))
    }
  }
  return byFile
}

test('all that the library exports says what it does', () => {
  const byFile = exportsOf(ENTRY)
  expect([...byFile.values()].flatMap((names) => [...names])).toEqual(
    expect.arrayContaining(['BloomFilter', 'CuckooFilter', 'QuotientFilter', 'kindOf']),
  )
  expect(INHERITED).toContain('mightContain')
  expect([...byFile].flatMap(([file, names]) => undocumented(file, names))).toEqual([])
})
