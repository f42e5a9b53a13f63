import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Api, type Ask, startApi } from '../support/api.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const JSON_TYPE = { 'content-type': 'application/json' }

describe('requests and responses', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Here', slug: 'here' } })
  })
  afterAll(() => api.close())

  // method, path, body → status, and a key of the body with the reason
  type Case = readonly [name: string, method: string, path: string, options: Ask, status: number, key?: string]
  const cases: readonly Case[] = [
    ['the root', 'GET', '/api/', {}, 200, 'dcim'],
    ['an app', 'GET', '/api/dcim/', {}, 200, 'sites'],
    ['the status', 'GET', '/api/status/', {}, 200, 'netbox-version'],
    ['a list', 'GET', '/api/dcim/sites/', {}, 200, 'results'],
    ['an object', 'GET', '/api/dcim/sites/1/', {}, 200, 'slug'],
    ['no such object', 'GET', '/api/dcim/sites/99/', {}, 404, 'detail'],
    ['an invalid id', 'GET', '/api/dcim/sites/x/', {}, 404, 'detail'],
    ['an id beyond the largest number', 'GET', `/api/dcim/sites/${'9'.repeat(30)}/`, {}, 404, 'detail'],
    ['a path below an object', 'GET', '/api/dcim/sites/1/nope/', {}, 404],
    ['a path without an endpoint', 'GET', '/nope/', {}, 404],
    ['a missing slash', 'GET', '/api/dcim/sites', {}, 302],
    ['a missing slash in a write', 'POST', '/api/dcim/sites', { body: {} }, 404],
    ['a method that is not offered', 'POST', '/api/dcim/', { body: {} }, 405, 'detail'],
    ['a method of WebDAV', 'PROPFIND', '/api/dcim/sites/', {}, 405, 'detail'],
    ['change records are read-only', 'POST', '/api/core/object-changes/', { body: {} }, 405],
    ['change records by their other path', 'GET', '/api/extras/object-changes/', {}, 200, 'results'],
    ['another media type', 'GET', '/api/dcim/sites/', { headers: { accept: 'image/png' } }, 406],
    ['another version', 'GET', '/api/', { headers: { accept: '*/*; version=1.0' } }, 406],
    ['an unknown format', 'GET', '/api/dcim/sites/?format=xml', {}, 404, 'detail'],
    ['a broken document', 'POST', '/api/dcim/sites/', { body: '{', headers: JSON_TYPE }, 400, 'detail'],
    ['NaN', 'POST', '/api/dcim/sites/', { body: '{"name":NaN}', headers: JSON_TYPE }, 400, 'detail'],
    ['no document', 'POST', '/api/dcim/sites/', {}, 400, 'slug'],
    ['null', 'POST', '/api/dcim/sites/', { body: 'null', headers: JSON_TYPE }, 400, 'non_field_errors'],
    ['XML', 'POST', '/api/dcim/sites/', { body: '<x/>', headers: { 'content-type': 'text/xml' } }, 415],
    ['no token', 'GET', '/api/dcim/sites/', { token: null }, 403, 'detail'],
    ['no token at the status', 'GET', '/api/status/', { token: null }, 403, 'detail'],
    ['no token at OPTIONS', 'OPTIONS', '/api/dcim/sites/', { token: null }, 403, 'detail'],
    ['no token at the document', 'GET', '/api/schema/?format=json', { token: null }, 200, 'openapi'],
    ['no token at health', 'GET', '/health/', { token: null }, 200, 'status'],
    ['an address that cannot be decoded', 'GET', '/api/%zz/', {}, 400, 'detail'],
  ]

  it.each(cases.map((each) => [each[0], each] as const))('%s', async (_name, each) => {
    const [, method, path, options, status, key] = each
    const answer = await api.ask(method, path, options)
    expect(answer.status).toBe(status)
    if (key !== undefined) expect(answer.json).toHaveProperty([key])
  })

  describe('an unknown path outside the API', () => {
    // Accept header → media type of the response
    const accepts: readonly [string, string][] = [
      ['application/json', 'application/json'],
      ['application/json; version=4.6, application/graphql-response+json', 'application/json'],
      ['text/plain', 'application/json'],
      ['text/html;q=0, application/json', 'application/json'],
      ['*/*', 'text/html; charset=utf-8'],
      ['text/html,application/xhtml+xml', 'text/html; charset=utf-8'],
    ]
    it.each(accepts)('to a client that accepts %s', async (accept, type) => {
      for (const [method, path] of [
        ['POST', '/nothing/'],
        ['GET', '/metrics'],
        ['GET', '/nope/'],
      ] as const) {
        const answer = await api.ask(method, path, { headers: { accept } })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, type])
        if (type === 'application/json') expect(answer.json).toHaveProperty('detail')
      }
    })

    it.each([
      ['application/json', 'application/json'],
      ['*/*', 'application/json'],
      ['text/html,application/xhtml+xml', 'text/html; charset=utf-8'],
    ])('within the API is a page only if the client asks for one: %s', async (accept, type) => {
      const { status, headers } = await api.ask('GET', '/api/nope/', { headers: { accept } })
      expect([status, headers.get('content-type')]).toEqual([404, type])
    })
  })

  it('every response contains the version and the request id', async () => {
    for (const path of ['/api/dcim/sites/', '/api/dcim/sites/99/', '/nope/', '/api/dcim/sites']) {
      const { headers } = await api.ask('GET', path)
      expect(headers.get('api-version')).toBe('4.6')
      expect(headers.get('x-request-id')).toMatch(UUID)
    }
  })

  it('the header Allow lists the methods of a path', async () => {
    const list = await api.ask('GET', '/api/dcim/sites/')
    expect(list.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS')
    const detail = await api.ask('GET', '/api/dcim/sites/99/')
    expect(detail.headers.get('allow')).toBe('GET, PUT, PATCH, DELETE, HEAD, OPTIONS')
    const root = await api.ask('DELETE', '/api/')
    expect(root.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it('the redirect to the path with the slash keeps the parameters', async () => {
    const { headers } = await api.ask('GET', '/api/dcim/sites?name=a%20b&limit=2')
    expect(headers.get('location')).toBe('/api/dcim/sites/?name=a%20b&limit=2')
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s without the slash is refused with the right path', async (method) => {
    const { status, json } = await api.ask(method, '/api/dcim/sites', { body: {} })
    expect([status, json.detail]).toEqual([404, 'Paths end with a slash: /api/dcim/sites/'])
  })

  it.each(['GET', 'HEAD', 'OPTIONS'])('%s is redirected to the path with the slash', async (method) => {
    const { status, headers } = await api.ask(method, '/api/dcim/sites')
    expect([status, headers.get('location')]).toEqual([302, '/api/dcim/sites/'])
  })

  it.each([
    ['json', 200],
    ['yaml', 200],
    ['openapi', 404],
    ['xml', 404],
  ])('the OpenAPI document as %s: %d', async (format, expected) => {
    expect((await api.ask('GET', `/api/schema/?format=${format}`)).status).toBe(expected)
  })

  it.each(['/api/', '/api/dcim/sites/', '/api/nothing/', '/login/', '/api/schema/'])(
    'names of headers are written as in specifications: %s',
    async (path) => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      request(api.url + path, { agent: false }, resolve)
        .on('error', reject)
        .end()
      const { rawHeaders } = (await promise).resume()
      const names = rawHeaders.filter((_name, index) => index % 2 === 0)
      expect(names).toEqual(expect.arrayContaining(['API-Version', 'X-Request-ID', 'Content-Type']))
      expect(names.filter((name) => !/^(API|ETag|[A-Z][a-z]*)(-(ID|[A-Z][a-z]*))*$/.test(name))).toEqual([])
    },
  )

  it('HEAD is like GET, without the body', async () => {
    const { status, headers, text } = await api.ask('HEAD', '/api/dcim/sites/')
    expect([status, headers.get('content-type'), text]).toEqual([200, 'application/json', ''])
  })

  it('JSON is indented on request', async () => {
    const { text } = await api.ask('GET', '/api/dcim/sites/?fields=id,tags', {
      headers: { accept: 'application/json; indent=4' },
    })
    expect(text.split('\n').slice(4, 9)).toEqual([
      '    "results": [',
      '        {',
      '            "id": 1,',
      '            "tags": []',
      '        }',
    ])
  })

  it('OPTIONS describes the fields of a body', async () => {
    const { json } = await api.ask('OPTIONS', '/api/dcim/sites/')
    expect(json.actions?.POST?.name).toMatchObject({
      type: 'string',
      required: true,
      max_length: 100,
    })
    expect(json.actions?.POST?.status?.choices?.[2]).toEqual({
      value: 'active',
      display_name: 'Active',
    })
    expect(json.actions?.POST?.created?.read_only).toBe(true)
  })

  it('an invalid host, which would become part of every URL, is refused', async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(api.url)
      const headers = { host: 'evil"host', authorization: 'Token x' }
      request({ port, host: '127.0.0.1', path: '/api/', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(400)
  })

  it('a client can follow a list from page to page', async () => {
    await api.ask('POST', '/api/dcim/regions/', {
      body: [1, 2, 3].map((number) => ({ name: `r${number}`, slug: `r${number}` })),
    })
    const seen: string[] = []
    let next: string | null = '/api/dcim/regions/?limit=2&fields=name'
    while (next !== null) {
      const { json } = await api.ask('GET', next.replace(api.url, ''))
      seen.push(...(json.results ?? []).map(({ name }) => String(name)))
      expect(json.count).toBe(3)
      next = json.next === null ? null : String(json.next)
    }
    expect(seen).toEqual(['r1', 'r2', 'r3'])
  })

  it('lists support cursor pagination', async () => {
    const { json } = await api.ask('GET', '/api/core/object-changes/?start=2&limit=1&fields=id')
    expect(json).toMatchObject({ count: null, previous: null, results: [{ id: 2 }] })
    expect(json.next).toBe(`${api.url}/api/core/object-changes/?fields=id&limit=1&start=3`)
  })
})

describe('settings', () => {
  describe('of the address', () => {
    it('a base path is part of every URL, and forwarded headers of a trusted proxy are used', async () => {
      const api = await startApi({ BASE_PATH: 'inventory', TRUST_PROXY: 'true' })
      try {
        const origin = new URL(api.url).origin
        const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com' }
        for (const path of ['/inventory/api/', '/api/']) {
          const answer = await fetch(origin + path, {
            headers: {
              ...headers,
              authorization: `Token ${ADMIN_TOKEN}`,
            },
          })
          expect(await answer.json()).toMatchObject({
            dcim: 'https://example.com/inventory/api/dcim/',
          })
        }
      } finally {
        await api.close()
      }
    })

    it('a body over the limit is refused', async () => {
      const api = await startApi({ MAX_BODY_SIZE: '2000' })
      try {
        const body = { name: 'x', slug: 'x', comments: 'x'.repeat(2001) }
        const { status, json } = await api.ask('POST', '/api/dcim/sites/', { body })
        expect([status, Object.keys(json)]).toEqual([413, ['detail']])
      } finally {
        await api.close()
      }
    })

    it('in maintenance mode nothing is written, not even the last use of a token', async () => {
      const api = await startApi({ MAINTENANCE_MODE: 'true' })
      try {
        const body = { name: 'x', slug: 'x' }
        expect((await api.ask('POST', '/api/dcim/sites/', { body })).status).toBe(503)
        const { json } = await api.ask('GET', '/api/users/tokens/')
        expect(json.results?.[0]?.last_used).toBeNull()
      } finally {
        await api.close()
      }
    })
  })
})
