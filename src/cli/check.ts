import type { Command } from 'commander'
import type { Verdict } from '../check/verdict.ts'
import type { SubscribeLink } from '../lists/subscribe-link.ts'
import type { StoredList } from '../ports.ts'
import { parsedUrl } from '../url/parsed-url.ts'
import type { CliContext, Finish } from './context.ts'
import { usageError } from './failure.ts'
import { checkSource } from './list-source.ts'
import { publicKey, serverOrLink } from './option-values.ts'
import { grouped, moment, type Output } from './output.ts'
import { inspectUrl, type UrlInspection } from './url-inspection.ts'

interface CheckFlags {
  readonly data?: string
  readonly server?: string | SubscribeLink
  readonly key?: Uint8Array
  readonly list?: readonly string[]
  readonly json?: true
}

export function addCheck(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('check')
    .summary('check one URL as the extension does')
    .description(
      'Checks one URL with the parts that the extension is made of, against the lists of a data folder or of a running server: each of ' +
        'its expressions, the hash prefix of each, the stage that answers for it, and the verdict. Exit code 0 only for a safe page.',
    )
    .argument('<URL>', 'address of a page; "http://" may be left out')
    .option('--data <DIR>', 'check against what is published in this folder (default: ./wary-data)')
    .option('--server <URL>', 'check against this server instead; needs --key, or is a subscribe link', serverOrLink)
    .option('--key <HEX>', 'public key that must have signed the lists (default for a folder: its own)', publicKey)
    .option('--list <NAME>', 'list to check against, such as se-4b, may be repeated (default: all there are)', named)
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary check http://phishing.wary.test/\n  wary check phishing.wary.test --server http://127.0.0.1:8750 --key "$(cat wary.key.pub)"',
    )
    .action(async (text: string, flags: CheckFlags) => {
      if (flags.data !== undefined && flags.server !== undefined) throw usageError('give either --data or --server')
      const url = addressOf(text)
      const source = await checkSource(flags, context)
      const inspection = await inspectUrl(url, flags.list, source, context)
      if (flags.json) context.output.json(facts(url, source.name, inspection))
      else show(url, source.name, inspection, context.output)
      finish(inspection.verdict.kind === 'safe' ? 0 : 1)
    })
}

function named(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name]
}

/** As a browser would spell it. */
function addressOf(text: string): string {
  const trimmed = text.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`
  const url = parsedUrl(address)
  if (url === undefined) throw usageError(`${text} is no address that a browser could open`)
  return url.href
}

function listFacts({ list, state }: StoredList) {
  const signed = state && { epoch: state.epoch, sequence: state.sequence, expiresAt: moment(state.expiresAt) }
  return { name: list.name, entries: list.count, entryLength: list.entryLength, ...signed }
}

function facts(url: string, source: string, { lists, expressions, verdict, asked, askedBytes }: UrlInspection): unknown {
  return { url, source, lists: lists.map(listFacts), expressions, verdict, asked, askedBytes }
}

function show(url: string, source: string, { lists, expressions, verdict, asked, askedBytes }: UrlInspection, output: Output): void {
  output.line(url)
  output.table(
    lists
      .map(listFacts)
      .map(({ name, entries, epoch, sequence, expiresAt }) => [
        `list ${name}`,
        `${grouped(entries)} entries, epoch ${epoch} sequence ${sequence}, valid until ${expiresAt}, from ${source}`,
      ]),
  )
  if (expressions.length > 0) {
    output.line()
    output.table([
      ['expression', 'prefix', 'answered by'],
      ...expressions.map(({ expression, prefix, stage, lists: holding }) => [
        expression,
        prefix,
        holding.length === 0 ? stage : `${stage}, listed in ${holding.join(', ')}`,
      ]),
    ])
  }
  output.line()
  output.line(`${verdict.kind}: ${explained(verdict)}`)
  if ('hits' in verdict) output.table(verdict.hits.map(({ threatType, expression, list }) => [threatType, expression, `in ${list}`]))
  if (asked > 0) output.line(`${asked} ${asked === 1 ? 'question' : 'questions'} to the server, ${askedBytes} bytes`)
}

function explained(verdict: Verdict): string {
  const stage = `answered by ${verdict.stage}`
  switch (verdict.kind) {
    case 'safe':
      return `no list holds it, ${stage}`
    case 'threat':
      return `the page is listed, ${stage}`
    case 'unchecked':
      return `it was not checked (${verdict.reason})`
    case 'unverified':
      return verdict.reason.kind === 'contradiction'
        ? `the server denies an entry of its own signed list, ${stage}`
        : `the server did not answer (${verdict.reason.code}: ${verdict.reason.message}), ${stage}`
  }
}
