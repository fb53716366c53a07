import type { Command } from 'commander'
import { fromHex } from '../bytes.ts'
import { printable } from '../feeds/printable.ts'
import type { MembershipFilter } from '../filter/membership-filter.ts'
import { highHalf, lowHalf } from '../filter/ready-hash.ts'
import type { CliContext, Finish } from './context.ts'
import { usageError } from './failure.ts'
import { readFilter } from './filter-file.ts'
import { keyLines } from './filter-key-lines.ts'
import { harmlessJson } from './output.ts'

interface QueryFlags {
  readonly hex?: boolean
  readonly hash?: boolean
  readonly json?: boolean
}

type Answer = 'no' | 'maybe'

const encoder = new TextEncoder()

export function addFilterQuery(filter: Command, context: CliContext, finish: Finish): void {
  const { output, stdoutBytes } = context
  filter
    .command('query')
    .summary('ask a filter about keys')
    .description(
      'Asks a filter of any kind about keys: "no" is certain, "maybe" is right but for false positives. Exit code 0 when all are "no". ' +
        'With "-" in place of keys, each line of standard input is one and gets a line of its own, at once; with --json, of JSON.',
    )
    .argument('<FILE>', 'filter file')
    .argument('<KEY...>', 'keys, as text; "-" alone is standard input')
    .option('--hex', 'keys are bytes in hexadecimal')
    .option(
      '--hash',
      'keys are entries of a hash list in hexadecimal, such as the hash prefixes that "wary check" shows; for a LIST.filter',
    )
    .option('--json', 'print facts as one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  wary filter query names.filter evil.test good.test\n  wary filter query names.filter - < asked.txt\n' +
        '  wary filter query se-4b.filter --hash 9f86d081',
    )
    .action(async (file: string, texts: readonly string[], { hex = false, hash = false, json = false }: QueryFlags) => {
      if (hex && hash) throw usageError('give either --hex or --hash')
      const question = hash ? hashQuestion : hex ? hexQuestion : textQuestion
      if (texts.length === 1 && texts[0] === '-') {
        const opened = readFilter(file)
        let maybes = 0
        for await (const lines of keyLines('-', context)) {
          let text = ''
          for (const key of lines) {
            const answer = question(key)(opened)
            if (answer === 'maybe') maybes++
            text += json ? `${harmlessJson({ key, answer })}\n` : `  ${answer.padEnd(5)}  ${printable(key)}\n`
          }
          await stdoutBytes(encoder.encode(text))
        }
        return finish(maybes === 0 ? 0 : 1)
      }
      // What is wrong with a key is said before anything is answered.
      const asked = texts.map((key) => ({ key, ask: question(key) }))
      const opened = readFilter(file)
      const answers = asked.map(({ key, ask }) => ({ key, answer: ask(opened) }))
      if (json) output.json({ file, answers })
      else output.table(answers.map(({ key, answer }) => [answer, key]))
      finish(answers.every(({ answer }) => answer === 'no') ? 0 : 1)
    })
}

/** A key in some spelling, ready to be asked about. @throws {WaryError} `usage` for another spelling */
type Question = (text: string) => (filter: MembershipFilter) => Answer

const textQuestion: Question = (text) => (filter) => answerOf(filter.mightContain(text))

const hexQuestion: Question = (text) => {
  const key = bytesOf(text)
  return (filter) => answerOf(filter.mightContain(key))
}

const hashQuestion: Question = (text) => {
  const hash = bytesOf(text)
  if (hash.length < 4) throw usageError(`${text} is no entry of a hash list: they have 4 bytes or more`)
  return (filter) => answerOf(filter.mightContainHash(highHalf(hash), lowHalf(hash)))
}

function answerOf(maybe: boolean): Answer {
  return maybe ? 'maybe' : 'no'
}

function bytesOf(text: string): Uint8Array {
  if (!/^([0-9a-fA-F]{2})+$/.test(text)) throw usageError(`${text} is not hexadecimal`)
  return fromHex(text)
}
