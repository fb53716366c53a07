import { deflateSync, inflateSync } from 'node:zlib'
import { crc32 } from '../../src/filter/crc32.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const COLOURS = 256

interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green, blue of each pixel. */
  readonly pixels: Uint8Array
}

/** Reads a PNG as browsers write their pictures: 8 bits a channel, RGB or RGBA, not interlaced (PNG, third edition, sections 7 to 10). Opacity is dropped. */
function read(png: Buffer): Picture {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is not a PNG')
  const parts: Buffer[] = []
  let header: Buffer | undefined
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = body
    if (type === 'IDAT') parts.push(body)
    at += length + 12
  }
  if (header === undefined) throw new Error('The PNG has no header')
  const [width, height, depth, kind, interlaced] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9], header[12]]
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) throw new Error('The PNG is of a form that no browser writes')
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(parts)), width, height, kind === 6 ? 4 : 3) }
}

function unfiltered(raw: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels
  const bytes = new Uint8Array(stride * height)
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= channels ? (bytes[at - channels] ?? 0) : 0
      const up = y > 0 ? (bytes[at - stride] ?? 0) : 0
      const corner = y > 0 && x >= channels ? (bytes[at - stride - channels] ?? 0) : 0
      bytes[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner)
    }
    for (let x = 0; x < width; x++) for (let c = 0; c < 3; c++) pixels[(y * width + x) * 3 + c] = bytes[y * stride + x * channels + c] ?? 0
  }
  return pixels
}

function predicted(filter: number | undefined, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(body.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

/** The same picture in at most 256 colours, as small as it gets: the most frequent ones stay, every other becomes the nearest of them. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = read(png)
  const counts = new Map<number, number>()
  const colourAt = (i: number): number => ((pixels[i * 3] ?? 0) << 16) | ((pixels[i * 3 + 1] ?? 0) << 8) | (pixels[i * 3 + 2] ?? 0)
  for (let i = 0; i < width * height; i++) counts.set(colourAt(i), (counts.get(colourAt(i)) ?? 0) + 1)
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, COLOURS)
    .map(([colour]) => colour)
  const distance = (a: number, b: number): number =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2
  const indices = new Map<number, number>()
  for (const colour of counts.keys()) {
    let best = 0
    for (let i = 1; i < palette.length; i++) if (distance(colour, palette[i] ?? 0) < distance(colour, palette[best] ?? 0)) best = i
    indices.set(colour, best)
  }
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indices.get(colourAt(y * width + x)) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  const body = deflateSync(rows, { level: 9, memLevel: 9 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('PLTE', colours), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))])
}
