import { expect, it, onTestFinished } from 'vitest'
import { crash, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 12, usual: 4 })
const SITES = 60

type Json = Readonly<Record<string, unknown>>

const ask = async (server: ServerProcess, method: string, path: string, body?: unknown): Promise<Json> =>
  (await (await send(server, method, path, body)).json()) as Json

const count = async (server: ServerProcess, query: string): Promise<number> =>
  Number((await ask(server, 'GET', `/api/dcim/sites/?limit=1&${query}`)).count)

it(`kill -9 of the service, its server or a backend during writes to a branch, its synchronisation and its merge, ${ROUNDS} times: each is complete or has no effect`, async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  let server = await startServer(environment)
  onTestFinished(() => server.kill())
  for (let round = 0; round < ROUNDS; round++) {
    const { id, schema_id: schema } = await ask(server, 'POST', '/api/core/branches/', { name: `Round ${round}` })
    const bulk = Array.from({ length: SITES }, (_, index) => ({
      name: `r${round} ${index}`,
      slug: `r${round}-${index}`,
      facility: `r${round}`,
    }))
    const steps: readonly (readonly [string, unknown])[] = [
      [`/api/dcim/sites/?branch=${schema}`, bulk],
      [`/api/core/branches/${id}/sync/`, {}],
      [`/api/core/branches/${id}/merge/`, {}],
    ]
    for (const [number, [path, body]] of steps.entries()) {
      const work = send(server, 'POST', path, body).catch(() => undefined)
      // Each round interrupts the work at a different point.
      await new Promise((resolve) => setTimeout(resolve, 15 * (round + 1)))
      const crashed = crash(server, environment, victimOf(round + number))
      await work
      server = await crashed
      const { status } = await ask(server, 'GET', `/api/core/branches/${id}/`)
      const isMerged = (status as { value: string }).value === 'merged'
      const onMain = await count(server, `facility=r${round}`)
      expect(isMerged ? [0, SITES] : [0]).toContain(onMain)
      if (!isMerged) expect([0, SITES]).toContain(await count(server, `facility=r${round}&branch=${schema}`))
    }
  }
})
