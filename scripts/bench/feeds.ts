import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsedUrl } from '../../src/url/parsed-url.ts'

/** Real feeds are not ours to ship: where somebody has some, this says where. */
const FOLDER = process.env['WARY_FEEDS'] ?? '../shared/feeds'

/** Where a feed's file is, or would be. */
export function feedFile(path: string): string {
  return join(FOLDER, path)
}

/** Lines of a feed file, perhaps packed by xz; undefined, with a notice, where it is not there. */
export function feedLines(path: string): string[] | undefined {
  const file = feedFile(path)
  if (!existsSync(file)) {
    process.stderr.write(`not there, so what needs it is left out: ${file} (WARY_FEEDS names the folder)\n`)
    return undefined
  }
  const bytes = file.endsWith('.xz') ? execFileSync('xz', ['-dc', file], { maxBuffer: 2 ** 30 }) : readFileSync(file)
  return bytes.toString('utf8').split(/\r?\n/)
}

/** The addresses of 192,000 well-known projects, as a browser spells them. */
export function benignUrls(): string[] | undefined {
  return feedLines('benign-awesome-urls/awesome_urls.txt.xz')?.flatMap((line) => {
    const href = parsedUrl(line)?.href
    return href?.startsWith('http') ? [href] : []
  })
}
