import { fromHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { Fetch } from '../ports.ts'
import { PublishedFolder } from '../publisher/published-folder.ts'
import { createApp } from '../server/app.ts'
import { PublishedStore } from '../server/published-store.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { silentLogger } from './silent-logger.ts'

/** Where a check gets its lists from: a server and the key that must have signed them. */
export interface CheckSource {
  /** For people: the server's address, or the data folder. */
  readonly name: string
  readonly server: string
  readonly rootKey: Uint8Array
  readonly fetch: Fetch
}

export interface SourceFlags {
  readonly data?: string
  readonly server?: string
  readonly key?: Uint8Array
}

/** Stands for the data folder where an address is needed; nothing is sent there. */
const FOLDER_ADDRESS = 'http://localhost'

/** @throws {WaryError} `usage`, `publish-damaged`, or `list-missing` when nothing is published in the folder */
export function checkSource({ data = './wary-data', server, key }: SourceFlags, context: CliContext): CheckSource {
  if (server === undefined) return folderSource(data, key, context)
  if (key === undefined) throw usageError('--server needs --key HEX, the public key of who publishes its lists')
  return { name: server, server, rootKey: key, fetch: context.fetch }
}

/** The real server app over the folder, called without a socket. The folder says by itself which key signed it. */
function folderSource(data: string, key: Uint8Array | undefined, { clock }: CliContext): CheckSource {
  const store = new PublishedStore({ folder: new PublishedFolder(data), logger: silentLogger })
  store.reload()
  if (store.failure !== undefined) throw store.failure
  const { edition } = store
  if (edition === undefined)
    throw new WaryError('list-missing', `nothing is published in ${data}; run "wary publish", or name another folder by --data`)
  const app = createApp({ store, clock, logger: silentLogger })
  return {
    name: data,
    server: FOLDER_ADDRESS,
    rootKey: key ?? fromHex(edition.manifest.publicKey),
    fetch: async (url, init) => app.fetch(new Request(url, init)),
  }
}
