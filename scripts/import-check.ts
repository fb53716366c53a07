import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path/posix'
import { parseSync, Visitor } from 'oxc-parser'
import type { ImportRule } from './import-rules.ts'

/** One import statement, re-export or `import()`. */
export interface FoundImport {
  readonly specifier: string
  /** From 1. */
  readonly line: number
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean
  readonly dynamic: boolean
}

/**
 * The imports of a TypeScript source. dependency-cruiser would do this, but it reads TypeScript with the compiler's old interface, which
 * TypeScript 7 no longer has, and with its swc parser it cannot tell `import type` from an import.
 */
export function findImports(path: string, source: string): FoundImport[] {
  const { module, program, errors } = parseSync(path, source)
  const [error] = errors
  if (error) throw new Error(`${path}: ${error.message}`)
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const found: FoundImport[] = []
  // Under verbatimModuleSyntax only `import type` vanishes; `import { type X }` still loads the module.
  const isType = (start: number) => /^(import|export)\s+type\b/.test(source.slice(start, start + 40))
  for (const { moduleRequest, start } of module.staticImports) {
    found.push({ specifier: moduleRequest.value, line: lineAt(start), typeOnly: isType(start), dynamic: false })
  }
  for (const { entries, start } of module.staticExports) {
    const [from] = entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : []))
    if (from !== undefined) found.push({ specifier: from, line: lineAt(start), typeOnly: isType(start), dynamic: false })
  }
  new Visitor({
    TSImportType({ source: { value }, start }) {
      found.push({ specifier: value, line: lineAt(start), typeOnly: true, dynamic: false })
    },
  }).visit(program)
  for (const { moduleRequest, start } of module.dynamicImports) {
    const text = source.slice(moduleRequest.start, moduleRequest.end)
    found.push({ specifier: text.replace(/^(['"`])(.*)\1$/, '$2'), line: lineAt(start), typeOnly: false, dynamic: true })
  }
  return found
}

function fits(patterns: readonly string[] | undefined, path: string): boolean {
  return (patterns ?? []).some((pattern) => pattern === '*' || (pattern.endsWith('/') ? path.startsWith(pattern) : path === pattern))
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Why `rule` forbids an import of the file at `path` (both relative to the root, with slashes); undefined if it is allowed. */
function objection(rule: ImportRule, path: string, found: FoundImport, exists: (path: string) => boolean): string | undefined {
  const { specifier, typeOnly } = found
  // A service worker has no import(), and what is loaded later escapes the size budget and the review.
  if (found.dynamic && !rule.may.includes('*')) return `import(${specifier}): only static imports here`
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith('node:')) return `${specifier}: write node:${specifier}`
    return rule.node ? undefined : `${specifier}: no Node here`
  }
  if (specifier.startsWith('.')) {
    const target = join(dirname(path), specifier.replace(/\?.*$/, ''))
    if (!exists(target)) return `${specifier}: no such file (write its extension)`
    const own = rule.from.endsWith('/') && target.startsWith(rule.from)
    if (own || fits(rule.may, target)) return undefined
    if (!fits(rule.types, target)) return `${target}: ${rule.from} may not import it`
    return typeOnly ? undefined : `${target}: ${rule.from} may import its types only`
  }
  const name = packageName(specifier)
  if (fits(rule.packages, name)) return undefined
  if (!fits(rule.packageTypes, name)) return `${name}: ${rule.from} may not import this package`
  return typeOnly ? undefined : `${name}: ${rule.from} may import its types only`
}

/**
 * Every import of one file that the rules do not allow, as `path:line  what: why`.
 * `path` is relative to the root, with slashes; `exists` says whether such a path is a file.
 */
export function forbiddenImports(
  path: string,
  source: string,
  rules: readonly ImportRule[],
  exists: (path: string) => boolean = existsSync,
): string[] {
  const rule = rules.find(({ from }) => fits([from], path))
  if (!rule) return [`${path}:1  belongs to no rule of scripts/import-rules.ts`]
  return findImports(path, source).flatMap((found) => {
    const why = objection(rule, path, found, exists)
    return why === undefined ? [] : [`${path}:${found.line}  ${why}`]
  })
}
