import { WaryError } from '../errors.ts'
import { openKeyChain } from '../lists/key-chain.ts'
import { type KeySet, singleKey } from '../lists/key-set.ts'
import type { SubscribeLink } from '../lists/subscribe-link.ts'
import type { Fetch } from '../ports.ts'
import { verifiesEd25519 } from '../publisher/ed25519.ts'
import { PublishedFolder } from '../publisher/published-folder.ts'
import { createApp } from '../server/app.ts'
import { PublishedStore } from '../server/published-store.ts'
import { fetchKeyChain } from '../update/fetch-key-chain.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { silentLogger } from './silent-logger.ts'

/** Where a check gets its lists from: a server and the keys that must have signed them. */
export interface CheckSource {
  /** For people: the server's address, or the data folder. */
  readonly name: string
  readonly server: string
  readonly keys: KeySet
  readonly fetch: Fetch
}

export interface SourceFlags {
  readonly data?: string
  /** An address, or a subscribe link. */
  readonly server?: string | SubscribeLink
  readonly key?: Uint8Array
}

/** Stands for the data folder where an address is needed; nothing is sent there. */
const FOLDER_ADDRESS = 'http://localhost'

/**
 * @throws {WaryError} `usage`, `publish-damaged`, or `list-missing` when nothing is published in the folder; `keys-*` and `http-*` for a
 *   subscribe link whose server has other keys, or does not answer
 */
export async function checkSource({ data = './wary-data', server, key }: SourceFlags, context: CliContext): Promise<CheckSource> {
  if (server === undefined) return folderSource(data, key, context)
  if (typeof server !== 'string') return linkSource(server, key, context)
  if (key === undefined) throw usageError('--server needs --key HEX, the public key of who publishes its lists, or a subscribe link')
  return { name: server, server, keys: singleKey(key), fetch: context.fetch }
}

async function linkSource(
  { server, fingerprint }: SubscribeLink,
  key: Uint8Array | undefined,
  { fetch }: CliContext,
): Promise<CheckSource> {
  if (key !== undefined) throw usageError('a subscribe link says by itself whose keys count: give it without --key')
  const verify = async (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> =>
    verifiesEd25519(publicKey, message, signature)
  const keys = await openKeyChain(await fetchKeyChain(server, fetch), { fingerprint }, verify)
  return { name: server, server, keys, fetch }
}

/** The real server app over the folder, called without a socket. The folder says by itself which keys signed it. */
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
    keys: key === undefined ? edition.keys.set : singleKey(key),
    fetch: async (url, init) => app.fetch(new Request(url, init)),
  }
}
