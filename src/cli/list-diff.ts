import type { Command } from 'commander'
import { toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import type { HashList } from '../lists/hash-list.ts'
import { type ListDelta, listDelta } from '../lists/list-delta.ts'
import type { ListUpdate } from '../lists/list-update.ts'
import { encodeHashList } from '../protocol/hash-list-message.ts'
import type { CliContext } from './context.ts'
import { listOf } from './list-facts.ts'
import { readListFile } from './list-file.ts'
import { grouped } from './output.ts'
import { OutputLines } from './output-lines.ts'

interface DiffFlags {
  readonly entries?: true
  readonly json?: true
}

export function addListDiff(list: Command, { output, stdoutBytes }: CliContext): void {
  list
    .command('diff')
    .summary('compare two hash list files')
    .description('Says which entries one list has and the other has not, and how large the update from the one to the other is.')
    .argument('<A>', 'hash list, a full update')
    .argument('<B>', 'hash list to compare it with; a partial update is taken as one of A')
    .option('--entries', 'print every entry that differs in hexadecimal, in ascending order: "-" is in A only, "+" in B only')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary list diff yesterday.hashlist se-4b.hashlist\n  wary list diff a.hashlist b.hashlist --entries',
    )
    .action(async (pathA: string, pathB: string, flags: DiffFlags) => {
      const [a, b] = [readListFile(pathA), readListFile(pathB)]
      const from = listOf(a, undefined)
      const to = listOf(b, a)
      if (from.entryLength !== to.entryLength)
        throw new WaryError('list-format', `entries of ${from.entryLength} bytes in ${pathA}, of ${to.entryLength} in ${pathB}`)
      if (from.name !== to.name) output.note(`note: ${pathA} is about ${from.name}, but ${pathB} about ${to.name}`)
      const delta = listDelta(from, to)
      const facts = diffFacts(from, to, delta, b.update)
      const lines = new OutputLines(stdoutBytes)
      if (flags.json) {
        // Only so many as there are changes: two lists have most in common.
        const entries = flags.entries ? { removed: [...removedEntries(from, delta)], added: [...addedEntries(to, delta)] } : {}
        lines.json({ ...facts, ...entries })
        lines.plain('\n')
        return lines.flush()
      }
      output.table([
        ['A', `${from.name}, version ${facts.from.version}: ${grouped(from.count)} entries`],
        ['B', `${to.name}, version ${facts.to.version}: ${grouped(to.count)} entries`],
        ['only in A', grouped(facts.removals)],
        ['only in B', grouped(facts.additions)],
        ['in both', grouped(facts.kept)],
        ['update', `${grouped(facts.deltaBytes)} bytes; the whole of B has ${grouped(facts.wholeBytes)}`],
      ])
      if (!flags.entries) return
      for (const line of changedLines(from, to, delta)) {
        lines.plain(line)
        if (lines.full) await lines.flush()
      }
      await lines.flush()
    })
}

function diffFacts(from: HashList, to: HashList, { removals, additions }: ListDelta, update: ListUpdate) {
  const added = additions.length / to.entryLength
  const carried = additions.length > 0 ? { entryLength: to.entryLength, entries: additions } : undefined
  const delta = { ...update, partial: true, removals: removals.length > 0 ? removals : undefined, additions: carried }
  const whole = { ...update, partial: false, removals: undefined, additions: { entryLength: to.entryLength, entries: to.entries } }
  return {
    from: { name: from.name, version: toHex(from.version), entries: from.count },
    to: { name: to.name, version: toHex(to.version), entries: to.count },
    entryLength: to.entryLength,
    removals: removals.length,
    additions: added,
    kept: from.count - removals.length,
    // With the signed state that B has, if it has one.
    deltaBytes: encodeHashList(delta).length,
    wholeBytes: encodeHashList(whole).length,
  }
}

function* removedEntries({ entries, entryLength }: HashList, { removals }: ListDelta): Generator<string> {
  for (const index of removals) yield toHex(entries.subarray(index * entryLength, (index + 1) * entryLength))
}

function* addedEntries({ entryLength }: HashList, { additions }: ListDelta): Generator<string> {
  for (let at = 0; at < additions.length; at += entryLength) yield toHex(additions.subarray(at, at + entryLength))
}

/** Both in one ascending order; hexadecimal of one length sorts as its bytes do. */
function* changedLines(from: HashList, to: HashList, delta: ListDelta): Generator<string> {
  const [removed, added] = [removedEntries(from, delta), addedEntries(to, delta)]
  let [gone, come] = [removed.next(), added.next()]
  while (!gone.done || !come.done) {
    if (come.done || (!gone.done && gone.value < come.value)) {
      yield `-${gone.value}\n`
      gone = removed.next()
    } else {
      yield `+${come.value}\n`
      come = added.next()
    }
  }
}
