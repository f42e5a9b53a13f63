import { expect, it, onTestFinished } from 'vitest'
import { directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { startReplicatedPair } from '../support/replication.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const CLIENTS = 6
const ROUNDS = 15
/** The standby replays a commit this much later. */
const DELAY = '60ms'

async function description(server: ServerProcess, id: number): Promise<string> {
  const answer = await send(server, 'GET', `/api/dcim/sites/${id}/`)
  return ((await answer.json()) as { description: string }).description
}

/** Descriptions according to the list, whose page and objects are cached separately. */
async function listed(server: ServerProcess, id: number): Promise<string | undefined> {
  const answer = await send(server, 'GET', `/api/dcim/sites/?id=${id}`)
  const { results } = (await answer.json()) as { results: readonly { description: string }[] }
  return results[0]?.description
}

async function createSite(server: ServerProcess, name: string): Promise<number> {
  const answer = await send(server, 'POST', '/api/dcim/sites/', { name, slug: name })
  return ((await answer.json()) as { id: number }).id
}

/**
 * Changes an object through one process, reads it there at once, and then through the other process until the change
 * arrives; then repeats this.
 */
async function workAt([own, other]: readonly [ServerProcess, ServerProcess], name: string): Promise<void> {
  const id = await createSite(own, name)
  for (let round = 0; round < ROUNDS; round++) {
    const written = `${name} ${round}`
    const answer = await send(own, 'PATCH', `/api/dcim/sites/${id}/`, { description: written })
    expect(answer.status).toBe(200)
    expect([await description(own, id), await listed(own, id)]).toEqual([written, written])
    await eventually(async () => expect(await description(other, id)).toBe(written))
    expect([await description(other, id), await listed(other, id)]).toEqual([written, written])
  }
}

async function answeredByReplica(server: ServerProcess): Promise<number> {
  const text = await (await send(server, 'GET', '/metrics')).text()
  return Number(/^cadastre_replica_statements_total\{.*\} (\d+)$/m.exec(text)?.[1])
}

it('clients read their own writes from processes with a lagging replica, whether cached or not', async () => {
  const { primary, standby } = await startReplicatedPair()
  const environment = {
    DATA_DIR: directoryOfTest(),
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: standby.url,
    METRICS_ENABLED: 'true',
  }
  const first = await startServer(environment)
  onTestFinished(() => first.kill())
  const second = await startServer(environment)
  onTestFinished(() => second.kill())
  await standby.sql(`alter system set recovery_min_apply_delay = '${DELAY}'`)
  await standby.sql('select pg_reload_conf()')

  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    workAt(client % 2 === 0 ? [first, second] : [second, first], `client-${client}`),
  )
  await Promise.all(clients)
  // Once the replica has caught up, it serves these clients too; before that, it could have returned stale data.
  for (const server of [first, second]) {
    let turn = 0
    await eventually(async () => {
      turn += 1
      await send(server, 'GET', `/api/dcim/sites/?name__ic=${turn}`)
      expect(await answeredByReplica(server)).toBeGreaterThan(0)
    })
  }
})
