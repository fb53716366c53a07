import type { SpaceCurve } from './filter-kind.ts'

const WIDTH = 760
const HEIGHT = 520
const LEFT = 64
const TOP = 24
const RIGHT = 200
const BOTTOM = 56
/** Told apart by dashes as well as by colour; each stands out on light and on dark ground. */
const STYLES = [
  ['#0969da', ''],
  ['#bc4c00', '6 3'],
  ['#1a7f37', '2 3'],
  ['#a475f9', '10 4'],
  ['#cf222e', '10 3 2 3'],
  ['#9a6700', '4 4'],
  ['#1b7c83', '1 4'],
] as const

/**
 * Space against false positive rate as an SVG: rate on a logarithmic scale from left (many) to right (few), bits a key upwards, one line a
 * kind, and the limit log2(1/p).
 */
export function spacePlot(curves: readonly SpaceCurve[]): string {
  const rates = curves.flatMap(({ points }) => points.map(({ rate }) => rate))
  const [most, least] = [Math.max(...rates), Math.min(...rates)]
  const highest = 10 * Math.ceil(Math.max(...curves.flatMap(({ points }) => points.map(({ bitsPerKey }) => bitsPerKey))) / 10)
  const x = (rate: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(most / rate)) / Math.log(most / least)
  const y = (bits: number): number => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * bits) / highest
  const path = (points: readonly { readonly rate: number; readonly bitsPerKey: number }[]): string =>
    points.map(({ rate, bitsPerKey }, i) => `${i === 0 ? 'M' : 'L'}${x(rate).toFixed(1)} ${y(bitsPerKey).toFixed(1)}`).join(' ')

  const decades = Math.round(Math.log10(most / least))
  const xTicks = Array.from({ length: decades + 1 }, (_, i) => most / 10 ** i)
  const yTicks = Array.from({ length: highest / 10 + 1 }, (_, i) => 10 * i)
  const limit = [most, least].map((rate) => ({ rate, bitsPerKey: Math.log2(1 / rate) }))
  const legend = (i: number): number => TOP + 12 + 24 * i
  const lines = curves.map(({ kind, points }, i) => {
    const [colour, dashes] = STYLES[i % STYLES.length] ?? STYLES[0]
    const style = `stroke="${colour}"${dashes ? ` stroke-dasharray="${dashes}"` : ''}`
    const at = legend(i)
    return [
      `  <path class="line" d="${path(points)}" ${style} />`,
      `  <path class="line" d="M${WIDTH - RIGHT + 16} ${at} h34" ${style} />`,
      `  <text x="${WIDTH - RIGHT + 58}" y="${at}">${kind}</text>`,
    ].join('\n')
  })
  const at = legend(curves.length)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title desc">
  <title id="title">Bits a key against the false positive rate</title>
  <desc id="desc">${description(curves)}</desc>
  <style>
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; dominant-baseline: central }
    .grid { stroke: #d1d9e0 }
    .line { fill: none; stroke-width: 2.5 }
    .limit { fill: none; stroke: #1f2328; stroke-width: 1.5 }
    .ground { fill: #ffffff }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .grid { stroke: #3d444d }
      .limit { stroke: #e6edf3 }
      .ground { fill: #0d1117 }
    }
  </style>
  <rect class="ground" width="${WIDTH}" height="${HEIGHT}" />
${yTicks.map((bits) => `  <path class="grid" d="M${LEFT} ${y(bits)} H${WIDTH - RIGHT}" />\n  <text x="${LEFT - 10}" y="${y(bits)}" text-anchor="end">${bits}</text>`).join('\n')}
${xTicks.map((rate) => `  <path class="grid" d="M${x(rate).toFixed(1)} ${TOP} V${HEIGHT - BOTTOM}" />\n  <text x="${x(rate).toFixed(1)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${percent(rate)}</text>`).join('\n')}
  <text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 14}" text-anchor="middle">false positive rate</text>
  <text x="18" y="${(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 18 ${(TOP + HEIGHT - BOTTOM) / 2})">bits a key</text>
${lines.join('\n')}
  <path class="limit" d="${path(limit)}" />
  <path class="limit" d="M${WIDTH - RIGHT + 16} ${at} h34" />
  <text x="${WIDTH - RIGHT + 58}" y="${at}">limit: log2(1/p)</text>
</svg>
`
}

function percent(rate: number): string {
  return `${Number((100 * rate).toPrecision(3))} %`
}

function description(curves: readonly SpaceCurve[]): string {
  const parts = curves.map(({ kind, points }) => {
    const [first, last] = [points[0], points.at(-1)]
    return first && last
      ? `${kind} from ${first.bitsPerKey.toFixed(1)} bits at ${percent(first.rate)} to ${last.bitsPerKey.toFixed(1)} at ${percent(last.rate)}`
      : kind
  })
  return `One line a kind: ${parts.join('; ')}. The limit is log2 of one over the rate.`
}
