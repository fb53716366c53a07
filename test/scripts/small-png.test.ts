import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { smallPng } from '../../scripts/screenshots/small-png.ts'
import { crc32 } from '../../src/filter/crc32.ts'

function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG of RGBA rows, each with the filter "up" or none, in turn. */
function png(rows: readonly (readonly number[])[], depth = 8): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE((rows[0]?.length ?? 0) / 4, 0)
  header.writeUInt32BE(rows.length, 4)
  header.set([depth, 6, 0, 0, 0], 8)
  const raw = rows.flatMap((row, y) => (y % 2 === 0 ? [0, ...row] : [2, ...row.map((value, x) => (value - (rows[y - 1]?.[x] ?? 0)) & 255)]))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from(raw))), chunk('IEND', Buffer.alloc(0))])
}

/** Colours of a PNG with a palette, row after row. */
function colours(small: Buffer): number[][] {
  const part = (type: string): Buffer => {
    const at = small.indexOf(type, 0, 'latin1')
    return small.subarray(at + 4, at + 4 + small.readUInt32BE(at - 4))
  }
  const palette = part('PLTE')
  const width = part('IHDR').readUInt32BE(0)
  return [...inflateSync(part('IDAT'))]
    .filter((_, i) => i % (width + 1) !== 0)
    .map((index) => [...palette.subarray(index * 3, index * 3 + 3)])
}

describe('pictures in few colours', () => {
  test('up to 256 colours stay as they are', () => {
    const rows = Array.from({ length: 16 }, (_, y) => Array.from({ length: 16 }, (_, x) => [x * 16, y * 16, 7, 255]).flat())
    expect(colours(smallPng(png(rows)))).toEqual(rows.flatMap((row) => Array.from({ length: 16 }, (_, x) => row.slice(x * 4, x * 4 + 3))))
  })

  test('of more, the frequent ones stay and a rare one becomes the nearest', () => {
    const frequent = Array.from({ length: 256 }, (_, i) => [i, 0, 0, 255, i, 0, 0, 255]).flat()
    const rare = [200, 3, 0, 255, ...frequent.slice(4)]
    const shown = colours(smallPng(png([frequent, rare])))
    expect(shown[0]).toEqual([0, 0, 0])
    expect(shown[512]).toEqual([200, 0, 0])
  })

  test('what is no PNG of a browser is refused', () => {
    expect(() => smallPng(Buffer.from('GIF89a'))).toThrow('not a PNG')
    expect(() => smallPng(png([[1, 2, 3, 4]], 16))).toThrow('no browser')
  })
})
