import { expect, it, onTestFinished } from 'vitest'
import { directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { type ReplicatedServer, startReplicatedPair } from '../support/replication.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

async function startedOn({ url }: ReplicatedServer, directory: string): Promise<ServerProcess> {
  const server = await startServer({ DATA_DIR: directory, DATABASE_URL: url })
  onTestFinished(() => server.kill())
  return server
}

const post = (server: ServerProcess, name: string): Promise<Response> =>
  send(server, 'POST', '/api/dcim/sites/', { name, slug: name })

async function siteNames(server: ServerProcess): Promise<readonly string[]> {
  const answer = await send(server, 'GET', '/api/dcim/sites/')
  const { results } = (await answer.json()) as { results: readonly { name: string }[] }
  return results.map(({ name }) => name)
}

it('a service on a standby reads, refuses writes with a message, and writes after the promotion', async () => {
  const { primary, standby } = await startReplicatedPair()
  // The secrets, which both services need, are in the directory.
  const directory = directoryOfTest()
  const first = await startedOn(primary, directory)
  expect((await post(first, 'ams1')).status).toBe(201)
  await eventually(async () => {
    const [row] = await standby.sql('select count(*)::int as sites from dcim_site')
    expect(row).toEqual({ sites: 1 })
  })

  const second = await startedOn(standby, directory)
  expect(await siteNames(second)).toEqual(['ams1'])
  const detail = 'The database is a standby: it accepts no changes until it is promoted.'
  const site = { name: 'fra1', slug: 'fra1' }
  const changes = '/api/core/object-changes/'
  const writes: readonly (readonly [string, string, unknown])[] = [
    ['POST', '/api/dcim/sites/', site],
    ['PUT', '/api/dcim/sites/1/', site],
    ['PATCH', '/api/dcim/sites/1/', site],
    ['PATCH', '/api/dcim/sites/', [{ id: 1, ...site }]],
    ['PUT', '/api/dcim/sites/', [{ id: 1, ...site }]],
    ['DELETE', '/api/dcim/sites/1/', undefined],
    ['DELETE', '/api/dcim/sites/', [{ id: 1 }]],
    ['POST', `${changes}1/undo/`, undefined],
    ['POST', '/api/apply/', { objects: { 'dcim.site': [site] } }],
  ]
  for (const [method, path, body] of writes) {
    const refused = await send(second, method, path, body)
    expect([method, path, refused.status, await refused.json()]).toEqual([...[method, path, 503, { detail }]])
  }
  const ready = await fetch(`${second.url}/health/ready`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toMatchObject({ warnings: [expect.stringContaining('standby')] })
  // Nothing that is cached here hides writes made through the primary.
  expect((await post(first, 'ber1')).status).toBe(201)
  await eventually(async () => expect(await siteNames(second)).toEqual(['ams1', 'ber1']))

  await first.stop()
  await primary.kill()
  await standby.sql('select pg_promote()')
  await eventually(async () => expect((await post(second, 'fra1')).status).toBe(201))
  expect(await siteNames(second)).toEqual(['ams1', 'ber1', 'fra1'])
  // Background work has begun as well: the events of the write get their positions.
  await eventually(async () => {
    const [row] = await standby.sql(`select count(*)::int as waiting from core_event where "position" is null`)
    expect(row).toEqual({ waiting: 0 })
  })
})

it('a standby without tables prevents the start with a message', async () => {
  const { standby } = await startReplicatedPair()
  await expect(startedOn(standby, directoryOfTest())).rejects.toThrow(
    'The database is a standby, and it is empty. Start the service on its primary first.',
  )
})
