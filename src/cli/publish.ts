import type { Command } from 'commander'
import type { FeedReject } from '../feeds/feed.ts'
import { readKeyFile } from '../publisher/key-file.ts'
import { KeyRing } from '../publisher/key-ring.ts'
import { type DeltaSizes, KEEP_DAYS, KEEP_VERSIONS } from '../publisher/list-deltas.ts'
import type { PublishedList } from '../publisher/list-maker.ts'
import { UnsignedStatements } from '../publisher/pending-publication.ts'
import { type Publication, publish } from '../publisher/publish.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { FeedPlan, FORMATS, readFeed, STEMS } from './feed-option.ts'
import { signerFacts, signerRows } from './key-set-output.ts'
import { positiveNumber, repeated, wholeNumber } from './option-values.ts'
import { grouped, moment, type Output } from './output.ts'
import { finishPublish } from './publish-finish.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How many rejects are shown unless all are asked for. */
const SHOWN_REJECTS = 10
const DEFAULT_KEY = 'wary.key'

interface PublishFlags {
  readonly key?: readonly string[]
  readonly unsigned?: true
  readonly finish?: true
  readonly data: string
  readonly epoch?: number
  readonly expiresDays: number
  readonly minimumWait: number
  readonly keepVersions: number
  readonly keepDays: number
  readonly rejects?: true
  readonly json?: true
}

export function addPublish(program: Command, context: CliContext): void {
  const { clock, output } = context
  const plan = new FeedPlan()
  program
    .command('publish')
    .summary('make signed lists of feeds')
    .description(
      'Makes signed lists of feeds and puts them in force in the data folder, all or nothing: whatever fails, the former version stays. ' +
        'A running server takes the new version up by itself. A list that is not named here is not published any more.',
    )
    .option('--list <STEM>', `list to make: ${STEMS.join(', ')}; of several, each takes the feeds that follow it (default: se)`, plan.list)
    .option('--feed <FORMAT:PATH>', `feed to read, may be repeated; FORMAT is ${FORMATS.join(' or ')}`, plan.feed)
    .option('--key <FILE>', 'private key from "wary keygen" (default: wary.key); of several, each signs', repeated)
    .option('--unsigned', 'leave what must be signed in DIR/pending/to-sign, for "wary sign" where the keys are')
    .option('--finish', 'put in force what --unsigned left, with the signatures that have come back')
    .option('--data <DIR>', 'data folder', './wary-data')
    .option('--epoch <N>', 'raise it to start anew after sequence numbers were lost (default: as before, else 1)', wholeNumber(1))
    .option('--expires-days <DAYS>', 'clients refuse the lists from then on', positiveNumber(3650), 7)
    .option('--minimum-wait <SECONDS>', 'time that clients are asked to wait between updates', wholeNumber(0, 86_400), 300)
    .option('--keep-versions <N>', 'former versions from which clients get no more than the changes', wholeNumber(0, 1000), KEEP_VERSIONS)
    .option('--keep-days <DAYS>', 'and how old they may be', positiveNumber(3650), KEEP_DAYS)
    .option('--rejects', `show every rejected line instead of the first ${SHOWN_REJECTS} of each feed`)
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\n`eth-phishing-detect:npm` is the list in the installed npm package of that name.\n' +
        '\nExample:\n  wary publish --feed eth-phishing-detect:npm --feed plain:own.txt\n' +
        '  wary publish --list se --feed plain:phishing.txt --list mw --feed plain:malware.txt',
    )
    .action(async (flags: PublishFlags) => {
      if (flags.finish) return finishPublish(flags, plan.empty, context)
      if (flags.unsigned && flags.key) throw usageError('--unsigned signs nothing: give either --unsigned or --key')
      const planned = plan.lists()
      const key = flags.unsigned ? new UnsignedStatements() : new KeyRing((flags.key ?? [DEFAULT_KEY]).map(readKeyFile))
      const lists = planned.map(({ stem, feeds }) => ({
        stem,
        feeds: feeds.map((feed) => ({ name: feed.name, items: readFeed(feed) })),
      }))
      const published = await publish({
        dataFolder: flags.data,
        key,
        clock,
        lists,
        expiresInMs: Math.round(flags.expiresDays * DAY_MS),
        minimumWaitMs: flags.minimumWait * 1000,
        keepVersions: flags.keepVersions,
        keepMs: Math.round(flags.keepDays * DAY_MS),
        ...(flags.epoch === undefined ? {} : { epoch: flags.epoch }),
        onProgress: (step) => output.note(step),
      })
      for (const warning of published.warnings) output.note(`note: ${warning}`)
      if (flags.json) output.json(facts(published, flags))
      else show(published, flags, output)
    })
}

function shown(rejects: readonly FeedReject[], { rejects: all }: PublishFlags): readonly FeedReject[] {
  return all ? rejects : rejects.slice(0, SHOWN_REJECTS)
}

function facts(published: Publication, flags: PublishFlags): unknown {
  return {
    data: flags.data,
    version: published.version,
    epoch: published.epoch,
    sequence: published.sequence,
    issuedAt: moment(published.issuedAt),
    expiresAt: moment(published.expiresAt),
    ...signerFacts(published),
    toSign: published.toSign,
    lists: published.lists.map((list) => ({
      ...list,
      feeds: list.feeds.map((feed) => ({ ...feed, rejected: feed.rejects.length, rejects: shown(feed.rejects, flags) })),
    })),
    warnings: published.warnings,
  }
}

function show(published: Publication, flags: PublishFlags, output: Output): void {
  const waits = published.toSign.length > 0
  output.line(
    waits
      ? `Version ${published.version} waits for signatures in ${flags.data}`
      : `Published version ${published.version} in ${flags.data}`,
  )
  output.table([
    ['epoch, sequence', `${published.epoch}, ${published.sequence}`],
    ['expires', moment(published.expiresAt)],
    ...signerRows(published),
  ])
  for (const list of published.lists) showList(list, flags, output)
  if (!waits) return
  output.line()
  for (const path of published.toSign) output.line(`To be signed: ${path}`)
  output.line('Carry these to the keys, "wary sign" them there, put what that writes beside them, and go on with "wary publish --finish".')
}

function former(versions: number): string {
  return versions === 1 ? 'one former version' : `${versions} former versions`
}

function sizes({ listBytes, filterBytes }: DeltaSizes): string {
  const words = (bytes: number | null): string => (bytes === null ? 'the whole is no larger' : `${grouped(bytes)} bytes`)
  return `list ${words(listBytes)}, filter ${words(filterBytes)}`
}

function showList(list: PublishedList, flags: PublishFlags, output: Output): void {
  output.line()
  output.line(`${list.name}: ${grouped(list.entries)} entries of ${list.entryLength} bytes, with the test entries`)
  output.table([
    [`${list.name}.hashlist`, `${grouped(list.listBytes)} bytes`],
    [`${list.name}.fullhashes`, `${grouped(list.fullHashBytes)} bytes`],
    [`${list.name}.filter`, `${grouped(list.filterBytes)} bytes`],
  ])
  const [newest] = list.deltas
  if (newest) output.line(`Deltas from ${former(list.deltas.length)}; from ${newest.from}: ${sizes(newest)}`)
  for (const { name, accepted, repeated, rejects } of list.feeds) {
    output.line(`${name}: ${grouped(accepted)} accepted (${grouped(repeated)} repeated), ${grouped(rejects.length)} rejected`)
    const some = shown(rejects, flags)
    output.table(some.map(({ line, text, reason }) => [`line ${line}`, reason, text]))
    if (some.length < rejects.length) output.line(`  ... and ${grouped(rejects.length - some.length)} more: --rejects shows them`)
  }
}
