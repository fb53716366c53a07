import type { Command } from 'commander'
import { initKeys } from '../publisher/key-changes.ts'
import { readPublicKeyFile } from '../publisher/key-file.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { keySetFacts, quorum, showKeySet, subscribeLink } from './key-set-output.ts'
import { repeated, wholeNumber } from './option-values.ts'

interface InitFlags {
  readonly threshold?: number
  readonly pub?: readonly string[]
  readonly data: string
  readonly anew?: boolean
  readonly json?: true
}

export function addKeysInit(keys: Command, { output }: CliContext): void {
  keys
    .command('init')
    .summary('say whose signatures count, once')
    .description(
      'Writes the first key set of a data folder, of public halves only: the private ones stay with their owners. A publisher with one ' +
        'key needs none of this: "wary publish --key" is enough.',
    )
    .option('--threshold <M>', 'how many of the keys must sign (default: more than half of them)', wholeNumber(1, 16))
    .option('--pub <FILE>', 'public half of a key (FILE.pub of "wary keygen"), may be repeated', repeated)
    .option('--data <DIR>', 'data folder', './wary-data')
    .option('--anew', 'start over although the folder has keys: everybody must subscribe anew')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText('after', '\nExample:\n  wary keys init --threshold 2 --pub ann.key.pub --pub ben.key.pub --pub cleo.key.pub')
    .action(async ({ threshold, pub = [], data, anew = false, json }: InitFlags) => {
      if (pub.length === 0) throw usageError('give the public half of each key by --pub FILE')
      const publicKeys = pub.map(readPublicKeyFile)
      const { set } = await initKeys({ dataFolder: data, threshold: threshold ?? Math.floor(publicKeys.length / 2) + 1, publicKeys, anew })
      if (json) return output.json({ data, ...keySetFacts(set), subscribeLink: subscribeLink(set) })
      output.line(`Version ${set.version} of the keys of ${data}: ${quorum(set)}`)
      showKeySet(set, output)
      output.line('The next "wary publish" must be signed by them.')
    })
}
