import { concatBytes } from '../bytes.ts'
import { type HashPrefix, hashPrefix, prefixBytes } from '../hash/hash-prefix.ts'
import { sha256Bytes } from '../hash/sha256.ts'
import type { StoredList } from '../ports.ts'

/** More would cost the server and hide little more. */
export const MOST_DECOYS = 8
/** Draws for each decoy before a list is taken to have no other prefix. */
const MOST_DRAWS = 8

export interface DecoysOptions {
  /** 32 random bytes that this device alone knows and keeps. */
  readonly key: () => Promise<Uint8Array>
  /** Decoys for each question, 0 to MOST_DECOYS. */
  readonly count: () => number
  readonly lists: () => readonly StoredList[]
}

/**
 * Prefixes that are asked about beside the one that was hit, so that the server does not know which of them was (design, "Privacy rules"). They are
 * entries of the lists, as every real question is, and always the same for the same prefix: fresh ones at every visit would leave the real one
 * as the only one that returns. A secret of the device chooses, because with a public rule the server could tell the one prefix whose decoys
 * the others are. What is chosen is a point of the hash space and the entry behind it, so that an update changes few choices.
 */
export class Decoys {
  readonly #options: DecoysOptions

  constructor(options: DecoysOptions) {
    this.#options = options
  }

  /** The prefixes to ask about, `prefix` among them, in an order that says nothing of which it is: ascending. */
  async around(prefix: HashPrefix): Promise<readonly HashPrefix[]> {
    const count = Math.min(this.#options.count(), MOST_DECOYS)
    const lists = this.#options.lists().filter(({ list }) => list.count > 0)
    if (count === 0 || lists.length === 0) return [prefix]
    const key = await this.#options.key()
    const chosen = new Set([prefix])
    for (let draw = 0; chosen.size <= count && draw < count * MOST_DRAWS; draw++) {
      // Of one length always, so a plain hash of secret and question is a keyed one.
      const drawn = sha256Bytes(concatBytes([key, prefixBytes(prefix), Uint8Array.of(draw)]))
      const { list } = lists[(drawn[31] as number) % lists.length] as StoredList
      const point = new Uint8Array(list.entryLength)
      point.set(drawn.subarray(0, list.entryLength))
      const place = list.lowerBound(point, 0, 0, list.entries.length)
      const entry = place === list.entries.length ? 0 : place
      chosen.add(hashPrefix(list.entries.subarray(entry, entry + 4)))
    }
    return [...chosen].sort((a, b) => a - b)
  }
}
