import { parseDecoys, parseFlag, parseLists, parseRootKey, parseServer } from './setting-values.ts'
import type { Settings } from './settings.ts'
import { parseSources } from './source-setting.ts'

export const DEFAULT_SETTINGS: Settings = {
  version: 1,
  server: '',
  rootKey: '',
  lists: ['se-4b'],
  decoys: 0,
  firstRun: true,
  firstVisits: false,
  sources: [],
}

/** Values as they come from a page, a policy or storage: any field may be missing or of any type. */
export type RawSettings = Readonly<Record<string, unknown>>

/** The fields of `raw` that are present, checked. @throws {WaryError} `setting-invalid` for the first that is not valid */
export function parseSettings(raw: RawSettings): Partial<Settings> {
  return {
    ...(raw.server === undefined ? {} : { server: parseServer(raw.server) }),
    ...(raw.rootKey === undefined ? {} : { rootKey: parseRootKey(raw.rootKey) }),
    ...(raw.lists === undefined ? {} : { lists: parseLists(raw.lists) }),
    ...(raw.decoys === undefined ? {} : { decoys: parseDecoys(raw.decoys) }),
    ...(raw.firstRun === undefined ? {} : { firstRun: parseFlag('firstRun', raw.firstRun) }),
    ...(raw.firstVisits === undefined ? {} : { firstVisits: parseFlag('firstVisits', raw.firstVisits) }),
    ...(raw.sources === undefined ? {} : { sources: parseSources(raw.sources) }),
  }
}
