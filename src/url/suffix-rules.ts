import { edgeChild, edgeLength, edgeStart, exceptionsRoot, labelText, nodeFlags, rulesRoot } from 'tldts-icann/dist/cjs/src/data/trie.js'

const IS_RULE = 1

/**
 * The ICANN section of the Public Suffix List as text, a rule a line, in the list's own spelling (`co.uk`, `*.ck`, `!www.ck`). Rules are those of
 * tldts-icann, taken out of the tables that it is made of; of names that the list has in two spellings the ASCII one, as canonical hosts have
 * no other. Builds of the extension have undefined here and the text as a file of the package (scripts/suffix-plugin.ts): it is 28 kB of the
 * 80 that the worker had to load before it could do anything.
 */
export const SUFFIX_RULES: string | undefined = [...rulesBelow(rulesRoot, ''), ...rulesBelow(exceptionsRoot, '!')].join('\n')

function rulesBelow(root: number, mark: string): string[] {
  const rules: string[] = []
  const offsets = [0]
  for (const length of edgeLength) offsets.push((offsets[offsets.length - 1] as number) + length)
  const visit = (node: number, name: string): void => {
    if (((nodeFlags[node] as number) & IS_RULE) !== 0 && /^[!-~]+$/.test(name)) rules.push(mark + name)
    for (let edge = edgeStart[node] as number; edge < (edgeStart[node + 1] as number); edge++) {
      const label = labelText.slice(offsets[edge], offsets[edge + 1])
      visit(edgeChild[edge] as number, name === '' ? label : `${label}.${name}`)
    }
  }
  visit(root, '')
  return rules
}
