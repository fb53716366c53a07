/** Addresses of the lengths and depths that people visit, about four expressions each, from nothing but their number. */
export function generatedUrls(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const host = ['', 'www.', 'docs.', 'en.m.'][i % 4] ?? ''
    const path = ['', 'about', 'blog/2026/some-article.html', `search?q=${i}`][(i >> 2) % 4] ?? ''
    return `https://${host}site-${i}.org/${path}`
  })
}

/** Packed, pseudo-random entries (xorshift32 from a fixed seed): the same in every run. */
export function randomEntries(count: number, entryLength: number): Uint8Array {
  const words = new Int32Array((count * entryLength) / 4)
  let x = 0x9e3779b9
  for (let i = 0; i < words.length; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    words[i] = x
  }
  return new Uint8Array(words.buffer)
}
