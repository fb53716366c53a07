import { checkCapacity, checkRate, MOST_BITS, MOST_HASHES, refuseParameter } from './parameters.ts'

/** Bits of a page: 4 KiB. */
export const PAGE_BITS = 32_768
/** As many as a block of most file systems has, and a page of memory. */
export const PAGE_BYTES = PAGE_BITS / 8
/** 131,072: as many bits as any filter here may have. */
export const MOST_PAGES = MOST_BITS / PAGE_BITS

/** 32,768 x pages is m. */
export interface PagedSize {
  readonly pages: number
  /** k */
  readonly hashes: number
}

/** With so many bits set for each that a page has, no page has a bit left, and adding up likelihoods would take hours. */
const FULL = 80
/** Shares of keys that a page has with less than this likelihood against the likeliest do not count. */
const NEGLIGIBLE = 1e-12

/**
 * The rate to expect of a paged filter with `keys` different keys in. Pages do not get the same number of keys but j of them with the
 * binomial chance of n keys and 1 / pages, and a fuller page errs more than an emptier one errs less: the rate is the average of
 * (1 - (1 - 1/32768)^(k j))^k over j (Putze, Sanders, Singler 2007, with a binomial in place of their Poisson distribution). 0 to 1.
 */
export function expectedPagedRate({ pages, hashes }: PagedSize, keys: number): number {
  if (pages === 1) return pageRate(keys, hashes)
  if ((hashes * keys) / pages > FULL * PAGE_BITS) return 1
  const odds = 1 / (pages - 1)
  const likeliest = Math.floor((keys + 1) / pages)
  let weight = 1
  let weights = 0
  let sum = 0
  const take = (j: number): void => {
    weights += weight
    sum += weight * pageRate(j, hashes)
  }
  for (let j = likeliest; j <= keys && weight > NEGLIGIBLE; j++) {
    take(j)
    weight *= ((keys - j) / (j + 1)) * odds
  }
  weight = 1
  for (let j = likeliest; j > 0 && weight > NEGLIGIBLE; j--) {
    weight *= j / (keys - j + 1) / odds
    take(j - 1)
  }
  return sum / weights
}

/** The rate of one page with `keys` keys in it. */
function pageRate(keys: number, hashes: number): number {
  return (-Math.expm1(hashes * keys * Math.log1p(-1 / PAGE_BITS))) ** hashes
}

/**
 * The fewest pages, over whole k, whose expected rate for n keys is at most p; of several k for so many pages the least.
 * @throws {WaryError} `filter-parameter`, also where more than 131,072 pages were needed
 */
export function optimalPages(capacity: number, rate: number): PagedSize {
  checkCapacity(capacity)
  checkRate(rate)
  const most = Math.min(Math.ceil(-Math.log2(rate)), MOST_HASHES)
  let best: PagedSize | undefined
  // The best k is the one of an even filter or, as the spread of keys speaks for fewer, one or two below.
  for (let hashes = most; hashes >= Math.max(most - 3, 1); hashes--) {
    const pages = fewestPages(hashes, capacity, rate)
    if (pages !== undefined && (best === undefined || pages <= best.pages)) best = { pages, hashes }
  }
  if (best === undefined)
    refuseParameter(`${capacity} keys at the rate ${rate} need more than ${MOST_PAGES} pages: split the keys over several filters`)
  while (best.hashes > 1 && expectedPagedRate({ ...best, hashes: best.hashes - 1 }, capacity) <= rate)
    best = { ...best, hashes: best.hashes - 1 }
  return best
}

function fewestPages(hashes: number, capacity: number, rate: number): number | undefined {
  if (expectedPagedRate({ pages: MOST_PAGES, hashes }, capacity) > rate) return undefined
  let low = 1
  let high = MOST_PAGES
  while (low < high) {
    const middle = (low + high) >> 1
    if (expectedPagedRate({ pages: middle, hashes }, capacity) <= rate) high = middle
    else low = middle + 1
  }
  return low
}
