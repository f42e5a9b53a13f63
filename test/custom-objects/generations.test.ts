import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { databaseUrlOfTest } from '../support/database.ts'
import { directoryOfTest } from '../support/directory.ts'

const PROGRAM = join(import.meta.dirname, 'generations-program.ts')
const CHANGES = 12
/** Registries that may be in memory: the latest, and one that something has not let go of yet. */
const MOST = 2

it('models that have been replaced are forgotten, and a request that began with them is answered', async () => {
  const url = await databaseUrlOfTest('migrated')
  const words = ['--expose-gc', PROGRAM, url, directoryOfTest(), String(CHANGES)]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  const { made, alive, slow } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(made).toBe(CHANGES + 1)
  expect(slow).toBe('HTTP/1.1 201 Created')
  expect(alive).toBeLessThanOrEqual(MOST)
})
