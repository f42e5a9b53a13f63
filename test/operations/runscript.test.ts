import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const INVENTORY = join(ROOT, 'test/data/inventory')
const SCRIPTS = join(ROOT, 'test/jobs/python')

const dataDir = mkdtempSync(join(tmpdir(), 'runscript-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, SUPERUSER_PASSWORD: 'Long-enough-2026!' },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

let imported: ReturnType<typeof run>
beforeAll(() => {
  imported = run('import', '--new', INVENTORY, '--scripts', SCRIPTS)
  run('create-superuser', 'ann')
})

it('an import copies scripts, and says for each file which it contains', () => {
  expect(imported.status, imported.stderr).toBe(0)
  expect(imported.stdout).toMatch(
    /Scripts copied to .*scripts:\n {2}naming\.py: no scripts\n {2}offices\.py: OpenOffice, Counts, Never, Watch\n/,
  )
})

it.each<[string, readonly string[], number, RegExp]>([
  [
    'runs and prints the log and the result',
    ['offices.OpenOffice', '--data', '{"title": "Akron"}', '--commit'],
    0,
    /\[success\] Akron: Opened \*\*Akro\*\*\n\{\n {2}"plan": null/,
  ],
  ['prints the counts of tests', ['offices.Counts', '--user', 'ann'], 0, /test_regions: .*failure 1/],
  [
    'prints only entries of the level',
    ['offices.OpenOffice', '--data', '{"title": "Quiet"}', '--loglevel', 'error'],
    0,
    /^\{/,
  ],
  [
    'ends with 1 if it fails',
    ['offices.OpenOffice', '--data', '{"title": "Stop"}'],
    1,
    /\[failure\] Script aborted with error: stopped/,
  ],
  [
    'is refused with wrong data',
    ['offices.OpenOffice'],
    1,
    /^The script was not run: \{"data":\{"title":\["This field is required\."\]\}\}/,
  ],
  ['is refused if there is none', ['offices.Nothing'], 1, /No Script matches the given query\./],
  ['is refused without such a user', ['offices.Counts', '--user', 'bob'], 1, /There is no user "bob"\./],
])('a script %s', (_what, args, status, says) => {
  const result = run('runscript', ...args)
  expect([result.status, result.stdout + result.stderr]).toEqual([
    status,
    expect.stringMatching(new RegExp(says.source, 'm')),
  ])
})
