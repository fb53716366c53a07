import type { ListsInForce } from '../../src/check/url-checker.ts'
import { fullHash } from '../../src/hash/full-hash.ts'
import type { ListSource } from '../../src/update/source.ts'
import { canonicalize } from '../../src/url/canonicalize.ts'
import { expressions } from '../../src/url/expressions.ts'
import type { ColdLists } from '../storage/cold-lists.ts'

export interface ColdCheckOptions {
  readonly lists: ColdLists
  /** As configured now. */
  readonly sources: () => readonly ListSource[]
  /** Which source (its identity) the stored lists of this id are of. */
  readonly identityOf: (id: string) => Promise<string | undefined>
}

/** The lists in force as far as one URL goes, for a check that comes before they are loaded. */
export class ColdCheck {
  readonly #options: ColdCheckOptions

  constructor(options: ColdCheckOptions) {
    this.#options = options
  }

  /**
   * Undefined where only loading all of it can tell: a list is missing, or the stored ones are of another server or key.
   * @throws {WaryError} `url-invalid`, `storage-*`
   */
  async inForce(url: string): Promise<ListsInForce | undefined> {
    const { lists, sources, identityOf } = this.#options
    const wanted = sources()
    if (wanted.length === 0) return undefined
    const hashes = expressions(canonicalize(url)).map(fullHash)
    const [found, ...identities] = await Promise.all([lists.about(hashes, wanted), ...wanted.map(({ id }) => identityOf(id))])
    if (found === undefined || found.length === 0 || !wanted.every(({ identity }, i) => (identities[i] ?? identity) === identity))
      return undefined
    return { kind: 'lists', lists: found }
  }
}
