import type { Command } from 'commander'
import { fromHex } from '../bytes.ts'
import type { Key, MembershipFilter } from '../filter/membership-filter.ts'
import { highHalf, lowHalf } from '../filter/ready-hash.ts'
import type { CliContext, Finish } from './context.ts'
import { usageError } from './failure.ts'
import { readFilter } from './filter-file.ts'

interface QueryFlags {
  readonly hex?: boolean
  readonly hash?: boolean
  readonly json?: boolean
}

export function addFilterQuery(filter: Command, { output }: CliContext, finish: Finish): void {
  filter
    .command('query')
    .summary('ask a filter about keys')
    .description('Asks a filter about keys: "no" is certain, "maybe" is right but for false positives. Exit code 0 when all are "no".')
    .argument('<FILE>', 'filter file')
    .argument('<KEY...>', 'keys, as text')
    .option('--hex', 'keys are bytes in hexadecimal')
    .option(
      '--hash',
      'keys are entries of a hash list in hexadecimal, such as the hash prefixes that "wary check" shows; for a LIST.filter',
    )
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary filter query names.filter evil.test good.test\n  wary filter query se-4b.filter --hash 9f86d081',
    )
    .action((file: string, texts: readonly string[], { hex = false, hash = false, json = false }: QueryFlags) => {
      if (hex && hash) throw usageError('give either --hex or --hash')
      const asked = texts.map((text) => ({ text, key: hash ? hashKey(text) : hex ? hexKey(text) : text }))
      const filter = readFilter(file)
      const answers = asked.map(({ text, key }) => ({ key: text, answer: answer(filter, key, hash) }))
      if (json) output.json({ file, answers })
      else output.table(answers.map(({ key, answer }) => [answer, key]))
      finish(answers.every(({ answer }) => answer === 'no') ? 0 : 1)
    })
}

function answer(filter: MembershipFilter, key: Key, hash: boolean): 'no' | 'maybe' {
  const maybe = hash && typeof key !== 'string' ? filter.mightContainHash(highHalf(key), lowHalf(key)) : filter.mightContain(key)
  return maybe ? 'maybe' : 'no'
}

function hashKey(text: string): Key {
  const hash = hexKey(text)
  if (hash.length < 4) throw usageError(`${text} is no entry of a hash list: they have 4 bytes or more`)
  return hash
}

function hexKey(text: string): Uint8Array {
  if (!/^([0-9a-fA-F]{2})+$/.test(text)) throw usageError(`${text} is not hexadecimal`)
  return fromHex(text)
}
