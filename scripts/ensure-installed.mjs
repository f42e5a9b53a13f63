/**
 * Installs the dependencies when they are missing or older than package-lock.json. Runs before every
 * npm script, with whatever Node the machine has (18 or later): plain JavaScript, nothing imported
 * from node_modules.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lock = join(root, 'package-lock.json')
// npm writes this file last, so it stands for a finished installation and carries its time.
const installed = join(root, 'node_modules', '.package-lock.json')
// The npm package `node` brings the Node that runs the program; npm may have been told to skip scripts.
const runtime = join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

const isCurrent = () =>
  existsSync(installed) &&
  existsSync(runtime) &&
  (!existsSync(lock) || statSync(installed).mtimeMs >= statSync(lock).mtimeMs)

if (!isCurrent()) {
  console.error('Installing dependencies (first start, or package-lock.json has changed) …')
  // ci would empty node_modules first, under the feet of a service that runs from there.
  const action = existsSync(lock) && !existsSync(installed) ? ['ci'] : ['install', '--no-save']
  // Warnings are left out: they would be about the machine's own Node, which only runs npm.
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--include=dev']
  const result = spawnSync('npm', [...action, ...options], {
    cwd: root,
    // Standard output belongs to the command that follows.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.error) console.error(`npm could not be started: ${result.error.message}`)
  if (result.status !== 0) process.exit(result.status ?? 1)
  if (!existsSync(runtime)) {
    console.error('The npm package "node" did not unpack its binary; allow its install script.')
    process.exit(1)
  }
  // npm leaves the file alone when nothing had to change, and the next start would ask again.
  const now = new Date()
  utimesSync(installed, now, now)
}
