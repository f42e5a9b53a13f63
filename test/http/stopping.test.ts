import { spawn } from 'node:child_process'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, databaseUrlOfTest, dropTestDatabase } from '../support/database.ts'
import { directoryOfRun } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { SERVER_TOKEN, type ServerProcess, startServer } from '../support/server.ts'

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A client that keeps its connection for the next request. */
function keptConnection(server: ServerProcess): (path: string) => Promise<Received> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return (path) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Token ${SERVER_TOKEN}` }
      request(server.url + path, { agent, headers }, (response) => {
        text(response).then((body) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        }, reject)
      })
        .on('error', reject)
        .end()
    })
}

let server: ServerProcess
beforeAll(async () => {
  const environment = { DATA_DIR: directoryOfRun(), DATABASE_URL: await createTestDatabase('migrated') }
  server = await startServer({ ...environment, SHUTDOWN_DELAY: '2500' })
  return async () => {
    await server.kill()
    await dropTestDatabase(environment.DATABASE_URL)
  }
})

/** The response to a request as it is written. */
async function exchange({ url }: ServerProcess, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return await text(socket)
}

it('probes need no Host header, and other requests do', async () => {
  const close = 'Connection: close'
  for (const path of ['/health/', '/health/live', '/health/ready']) {
    for (const lines of [
      [`GET ${path} HTTP/1.0`],
      [`OPTIONS ${path} HTTP/1.0`],
      [`GET ${path} HTTP/1.1`, 'Host:', close],
      [`GET ${path} HTTP/1.1`, 'Host: not a host', close],
    ]) {
      expect([lines, await exchange(server, lines)]).toEqual([lines, expect.stringContaining(' 200 OK')])
    }
  }
  const refused = await exchange(server, ['GET /api/dcim/sites/ HTTP/1.0'])
  expect(refused).toContain(' 400 Bad Request')
  expect(refused).toContain('The Host header is not a host name.')
})

it('a process that receives SIGTERM reports that it is not ready, and serves all requests until clients disconnect', async () => {
  const probe = keptConnection(server)
  expect(await probe('/health/ready')).toMatchObject({ status: 200 })
  const responses: Received[] = []
  let isReady = true
  const work = async (client: ReturnType<typeof keptConnection>) => {
    while (isReady) responses.push(await client('/api/dcim/sites/'))
  }
  const working = Promise.all(Array.from({ length: 6 }, () => work(keptConnection(server))))
  await eventually(() => expect(responses.length).toBeGreaterThan(20))
  expect(new Set(responses.map(({ headers }) => headers.connection))).toEqual(new Set(['keep-alive']))
  const ended = server.stop()
  await eventually(async () => {
    expect(await probe('/health/ready')).toMatchObject({
      status: 503,
      headers: { connection: 'close', 'retry-after': '5' },
      body: JSON.stringify({ detail: 'The service is stopping.' }),
    })
  })
  expect(await probe('/health/live')).toMatchObject({ status: 200 })
  const before = responses.length
  await eventually(() => expect(responses.length).toBeGreaterThan(before + 20))
  isReady = false
  await working
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(responses.at(-1)?.headers.connection).toBe('close')
  expect(await ended).toBe(0)
  await expect(probe('/health/live')).rejects.toThrow('ECONNREFUSED')
})

it('under npm start, the service ends with npm', async () => {
  const DATABASE_URL = await databaseUrlOfTest('migrated')
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: directoryOfRun(), DATABASE_URL, PORT: String(port), SHUTDOWN_DELAY: '0' },
    stdio: 'ignore',
  })
  const isServing = async () =>
    await fetch(`http://127.0.0.1:${port}/health/`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(async () => expect(await isServing()).toBe(true))
  npm.kill('SIGTERM')
  await eventually(async () => expect(await isServing()).toBe(false))
})
