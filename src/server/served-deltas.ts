import { equalBytes } from '../bytes.ts'
import { asWaryError, WaryError } from '../errors.ts'
import { BloomFilter } from '../filter/bloom.ts'
import { bloomDelta, checkDeltaTo } from '../filter/bloom-delta.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import type { Logger } from '../ports.ts'
import { decodeHashList, encodeHashList } from '../protocol/hash-list-message.ts'
import { encodeSignedState } from '../protocol/signed-state-message.ts'
import { filterDeltaFile, listDeltaFile } from '../publisher/list-deltas.ts'
import type { PublishedFolder } from '../publisher/published-folder.ts'
import type { ManifestBase } from '../publisher/published-manifest.ts'
import { type ServedUpdate, servedUpdate } from './served-update.ts'

/** What changes since other versions, by their names (EPOCH.SEQUENCE). The version in force is among them: nothing changes since then. */
export interface ServedDeltas {
  readonly lists: ReadonlyMap<string, ServedUpdate>
  readonly filters: ReadonlyMap<string, Uint8Array>
}

export interface DeltaLoading {
  readonly folder: PublishedFolder
  /** Of the folder. */
  readonly version: string
  readonly full: ListUpdate
  readonly filter: Uint8Array
  /** Absent in versions of publishers that made none. */
  readonly bases: readonly ManifestBase[] | undefined
  readonly logger: Logger
}

/** A delta that is damaged is logged and left out: whoever asks for it gets the whole, which is just as true. */
export function loadDeltas({ folder, version, full, filter, bases = [], logger }: DeltaLoading): ServedDeltas {
  const current = new TextDecoder().decode(full.version)
  const same: ListUpdate = { ...full, partial: true, additions: undefined, removals: undefined }
  const lists = new Map([[current, servedUpdate(same, encodeHashList(same))]])
  const bloom = BloomFilter.fromBytes(filter)
  const filters = new Map<string, Uint8Array>([[current, bloomDelta(bloom, bloom)]])
  const attempt = (file: string, load: (bytes: Uint8Array) => void): void => {
    try {
      load(folder.read(version, file))
    } catch (error) {
      logger.warn('delta-refused', asWaryError(error, 'publish-damaged'), { file })
    }
  }
  for (const { version: from, list: hasList, filter: hasFilter } of bases) {
    if (from === current) continue
    if (hasList) {
      attempt(listDeltaFile(full.name, from), (bytes) => {
        const update = decodeHashList(bytes)
        checkPartial(update, full)
        lists.set(from, servedUpdate(update, bytes))
      })
    }
    if (hasFilter) {
      attempt(filterDeltaFile(full.name, from), (bytes) => {
        checkDeltaTo(filter, bytes)
        filters.set(from, bytes)
      })
    }
  }
  return { lists, filters }
}

/** Without the list that it starts from, this is what can be seen of a delta; the client's own checksum sees the rest. */
function checkPartial(update: ListUpdate, full: ListUpdate): void {
  const signed = [update, full].map((each) => (each.signed ? encodeSignedState(each.signed) : new Uint8Array(0)))
  const same =
    update.partial &&
    update.name === full.name &&
    update.minimumWaitMs === full.minimumWaitMs &&
    equalBytes(update.version, full.version) &&
    equalBytes(update.checksum, full.checksum) &&
    equalBytes(signed[0] as Uint8Array, signed[1] as Uint8Array) &&
    (update.additions === undefined || update.additions.entryLength === full.additions?.entryLength)
  if (!same) throw new WaryError('publish-damaged', 'it is no delta to the list of this version')
}
