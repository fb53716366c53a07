import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readPlain } from '../../src/feeds/plain.ts'
import type { Publication, PublishOptions } from '../../src/publisher/publish.ts'
import { publish } from '../../src/publisher/publish.ts'
import { PublishedFolder } from '../../src/publisher/published-folder.ts'
import { PublishedStore } from '../../src/server/published-store.ts'
import { FakeClock, RecordingLogger } from './fakes.ts'
import { TestPublisher } from './signed-list.ts'

/** A folder of its own for the test that asks; it goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** A data folder with a key, a clock, and a store that serves from it. */
export function dataFolder() {
  const folder = temporaryFolder()
  const clock = new FakeClock()
  const { key } = new TestPublisher()
  const logger = new RecordingLogger()
  const published = new PublishedFolder(folder)
  const store = new PublishedStore({ folder: published, logger })
  /** Lines as in a plain feed, into the list `se`. */
  const put = (lines: readonly string[], options: Partial<PublishOptions> = {}): Promise<Publication> =>
    publish({
      dataFolder: folder,
      key,
      clock,
      lists: [{ stem: 'se', feeds: [{ name: 'test', items: readPlain(lines.join('\n')) }] }],
      ...options,
    })
  return { folder, clock, key, logger, published, store, put }
}
