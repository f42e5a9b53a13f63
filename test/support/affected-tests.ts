import { execFileSync } from 'node:child_process'
import { join, matchesGlob } from 'node:path'

/**
 * Extended tests that a change of these paths can break, by the folder of `test/` or the beginning of a file's path. A
 * change of any other path can break all of them.
 */
export const AFFECTED: Readonly<Record<string, readonly string[]>> = {
  '{docs,examples,locales}/**': ['docs', 'recipes', 'pages', 'operations'],
  '*.md': ['docs', 'recipes'],
  'bench/**': ['bench'],
  'conformance/**': [],
  'src/web/**': ['pages', 'permissions/pages', 'docs', 'recipes', 'events', 'plugins'],
  'src/changes/**': ['branches', 'history', 'pages/branches', 'agents', 'custom-objects', 'registry', 'docs', 'events'],
  'src/automation/**': ['jobs', 'mail', 'webhooks', 'data-sources', 'events', 'cluster', 'http', 'docs', 'agents'],
  'src/transfer/**': ['transfer', 'bulk-import', 'operations', 'docs', 'bench'],
  'src/api/graphql/**': ['graphql', 'permissions', 'http', 'docs', 'agents'],
  'src/cli/**': ['operations', 'http', 'storage', 'cluster', 'transfer', 'plugins', 'docs', 'bench'],
  // Steps of their own in .ci/run.
  'test/{browser,clients,durability,install,performance,soak}/**': [],
}

/** The extended tests to run for a change of these paths, as filters of vitest: none selects all of them. */
export function affectedTests(paths: readonly string[]): readonly string[] {
  const affected = new Set<string>()
  for (const path of paths) {
    // Tests of other folders may import what is not a test.
    const folder = /^test\/([a-z-]+)\/.*\.test\.ts$/.exec(path)?.[1]
    const line = Object.entries(AFFECTED).find(([glob]) => matchesGlob(path, glob))
    if (line) for (const name of line[1]) affected.add(name)
    else if (folder !== undefined) affected.add(folder)
    else return []
  }
  // A test of every room, so that no change runs without any.
  return [...affected.add('permissions/probes')].map((name) => `test/${name}${name.includes('/') ? '.test.ts' : '/'}`)
}

const root = join(import.meta.dirname, '..', '..')
const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' })

/** Paths that differ from the commit that CI has checked before; undefined if that is unknown. */
function changedPaths(base: string | undefined): readonly string[] | undefined {
  try {
    const commit = base ?? git('merge-base', 'HEAD', 'origin/main').trim()
    // The head of main, without a base, says nothing about what has been checked before.
    if (base === undefined && commit === git('rev-parse', 'HEAD').trim()) return
    return git('diff', '--name-only', `${commit}...HEAD`).split('\n').filter(Boolean)
  } catch {
    return
  }
}

// As a program, prints the filters for .ci/run: `node test/support/affected-tests.ts [base commit]`.
if (import.meta.main) {
  const base = process.argv[2]
  console.log(affectedTests(changedPaths(base === '' ? undefined : base) ?? ['unknown']).join('\n'))
}
