import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { crash, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 9, usual: 3 })
const SITES = 3_000

/** A data set of sites, each with an id that no other round uses. */
function dataSet(round: number): string {
  const directory = directoryOfTest()
  mkdirSync(join(directory, 'dcim'))
  const rows = Array.from({ length: SITES }, (_, index) => {
    const id = round * SITES + index + 1
    return JSON.stringify({ id, name: `site ${id}`, slug: `site-${id}`, status: { value: 'active' } })
  })
  writeFileSync(join(directory, 'dcim/sites.jsonl'), rows.join('\n'))
  return directory
}

const count = async (service: ServerProcess): Promise<number> =>
  ((await (await send(service, 'GET', '/api/dcim/sites/?limit=1')).json()) as { count: number }).count

it(`kill -9 of the service, its server or a backend during an import beside it, ${ROUNDS} times: each import is complete or has no effect`, async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  let service = await startServer(environment)
  onTestFinished(() => service.kill())
  let stored = 0
  for (let round = 0; round < ROUNDS; round++) {
    const command = spawn(process.execPath, ['src/cli/main.ts', 'import', dataSet(round)], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = Promise.all([once(command, 'exit'), text(command.stderr)])
    // Each round interrupts the import at a different point.
    await sleep(600 + 200 * round)
    service = await crash(service, environment, victimOf(round))
    const [[status], message] = await ended
    const now = await count(service)
    expect([stored, stored + SITES], message).toContain(now)
    // A command that reports success has stored everything.
    if (status === 0) expect(now).toBe(stored + SITES)
    stored = now
  }
})
