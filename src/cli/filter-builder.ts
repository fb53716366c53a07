import { WaryError } from '../errors.ts'
import { BinaryFuseFilter } from '../filter/binary-fuse.ts'
import { highHalf, lowHalf } from '../filter/ready-hash.ts'
import type { HashList } from '../lists/hash-list.ts'
import type { CliContext } from './context.ts'
import { KeyHashes } from './filter-key-hashes.ts'
import { keyLines } from './filter-key-lines.ts'
import { type AnyFilter, type AnyKind, type GrowingFilter, newFilter } from './filter-kinds.ts'
import { Progress } from './filter-progress.ts'

/** Keys between two looks at the clock. */
const STRIDE = 4096

interface BuilderOptions {
  readonly kind: AnyKind
  readonly rate: number
  readonly seed: number
  /** By default as many as there are keys. */
  readonly capacity?: number
}

/**
 * Makes a filter of many keys.
 *
 * Which keys are the same must be known where a key can be deleted again (two copies would take two deletions) and where a kind cannot be
 * made of repeats. The filter itself cannot say: passing over a key for which it answers "maybe" would drop false positives too, and
 * deleting another key would then make that one vanish. So keys are gathered by their hashes first. A standard, paged or scalable Bloom
 * filter of known capacity needs none of that: there a repeat changes no bit.
 */
export class FilterBuilder {
  readonly #context: CliContext
  readonly #options: BuilderOptions
  readonly #progress: Progress

  constructor(context: CliContext, options: BuilderOptions) {
    this.#context = context
    this.#options = options
    this.#progress = new Progress(context)
  }

  /** @throws {WaryError} `file-failed`, `feed-format`, `filter-parameter` */
  async ofLines(file: string | undefined): Promise<AnyFilter> {
    const { kind, rate, seed, capacity } = this.#options
    // Before a key is read: what cannot be is refused at once.
    const empty = capacity === undefined || kind === 'binary-fuse' ? undefined : newFilter(kind, { capacity, rate, seed })
    if (empty?.kind === 'bloom' || empty?.kind === 'paged-bloom' || empty?.kind === 'scalable-bloom') {
      await this.#eachLine(file, (line, number) => {
        if (!empty.add(line)) refuse(empty, number, number - 1)
      })
      return empty
    }
    const hashes = new KeyHashes(seed)
    await this.#eachLine(file, (line) => hashes.add(line))
    return this.#ofHashes(hashes, empty)
  }

  /** @throws {WaryError} `filter-parameter` */
  ofList(list: HashList): AnyFilter {
    const hashes = new KeyHashes(this.#options.seed)
    const { entries, entryLength } = list
    for (let at = 0; at < entries.length; at += entryLength) {
      const entry = entries.subarray(at, at + entryLength)
      hashes.addHash(highHalf(entry), lowHalf(entry))
    }
    return this.#ofHashes(hashes)
  }

  async #eachLine(file: string | undefined, take: (line: string, number: number) => void): Promise<void> {
    let count = 0
    for await (const lines of keyLines(file, this.#context)) {
      for (const line of lines) {
        if (line === '') continue
        take(line, ++count)
        if (count % STRIDE === 0) this.#progress.at(count, 'keys read so far')
      }
    }
  }

  #ofHashes(hashes: KeyHashes, empty?: GrowingFilter): AnyFilter {
    const { kind, rate, seed, capacity } = this.#options
    const count = hashes.settle()
    if (kind === 'binary-fuse') {
      this.#progress.at(count, 'keys read; the filter is made of all at once')
      return BinaryFuseFilter.fromHashes(hashes.packed(count), { rate, seed })
    }
    const filter = empty ?? newFilter(kind, { capacity: capacity ?? Math.max(1, count), rate, seed })
    let added = 0
    for (const [high, low] of hashes.entries()) {
      if (!filter.addHash(high, low)) refuse(filter, count, added)
      if (++added % STRIDE === 0) this.#progress.at(added, 'keys added so far')
    }
    return filter
  }
}

function refuse(filter: GrowingFilter, count: number, added: number): never {
  throw new WaryError(
    'filter-parameter',
    count > filter.capacity
      ? `${count} keys are too many for a ${filter.kind} filter with room for ${filter.capacity}`
      : `by ill luck the ${filter.kind} filter is full with ${added} of ${count} keys: try another --seed, or a larger --capacity`,
  )
}
