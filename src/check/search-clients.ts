import { WaryError } from '../errors.ts'
import type { HashPrefix } from '../hash/hash-prefix.ts'
import type { CachedAnswer } from '../ports.ts'
import { SearchClient, type SearchClientOptions } from './search-client.ts'

/** Where the lists of a source are verified. */
export interface SearchEndpoint {
  readonly server: string
  readonly apiKey?: string | undefined
}

export interface SearchClientsOptions extends Omit<SearchClientOptions, 'source' | 'server' | 'apiKey' | 'decoys'> {
  /** Undefined for a source that is not there any more, or has no server. */
  readonly endpoint: (source: string) => SearchEndpoint | undefined
  readonly decoys?: (source: string) => SearchClientOptions['decoys']
}

/** One search client for each source: they fail, back off and share requests apart from each other. */
export class SearchClients {
  readonly #options: SearchClientsOptions
  readonly #clients = new Map<string, SearchClient>()

  constructor(options: SearchClientsOptions) {
    this.#options = options
  }

  /** As `SearchClient.search`. @throws {WaryError} `not-configured` for a source that has no server */
  search(source: string, prefix: HashPrefix): Promise<CachedAnswer> {
    if (this.#options.endpoint(source) === undefined) {
      this.#clients.delete(source)
      return Promise.reject(new WaryError('not-configured', 'the source of this list has no verification server'))
    }
    return this.#clientOf(source).search(prefix)
  }

  #clientOf(source: string): SearchClient {
    const known = this.#clients.get(source)
    if (known) return known
    const { endpoint, decoys, ...common } = this.#options
    const around = decoys?.(source)
    const client = new SearchClient({
      ...common,
      source,
      server: () => endpoint(source)?.server,
      apiKey: () => endpoint(source)?.apiKey,
      ...(around === undefined ? {} : { decoys: around }),
    })
    this.#clients.set(source, client)
    return client
  }
}
