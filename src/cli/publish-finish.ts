import { finishPublication } from '../publisher/finish-publication.ts'
import { namedLists } from '../publisher/published-manifest.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { signerFacts, signerRows } from './key-set-output.ts'
import { grouped, moment } from './output.ts'

interface FinishFlags {
  readonly data: string
  readonly key?: readonly string[]
  readonly unsigned?: true
  readonly json?: true
}

/**
 * `wary publish --finish`: what `--unsigned` left needs no feeds and no keys any more.
 * @param unnamed whether the command line names neither a list nor a feed
 */
export async function finishPublish(flags: FinishFlags, unnamed: boolean, { clock, output }: CliContext): Promise<void> {
  const { data, key, unsigned, json } = flags
  if (key || unsigned || !unnamed) throw usageError('--finish takes what waits as it is: give no feed and no key with it')
  const { manifest, version, keys, warnings } = await finishPublication({ dataFolder: data, clock })
  for (const warning of warnings) output.note(`note: ${warning}`)
  const { epoch, sequence, issuedAt, expiresAt } = manifest
  const lists = namedLists(manifest.lists)
  const signer = { ...manifest, keys }
  if (json) {
    const times = { issuedAt: moment(issuedAt), expiresAt: moment(expiresAt) }
    return output.json({ data, version, epoch, sequence, ...times, ...signerFacts(signer), toSign: [], lists, warnings })
  }
  output.line(`Published version ${version} in ${data}`)
  output.table([['epoch, sequence', `${epoch}, ${sequence}`], ['expires', moment(expiresAt)], ...signerRows(signer)])
  for (const { name, entries } of lists) output.line(`${name}: ${grouped(entries)} entries`)
}
