/**
 * A crawler meets the same address again and again, and fetches each once. What it has seen is in a Bloom filter instead of a set: 14 bits an
 * address instead of a hundred bytes. A false positive is a page that is never fetched, so the rate says what share of the web one can
 * do without.
 */
import { BloomFilter } from 'wary/filter'

const PAGES = 100_000

/** The links of a page of a made-up site: ahead by a few pages, to its section, to the front page; some with a tracking tail. */
function linksOf(page: number): string[] {
  const next = [1, 2, 3, 7, 50].map((step) => page + step).filter((other) => other < PAGES)
  return [...next, Math.floor(page / 100) * 100, 0].map((other) => `https://site.test/${other}${other % 3 === 0 ? '?ref=menu' : ''}`)
}

/** One page, one spelling: what differs without meaning must go before a filter sees it. */
function cleaned(link: string): string {
  const url = new URL(link)
  url.searchParams.delete('ref')
  return url.href
}

const seen = BloomFilter.create({ capacity: PAGES, rate: 0.001 })
const waiting = [cleaned('https://site.test/0')]
let fetched = 0
let links = 0
for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
  fetched++
  for (const link of linksOf(Number(new URL(url).pathname.slice(1)))) {
    links++
    const found = cleaned(link)
    if (seen.mightContain(found)) continue
    seen.add(found)
    waiting.push(found)
  }
}

console.log(`${links} links met, ${fetched} of ${PAGES} pages fetched, ${PAGES - fetched} missed`)
console.log(`expected with all in: a rate of ${(100 * seen.expectedRate()).toFixed(3)} %`)
console.log(`the filter takes ${(seen.byteLength / 1000).toFixed(0)} kB`)
