import { WaryError } from '../../src/errors.ts'
import { browser } from './browser.ts'

/** The Public Suffix List that the package carries (scripts/suffix-plugin.ts). @throws {WaryError} `file-failed` */
export async function readSuffixRules(): Promise<string> {
  try {
    const response = await fetch(browser.runtime.getURL('public-suffixes.txt'))
    return await response.text()
  } catch (error) {
    throw new WaryError('file-failed', 'the Public Suffix List in the package cannot be read', { cause: error })
  }
}
