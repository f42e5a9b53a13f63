import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nobody } from '../../src/db/embedded/server-user.ts'
import { giveTo } from '../support/postgres-programs.ts'
import { type Machine, run, serving } from './machine.ts'

// Runs the README's commands in a fresh clone of this checkout: as root in a directory that only root may enter, or as
// an ordinary user. The service starts its own PostgreSQL server.
//   node test/install/fresh-checkout.ts root|user

/** A small file of tests, which uses the PostgreSQL server of the tests. */
const TESTS = 'test/storage/values.test.ts'

const [who] = process.argv.slice(2)
if (who !== 'root' && who !== 'user') throw new Error('As root or as user?')
const isRoot = process.getuid?.() === 0
if (who === 'root' && !isRoot) {
  console.log('Only root can try what root sees.\n0 passed, 0 failed, 1 skipped')
  process.exit()
}

const directory = mkdtempSync(join(tmpdir(), 'cadastre-fresh-'))
try {
  await tryIn(directory)
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
}

async function tryIn(directory: string): Promise<void> {
  const checkout = join(directory, 'cadastre')
  run({ directory: process.cwd() }, 'git', 'clone', '--quiet', '.', checkout)
  const machine = who === 'user' && isRoot ? ordinaryUser(directory, checkout) : { directory: checkout }
  await serving(machine, ['npm', 'start'], async (ask) => {
    assert.equal((await ask('/api/dcim/sites/')).status, 200)
  })
  run(machine, 'npm', 'test', '--', TESTS)
}

/** The unprivileged user of the system, with a home directory and ownership of the checkout. */
function ordinaryUser(directory: string, checkout: string): Machine {
  const user = nobody()
  const home = join(directory, 'home')
  mkdirSync(home)
  chmodSync(directory, 0o755)
  for (const path of [home, checkout]) giveTo(user, path)
  return { directory: checkout, user, environment: { HOME: home } }
}
