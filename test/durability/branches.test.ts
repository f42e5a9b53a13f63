import { expect, it } from 'vitest'
import { runSize } from '../support/run-size.ts'
import { SERVED_STORAGES } from '../support/served-storages.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 12, usual: 4 })
const SITES = 60

type Json = Readonly<Record<string, unknown>>

const ask = async (server: ServerProcess, method: string, path: string, body?: unknown): Promise<Json> =>
  (await (await send(server, method, path, body)).json()) as Json

const count = async (server: ServerProcess, query: string): Promise<number> =>
  Number((await ask(server, 'GET', `/api/dcim/sites/?limit=1&${query}`)).count)

it.each(SERVED_STORAGES)(
  `$storage: kill -9 during writes to a branch, its synchronisation and its merge, ${ROUNDS} times: each is complete or has no effect`,
  async ({ settings }) => {
    const environment = await settings()
    for (let round = 0; round < ROUNDS; round++) {
      let server = await startServer(environment)
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
      for (const [path, body] of steps) {
        const work = send(server, 'POST', path, body).catch(() => undefined)
        // Each round interrupts the work at a different point.
        await new Promise((resolve) => setTimeout(resolve, 15 * (round + 1)))
        await server.kill()
        await work
        server = await startServer(environment)
        const { status } = await ask(server, 'GET', `/api/core/branches/${id}/`)
        const isMerged = (status as { value: string }).value === 'merged'
        const onMain = await count(server, `facility=r${round}`)
        expect(isMerged ? [0, SITES] : [0]).toContain(onMain)
        if (!isMerged) expect([0, SITES]).toContain(await count(server, `facility=r${round}&branch=${schema}`))
      }
      await server.kill()
    }
  },
)
