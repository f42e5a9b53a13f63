import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const SCRIPT = 'scripts/ensure-installed.mjs'

/** Replaces npm: creates the directories of the packages that it is told to install, and records its arguments. */
const NPM = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
appendFileSync('calls', process.argv.slice(2, -3).join(' ') + '\\n')
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json'))
const all = process.argv.includes('--include=dev') ? { ...dependencies, ...devDependencies } : dependencies
for (const name of Object.keys(all)) mkdirSync('node_modules/' + name, { recursive: true })
mkdirSync('node_modules/node/bin', { recursive: true })
writeFileSync('node_modules/node/bin/node', '')
writeFileSync('node_modules/.package-lock.json', '{}')
console.error('npm http fetch GET 200 https://registry.invalid/one.tgz 1ms')
console.error('npm warn EBADENGINE')
console.error('npm error disk is full')
console.log('added packages')
`

const USER = '--omit=dev'
const DEVELOPER = '--include=dev'

/** A checkout without dependencies. `run` returns the options that npm was called with. */
function checkout() {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-install-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const name of ['scripts', 'bin']) mkdirSync(join(directory, name))
  copyFileSync(SCRIPT, join(directory, SCRIPT))
  writeFileSync(join(directory, 'bin', 'npm'), NPM, { mode: 0o755 })
  writeFileSync(join(directory, 'package-lock.json'), '{"packages": {}}')
  const dependencies = { node: '24', one: '1' }
  const devDependencies = { tool: '1' }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ dependencies, devDependencies }))
  const calls = join(directory, 'calls')
  const run = (...args: string[]) => {
    rmSync(calls, { force: true })
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
      cwd: directory,
      env: { ...process.env, PATH: `${join(directory, 'bin')}${delimiter}${process.env.PATH}` },
      encoding: 'utf8',
    })
    const npm = existsSync(calls) ? readFileSync(calls, 'utf8').trim() : undefined
    return { status, stdout, stderr, npm }
  }
  return { directory, run }
}

it('the service is installed without development dependencies, and only once', () => {
  const { run } = checkout()
  expect(run()).toMatchObject({ status: 0, npm: `ci ${USER}` })
  expect(run()).toMatchObject({ status: 0, npm: undefined, stderr: '' })
})

it('development dependencies are added when they are needed, and kept', () => {
  const { run } = checkout()
  run()
  expect(run('--dev').npm).toBe(`install --no-save ${DEVELOPER}`)
  expect(run('--dev').npm).toBeUndefined()
  expect(run().npm).toBeUndefined()
})

it.each([
  { name: 'without', args: [], option: USER },
  { name: 'with', args: ['--dev'], option: DEVELOPER },
])('a newer package-lock.json is installed, $name development dependencies', ({ args, option }) => {
  const { directory, run } = checkout()
  run(...args)
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(directory, 'package-lock.json'), later, later)
  expect(run().npm).toBe(`install --no-save ${option}`)
})

it('a package that has been deleted is installed again', () => {
  const { directory, run } = checkout()
  run()
  rmSync(join(directory, 'node_modules', 'one'), { recursive: true })
  expect(run().npm).toBe(`install --no-save ${USER}`)
})

it('errors of npm are shown, but not its log of downloads and its warnings', () => {
  const { stdout, stderr } = checkout().run()
  expect(stdout).toBe('')
  expect(stderr).toContain('npm error disk is full')
  expect(stderr).toContain('added packages')
  expect(stderr).not.toMatch(/npm (http|warn)/)
})
