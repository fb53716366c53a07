import { printable } from '../feeds/printable.ts'

/** Takes whole lines, each with its end. */
export type Write = (text: string) => void

/**
 * The only way to a person or a script: facts to standard output, everything else to standard error. Whatever comes from a feed, a file, a
 * server or the command line passes through here, and nothing leaves that could steer a terminal.
 */
export class Output {
  readonly #stdout: Write
  readonly #stderr: Write

  constructor(streams: { readonly stdout: Write; readonly stderr: Write }) {
    this.#stdout = streams.stdout
    this.#stderr = streams.stderr
  }

  /** One line of facts for people. */
  line(text = ''): void {
    this.#stdout(`${printable(text)}\n`)
  }

  /** Lines in columns, indented by two spaces. What ends a line is not filled up, and makes no column wider. */
  table(rows: readonly (readonly string[])[]): void {
    const widths: number[] = []
    for (const row of rows) for (const [i, cell] of row.slice(0, -1).entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
    for (const row of rows) this.line(`  ${row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  ')}`)
  }

  /** One line of JSON, in characters that every terminal shows as they are. */
  json(value: unknown): void {
    this.#stdout(`${harmlessJson(value)}\n`)
  }

  /** A line about what is being done, or what a person should know besides the facts. */
  note(text: string): void {
    this.#stderr(`${printable(text)}\n`)
  }

  /** Text with lines of its own, which is ours: help. */
  help(text: string, stream: 'stdout' | 'stderr'): void {
    if (stream === 'stdout') this.#stdout(text)
    else this.#stderr(text)
  }
}

const PLAIN = /^[ -~]*$/

/** JSON without a line's end, in characters that every terminal shows as they are: controls and what is invisible are escaped. */
export function harmlessJson(value: unknown): string {
  const json = JSON.stringify(value)
  // Nearly always, and the other pattern has to look up each character.
  return PLAIN.test(json) ? json : json.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped)
}

function escaped(character: string): string {
  let text = ''
  for (let i = 0; i < character.length; i++) text += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  return text
}

/** `13,752` */
export function grouped(number: number): string {
  return number.toLocaleString('en-US')
}

/** UTC, to the second. */
export function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z')
}
