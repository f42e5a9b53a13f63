import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { lockDirectory } from '../../src/storage/directory-lock.ts'

const NOWHERE = 'postgres://127.0.0.1:1/none'

/** What is called, with which settings; how it ends, and what it says. */
const cases = [
  {
    name: 'doctor ends with 1 when there is a problem',
    args: ['doctor'],
    environment: { DATABASE_URL: NOWHERE },
    status: 1,
    says: /PROBLEM +database: .*ECONNREFUSED.*\n.*1 problems, 0 warnings\.\n$/s,
  },
  {
    name: 'doctor ends with 0 before a first start',
    args: ['doctor'],
    environment: {},
    status: 0,
    says: /0 problems, \d warnings\.\n$/,
  },
  {
    name: 'a backup of nothing makes nothing',
    args: ['backup', 'backup.tar.gz'],
    environment: {},
    status: 1,
    says: /^There is no database in .*: set DATA_DIR or DATABASE_URL as they are for the service\.\n$/,
  },
  {
    name: 'a backup of what is in memory is refused',
    args: ['backup', 'backup.tar.gz'],
    environment: { DATA_DIR: 'memory://' },
    status: 1,
    says: /^DATA_DIR is memory:\/\/: there is nothing to back up\.\n$/,
  },
  {
    name: 'a backup of a directory that a service has open tells to stop it first',
    args: ['backup', 'backup.tar.gz'],
    isOpen: true,
    environment: {},
    status: 1,
    says: /^The data directory .* is in use by process \d+: stop that first.*\n$/,
  },
  {
    name: 'a restore of a file that is not there says so',
    args: ['restore', 'missing.tar.gz'],
    environment: {},
    status: 1,
    says: /^There is no file missing\.tar\.gz\.\n$/,
  },
]

it.each(cases)('$name', { timeout: 60_000 }, ({ args, environment, isOpen, status, says }) => {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-commands-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const data = join(directory, 'data')
  if (isOpen) {
    mkdirSync(join(data, 'database'), { recursive: true })
    onTestFinished(lockDirectory(join(data, 'database')))
  }
  const program = join(import.meta.dirname, '../../src/cli/main.ts')
  const run = spawnSync(process.execPath, [program, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, DATA_DIR: data, PORT: '1', ...environment },
    encoding: 'utf8',
  })
  expect(run.stdout + run.stderr).toMatch(says)
  expect(run.status).toBe(status)
  expect(readdirSync(directory)).toEqual(isOpen ? ['data'] : [])
})
