import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Document } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { environmentOfTest } from '../support/program.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

/** Creates a site, then waits within its transaction until there is a region. */
const SCRIPT = `
import time
from dcim.models import Region, Site
from extras.scripts import Script

class Waits(Script):
    def run(self, data, commit):
        Site.objects.create(name="made", slug="made")
        while not Region.objects.exists():
            time.sleep(0.05)
        return "done"
`

it('a script whose process is killed is run again by another one, and changes the inventory once', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'scripts-')))
  writeFileSync(join(root, 'waits.py'), SCRIPT)
  const environment = await environmentOfTest()
  const start = () => startServer({ ...environment, SCRIPTS_ROOT: root })
  const read = async (server: ServerProcess, path: string): Promise<Document> =>
    (await (await send(server, 'GET', path)).json()) as Document // whatever the API returns
  onTestFinished(() => rmSync(root, { recursive: true }))

  const first = await start()
  const scripts = '/api/extras/scripts/'
  await eventually(async () => expect((await read(first, scripts)).count).toBe(1))
  await send(first, 'POST', `${scripts}1/`, { data: {}, commit: true })
  const running = expect.objectContaining({ value: 'running' })
  await eventually(async () => expect((await read(first, '/api/core/jobs/1/')).status).toEqual(running))
  await first.kill()

  const second = await start()
  onTestFinished(async () => void (await second.stop()))
  expect((await read(second, '/api/core/jobs/1/')).status).toEqual(running)
  expect((await read(second, '/api/dcim/sites/')).count).toBe(0)
  await send(second, 'POST', '/api/dcim/regions/', { name: 'go', slug: 'go' })
  // As if the lease had expired.
  const database = openPostgres({ url: environment.DATABASE_URL, poolSize: 1, statementTimeout: 0 })
  await database.script("update core_jobtask set heartbeat = '2020-01-01'")
  await database.close()
  await eventually(async () => {
    const job = await read(second, '/api/core/jobs/1/')
    expect(job).toMatchObject({ status: { value: 'completed' }, data: { output: 'done' } })
  })
  expect((await read(second, '/api/dcim/sites/')).count).toBe(1)
})
