import { createReadStream } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { fromHex, toHex } from '../bytes.ts'
import { WaryError } from '../errors.ts'
import { type EntryLength, HashList, isEntryLength } from '../lists/hash-list.ts'
import { encodeHashList } from '../protocol/hash-list-message.ts'
import type { CliContext } from './context.ts'
import { fileError, usageError } from './failure.ts'
import { lineBatches } from './input-lines.ts'
import { EntryCollection, LONGEST_HEX_BYTES } from './list-entries.ts'
import { grouped } from './output.ts'
import { writeOutput } from './output-file.ts'

/** Bytes of the checksum that make the version, where nobody gives one. */
const VERSION_BYTES = 8

interface EncodeFlags {
  readonly name: string
  readonly size: EntryLength
  readonly hashVersion?: Uint8Array
  readonly out?: string
  readonly json?: true
}

export function addListEncode(list: Command, context: CliContext): void {
  const { output } = context
  list
    .command('encode')
    .summary('make a hash list file')
    .description(
      'Makes a hash list, a full update without signature, of hashes in hexadecimal, one a line, from FILE or standard input. Longer ' +
        'ones are cut to the entry length. Repeats and empty lines are dropped; the order does not matter.',
    )
    .argument('[FILE]', 'hashes, one a line; "-" or nothing is standard input')
    .requiredOption('--name <NAME>', 'name of the list, such as se-4b', listName)
    .requiredOption('--size <BYTES>', 'entry length: 4, 8, 16 or 32', entryLength)
    .option('--hash-version <HEX>', 'version of the list (default: by its entries)', versionBytes)
    .option('--out <FILE>', 'where to write it (default: standard output)')
    .option('--json', 'print facts as one line of JSON; needs --out')
    .addHelpText(
      'after',
      '\nExample:\n  wary list encode --name se-4b --size 4 --out se-4b.hashlist hashes.txt\n' +
        '  wary list encode --name my-8b --size 8 < hashes.txt > my-8b.hashlist',
    )
    .action(async (file: string | undefined, { name, size, hashVersion, out, json }: EncodeFlags) => {
      if (json && out === undefined) throw usageError('--json needs --out: without it, standard output has the list itself')
      const { entries, given } = await readEntries(file, size, context)
      const said = lengthSaid(name)
      if (said !== size && entries.length === 0)
        throw new WaryError(
          'feed-format',
          `there is no entry; an empty list needs a name that says how long they would be: it ends in -${size}b`,
        )
      if (said !== undefined && said !== size) output.note(`note: by its name, ${name} has entries of ${said} bytes, not ${size}`)
      if (entries.length === 0) output.note('note: there is no entry in it')
      const unversioned = HashList.fromUnsorted({ name, version: new Uint8Array(), entryLength: size, entries })
      const checksum = unversioned.checksum()
      const version = hashVersion ?? checksum.slice(0, VERSION_BYTES)
      const bytes = encodeHashList({
        name,
        version,
        partial: false,
        additions: { entryLength: size, entries: unversioned.entries },
        removals: undefined,
        checksum,
        minimumWaitMs: 0,
        signed: undefined,
      })
      if (out === undefined) return context.stdoutBytes(bytes)
      writeOutput(out, bytes)
      const { count } = unversioned
      const repeated = given - count
      if (json)
        return output.json({
          file: out,
          name,
          version: toHex(version),
          entryLength: size,
          entries: count,
          repeated,
          checksum: toHex(checksum),
          bytes: bytes.length,
        })
      output.line(`Wrote ${out}`)
      output.table([
        ['version', toHex(version)],
        ['entries', `${grouped(count)} of ${size} bytes (${grouped(repeated)} repeated)`],
        ['checksum', toHex(checksum)],
        ['file', `${grouped(bytes.length)} bytes`],
      ])
    })
}

async function readEntries(file: string | undefined, size: EntryLength, { stdinChunks }: CliContext) {
  const fromStdin = file === undefined || file === '-'
  const collection = new EntryCollection(size)
  try {
    for await (const lines of lineBatches(fromStdin ? stdinChunks() : createReadStream(file), LONGEST_HEX_BYTES))
      for (const line of lines) collection.add(line)
  } catch (error) {
    const name = fromStdin ? 'standard input' : file
    if (error instanceof WaryError && error.code === 'feed-format')
      throw new WaryError(error.code, `${name}: ${error.message}`, { cause: error })
    throw fileError(name, error)
  }
  return { entries: collection.packed, given: collection.count }
}

/** The entry length that a name says at its end. */
function lengthSaid(name: string): number | undefined {
  const digits = /-(\d+)b$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** What a signed state and a request's query can carry. */
function listName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text
  throw new InvalidArgumentError('It must have 1 to 64 letters, digits, dots, hyphens and underscores, such as se-4b.')
}

function entryLength(text: string): EntryLength {
  const length = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (isEntryLength(length)) return length
  throw new InvalidArgumentError('It must be 4, 8, 16 or 32.')
}

function versionBytes(text: string): Uint8Array {
  if (/^([0-9a-fA-F]{2}){1,64}$/.test(text)) return fromHex(text)
  throw new InvalidArgumentError('It must have 1 to 64 bytes in hexadecimal.')
}
