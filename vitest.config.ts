import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // One PostgreSQL server for the whole run; each suite asks it for a database of its own.
    globalSetup: ['test/support/postgres.ts'],
    // A new embedded database takes a few seconds to make, many more where all cores are taken.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By default one processor is left to vitest itself, which only waits: half of a machine that has two.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{src,conformance,bench}/**/*.test.ts',
            'test/architecture.test.ts',
            'test/language.test.ts',
          ],
          // Rules are tried through the write pipeline, each suite on a database of its own.
          exclude: ['src/**/*.rules.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'features',
          include: ['test/**/*.test.ts', 'src/**/*.rules.test.ts'],
          exclude: [
            'test/architecture.test.ts',
            'test/language.test.ts',
            'test/durability/**',
            'test/performance/**',
            'test/browser/**',
            'test/clients/**',
          ],
        },
      },
      {
        extends: true,
        test: { name: 'performance', include: ['test/performance/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'durability', include: ['test/durability/**/*.test.ts'] },
      },
      {
        extends: true,
        // A whole way through the pages, in a real browser.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          // One browser at a time is work enough for a small machine.
          fileParallelism: false,
        },
      },
    ],
  },
})
