import { Command, CommanderError } from 'commander'
import { asWaryError } from '../errors.ts'
import { addCheck } from './check.ts'
import type { CliContext, ExitCode } from './context.ts'
import { addExpressions } from './expressions.ts'
import { failureLine, usageError } from './failure.ts'
import { addFilter } from './filter.ts'
import { addKeygen } from './keygen.ts'
import { addKeys } from './keys.ts'
import { addList } from './list.ts'
import { addPublish } from './publish.ts'
import { addServe } from './serve.ts'
import { addSign } from './sign.ts'

/**
 * Runs one command line (without the program's own name). Never rejects: what goes wrong is a line on standard error.
 * @returns the exit code: 0 safe or done, 1 threat or failed, 2 usage
 */
export async function run(args: readonly string[], context: CliContext): Promise<ExitCode> {
  const { output } = context
  let exitCode: ExitCode = 0
  const program = new Command('wary')
    .description('Publishes, serves and checks lists of malicious addresses.')
    .version(context.version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.help(text, 'stdout'),
      writeErr: (text) => output.help(text, 'stderr'),
      // Said below, in the form that all failures have.
      outputError: () => undefined,
    })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', `${EXIT_CODES}\n\nExample:\n  wary publish --feed eth-phishing-detect:npm\n  wary serve`)
  const finish = (code: ExitCode): void => {
    exitCode = code
  }
  addKeygen(program, context)
  addKeys(program, context)
  addPublish(program, context)
  addSign(program, context)
  addServe(program, context)
  addCheck(program, context, finish)
  addExpressions(program, context)
  addList(program, context, finish)
  addFilter(program, context, finish)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander ends help and the version this way too.
      if (error.exitCode === 0) return 0
      // A command without its subcommand: the help that it needs is printed by now.
      if (error.code === 'commander.help') return 2
    }
    const failure = error instanceof CommanderError ? usageError(error.message.replace(/^error: /, '')) : asWaryError(error)
    const wrongUse = failure.code === 'usage' || failure.code === 'filter-parameter'
    output.note(failureLine(failure) + (wrongUse ? ` ("${named(program, args)} --help" says more)` : ''))
    return wrongUse ? 2 : 1
  }
}

const EXIT_CODES = '\nExit codes: 0 safe or done, 1 threat or failed, 2 wrong command line.'

/** The command that `args` name, as far as there is one. */
function named(program: Command, args: readonly string[]): string {
  const names = [program.name()]
  let command = program
  for (const arg of args) {
    const next = command.commands.find((each) => each.name() === arg)
    if (next === undefined) break
    names.push(arg)
    command = next
  }
  return names.join(' ')
}
