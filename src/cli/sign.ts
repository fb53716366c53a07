import type { Command } from 'commander'
import { readStatementFile, type StatementFile, signStatementFiles } from '../publisher/sign-statement.ts'
import type { CliContext } from './context.ts'
import { usageError } from './failure.ts'
import { moment, type Output } from './output.ts'

interface SignFlags {
  readonly key?: string
  readonly show?: boolean
  readonly json?: true
}

export function addSign(program: Command, { clock, output }: CliContext): void {
  program
    .command('sign')
    .summary('sign what waits for signatures, also offline')
    .description(
      'Says in words what each statement says, and writes its signature beside it (FILE.KEYID.sig). The key needs no network and no data ' +
        'folder. It remembers what it signed (KEY.signed) and signs nothing older, nor anything else of the same number.',
    )
    .argument('<FILE...>', 'statements of "wary publish --unsigned" or "wary keys rotate"')
    .option('--key <FILE>', 'private key from "wary keygen"')
    .option('--show', 'say what the statements say, and sign nothing')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText('after', '\nExample:\n  wary sign --show to-sign/*.statement\n  wary sign to-sign/*.statement --key ann.key')
    .action((paths: readonly string[], { key, show = false, json }: SignFlags) => {
      if (show === (key !== undefined)) throw usageError('give either --key FILE or --show')
      const statements = paths.map(readStatementFile)
      // Said before it is done: who reads this may still pull the plug, and finds afterwards what was signed.
      if (!json) for (const statement of statements) showStatement(statement, output)
      for (const { path, words } of statements)
        if (words.expiresAt !== undefined && clock.now() >= words.expiresAt)
          output.note(`note: ${path} expired at ${moment(words.expiresAt)} by the clock of this computer`)
      const signatures = key === undefined ? [] : signStatementFiles(statements, key)
      if (json) output.json({ statements: statements.map(facts), signatures })
      else for (const path of signatures) output.line(`Signed: ${path}`)
    })
}

function showStatement({ path, words }: StatementFile, output: Output): void {
  output.line(`${words.title} (${path})`)
  output.table(words.rows)
}

function facts({ path, words }: StatementFile) {
  return { file: path, kind: words.kind, title: words.title, facts: Object.fromEntries(words.rows) }
}
