import type { Command } from 'commander'
import type { Logger } from '../ports.ts'
import { namedLists } from '../publisher/published-manifest.ts'
import { PublishedFolder } from '../publisher/published-folder.ts'
import { type AnsweredRequest, createApp } from '../server/app.ts'
import { PublishedStore } from '../server/published-store.ts'
import { DEFAULT_HOST, DEFAULT_PORT, serve } from '../server/serve.ts'
import type { CliContext } from './context.ts'
import { failureLine } from './failure.ts'
import { isLoopback, wholeNumber } from './option-values.ts'
import { moment, type Output } from './output.ts'

const LONGEST_SHOWN_PATH = 100

interface ServeFlags {
  readonly data: string
  readonly host: string
  readonly port: number
  readonly json?: true
}

export function addServe(program: Command, { clock, output, stopped }: CliContext): void {
  program
    .command('serve')
    .summary('serve published lists')
    .description(
      'Serves what was published in the data folder, by Safe Browsing v5, and takes up every later version by itself. Standard error ' +
        'has a line for each request, without its query: that would say what people browse. Runs until it is ended (Ctrl-C or SIGTERM).',
    )
    .option('--data <DIR>', 'data folder', './wary-data')
    .option('--host <HOST>', 'address to listen on', DEFAULT_HOST)
    .option('--port <PORT>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), DEFAULT_PORT)
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', '\nExample:\n  wary serve\n  wary serve --data /srv/wary --port 9000')
    .action(async ({ data, host, port, json }: ServeFlags) => {
      const logger = loggerTo(output)
      const store = new PublishedStore({ folder: new PublishedFolder(data), logger })
      const onAnswer = ({ method, path, status, bytes, ms }: AnsweredRequest) =>
        output.note(`${method} ${path.slice(0, LONGEST_SHOWN_PATH)} ${status}, ${bytes} bytes, ${ms} ms`)
      const app = createApp({ store, clock, logger, onAnswer })
      const server = await serve({ app, store, logger, host, port })
      // Before anybody is told that it runs: who knows may end it.
      const end = stopped()
      const { edition, failure } = store
      if (edition === undefined && failure === undefined)
        output.note(`nothing is published in ${data} yet; "wary publish" changes that while the server runs`)
      if (edition !== undefined && clock.now() >= edition.manifest.expiresAt)
        output.note(`note: this version expired at ${moment(edition.manifest.expiresAt)}, and clients refuse it; publish again`)
      if (!isLoopback(host))
        output.note('note: extensions ask other computers over https only; put a server with a certificate before this one')
      if (json) output.json({ url: server.url, data, version: edition?.version ?? null, lists: namedLists(edition?.manifest.lists ?? []) })
      else output.line(`Serving ${data} at ${server.url}`)
      await end
      output.note('ending')
      await server.close()
    })
}

function loggerTo(output: Output): Logger {
  return {
    info: (event, facts) => {
      if (event === 'edition') output.note(`serving version ${String(facts?.version)}`)
    },
    warn: (_, error) => output.note(failureLine(error)),
  }
}
