import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { TabUnderTest } from '../browsers/browser-under-test.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds on the page as it is shown now, a line each: rule, help, where. */
export async function accessibilityFindings(tab: TabUnderTest): Promise<readonly string[]> {
  if (!(await tab.evaluate(() => 'axe' in globalThis))) await tab.runScript(SOURCE)
  return tab.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, any, all, none }) =>
          `${id}: ${help}: ${target.join(' ')} ${[...any, ...all, ...none].map(({ message }) => message).join('; ')}`,
      ),
    )
  })
}
