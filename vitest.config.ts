import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** A limit fails tests on a busy machine; the watchdog in progress-reporter.ts stops a run in which nothing ends. */
const NO_LIMIT = 0

/** Tests of the repository as a whole that read files and declarations only. */
const CHECKS = [
  'test/{affected-tests,architecture}.test.ts',
  'test/pages/translations.test.ts',
  'test/registry/surface.test.ts',
]

/** Tests that start processes, which `npm run check` leaves to `npm test`. */
const PROCESSES = ['src/automation/python/host/process.test.ts']

/**
 * What takes longest: programs that are started and killed, whole inventories that are moved, generated worlds, and
 * receivers that keep others waiting. CI runs it.
 */
export const EXTENDED: string[] = [
  'test/agents/{recorded,twins}.test.ts',
  'test/bench/**/*.test.ts',
  'test/branches/{decisions,every-field,merge-options,net-difference,races,random-merges,worlds}.test.ts',
  'test/bulk-import/{exported-lists,type-round-trip,yaml-scalars}.test.ts',
  'test/cluster/**/*.test.ts',
  'test/custom-objects/{computed-fields,generations,names,random-changes,types}.test.ts',
  'test/data-sources/git.test.ts',
  'test/docs/**/*.test.ts',
  'test/events/live.test.ts',
  'test/expressions/**/*.test.ts',
  'test/graphql/every-type.test.ts',
  'test/history/every-list.test.ts',
  'test/history/undo-worlds.test.ts',
  'test/http/{cached-responses,generated-requests,start,stopping,workers}.test.ts',
  'test/jobs/{python-borders,python-branches,python-models,python-permissions,python-refusals,python-scripts,python-subqueries,python-validators,scripts}.test.ts',
  'test/mail/**/*.test.ts',
  'test/operations/**/*.test.ts',
  'test/packs/observed{,-decisions,-worlds,-writes}.test.ts',
  'test/pages/{add-children,branches,every-list,forms-of-every-model,hostile-names}.test.ts',
  'test/pages/{object-pages,restricted-users}.test.ts',
  'test/packs/{dns,workbench}/property.test.ts',
  'test/permissions/{graphql,many-types,methods,pages,probes}.test.ts',
  'test/plugins/{program,removal}.test.ts',
  'test/recipes/**/*.test.ts',
  'test/registry/{dry-run,openapi-examples,upsert}.test.ts',
  'test/rules/every-type.test.ts',
  'test/search/every-model.test.ts',
  'test/sign-in/ldap.test.ts',
  'test/storage/{media,own-server,silent-connections}.test.ts',
  'test/transfer/{import,imported-version,merge,merge-property,plugins,remote}.test.ts',
  'test/write/confirmations.test.ts',
  'test/webhooks/{connections,deliveries,receivers}.test.ts',
]

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    // What plugins import, as package.json exports it.
    alias: [
      { find: /^cadastre$/, replacement: source('app/plugin-api.ts') },
      { find: /^cadastre\/web$/, replacement: source('web/page-api.ts') },
      { find: /^cadastre\/client\/(.*)$/, replacement: source('web/components/$1') },
      { find: /^cadastre\/models\/(.*)$/, replacement: source('models/$1.ts') },
    ],
  },
  test: {
    // A PostgreSQL server for the whole run, started when a test first asks for it.
    globalSetup: ['test/support/postgres.ts'],
    testTimeout: NO_LIMIT,
    hookTimeout: NO_LIMIT,
    expect: { poll: { timeout: 2 ** 31 - 1 } },
    // Failures in full, and a summary.
    reporters: ['minimal', './test/support/progress-reporter.ts'],
    // By default one processor is left to vitest itself, which only waits: half of a machine that has two.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,packs,conformance,bench}/**/*.test.ts', ...CHECKS],
          exclude: PROCESSES,
          // Files share a worker and what it has loaded, which takes a third of the time; none changes anything global.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'features',
          include: ['test/**/*.test.ts', ...PROCESSES],
          // As above, in processes: some tests send signals or end workers.
          isolate: false,
          exclude: [
            ...CHECKS,
            ...EXTENDED,
            'test/durability/**',
            'test/performance/**',
            'test/browser/**',
            'test/clients/**',
          ],
        },
      },
      {
        extends: true,
        test: { name: 'extended', include: EXTENDED, isolate: false },
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
          // One browser at a time is work enough for a small machine.
          fileParallelism: false,
          // As above: a worker begins by loading the service.
          isolate: false,
        },
      },
    ],
  },
})
