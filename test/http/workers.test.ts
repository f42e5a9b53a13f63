import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRunning, mainProcess } from '../support/crashes.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { directoryOfRun, directoryOfTest } from '../support/directory.ts'
import { SERVER_TOKEN, type ServerProcess, send, startServer } from '../support/server.ts'

const CONNECTIONS = 6
const ROUNDS = 30

describe('several workers with one database', () => {
  let server: ServerProcess
  let databaseUrl: string
  // Connections are distributed in turn, so several of these reach each worker.
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))

  beforeAll(async () => {
    databaseUrl = await createTestDatabase('migrated')
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: directoryOfRun(), WORKERS: '3' }
    server = await startServer({ ...environment, SECRET_KEY: 'x'.repeat(50) })
  })
  afterAll(async () => {
    for (const agent of agents) agent.destroy()
    await server.stop()
    await dropTestDatabase(databaseUrl)
  })

  const ask = (agent: Agent | undefined, method: string, path: string, body?: object) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const headers = { authorization: `Token ${SERVER_TOKEN}`, 'content-type': 'application/json' }
      const sent = request(server.url + path, { agent, method, headers }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve(JSON.parse(text)))
      })
      sent.on('error', reject)
      sent.end(body && JSON.stringify(body))
    })

  it('the writes of one are visible in all others at once, whatever they have cached', async () => {
    const [first] = agents
    const site = await ask(first, 'POST', '/api/dcim/sites/', { name: 'A', slug: 'a' })
    const path = `/api/dcim/sites/${site.id}/`
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(agents.map((agent) => ask(agent, 'GET', path)))
      const description = `round ${round}`
      await ask(agents[round % CONNECTIONS], 'PATCH', path, { description })
      const shown = await Promise.all(agents.map((agent) => ask(agent, 'GET', path)))
      expect(shown.map((each) => each.description)).toEqual(agents.map(() => description))
    }
  })

  it('an update of one row is visible in the lists of all others at once', async () => {
    const [first] = agents
    const body = ['b', 'c', 'd'].map((slug) => ({ name: slug, slug }))
    const sites = (await ask(first, 'POST', '/api/dcim/sites/', body)) as unknown as {
      readonly id: number
    }[]
    const ids = sites.map(({ id }) => id)
    const path = `/api/dcim/sites/?fields=id,description&${ids.map((id) => `id=${id}`).join('&')}`
    const expected = ids.map((id) => ({ id, description: '' }))
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(agents.map((agent) => ask(agent, 'GET', path)))
      const changed = { id: ids[round % ids.length] ?? 0, description: `round ${round}` }
      const author = agents[round % CONNECTIONS]
      await ask(author, 'PATCH', `/api/dcim/sites/${changed.id}/`, changed)
      expected[round % ids.length] = changed
      const shown = await Promise.all(agents.map((agent) => ask(agent, 'GET', path)))
      expect(shown.map(({ results }) => results)).toEqual(agents.map(() => expected))
    }
  })

  it('all stop together', async () => {
    expect(await server.stop()).toBe(0)
    await expect(fetch(server.url)).rejects.toThrow()
  })
})

it('workers share the server that the service starts, which stops with them', async () => {
  const DATA_DIR = directoryOfTest()
  const server = await startServer({ WORKERS: '2', DATA_DIR })
  const main = mainProcess({ DATA_DIR })
  expect(isRunning(main)).toBe(true)
  expect((await send(server, 'POST', '/api/dcim/sites/', { name: 'A', slug: 'a' })).status).toBe(201)
  expect(await server.stop()).toBe(0)
  expect(isRunning(main)).toBe(false)
})
