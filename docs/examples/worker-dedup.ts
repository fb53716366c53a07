/**
 * Three workers share out a stream of URLs, each of which should be done once. None asks another while it works: each has a quotient filter of
 * what it did itself since the last merge, and a copy of what all had done by then. Between rounds the filters are merged, without any key.
 * Only bytes go back and forth, so the workers can be threads, processes or machines; here they are functions.
 */
import { QuotientFilter } from 'wary/filter'

const WORKERS = 3
const ROUNDS = 5
const URLS_A_ROUND = 2_000
const empty = () => QuotientFilter.create({ capacity: 1_000, rate: 1e-6 })

/** Does what neither it nor, as far as it knows, anybody else has done. @returns a file with what is new */
function work(urls: readonly string[], knownFile: Uint8Array): Uint8Array {
  const known = QuotientFilter.fromBytes(knownFile)
  const own = empty()
  for (const url of urls) if (!known.mightContain(url) && !own.mightContain(url)) own.add(url)
  return own.toBytes()
}

/** URLs of which many come again and again. */
function urlsOf(round: number, worker: number): string[] {
  let state = round * WORKERS + worker
  return Array.from({ length: URLS_A_ROUND }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return `https://site.test/${Math.floor(50_000 ** (state / 2 ** 32))}`
  })
}

const given = new Set<string>()
let done = 0
let known = empty()
for (let round = 1; round <= ROUNDS; round++) {
  const files = Array.from({ length: WORKERS }, (_, worker) => {
    const urls = urlsOf(round, worker)
    for (const url of urls) given.add(url)
    return work(urls, known.toBytes())
  })
  for (const file of files) {
    const own = QuotientFilter.verified(file)
    done += own.count
    known = known.merge(own)
  }
  console.log(`round ${round}: ${done} done of ${given.size} different URLs; the merged filter has ${known.byteLength} bytes`)
}
console.log(`${WORKERS * ROUNDS * URLS_A_ROUND} URLs given, ${done - given.size} done again by another worker in the same round`)
