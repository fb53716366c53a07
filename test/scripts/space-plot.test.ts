import { expect, it } from 'vitest'
import { spacePlot } from '../../scripts/bench/space-plot.ts'

const curves = [
  { kind: 'Bloom', points: [0.1, 0.001].map((rate) => ({ rate, bitsPerKey: 1.44 * Math.log2(1 / rate) })) },
  { kind: 'fuse', points: [0.1, 0.001].map((rate) => ({ rate, bitsPerKey: 1.125 * Math.log2(1 / rate) })) },
]

it('draws a line a kind from its first rate to its last, and the limit below them', () => {
  const svg = spacePlot(curves)
  const paths = [...svg.matchAll(/<path class="(line|limit)" d="M([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+)"/g)].map((match) => match.slice(1))
  expect(paths.map(([kind]) => kind)).toEqual(['line', 'line', 'limit'])
  for (const [, x0, , x1] of paths) expect([Number(x0), Number(x1)]).toEqual([64, 560])
  // Upwards is more: the limit is lowest, Bloom highest, at both ends.
  const [bloom, fuse, limit] = paths.map((path) => [Number(path[2]), Number(path[4])])
  for (const end of [0, 1]) expect((bloom?.[end] ?? 0) < (fuse?.[end] ?? 0) && (fuse?.[end] ?? 0) < (limit?.[end] ?? 0)).toBe(true)
})

it('says in words what it shows, for those who do not see it', () => {
  expect(spacePlot(curves)).toContain('Bloom from 4.8 bits at 10 % to 14.4 at 0.1 %; fuse from 3.7 bits at 10 % to 11.2 at 0.1 %')
})
