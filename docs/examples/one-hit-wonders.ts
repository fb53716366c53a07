/**
 * A cache in front of slow storage. Most things that are asked for once are never asked for again, so storing them is wasted writing. Two
 * Bloom filters remember what was seen lately; only what is seen a second time goes into the cache (Maggs, Sitaraman 2015, at Akamai: half the
 * writes to disk, and more room for what is wanted).
 */
import { BloomFilter } from 'wary/filter'

const CACHE = 2_000
const REMEMBERED = 20_000
const REQUESTS = 200_000

/** Requests as the web has them: few objects often, many once. */
function* requests(): Generator<string> {
  let state = 1
  for (let i = 0; i < REQUESTS; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield `/objects/${Math.floor(1_000_000 ** (state / 2 ** 32))}`
  }
}

function serve(admit: (url: string) => boolean): void {
  const cache = new Set<string>()
  let hits = 0
  let writes = 0
  for (const url of requests()) {
    // Deleting and adding again moves an object to the end: the first one is always the one not used for longest.
    if (cache.delete(url)) hits++
    else if (admit(url)) writes++
    else continue
    cache.add(url)
    const [oldest] = cache
    if (cache.size > CACHE && oldest !== undefined) cache.delete(oldest)
  }
  console.log(`  ${((100 * hits) / REQUESTS).toFixed(1)} % of the requests answered from the cache, ${writes} writes`)
}

const empty = () => BloomFilter.create({ capacity: REMEMBERED, rate: 0.01 })
let seen = empty()
let seenBefore = empty()

/** Whether `url` was seen among the last 20,000 to 40,000 new ones. */
function isSecondSight(url: string): boolean {
  if (seen.mightContain(url) || seenBefore.mightContain(url)) return true
  seen.add(url)
  if (seen.count === REMEMBERED) [seen, seenBefore] = [empty(), seen]
  return false
}

console.log('everything is stored:')
serve(() => true)
console.log('only what is seen a second time is stored:')
serve(isSecondSight)
console.log(`  what was seen takes ${seen.byteLength + seenBefore.byteLength} bytes`)
