import { fromHex } from '../../src/bytes.ts'
import type { SearchEndpoint } from '../../src/check/search-clients.ts'
import { readPlain } from '../../src/feeds/plain.ts'
import { singleKey } from '../../src/lists/key-set.ts'
import type { Clock, Fetch, Logger, VerifyEd25519 } from '../../src/ports.ts'
import type { PartStore } from '../../src/protocol/part-store.ts'
import { FeedSource } from '../../src/update/feed-source.ts'
import { FilterSource } from '../../src/update/filter-source.ts'
import { GOOGLE_SERVER, GoogleSource } from '../../src/update/google-source.ts'
import type { ListSource } from '../../src/update/source.ts'
import { WarySource } from '../../src/update/wary-source.ts'
import type { Settings } from '../settings/settings.ts'
import { type SourceKind, type SourceSetting, sourceId } from '../settings/source-setting.ts'

export interface SourceMeans {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly logger: Logger
  readonly verify: VerifyEd25519
  readonly parts: (source: string) => PartStore
  /** A list that the build carries; undefined where it carries none of this name. */
  readonly seed: (name: string) => Promise<Uint8Array | undefined>
}

/** A source of the settings: how its lists are got, and what people call it. */
export interface ConfiguredSource {
  readonly source: ListSource
  readonly kind: SourceKind
  readonly address: string
  /** Where its entries are verified; undefined where nothing is asked. */
  readonly endpoint: SearchEndpoint | undefined
}

/** The sources that the settings name, the main server first. */
export function configuredSources({ server, rootKey, lists, sources }: Settings, means: SourceMeans): readonly ConfiguredSource[] {
  const others = sources.map((setting) => configured(setting, means))
  if (server === '' || rootKey === '') return others
  const trust = { keys: singleKey(fromHex(rootKey)) }
  const main = new WarySource({ ...means, id: server, server, trust, lists, parts: means.parts(server) })
  return [{ source: main, kind: 'wary', address: server, endpoint: { server } }, ...others.filter(({ source }) => source.id !== server)]
}

function configured(setting: SourceSetting, means: SourceMeans): ConfiguredSource {
  const id = sourceId(setting)
  const { kind } = setting
  switch (kind) {
    case 'wary':
    case 'filter': {
      const { server, lists } = setting
      const options = { ...means, id, server, lists, trust: { fingerprint: fromHex(setting.fingerprint) } }
      const source =
        kind === 'wary' ? new WarySource({ ...options, parts: means.parts(id), seed: async () => undefined }) : new FilterSource(options)
      return { source, kind, address: server, endpoint: { server } }
    }
    case 'google': {
      const { apiKey, lists, server = GOOGLE_SERVER } = setting
      return { source: new GoogleSource({ ...means, apiKey, lists, server }), kind, address: server, endpoint: { server, apiKey } }
    }
    case 'feed': {
      const { url, threatType } = setting
      return { source: new FeedSource({ ...means, id, url, threatType, read: readPlain }), kind, address: url, endpoint: undefined }
    }
  }
}
