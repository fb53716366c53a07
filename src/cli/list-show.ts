import type { Command } from 'commander'
import type { HashList } from '../lists/hash-list.ts'
import type { CliContext, Finish } from './context.ts'
import { type ListFacts, listFacts, listOf, listRows } from './list-facts.ts'
import { readListFile } from './list-file.ts'
import { OutputLines } from './output-lines.ts'

interface ShowFlags {
  readonly base?: string
  readonly entries?: true
  readonly json?: true
}

export function addListShow(list: Command, { output, stdoutBytes }: CliContext, finish: Finish): void {
  list
    .command('show')
    .summary('describe a hash list file')
    .description(
      'Describes a hash list file and the list that it makes: entries, size, and whether the checksum that it announces is that of ' +
        'its entries. Its signature is shown, not verified. Exit code 1 when the checksum does not hold.',
    )
    .argument('<FILE>', 'hash list, a full or a partial update')
    .option('--base <FILE>', 'hash list that a partial update changes, itself a full update')
    .option('--entries', 'print every entry in hexadecimal, in ascending order')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary list show wary-data/versions/000001/se-4b.hashlist\n' +
        '  wary list show update.hashlist --base se-4b.hashlist --json',
    )
    .action(async (path: string, flags: ShowFlags) => {
      const file = readListFile(path)
      const base = flags.base === undefined ? undefined : readListFile(flags.base)
      const made = listOf(file, base)
      if (base !== undefined && !file.update.partial) output.note(`note: ${path} is a whole list; --base changes nothing`)
      else if (base !== undefined && base.update.name !== made.name)
        output.note(`note: ${path} is about ${made.name}, but the base about ${base.update.name}`)
      const facts = listFacts(file, made)
      const lines = new OutputLines(stdoutBytes)
      if (flags.json) await writeJson(facts, flags.entries ? made : undefined, lines)
      else {
        output.table(listRows(facts))
        if (flags.entries) await writeEntries(made, '\n', '\n', '\n', lines)
      }
      finish(facts.holds === false ? 1 : 0)
    })
}

/** In pieces: ten million entries make a line that is longer than a string should be. */
async function writeJson(facts: ListFacts, listed: HashList | undefined, lines: OutputLines): Promise<void> {
  lines.plain('{')
  for (const [key, value] of Object.entries(facts)) {
    lines.json(key)
    lines.plain(':')
    lines.json(value)
    lines.plain(',')
  }
  lines.plain('"entries":')
  if (listed === undefined) lines.json(facts.count)
  else {
    lines.plain('[')
    await writeEntries(listed, '"', '","', '"', lines)
    lines.plain(']')
  }
  lines.plain('}\n')
  await lines.flush()
}

/** In hexadecimal; `before` the first, `between` two and `after` the last. */
async function writeEntries(
  { entries, entryLength }: HashList,
  before: string,
  between: string,
  after: string,
  lines: OutputLines,
): Promise<void> {
  for (let at = 0; at < entries.length; at += entryLength) {
    lines.plain(at === 0 ? before : between)
    lines.hex(entries, at, at + entryLength)
    if (lines.full) await lines.flush()
  }
  if (entries.length > 0) lines.plain(after)
  await lines.flush()
}
