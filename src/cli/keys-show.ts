import type { Command } from 'commander'
import { WaryError } from '../errors.ts'
import { keySetsOf } from '../lists/key-chain.ts'
import { encodeKeySet, type KeySet, keySetFingerprint } from '../lists/key-set.ts'
import type { SignedStatement } from '../lists/signed-state.ts'
import { equalBytes } from '../bytes.ts'
import { realFileSystem } from '../publisher/file-system.ts'
import { newestKeySet } from '../publisher/key-chain-file.ts'
import { PublishedFolder } from '../publisher/published-folder.ts'
import { keySetOf } from '../publisher/published-manifest.ts'
import { knownKeys } from '../publisher/publisher-keys.ts'
import { fetchKeyChain } from '../update/fetch-key-chain.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { keySetFacts, quorum, showKeySet, subscribeLink } from './key-set-output.ts'
import { serverAddress } from './option-values.ts'

interface ShowFlags {
  readonly data?: string
  readonly server?: string
  readonly json?: true
}

interface ShownKeys {
  readonly source: string
  readonly chain: readonly SignedStatement[]
  /** The set that signed what is in force; undefined before anything was published. */
  readonly inForce: KeySet | undefined
}

export function addKeysShow(keys: Command, { output, fetch }: CliContext): void {
  keys
    .command('show')
    .summary('whose signatures count, and the subscribe link')
    .description(
      'Shows the key sets of a data folder, or of a running server, with their fingerprints, and the link by which others subscribe. ' +
        'What a server says of itself proves nothing: compare the fingerprint with one that you got another way.',
    )
    .option('--data <DIR>', 'data folder (default: ./wary-data); with --server, its link gets that address')
    .option('--server <URL>', 'server to ask, or the address to write into the link of a folder', serverAddress)
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary keys show --data ./wary-data --server https://lists.example\n  wary keys show --server http://127.0.0.1:8750',
    )
    .action(async ({ data, server, json }: ShowFlags) => {
      const { source, chain, inForce } =
        data === undefined && server !== undefined ? await ofServer(server, fetch) : ofFolder(data ?? './wary-data')
      // Of what is served now: a link to a set that comes later finds nothing yet.
      const link = linkOf(inForce ?? newestKeySet(chain), server)
      const published = (set: KeySet): boolean => inForce !== undefined && equalBytes(keySetFingerprint(set), keySetFingerprint(inForce))
      const sets = keySetsOf(chain)
      if (json)
        return output.json({
          source,
          sets: sets.map((set) => ({ ...keySetFacts(set), inForce: published(set) })),
          subscribeLink: link,
        })
      output.line(`Keys of ${source}`)
      for (const set of sets) {
        const when = published(set) ? ', in force' : set === sets.at(-1) ? ', with the next publication' : ''
        output.line(`Version ${set.version}${when}: ${quorum(set)}`)
        showKeySet(set, output)
      }
      output.line(`Subscribe link: ${link}`)
    })
}

function linkOf(set: KeySet, server: string | undefined): string {
  try {
    return subscribeLink(set, server)
  } catch (error) {
    if (error instanceof WaryError && error.code === 'setting-invalid') throw usageError(`--server ${server}: ${error.message}`)
    throw error
  }
}

async function ofServer(server: string, fetch: CliContext['fetch']): Promise<ShownKeys> {
  const chain = await fetchKeyChain(server, fetch)
  return { source: server, chain, inForce: newestKeySet(chain) }
}

function ofFolder(dataFolder: string): ShownKeys {
  const folder = new PublishedFolder(dataFolder)
  const current = folder.current()
  const former = current && folder.manifest(current.version)
  const known = knownKeys({ dataFolder, folder, files: realFileSystem, former, formerVersion: current?.version })
  if (!known)
    throw new WaryError('list-missing', `nothing says whose keys count in ${dataFolder}: "wary keys init" or a first "wary publish" does`)
  const chain = known.chain ?? [{ statement: encodeKeySet(known.set), signatures: [] }]
  return { source: dataFolder, chain, inForce: former && keySetOf(former) }
}
