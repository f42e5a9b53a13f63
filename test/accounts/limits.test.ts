import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi } from '../support/api.ts'
import { processorTime } from '../support/processor-time.ts'

const LIMITS = { maxBulkObjects: 3, maxQueryParameters: 5, MAX_BODY_SIZE: '1000000' }

/** Expressions with exponential backtracking, some of which PostgreSQL should not even start to match. */
const EXPRESSIONS: readonly (readonly [string, 200 | 400])[] = [
  ['(a+)+$', 200],
  ['(a|a)*b', 200],
  ['(a|aa)+$', 200],
  ['((a*)*)*b', 200],
  ['(x+x+)+y', 200],
  ['(.*)(.*)(.*)(.*)x', 200],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 200],
  ['(a?){60}a{60}b', 200],
  ['^(?!.*z)(?=.*y)', 200],
  ['(a+)\\1', 400],
  ['(?=.*z)y', 400],
  ['a(?<!.*b)', 400],
  ['((a{100}){100}){100}', 400],
]
const MILLISECONDS = 3_000

describe('limits', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi(LIMITS)
    await api.ask('POST', '/api/extras/custom-fields/', {
      body: {
        name: 'notes',
        type: 'longtext',
        object_types: ['dcim.site'],
        // Others have no lookups.
        filter_logic: 'exact',
      },
    })
    await api.ask('POST', '/api/dcim/sites/', {
      body: {
        name: 'long',
        slug: 'long',
        custom_fields: { notes: `${'ab'.repeat(25_000)}${'a'.repeat(50_000)}!` },
      },
    })
  })
  afterAll(() => api.close())

  it.each(EXPRESSIONS)('the expression %s costs little processor time', async (expression, status) => {
    for (const name of ['name', 'cf_notes']) {
      for (const lookup of ['regex', 'iregex']) {
        const query = new URLSearchParams({ [`${name}__${lookup}`]: expression })
        const work = processorTime(async () => {
          expect((await api.ask('GET', `/api/dcim/sites/?${query}`)).status).toBe(status)
        })
        expect(await work).toBeLessThan(MILLISECONDS)
      }
    }
  })

  it('a validation of a custom field costs little processor time', async () => {
    const made = await api.ask('POST', '/api/extras/custom-fields/', {
      body: {
        name: 'checked',
        type: 'text',
        object_types: ['dcim.site'],
        validation_regex: '^(([a-z])+.)+[A-Z]([a-z])+$',
      },
    })
    expect(made.status).toBe(201)
    const work = processorTime(async () => {
      const body = { name: 'x', slug: 'x', custom_fields: { checked: 'a'.repeat(20_000) } }
      const answer = await api.ask('POST', '/api/dcim/sites/', { body })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('must match the regular expression')
    })
    expect(await work).toBeLessThan(MILLISECONDS)
    await api.ask('DELETE', `/api/extras/custom-fields/${made.json.id}/`)
  })

  it.each(['[', '(?=a)b', '(a)\\1'])('a custom field with the expression %s is refused', async (validation_regex) => {
    const answer = await api.ask('POST', '/api/extras/custom-fields/', {
      body: { name: 'wrong', type: 'text', object_types: ['dcim.site'], validation_regex },
    })
    expect([answer.status, Object.keys(answer.json)]).toEqual([400, ['validation_regex']])
  })

  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  const bodies: readonly (readonly [string, string, number, RegExp | undefined])[] = [
    ['a document of 100 levels', `{"local_context_data": ${nested(99)}}`, 400, /name|required/],
    ['a document of 101 levels', `{"local_context_data": ${nested(100)}}`, 400, /100 levels/],
    ['a document of 400,000 levels', nested(400_000), 400, /100 levels/],
    ['unfinished levels', '['.repeat(400_000), 400, /100 levels/],
    ['brackets within a text', JSON.stringify({ name: '['.repeat(500) }), 400, /role|required/],
    ['four objects', '[{}, {}, {}, {}]', 400, /at most 3 objects; this one has 4/],
    ['a body that is too large', `"${'x'.repeat(1_000_000)}"`, 413, /at most 1000000 bytes/],
  ]
  it.each(bodies)('%s', async (_name, body, status, says) => {
    const answer = await api.ask('POST', '/api/dcim/devices/', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(status)
    if (says) expect(answer.text).toMatch(says)
    expect(answer.text).not.toMatch(/levels.*levels/)
  })

  it('the depth of a document in a form is limited too', async () => {
    const form = new FormData()
    form.append('name', 'x')
    form.append('local_context_data', nested(101))
    const answer = await api.ask('POST', '/api/dcim/devices/', { body: form })
    expect([answer.status, answer.json.detail]).toEqual([400, 'A document may have at most 100 levels.'])
  })

  it.each([
    ['five parameters', 'a=1&a=2&a=3&a=4&a=5', 200],
    ['six parameters', 'a=1&a=2&a=3&a=4&a=5&a=6', 400],
  ])('%s', async (_name, query, status) => {
    expect((await api.ask('GET', `/api/dcim/sites/?${query}`)).status).toBe(status)
  })

  const parts = (values: readonly (string | Blob)[]) => {
    const form = new FormData()
    for (const [n, value] of values.entries()) form.append(`f${n}`, value)
    return form
  }
  const half = 'x'.repeat(510_000)
  // Requests for a token are not authenticated yet.
  it.each([
    ['the files of a form in total', parts([new Blob([half]), new Blob([half])])],
    ['the texts of a form in total', parts([half, half])],
    ['a file of a form', parts([new Blob([half + half])])],
  ])('%s may not be larger than a body', async (_name, body) => {
    const answer = await api.ask('POST', '/api/users/tokens/provision/', { token: null, body })
    expect([answer.status, answer.json.detail]).toEqual([413, 'The body of a request may have at most 1000000 bytes.'])
  })

  it('a form with too many fields is refused at once', async () => {
    const body = Array.from({ length: 150_000 }, (_, n) => `a${n}`)
      .join('&')
      .slice(0, 990_000)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const work = processorTime(async () => {
      const answer = await api.ask('POST', '/login/', { token: null, body, headers })
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('at most 5 ')])
    })
    expect(await work).toBeLessThan(MILLISECONDS)
  })

  it('the number of objects in a bulk deletion is limited too', async () => {
    const answer = await api.ask('DELETE', '/api/dcim/sites/', {
      body: [1, 2, 3, 4].map((id) => ({ id })),
    })
    expect([answer.status, answer.json.detail]).toEqual([400, 'A request may have at most 3 objects; this one has 4.'])
  })

  describe('more objects than one request may write are refused', () => {
    const form = (fields: Readonly<Record<string, string>>, ids: readonly number[] = []) => {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      for (const id of ids) body.append('id', String(id))
      return body
    }
    const sites = ['a', 'b', 'c', 'd'].map((name) => ({ name, slug: name }))
    let region: number
    let device: number
    let stored: number[]
    beforeAll(async () => {
      const make = async (path: string, body: unknown) => {
        const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
        expect(status, text).toBe(201)
        return Number(json.id)
      }
      region = await make('dcim/regions', { name: 'r', slug: 'r' })
      stored = []
      for (const { slug } of sites) {
        stored.push(await make('dcim/sites', { name: `in ${slug}`, slug: `in-${slug}`, region }))
      }
      const manufacturer = await make('dcim/manufacturers', { name: 'm', slug: 'm' })
      const device_type = await make('dcim/device-types', { manufacturer, model: 't', slug: 't' })
      const role = await make('dcim/device-roles', { name: 'r', slug: 'r' })
      const site = await make('dcim/sites', { name: 'elsewhere', slug: 'elsewhere' })
      device = await make('dcim/devices', { name: 'd', site, device_type, role })
      await make('ipam/prefixes', { prefix: '10.0.0.0/24' })
    })
    const counts = async (): Promise<readonly unknown[]> =>
      await Promise.all(
        ['dcim/sites', 'dcim/interfaces', 'ipam/vlans', 'ipam/ip-addresses'].map(
          async (path) => (await api.ask('GET', `/api/${path}/?limit=1`)).json.count,
        ),
      )

    const requests: readonly (readonly [string, () => readonly [string, string, unknown]])[] = [
      [
        'an import',
        () => [
          'POST',
          '/dcim/sites/import/',
          form({
            step: 'import',
            data: `name,slug\n${sites.map(({ slug }) => `${slug},${slug}`).join('\n')}`,
          }),
        ],
      ],
      ['a document', () => ['POST', '/api/apply/', { objects: { 'dcim.region': [], 'dcim.site': sites } }]],
      [
        'the prune of a document',
        () => ['POST', '/api/apply/', { objects: { 'dcim.site': [] }, prune: { region: 'r' } }],
      ],
      ['an upsert', () => ['PUT', '/api/dcim/sites/?match=slug', sites]],
      ['an allocation', () => ['POST', '/api/ipam/prefixes/1/available-ips/', [{}, {}, {}, {}]]],
      [
        'a pattern of VLANs',
        () => ['POST', '/ipam/vlans/bulk-add/', form({ vid: '1-4', name: 'v{vid}', status: 'active' })],
      ],
      [
        'a pattern of names',
        () => ['POST', '/dcim/interfaces/add/', form({ device: String(device), name: 'e[0-3]', type: 'virtual' })],
      ],
      [
        'components of several devices',
        () => [
          'POST',
          '/dcim/devices/components/',
          form({ part: 'dcim.interface', name: 'e[0-3]', type: 'virtual', do: 'apply' }, [device]),
        ],
      ],
      ['a bulk edit', () => ['POST', '/dcim/sites/edit/', form({ do: 'apply', description: 'x' }, stored)]],
      ['a bulk deletion', () => ['POST', '/dcim/sites/delete/', form({ do: 'apply' }, stored)]],
      [
        'a grid',
        () => [
          'POST',
          '/dcim/sites/grid/',
          form(Object.fromEntries(stored.map((id) => [`${id}.description`, 'x'])), stored),
        ],
      ],
    ]
    it.each(requests)('%s', async (_name, request) => {
      const before = await counts()
      const [method, path, body] = request()
      const { status, text } = await api.ask(method, path, {
        body,
        headers: { accept: path.startsWith('/api/') ? 'application/json' : 'text/html' },
      })
      expect(status, text).toBe(400)
      expect(text).toMatch(/(at most|more than) 3 objects/i)
      expect(await counts()).toEqual(before)
      const { json } = await api.ask('GET', '/api/dcim/sites/?description=x')
      expect(json.count).toBe(0)
    })
  })

  it('a request that exceeds the time limit gets a response, and the service stays available', async () => {
    const slow = await apiOfTest({
      requestTimeout: 300,
      LOG_LEVEL: 'silent',
    })
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    // Writes of sites have to wait for the lock.
    const holding = slow.service.database.transaction(async (transaction) => {
      await transaction.script('lock table dcim_site in access exclusive mode')
      begin()
      await end
    })
    await begun
    // The response arrives although the lock is released only afterwards.
    const answer = await slow.ask('POST', '/api/dcim/sites/', { body: { name: 's', slug: 's' } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.json.detail).toMatch(/too long/)
    resolve()
    await holding
    expect((await slow.ask('GET', '/api/status/')).status).toBe(200)
  })
})

describe('requests that no client library sends', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  const raw = (path: string, headers: Readonly<Record<string, string>>) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest(
        new URL(api.url),
        { path, headers: { authorization: `Token ${ADMIN_TOKEN}`, ...headers }, agent: false },
        (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        },
      )
      request.on('error', reject)
      request.end()
    })

  it.each([
    ['a broken escape in the path', '/api/dcim/sites/%/', {}, 400],
    ['a path of two slashes', '//evil.example/api/', {}, 404],
    ['an invalid host', '/api/status/', { host: 'a b' }, 400],
    ['a host with a path', '/api/status/', { host: 'evil.example/x?y' }, 400],
    ['endless headers', '/api/status/', { 'x-long': 'x'.repeat(20_000) }, 431],
    ['NUL in the query', '/api/dcim/sites/?name=%00', {}, 400],
  ])('%s is refused without a stack trace', async (_name, path, headers, status) => {
    const answer = await raw(path, headers)
    expect([answer.status, path]).toEqual([status, path])
    expect(answer.text).not.toMatch(/at .*\.ts|node_modules|Error:/)
  })

  it.each([
    ['an address', `/api/dcim/sites/?name=${'x'.repeat(20_000)}`, {}],
    ['a header', '/api/status/', { 'x-long': 'x'.repeat(20_000) }],
  ])('%s that is too long is refused in the format of the API', async (_name, path, headers) => {
    const { status, text } = await raw(path, headers)
    expect([status, JSON.parse(text)]).toEqual([
      431,
      { detail: 'The URL and the headers of the request are too long.' },
    ])
  })
})
