import type { Command } from 'commander'
import { fromHex } from '../bytes.ts'
import type { Key } from '../filter/membership-filter.ts'
import type { CliContext, Finish } from './context.ts'
import { usageError } from './failure.ts'
import { readFilter } from './filter-file.ts'

export function addFilterQuery(filter: Command, { output }: CliContext, finish: Finish): void {
  filter
    .command('query')
    .summary('ask a filter about keys')
    .description('Asks a filter about keys: "no" is certain, "maybe" is right but for false positives. Exit code 0 when all are "no".')
    .argument('<FILE>', 'filter file')
    .argument('<KEY...>', 'keys, as text')
    .option('--hex', 'keys are bytes in hexadecimal, such as the hash prefixes that "wary check" shows')
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary filter query names.filter evil.test good.test\n  wary filter query se-4b.filter --hex 9f86d081',
    )
    .action((file: string, texts: readonly string[], { hex = false, json = false }: { hex?: boolean; json?: boolean }) => {
      const asked = texts.map((text) => ({ text, key: hex ? hexKey(text) : text }))
      const asks = readFilter(file)
      const answers = asked.map(({ text, key }) => ({ key: text, answer: asks.mightContain(key) ? ('maybe' as const) : ('no' as const) }))
      if (json) output.json({ file, answers })
      else output.table(answers.map(({ key, answer }) => [answer, key]))
      finish(answers.every(({ answer }) => answer === 'no') ? 0 : 1)
    })
}

function hexKey(text: string): Key {
  if (!/^([0-9a-fA-F]{2})+$/.test(text)) throw usageError(`${text} is not hexadecimal`)
  return fromHex(text)
}
