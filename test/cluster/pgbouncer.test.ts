import { expect, it, onTestFinished } from 'vitest'
import { databaseUrlOfTest } from '../support/database.ts'
import { directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { findPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const program = findPgbouncer()
const CLIENTS = 8
const ROUNDS = 6
/** Fewer than the service has, so that its sessions are spread over all of them. */
const SERVER_CONNECTIONS = 3

async function json(answer: Promise<Response>): Promise<Record<string, unknown>> {
  return (await (await answer).json()) as Record<string, unknown>
}

/** Creates, changes, reads and deletes; every response must be the same as without a pooler. */
async function workAt(server: ServerProcess, name: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const slug = `${name}-${round}`
    const body = { name: slug, slug, time_zone: 'Europe/Berlin' }
    const { id, created } = await json(send(server, 'POST', '/api/dcim/sites/', body))
    expect(Math.abs(Date.now() - Date.parse(String(created)))).toBeLessThan(60_000)
    const path = `/api/dcim/sites/${id}/`
    const changed = await json(send(server, 'PATCH', path, { description: slug }))
    expect(changed).toMatchObject({ description: slug, created })
    expect(await json(send(server, 'GET', path))).toMatchObject({ description: slug })
    expect(await json(send(server, 'GET', `/api/dcim/sites/?slug=${slug}`))).toMatchObject({
      count: 1,
    })
    const records = `/api/core/object-changes/?changed_object_id=${id}&changed_object_type=dcim.site`
    expect(await json(send(server, 'GET', records))).toMatchObject({ count: 2 })
    if (round % 2 === 1) expect((await send(server, 'DELETE', path)).status).toBe(204)
  }
}

const cacheEntries = async (server: ServerProcess): Promise<number> => {
  const text = await (await send(server, 'GET', '/metrics')).text()
  return Number(/^cadastre_cache_entries (\d+)$/m.exec(text)?.[1])
}

it.skipIf(program === undefined)(
  'reads, writes, jobs and notifications work over PgBouncer in transaction mode',
  async () => {
    if (!program) return
    const direct = await databaseUrlOfTest()
    const pooled = await startPgbouncer(program, direct, SERVER_CONNECTIONS)
    const environment = { DATA_DIR: directoryOfTest(), METRICS_ENABLED: 'true' }
    const server = await startServer({
      ...environment,
      ...{ DATABASE_URL: pooled, DATABASE_SESSION_URL: direct },
    })
    onTestFinished(() => server.kill())
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => workAt(server, `client-${client}`)))
    expect(await json(send(server, 'GET', '/api/dcim/sites/'))).toMatchObject({
      count: (CLIENTS * ROUNDS) / 2,
    })
    // It listens by the other URL: values are cached, and changes of another process invalidate them.
    expect(await cacheEntries(server)).toBeGreaterThan(0)
    const other = await startServer({ ...environment, DATABASE_URL: direct })
    onTestFinished(() => other.kill())
    await send(other, 'POST', '/api/dcim/regions/', { name: 'Europe', slug: 'europe' })
    await eventually(async () =>
      expect(await json(send(server, 'GET', '/api/dcim/regions/'))).toMatchObject({ count: 1 }),
    )
    // A background job, which waits in the database for its turn.
    const job = await json(
      send(server, 'PATCH', '/api/dcim/regions/?background=true', [{ id: 1, description: 'by a job' }]),
    )
    await eventually(async () =>
      expect(await json(send(server, 'GET', '/api/dcim/regions/1/'))).toMatchObject({
        description: 'by a job',
      }),
    )
    expect(job).toBeDefined()
  },
)
