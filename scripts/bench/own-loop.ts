/**
 * A loop of its own over keys, made from source text: `count` of how often `expression` holds, in which `filter` and `key` stand. One function
 * that everybody is passed through would be compiled for all of them at once, and its calls would cost more than some of what is measured.
 */
export function ownLoop(expression: string): (filter: unknown, keys: readonly unknown[]) => number {
  const body = `let count = 0
for (let i = 0; i < keys.length; i++) {
  const key = keys[i]
  if (${expression}) count++
}
return count`
  const made: unknown = new Function('filter', 'keys', body)
  return made as (filter: unknown, keys: readonly unknown[]) => number
}
