import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { addKeysInit } from './keys-init.ts'
import { addKeysRotate } from './keys-rotate.ts'
import { addKeysShow } from './keys-show.ts'

export function addKeys(program: Command, context: CliContext): void {
  const keys = program
    .command('keys')
    .summary('whose signatures count')
    .description('Key sets: which keys sign for a data folder, how many of them must, and how the set of keys changes.')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExample:\n  wary keys init --threshold 2 --pub ann.key.pub --pub ben.key.pub --pub cleo.key.pub\n  wary keys show',
    )
  addKeysInit(keys, context)
  addKeysRotate(keys, context)
  addKeysShow(keys, context)
}
