import { expect, test } from 'vitest'
import { Progress } from '../../src/cli/filter-progress.ts'
import { Output } from '../../src/cli/output.ts'

test('a line a second, and none for short work', () => {
  let now = 5_000
  let said = ''
  const output = new Output({
    stdout: (text) => expect.unreachable(text),
    stderr: (text) => {
      said += text
    },
  })
  const progress = new Progress({ output, clock: { now: () => now } })
  const at = (time: number, count: number) => {
    now = time
    progress.at(count, 'keys read so far')
  }
  at(5_000, 1)
  at(5_999, 2_000)
  expect(said).toBe('')
  at(6_000, 3_000)
  at(6_500, 4_000)
  at(7_400, 5_000_000)
  expect(said).toBe('3,000 keys read so far\n5,000,000 keys read so far\n')
})
