import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { applyUpdate } from '../lists/list-update.ts'
import { decodeListState } from '../lists/signed-state.ts'
import type { SubscribeLink } from '../lists/subscribe-link.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { type FetchedAnswer, type FetchedList, fetchLists, type HeldList, listNames } from './fetched-list.ts'
import { about, readListFile } from './list-file.ts'
import { checkSource } from './list-source.ts'
import { publicKey, repeated, serverOrLink } from './option-values.ts'
import { grouped, moment, type Output } from './output.ts'
import { writeOutput } from './output-file.ts'

interface FetchFlags {
  readonly list?: readonly string[]
  readonly from?: string
  readonly key?: Uint8Array
  readonly out: string
  readonly json?: true
}

export function addListFetch(list: Command, context: CliContext): void {
  list
    .command('fetch')
    .summary('download lists as a client does')
    .description(
      'Downloads lists of a server as a client does: what has changed since FILE, or the whole; believes what its keys have signed, and ' +
        'writes the whole list, which the next --from may name.',
    )
    .argument('<URL>', 'address of a server, which needs --key, or a subscribe link', serverOrLink)
    .option('--list <NAME>', 'list to download, such as se-4b, may be repeated (default: that of --from, else all there are)', repeated)
    .option('--from <FILE>', 'whole list that is there already: ask for the changes since then')
    .option('--key <HEX>', 'public key that must have signed the lists', publicKey)
    .requiredOption('--out <FILE>', 'where to write the list; of several, a folder that is there')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary list fetch http://127.0.0.1:8750 --key "$(cat wary.key.pub)" --list se-4b --out se-4b.hashlist\n' +
        '  wary list fetch https://lists.example/#wary=... --from se-4b.hashlist --out se-4b.hashlist',
    )
    .action(async (server: string | SubscribeLink, { list: named, from, key, out, json }: FetchFlags) => {
      if (typeof server === 'string' && key === undefined)
        throw usageError('an address needs --key HEX, the public key of who publishes its lists; a subscribe link needs none')
      const held = from === undefined ? undefined : heldList(from)
      const source = await checkSource({ server, ...(key ? { key } : {}) }, context)
      const names = [...new Set(named ?? (held ? [held.list.name] : await listNames(source)))]
      if (held && !names.includes(held.list.name)) throw usageError(`--from is a file of ${held.list.name}, which --list does not name`)
      const intoFolder = isFolder(out)
      if (names.length > 1 && !intoFolder)
        throw usageError(`there are ${names.length} lists (${names.join(', ')}): choose one by --list, or name a folder by --out`)
      const answer = await fetchLists({ source, names, held, now: context.clock.now() })
      if (answer.refusedDelta)
        context.output.note(`note: the changes were of no use, so the whole was asked for: ${answer.refusedDelta.message}`)
      const written = answer.lists.map((fetched) => {
        const path = intoFolder ? join(out, `${fetched.list.name}.hashlist`) : out
        writeOutput(path, fetched.file)
        return { fetched, path }
      })
      if (json) context.output.json({ server: source.server, ...facts(answer), lists: written.map((each) => listFacts(each)) })
      else show(answer, written, context.output)
    })
}

interface Written {
  readonly fetched: FetchedList
  readonly path: string
}

function heldList(path: string): HeldList {
  const { update } = readListFile(path)
  if (update.partial) throw new WaryError('list-format', `${path} only changes another list, and is nothing to start from`)
  return about(path, () => ({
    list: applyUpdate(undefined, update),
    state: update.signed && decodeListState(update.signed.statement),
  }))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function facts({ bytes, headers, refusedDelta }: FetchedAnswer): object {
  const refused = refusedDelta ? { code: refusedDelta.code, message: refusedDelta.message } : null
  return { bytes, headers, refusedDelta: refused }
}

function listFacts({ fetched, path }: Written): object {
  const { kind, list, state, bytes, update, file } = fetched
  return {
    name: list.name,
    file: path,
    kind,
    version: toHex(list.version),
    epoch: state.epoch,
    sequence: state.sequence,
    issuedAt: moment(state.issuedAt),
    expiresAt: moment(state.expiresAt),
    entries: list.count,
    entryLength: list.entryLength,
    ...changes(fetched),
    bytes,
    wholeBytes: file.length,
    minimumWaitMs: update.minimumWaitMs,
  }
}

/** What the answer carries. */
function changes({ update: { additions, removals } }: FetchedList): { readonly additions: number; readonly removals: number } {
  return { additions: additions ? additions.entries.length / additions.entryLength : 0, removals: removals?.length ?? 0 }
}

const KINDS = { full: 'the whole list', delta: 'the changes', same: 'nothing new' } as const

function show({ bytes, headers }: FetchedAnswer, written: readonly Written[], output: Output): void {
  for (const { fetched, path } of written) {
    const { list, state, kind, update, file } = fetched
    const { additions, removals } = changes(fetched)
    output.line(`${list.name}: ${KINDS[kind]}, written to ${path}`)
    output.table([
      ['version', `${toHex(list.version)} (epoch ${state.epoch}, sequence ${state.sequence})`],
      ['entries', `${grouped(list.count)} of ${list.entryLength} bytes`],
      ['carried', `${grouped(additions)} additions, ${grouped(removals)} removals`],
      ['bytes', `${grouped(fetched.bytes)}; the whole list has ${grouped(file.length)}`],
      ['signed', `by the publisher's keys, issued ${moment(state.issuedAt)}, expires ${moment(state.expiresAt)}`],
      ['minimum wait', `${update.minimumWaitMs / 1000} s`],
    ])
  }
  output.line(`The answer: ${grouped(bytes)} bytes`)
  output.table(Object.entries(headers))
}
