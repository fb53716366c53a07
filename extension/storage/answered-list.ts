import { equalBytes } from '../../src/bytes.ts'
import { highHalf, lowHalf } from '../../src/filter/ready-hash.ts'
import type { FullHash } from '../../src/hash/full-hash.ts'
import { FilterOnlyList, type HeldList } from '../../src/lists/held-list.ts'

/** By number of the hash. */
interface Answers {
  readonly hashes: readonly FullHash[]
  readonly maybe: readonly boolean[]
  readonly listed: readonly boolean[]
}

/** Answers of a filter and its list that were got beforehand. Asked about anything else it fails: no answer would be true. */
export class AnsweredList {
  readonly list: HeldList
  readonly #answers: Answers
  readonly #entryLength: number

  constructor({ filterOnly, ...facts }: Omit<HeldList, 'has'> & { readonly filterOnly: boolean }, answers: Answers) {
    this.#answers = answers
    this.#entryLength = facts.entryLength
    const has = (hash: Uint8Array): boolean => this.#has(hash)
    this.list = filterOnly ? new FilterOnlyList(facts) : { ...facts, has }
  }

  mightContainHash(high: number, low: number): boolean {
    const { hashes, maybe } = this.#answers
    return this.#answer(
      hashes.findIndex((hash) => highHalf(hash) === high && lowHalf(hash, this.#entryLength) === low),
      maybe,
    )
  }

  #has(hash: Uint8Array): boolean {
    const { hashes, listed } = this.#answers
    return this.#answer(
      hashes.findIndex((known) => equalBytes(known, hash)),
      listed,
    )
  }

  #answer(index: number, answers: readonly boolean[]): boolean {
    const answer = answers[index]
    if (answer === undefined) throw new RangeError('asked about a hash that nothing was read of')
    return answer
  }
}
