import type { Command } from 'commander'
import { toHex } from '../bytes.ts'
import { createKeyFile } from '../publisher/key-file.ts'
import type { CliContext } from './context.ts'

export function addKeygen(program: Command, { output }: CliContext): void {
  program
    .command('keygen')
    .summary('make a key to sign lists with')
    .description(
      'Makes an Ed25519 key to sign lists with. FILE gets the private half, readable by you only; FILE.pub the public half, which ' +
        'goes into the extensions that shall trust your lists. A file that is there already is never overwritten.',
    )
    .option('--out <FILE>', 'where to write it', 'wary.key')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText('after', '\nExample:\n  wary keygen\n  wary publish --key wary.key --feed plain:bad-domains.txt')
    .action(({ out: file, json = false }: { out: string; json?: boolean }) => {
      const key = createKeyFile(file)
      const facts = { file, publicFile: `${file}.pub`, publicKey: toHex(key.publicKey), keyId: toHex(key.id) }
      if (json) return output.json(facts)
      output.line(`Made a key: keep ${file} secret, and a copy of it in a safe place.`)
      output.table([
        ['private half', file],
        ['public half', facts.publicFile],
        ['public key', facts.publicKey],
        ['key id', facts.keyId],
      ])
    })
}
