/** The peers of the benches that come without types: as much of them as the benches call. */
declare module 'bloomfilter' {
  export class BloomFilter {
    constructor(bits: number, hashes: number)
    readonly buckets: Uint32Array
    add(key: string): void
    test(key: string): boolean
  }
}

declare module '@duckduckgo/jsbloom' {
  const JSBloom: {
    readonly filter: new (items: number, rate: number) => { addEntry(key: string): boolean; checkEntry(key: string): boolean }
  }
  export default JSBloom
}

declare module '@mcrowe/minibloom' {
  const Minibloom: { optimalFilter(items: number, rate: number): { add(key: string): void; test(key: string): boolean } }
  export default Minibloom
}

declare module 'bfilter' {
  interface Filter {
    add(key: Uint8Array): void
    test(key: Uint8Array): boolean
  }
  const Bfilter: { readonly BloomFilter: new (bits: number, hashes: number, tweak: number, update: number) => Filter }
  export default Bfilter
}
