import { createServer, type IncomingMessage } from 'node:http'
import type { Json, JsonObject } from '../json.ts'

/** A response before it is sent. A flaw may change it. */
export interface FakeAnswer {
  status: number
  headers: Record<string, string>
  body: Json | undefined
}

/** Corrupts the response to a request, to test that the runner detects it. */
export type Flaw = (request: { method: string; path: string }, answer: FakeAnswer) => void

export interface FakeServer {
  readonly url: string
  close(): Promise<void>
}

/** Rows per page, whatever limit is requested, so that the runner must follow `next`. */
const PAGE = 2

/**
 * A server with one collection, `/api/dcim/sites/`, that matches the recordings of the self-test. A flaw makes one
 * response wrong.
 */
export function startFakeServer(flaw: Flaw = () => undefined): Promise<FakeServer> {
  const sites = new Map<number, string>([
    [1, 'Alpha'],
    [2, 'beta'],
    [3, 'Beta two'],
  ])
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url: path = '/' } = incoming
    const base = `http://${incoming.headers.host}`
    const answer = answerTo({ method, path, base, body: await bodyOf(incoming) }, sites)
    flaw({ method, path }, answer)
    outgoing.writeHead(answer.status, answer.headers)
    outgoing.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address !== 'object' || address === null) return reject(new Error('no address'))
      resolve({
        url: `http://127.0.0.1:${address.port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          }),
      })
    })
  })
}

interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly base: string
  readonly body: string
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const answered = (status: number, body?: Json): FakeAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json', Vary: 'origin, Cookie' },
  body,
})

function siteAt(base: string, id: number, name: string): JsonObject {
  const created = '2026-01-01T00:00:00.000001Z'
  return { id, url: `${base}/api/dcim/sites/${id}/`, name, created, custom_fields: { other: 1 } }
}

function answerTo(request: FakeRequest, sites: Map<number, string>): FakeAnswer {
  const url = new URL(request.path, request.base)
  if (url.pathname === '/api/') return answered(200, {})
  if (url.pathname === '/api/authentication-check/') {
    return answered(200, { id: 7, username: 'admin', display: 'admin' })
  }
  const id = /^\/api\/dcim\/sites\/(?:(\d+)\/)?$/.exec(url.pathname)?.[1]
  if (!url.pathname.startsWith('/api/dcim/sites/')) return answered(404, { detail: 'None such.' })
  return id === undefined ? collection(request, url, sites) : detail(request, Number(id), sites)
}

function collection(request: FakeRequest, url: URL, sites: Map<number, string>): FakeAnswer {
  if (request.method === 'POST') {
    const { name = '' } = JSON.parse(request.body)
    if (name === '') return answered(400, { name: ['This field is required.'] })
    const id = Math.max(0, ...sites.keys()) + 1
    sites.set(id, name)
    return answered(201, siteAt(request.base, id, name))
  }
  const parameters = url.searchParams
  if (parameters.has('id') && !/^\d+$/.test(parameters.get('id') ?? '')) {
    return answered(400, { id: ['Enter a whole number.'] })
  }
  const wanted = parameters.get('name__ic')?.toLowerCase() ?? ''
  const rows = [...sites].filter(([, name]) => name.toLowerCase().includes(wanted))
  if (parameters.get('ordering') === '-id') rows.reverse()

  const offset = Number(parameters.get('offset') ?? 0)
  parameters.set('offset', String(offset + PAGE))
  return answered(200, {
    count: rows.length,
    next: offset + PAGE < rows.length ? url.href : null,
    previous: null,
    results: rows.slice(offset, offset + PAGE).map(([id, name]) => siteAt(request.base, id, name)),
  })
}

function detail(request: FakeRequest, id: number, sites: Map<number, string>): FakeAnswer {
  const name = sites.get(id)
  if (name === undefined) return answered(404, { detail: 'No such site.' })
  if (request.method === 'DELETE') {
    sites.delete(id)
    return answered(204)
  }
  return answered(200, siteAt(request.base, id, name))
}
