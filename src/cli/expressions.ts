import type { Command } from 'commander'
import { asWaryError } from '../errors.ts'
import { ExpressionHashes } from '../hash/expression-hashes.ts'
import type { CanonicalUrl } from '../url/canonical-url.ts'
import { canonicalizeLoose } from '../url/canonicalize.ts'
import { ExpressionSpans, MOST_EXPRESSIONS } from '../url/expressions.ts'
import type { CliContext } from './context.ts'
import { type Line, LONGEST_LINE_BYTES, lineBatches } from './input-lines.ts'
import { OutputLines } from './output-lines.ts'

export function addExpressions(program: Command, { stdinChunks, stdoutBytes }: CliContext): void {
  program
    .command('expressions')
    .summary('expressions and hashes of many URLs')
    .description(
      'Reads URLs from standard input, one a line, and writes a line of JSON for each, in the same order: the canonical URL, its ' +
        'expressions, and the full hash of each. What a browser could not open, an empty line too, gets a line with an error.',
    )
    .addHelpText('after', '\nExample:\n  wary expressions < urls.txt\n  echo www.evil.test/a?b | wary expressions')
    .action(async () => {
      const output = new OutputLines(stdoutBytes)
      const facts = new UrlFacts(output)
      for await (const lines of lineBatches(stdinChunks())) {
        for (const line of lines) {
          facts.write(line)
          if (output.full) await output.flush()
        }
        // Whoever asks line by line gets an answer line by line.
        await output.flush()
      }
    })
}

const TOO_LONG = `the line is longer than ${LONGEST_LINE_BYTES / 1024 / 1024} MiB; this is its start`

/** Writes what there is to say about one URL after the other. */
class UrlFacts {
  readonly #output: OutputLines
  readonly #spans = new ExpressionSpans()
  readonly #hashes = new ExpressionHashes(MOST_EXPRESSIONS)
  readonly #hash = new Uint8Array(32)

  constructor(output: OutputLines) {
    this.#output = output
  }

  write(line: Line): void {
    if (typeof line !== 'string') return this.#writeError(line.start, 'url-invalid', TOO_LONG)
    let url: CanonicalUrl
    try {
      url = canonicalizeLoose(line)
    } catch (error) {
      const { code, message } = asWaryError(error)
      return this.#writeError(line, code, message)
    }
    this.#spans.set(url)
    this.#hashes.hash(url.source, this.#spans)
    this.#writeUrl(line, url)
  }

  #writeUrl(line: string, url: CanonicalUrl): void {
    const output = this.#output
    const count = this.#spans.count
    output.plain('{"url":')
    output.quoted(line)
    output.plain(',"canonical":')
    output.quoted(`${url.scheme}://${url.text}`)
    output.plain(',"host":')
    output.quoted(url.host)
    output.plain(',"expressions":[')
    for (let i = 0; i < count; i++) {
      if (i > 0) output.plain(',')
      output.quoted(this.#spans.expression(i))
    }
    output.plain('],"hashes":["')
    for (let i = 0; i < count; i++) {
      if (i > 0) output.plain('","')
      this.#hashes.copy(i, this.#hash)
      output.hex(this.#hash)
    }
    output.plain('"]}\n')
  }

  #writeError(url: string, name: string, message: string): void {
    const output = this.#output
    output.plain('{"url":')
    output.quoted(url)
    output.plain(',"error":{"name":')
    output.quoted(name)
    output.plain(',"message":')
    output.quoted(message)
    output.plain('}}\n')
  }
}
