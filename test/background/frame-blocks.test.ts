import { expect, it } from 'vitest'
import { FrameBlocks } from '../../extension/background/frame-blocks.ts'
import { RecordingLogger } from '../support/fakes.ts'

function make(kept: Record<string, unknown> = {}) {
  const area = {
    get: async (key: string) => ({ [key]: kept[key] }),
    set: async (items: Record<string, unknown>) => void Object.assign(kept, structuredClone(items)),
  }
  return { kept, subject: new FrameBlocks({ area, logger: new RecordingLogger() }) }
}

it('counts the blocked frames of each page, over a worker that died', async () => {
  const { subject, kept } = make()
  await subject.ready
  subject.add(1, 'http://a.test/')
  subject.add(1, `http://b.test/${'x'.repeat(9000)}`)
  subject.add(2, 'http://c.test/')
  expect(subject.get(1)?.count).toBe(2)
  expect(subject.get(1)?.url).toHaveLength(500)
  await new Promise((resolve) => setTimeout(resolve, 0))
  const next = make(kept).subject
  await next.ready
  expect(next.get(2)).toEqual({ count: 1, url: 'http://c.test/' })
  next.clear(2)
  expect(next.get(2)).toBeUndefined()
})

it('stays bounded, and takes no rubbish', async () => {
  const { subject } = make({
    frames: [null, [1], ['x', { count: 1, url: '' }], [4, { count: 'x', url: '' }], [7, { count: 3, url: 'http://a.test/' }]],
  })
  await subject.ready
  expect(subject.get(4)).toBeUndefined()
  expect(subject.get(7)).toEqual({ count: 3, url: 'http://a.test/' })
  for (let tab = 10; tab < 1000; tab++) subject.add(tab, 'http://a.test/')
  expect(subject.get(7)).toBeUndefined()
  expect(subject.get(999)?.count).toBe(1)
})
