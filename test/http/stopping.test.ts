import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { environmentOfTest } from '../support/program.ts'
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

async function start(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await startServer({ ...(await environmentOfTest()), ...environment })
  onTestFinished(() => server.kill())
  return server
}

describe('a process that receives SIGTERM', () => {
  it('reports that it is not ready, and answers with Connection: close for a while', async () => {
    const server = await start({ SHUTDOWN_DELAY: '2500' })
    const [probe, client] = [keptConnection(server), keptConnection(server)]
    expect(await probe('/health/ready')).toMatchObject({ status: 200 })
    expect((await client('/api/dcim/sites/')).headers.connection).toBe('keep-alive')
    const ended = server.stop()
    await eventually(async () => {
      expect(await probe('/health/ready')).toMatchObject({
        status: 503,
        headers: { connection: 'close', 'retry-after': '5' },
        body: JSON.stringify({ detail: 'The service is stopping.' }),
      })
    })
    expect(await probe('/health/live')).toMatchObject({ status: 200 })
    for (let turn = 0; turn < 3; turn++) {
      expect(await client('/api/dcim/sites/')).toMatchObject({
        status: 200,
        headers: { connection: 'close' },
      })
    }
    expect(await ended).toBe(0)
    await expect(client('/api/dcim/sites/')).rejects.toThrow('ECONNREFUSED')
  })

  it('fails no request of clients that disconnect when it is not ready', async () => {
    const server = await start({ SHUTDOWN_DELAY: '2500' })
    const probe = keptConnection(server)
    const statuses: number[] = []
    let isReady = true
    const work = async (client: ReturnType<typeof keptConnection>) => {
      while (isReady) statuses.push((await client('/api/dcim/sites/')).status)
    }
    const working = Promise.all(Array.from({ length: 6 }, () => work(keptConnection(server))))
    await eventually(() => expect(statuses.length).toBeGreaterThan(20))
    const ended = server.stop()
    await eventually(async () => expect((await probe('/health/ready')).status).toBe(503))
    const before = statuses.length
    await eventually(() => expect(statuses.length).toBeGreaterThan(before + 20))
    isReady = false
    await working
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await ended).toBe(0)
  })
})

/** The response to a request as it is written. */
async function exchange({ url }: ServerProcess, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return await text(socket)
}

it('probes need no Host header, and other requests do', async () => {
  const server = await start({})
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
