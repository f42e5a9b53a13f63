import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environmentOfTest } from '../support/program.ts'

const SITES = 'objects: {dcim.site: [{name: Amsterdam, slug: ams}, {name: Akron, slug: akr}]}'
const ONE_SITE = 'objects: {dcim.site: [{name: Amsterdam, slug: ams, facility: AM3}]}'

/** Runs the command several times on one inventory: document, options, exit status, output. */
const RUNS = [
  [
    SITES,
    ['--dry-run'],
    2,
    /^\+ dcim\.site Amsterdam\n\+ dcim\.site Akron\n2 objects would be created, 0 changed, 0 deleted; 0 /,
  ],
  [SITES, [], 0, /\n2 objects were created, 0 changed, 0 deleted; 0 of the document are unchanged\.\n$/],
  [SITES, ['--dry-run'], 0, /^0 objects would be created, 0 changed, 0 deleted; 2 /],
  [ONE_SITE, ['--prune', ''], 1, /State a scope.*Nothing has been applied\.\n$/s],
  [
    ONE_SITE,
    ['--dry-run', '--prune', 'slug=ams&slug=akr'],
    2,
    /^~ dcim\.site Amsterdam\n {4}- facility: ""\n {4}\+ facility: "AM3"\n- dcim\.site Akron\n0 objects would be created, 1 changed, 1 deleted; 0 /,
  ],
] as const

it('apply prints a plan like a diff, and its exit status shows what it has found', async () => {
  const environment = await environmentOfTest()
  const program = join(import.meta.dirname, '../../src/cli/main.ts')
  const file = join(environment.DATA_DIR, 'document.yaml')
  for (const [document, options, status, says] of RUNS) {
    writeFileSync(file, document)
    const run = spawnSync(process.execPath, [program, 'apply', file, ...options], {
      env: { PATH: process.env.PATH, ...environment },
      encoding: 'utf8',
    })
    const output = run.stdout + run.stderr
    expect([run.status, output], output).toEqual([status, expect.stringMatching(says)])
  }
})
