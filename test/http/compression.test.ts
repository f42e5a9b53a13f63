import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { compressResponses } from '../../src/api/transport/compression.ts'
import { ADMIN_TOKEN, type Api, startApi } from '../support/api.ts'

interface Raw {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  /** The body as transmitted. */
  readonly bytes: Buffer
}

/** A request whose response is not decoded. */
async function send(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Raw> {
  const sent = request(url + path, { method, headers }).end()
  const [answer] = await once(sent, 'response')
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes),
  zstd: (bytes) => zstdDecompressSync(bytes),
}

function decoded({ headers, bytes }: Raw): string {
  const coding = headers['content-encoding']
  return (coding === undefined ? bytes : DECODERS[coding]?.(bytes))?.toString() ?? ''
}

const TOKEN = { authorization: `Token ${ADMIN_TOKEN}` }
const LARGE = '/api/dcim/sites/?limit=40'
const GZIP = { 'accept-encoding': 'gzip' }

/** Forty sites: a page of some 40 kB. */
async function fill(api: Api): Promise<void> {
  const body = Array.from({ length: 40 }, (_, n) => ({ name: `Site ${n}`, slug: `site-${n}` }))
  expect((await api.ask('POST', '/api/dcim/sites/', { body })).status).toBe(201)
}

describe('compressed responses', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ ALLOW_TOKEN_RETRIEVAL: 'true' })
    await fill(api)
  })
  afterAll(() => api.close())
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    send(api.url, path, { ...TOKEN, ...headers }, method)

  it.each([
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['*', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.1, identity', undefined],
    ['br', undefined],
  ])('a client that accepts %s gets %s', async (accepted, coding) => {
    const plain = await ask(LARGE)
    // The second response comes from the cache.
    for (const answer of [
      await ask(LARGE, { 'accept-encoding': accepted }),
      await ask(LARGE, { 'accept-encoding': accepted }),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.headers['content-encoding']).toBe(coding)
      expect(answer.headers['content-type']).toBe('application/json')
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      expect(decoded(answer)).toBe(plain.bytes.toString())
      if (coding !== undefined) expect(answer.bytes.length * 4).toBeLessThan(plain.bytes.length)
    }
  })

  it('a client without Accept-Encoding gets the uncompressed body, with Vary for caches', async () => {
    const { headers } = await ask(LARGE)
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).toMatch(/(^|, )Accept-Encoding$/)
    expect((await ask(LARGE, GZIP)).headers.vary).toBe(headers.vary)
  })

  it('a small body is never compressed', async () => {
    const { headers, bytes } = await ask('/api/dcim/sites/?limit=1', GZIP)
    expect(bytes.length).toBeLessThan(8192)
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).not.toMatch(/Accept-Encoding/)
  })

  it('an indented response is compressed too', async () => {
    const accept = { accept: 'application/json; indent=2' }
    const answer = await ask(LARGE, { ...GZIP, ...accept })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(decoded(answer)).toBe((await ask(LARGE, accept)).bytes.toString())
  })

  it('HEAD has the headers of GET, without body and length', async () => {
    const { status, headers, bytes } = await ask(LARGE, GZIP, 'HEAD')
    expect([status, headers['content-encoding'], bytes.length]).toEqual([200, 'gzip', 0])
    expect(headers['content-length']).toBeUndefined()
    expect(headers.vary).toMatch(/Accept-Encoding/)
    const plain = await ask(LARGE, {}, 'HEAD')
    expect(plain.headers['content-length']).toBe(String((await ask(LARGE)).bytes.length))
  })

  it('a cached version is not sent again, whatever its encoding', async () => {
    const { json } = await api.ask('POST', '/api/dcim/sites/', {
      body: { name: 'Long', slug: 'long', comments: 'long '.repeat(4_000) },
    })
    const path = `/api/dcim/sites/${json.id}/`
    const coded = await ask(path, GZIP)
    const plain = await ask(path)
    expect([coded.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined])
    expect(coded.headers.etag).toMatch(/^W\//)
    expect(coded.headers.etag).toBe(plain.headers.etag)
    for (const headers of [{}, GZIP]) {
      const again = await ask(path, { ...headers, 'if-none-match': String(coded.headers.etag) })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      expect(again.headers['content-encoding']).toBeUndefined()
      expect(again.headers.vary).toBe(coded.headers.vary)
    }
    const gone = await ask(path, GZIP, 'DELETE')
    expect([gone.status, gone.headers['content-encoding']]).toEqual([204, undefined])
  })

  it.each([
    ['the OpenAPI document', '/api/schema/?format=json'],
    ['the same as YAML', '/api/schema/'],
    ['a script of the documentation', '/api/schema/swagger-ui/swagger-ui-bundle.js'],
    ['a style of the documentation', '/api/schema/swagger-ui/swagger-ui.css'],
    ['the response to OPTIONS', '/api/dcim/devices/', 'OPTIONS'],
  ])('%s is compressed', async (_name, path, method = 'GET') => {
    const answer = await ask(path, GZIP, method)
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(decoded(answer)).toBe((await ask(path, {}, method)).bytes.toString())
  })

  it.each([
    ['a page', '/api/dcim/sites/', { accept: 'text/html' }],
    ['data for a session', LARGE, { cookie: 'theme=dark; sessionid=x' }],
  ])('%s is not compressed, since secrets could be guessed', async (_name, path, headers) => {
    const answer = await ask(path, { ...GZIP, ...headers })
    expect(answer.status).toBe(200)
    expect(answer.bytes.length).toBeGreaterThan(8192)
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  it('keys of tokens are not compressed either', async () => {
    const body = Array.from({ length: 20 }, () => ({ user: 1 }))
    const made = await api.ask('POST', '/api/users/tokens/', { body, headers: GZIP })
    const shown = await api.ask('GET', '/api/users/tokens/', { headers: GZIP })
    for (const { headers, text } of [made, shown]) {
      expect(text.length).toBeGreaterThan(8192)
      expect(headers.get('content-encoding')).toBeNull()
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('compressed files are not compressed again', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    compressResponses(app, { sessionCookieName: 'sessionid' })
    app.get('/', (_request, reply) => reply.type('image/png').send(Buffer.alloc(10_000)))
    const { status, headers } = await send(await app.listen(), '/', GZIP)
    expect([status, headers['content-encoding']]).toEqual([200, undefined])
  })

  it('within a session content that is the same for all users is compressed', async () => {
    const answer = await ask('/api/schema/?format=json', { ...GZIP, cookie: 'sessionid=x' })
    expect(answer.headers['content-encoding']).toBe('gzip')
  })

  it('the OpenAPI document is not sent again to a client that has it', async () => {
    const [json, yaml] = [await ask('/api/schema/?format=json'), await ask('/api/schema/')]
    expect(json.headers.etag).not.toBe(yaml.headers.etag)
    const known = { 'if-none-match': String(json.headers.etag) }
    expect((await ask('/api/schema/?format=json', known)).status).toBe(304)
    expect((await ask('/api/schema/', known)).status).toBe(200)
  })

  it('error responses are compressed too', async () => {
    const body = Array.from({ length: 1_000 }, () => ({ name: '' }))
    const refused = await api.ask('POST', '/api/dcim/sites/', { body, headers: GZIP })
    expect([refused.status, refused.headers.get('content-encoding')]).toEqual([400, 'gzip'])
    expect(refused.json).toHaveLength(1_000)
  })
})

it.each([
  [8_191, undefined],
  [8_192, 'gzip'],
])('a body of %i bytes has the encoding %s', async (length, coding) => {
  const app = fastify()
  onTestFinished(() => app.close())
  compressResponses(app, { sessionCookieName: 'sessionid' })
  app.get('/', (_request, reply) => reply.type('application/json').send(Buffer.alloc(length, 'a')))
  const { headers } = await send(await app.listen(), '/', GZIP)
  expect(headers['content-encoding']).toBe(coding)
  expect(/Accept-Encoding/.test(String(headers.vary))).toBe(coding !== undefined)
})

it('a cached body is compressed once', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  compressResponses(app, { sessionCookieName: 'sessionid' })
  const body = Buffer.alloc(10_000, 'a')
  app.get('/', (_request, reply) => reply.type('application/json').send(body))
  const url = await app.listen()
  const first = await send(url, '/', GZIP)
  // Cached bodies never change; the change shows whether the body is compressed again.
  body.fill('b')
  expect((await send(url, '/', GZIP)).bytes).toEqual(first.bytes)
  expect(decoded(await send(url, '/', { 'accept-encoding': 'zstd' }))).toBe(body.toString())
})

describe('streamed bodies', () => {
  const serve = async (pieces: () => AsyncIterable<string>) => {
    const app = fastify()
    onTestFinished(() => app.close())
    compressResponses(app, { sessionCookieName: 'sessionid' })
    app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ detail: 'failed' }))
    app.get('/', (_request, reply) => reply.type('application/json').send(Readable.from(pieces())))
    return await app.listen()
  }
  const pieces = async function* () {
    for (let number = 0; number < 10_000; number += 1) yield `[${number}]`
  }

  it.each(['gzip', 'zstd'])('are compressed while they are sent: %s', async (coding) => {
    const url = await serve(pieces)
    const plain = await send(url, '/')
    const answer = await send(url, '/', { 'accept-encoding': coding })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(decoded(answer)).toBe(plain.bytes.toString())
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length)
  })

  it('that fail at once become an ordinary error response', async () => {
    const url = await serve(async function* () {
      yield* []
      throw new Error('no')
    })
    const { status, headers, bytes } = await send(url, '/', GZIP)
    expect([status, headers['content-encoding']]).toEqual([500, undefined])
    expect(JSON.parse(bytes.toString())).toEqual({ detail: 'failed' })
  })

  it('that fail later end the connection', async () => {
    const url = await serve(async function* () {
      for (let size = 0; size < 100; size += 1) yield crypto.randomUUID().repeat(1_000)
      throw new Error('no')
    })
    await expect(send(url, '/', GZIP)).rejects.toThrow()
  })
})
