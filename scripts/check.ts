import { spawnSync } from 'node:child_process'

/** What every commit needs. All of them run, whichever fail, so that one run names everything that is wrong. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: ['npm', 'run', '--silent', 'types'],
  lint: ['npm', 'run', '--silent', 'lint'],
  // Not silent: the test of the translations lists the missing ones, with which a commit may be made.
  tests: ['npx', 'vitest', 'run', '--project', 'unit', '--silent=false'],
}

const failed = Object.entries(CHECKS)
  .filter(([, [command = '', ...words]]) => spawnSync(command, words, { stdio: 'inherit' }).status !== 0)
  .map(([name]) => name)
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}. After an intended change of the interface, run npm run surface.`)
  process.exitCode = 1
}
