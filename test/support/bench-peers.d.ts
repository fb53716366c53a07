/** The peers of the benches that come without types: as much of them as the benches call. */
declare module 'bloomfilter' {
  export class BloomFilter {
    constructor(bits: number, hashes: number)
    readonly buckets: Uint32Array
    add(key: string): void
    test(key: string): boolean
  }
}
