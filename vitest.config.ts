import { defineConfig } from 'vitest/config'
import { definedSettings } from './scripts/build-settings.ts'

const define = definedSettings({ target: 'chrome' })

export default defineConfig({
  test: {
    projects: [
      {
        define,
        test: { name: 'unit', include: ['test/**/*.test.ts'], testTimeout: 20_000 },
      },
      {
        define,
        // What takes minutes, or needs feeds that are not ours to ship: `npm run test:full`.
        test: { name: 'full', include: ['test/full/**/*.full.ts'], fileParallelism: false, testTimeout: 900_000 },
      },
      {
        define,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          // Each file drives browsers of its own; two at once would measure each other.
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
