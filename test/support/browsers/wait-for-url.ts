import { until } from '../until.ts'

/** Polls `url` until it is as expected; rejects with what was there instead. */
export async function waitForUrl(
  url: () => Promise<string>,
  expected: string | RegExp | ((url: string) => boolean),
  timeoutMs: number,
): Promise<string> {
  let last = ''
  const matches = (text: string) =>
    typeof expected === 'string' ? text === expected : expected instanceof RegExp ? expected.test(text) : expected(text)
  try {
    return await until(
      'a URL',
      async () => {
        last = await url()
        return matches(last) ? last : undefined
      },
      timeoutMs,
    )
  } catch (error) {
    throw new Error(`Waited ${timeoutMs} ms for the URL ${String(expected)}; the tab shows ${last}`, { cause: error })
  }
}
