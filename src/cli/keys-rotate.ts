import type { Command } from 'commander'
import { equalBytes, toHex } from '../bytes.ts'
import { asWaryError } from '../errors.ts'
import type { KeySet } from '../lists/key-set.ts'
import { keyId } from '../lists/signed-state.ts'
import { finishRotation, type PendingKeys, prepareRotation, waitingKeys } from '../publisher/key-changes.ts'
import { readPublicKeyFile } from '../publisher/key-file.ts'
import { readStatementFile, signStatementFiles } from '../publisher/sign-statement.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { keySetFacts, quorum, showKeySet, subscribeLink } from './key-set-output.ts'
import { repeated, wholeNumber } from './option-values.ts'
import type { Output } from './output.ts'

interface RotateFlags {
  readonly threshold?: number
  readonly pub?: readonly string[]
  readonly signWith?: readonly string[]
  readonly finish?: true
  readonly data: string
  readonly json?: true
}

export function addKeysRotate(keys: Command, { output }: CliContext): void {
  keys
    .command('rotate')
    .summary('change whose signatures count')
    .description(
      'Makes the key set that follows the one in use. It must be signed by enough of the former keys, so that browsers follow, and by ' +
        'enough of the new ones, so that nobody hands over to keys that nobody holds. What is not signed here waits in DIR/pending-keys ' +
        'for "wary sign" on other computers; --finish goes on when the signatures are back. In force with the next "wary publish".',
    )
    .option('--threshold <M>', 'how many of the new keys must sign (default: more than half of them)', wholeNumber(1, 16))
    .option('--pub <FILE>', 'public half of a key of the new set, may be repeated; keys that stay are named too', repeated)
    .option('--sign-with <FILE>', 'private key, old or new, that signs the change here, may be repeated', repeated)
    .option('--finish', 'take the signatures that have come back')
    .option('--data <DIR>', 'data folder', './wary-data')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary keys rotate --pub new.key.pub --sign-with old.key --sign-with new.key\n' +
        '  wary keys rotate --threshold 2 --pub ann.key.pub --pub ben.key.pub --pub dora.key.pub\n  wary keys rotate --finish',
    )
    .action(async (flags: RotateFlags) => {
      const { data: dataFolder, pub = [], signWith = [], threshold, finish = false, json } = flags
      if (finish === pub.length > 0) throw usageError('give either the public half of each new key by --pub FILE, or --finish')
      const publicKeys = pub.map(readPublicKeyFile)
      const prepared = finish
        ? waitingKeys({ dataFolder })
        : await prepareRotation({ dataFolder, threshold: threshold ?? Math.floor(publicKeys.length / 2) + 1, publicKeys })
      const file = readStatementFile(prepared.statementPath)
      for (const key of signWith) signStatementFiles([file], key)
      const waiting = waitingKeys({ dataFolder })
      // What is missing is said, not failed over: to prepare and to sign a part of it is what was asked for.
      if (!finish && (lacking(waiting.former, waiting) > 0 || lacking(waiting.set, waiting) > 0)) return showWaiting(waiting, flags, output)
      try {
        const { set, warnings } = await finishRotation({ dataFolder })
        for (const warning of warnings) output.note(`note: ${warning}`)
        if (json)
          return output.json({
            data: dataFolder,
            state: 'done',
            ...keySetFacts(set),
            toSign: [],
            subscribeLink: subscribeLink(set),
            warnings,
          })
        output.line(`Version ${set.version} of the keys of ${dataFolder}: ${quorum(set)}`)
        showKeySet(set, output)
        output.line('It comes into force with the next "wary publish", which these keys must sign.')
      } catch (error) {
        if (asWaryError(error).code === 'keys-chain') for (const each of waiting.refused) output.note(`note: ${each}`)
        throw error
      }
    })
}

/** How many signatures of a set's keys are missing. */
function lacking(set: KeySet, { signed }: PendingKeys): number {
  return Math.max(0, set.threshold - set.keys.filter((key) => hasSigned(key, signed.signatures)).length)
}

function hasSigned(key: Uint8Array, signatures: PendingKeys['signed']['signatures']): boolean {
  return signatures.some((each) => equalBytes(each.keyId, keyId(key)))
}

function showWaiting(waiting: PendingKeys, { data, json }: RotateFlags, output: Output): void {
  const { set, former, statementPath, signed } = waiting
  const missing = [former, set].map((each) => ({
    version: each.version,
    lacking: lacking(each, waiting),
    keyIds: each.keys.filter((key) => !hasSigned(key, signed.signatures)).map((key) => toHex(keyId(key))),
  }))
  if (json) return output.json({ data, state: 'waiting', ...keySetFacts(set), toSign: [statementPath], missing })
  output.line(`Version ${set.version} of the keys of ${data} waits for signatures: ${quorum(set)}`)
  showKeySet(set, output)
  for (const { version, lacking: count, keyIds } of missing)
    if (count > 0) output.line(`${count} more of version ${version} must sign: ${keyIds.join(', ')}`)
  output.line(`To be signed: ${statementPath}`)
  output.line('Carry it to the keys, "wary sign" it there, put what that writes beside it, and go on with "wary keys rotate --finish".')
}
