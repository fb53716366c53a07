/** A class is kept while at least this share of it is full. */
const LEAST_FILL = 0.7

/**
 * For how many entries the filter of a list of `count` is made: the next multiple of 2^(floor(log2 count) - 3), at most an eighth more
 * than it needs. Filters of one class have one shape, and so deltas between them. The class of the former filter stays while the list
 * fills 70 to 100 % of it: a list that goes up and down around a border does not change its filter's shape each time.
 */
export function filterClass(count: number, former?: number): number {
  if (former !== undefined && count <= former && count >= LEAST_FILL * former) return former
  const step = Math.max(1, 2 ** (Math.floor(Math.log2(Math.max(count, 1))) - 3))
  return Math.max(step, Math.ceil(count / step) * step)
}
