import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { ADMIN_TOKEN, type Api, startApi } from '../support/api.ts'
import { directoryOfRun } from '../support/directory.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { type Example, examplesOf, isAsShown } from './examples.ts'

/** Printed after each example, to separate its output from that of the next one. */
const END = '@@ end of the example'

const pages = globSync(['README.md', 'docs/**/*.md'])
  .map((path) => ({ path, examples: examplesOf(readFileSync(path, 'utf8')) }))
  .filter(({ examples }) => examples.length > 0)

/** The order of the pages, another one each day. */
const SEED = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))

/**
 * The `sh` blocks of a page, in order, in one shell with the variables that docs/use/rest-api.md introduces. All pages use
 * one service with the sample network, in a random order, as readers do. One page alone (`-t`) has a new service.
 */
describe('the examples of', () => {
  let api: Api
  let directory: string

  beforeAll(async () => {
    directory = directoryOfRun()
    api = await startApi({
      // As with a new service.
      API_VERSION: '4.7',
      SUPERUSER_PASSWORD: 'Tide-Table-1',
      MCP_ENABLED: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      DATA_SOURCE_DIRECTORIES: directory,
    })
    await loadDemo(api.service)
    // So that the search finds the sample network.
    await api.background.runUntilIdle()
    await api.background.start()
    return () => api.close()
  })

  it.each(shuffled(pages))(`$path work as shown (SEED=${SEED})`, async ({ examples }) => {
    const outputs = await run(examples, api, mkdtempSync(join(directory, 'page-')))
    for (const [index, { command, shown }] of examples.entries()) {
      const output = outputs[index]
      expect(output, `did not end: ${command}`).toBeDefined()
      if (shown) expect(isAsShown(shown, output ?? ''), `${command}\n${output}`).toBe(true)
    }
  })

  it.each(pages)('$path name no object by a literal id', ({ examples }) => {
    for (const { command } of examples) expect(command).not.toMatch(/\/\d+\/|_id=\d|"(users|groups|sites)\\?": \[\d/)
  })
})

function shuffled<T>(items: readonly T[]): readonly T[] {
  const random = randomNumbers(SEED)
  return items
    .map((item) => ({ item, rank: random(1_000_000) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/** What each example has printed; shorter than the list if one failed. */
async function run(examples: readonly Example[], api: Api, directory: string): Promise<string[]> {
  const script = examples.map(({ command }) => `${command}\necho "${END}"`).join('\n')
  const shell = spawn('bash', ['-euo', 'pipefail'], {
    cwd: directory,
    env: { ...process.env, URL: api.url, TOKEN: ADMIN_TOKEN, PASSWORD: 'Tide-Table-1' },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  shell.stdin.end(script)
  const printed = Promise.all([text(shell.stdout), text(shell.stderr)])
  await once(shell, 'exit')
  endGroup(shell.pid)
  const [output, errors] = await printed
  const outputs = output.split(`${END}\n`)
  const rest = outputs.pop()
  expect(outputs.length, `${rest}\n${errors}`).toBe(examples.length)
  return outputs
}

/** Ends whatever the shell has left running, such as a receiver of webhooks. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader)
  } catch {
    // Nothing is left.
  }
}
