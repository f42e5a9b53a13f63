import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { spyOnReads } from '../support/read-spies.ts'
import { TestClock } from '../support/test-clock.ts'

let api: Api
const clock = new TestClock()
const made: Record<string, number> = {}

const makeAll = async (path: string, bodies: readonly object[]): Promise<void> => {
  const { status, text } = await api.ask('POST', `/api/${path}/`, { body: bodies })
  expect(status, text).toBe(201)
}
const ask = (query: string, variables?: object): Promise<ApiAnswer> =>
  api.ask('POST', '/graphql/', { body: { query, variables } })
const data = async (query: string, variables?: object) => {
  const { json, text } = await ask(query, variables)
  expect(json.errors, text).toBeUndefined()
  return json.data
}
const message = async (query: string, variables?: object): Promise<string> =>
  String((await ask(query, variables)).json.errors?.[0]?.message)

beforeAll(async () => {
  api = await startApi(
    {
      graphqlMaxRows: 2_500,
      graphqlMaxSize: 450_000,
      GRAPHQL_MAX_QUERY_DEPTH: '8',
    },
    undefined,
    clock,
  )
  const named = (name: string) => ({ name, slug: name.toLowerCase() })
  made.region = await api.make('dcim/regions', named('Europe'))
  made.country = await api.make('dcim/regions', { ...named('France'), parent: made.region })
  made.tag = await api.make('extras/tags', named('Blue'))
  made.other = await api.make('extras/tags', named('Black'))
  made.site = await api.make('dcim/sites', {
    ...{ ...named('Paris'), region: made.country, status: 'active' },
    tags: [{ slug: 'blue' }, { slug: 'black' }],
  })
  made.empty = await api.make('dcim/sites', { ...named('Lyon'), status: 'planned' })
  const manufacturer = await api.make('dcim/manufacturers', named('Maker'))
  const device_type = await api.make('dcim/device-types', {
    manufacturer,
    model: 'Box',
    slug: 'box',
  })
  const role = await api.make('dcim/device-roles', named('Role'))
  const device = { device_type, role, site: made.site }
  const first = await api.make('dcim/devices', { ...device, name: 'first' })
  await makeAll(
    'dcim/devices',
    Array.from({ length: 99 }, (_, index) => ({ ...device, name: `device ${index}` })),
  )
  await makeAll(
    'dcim/interfaces',
    Array.from({ length: 1000 }, (_, index) => ({
      ...{ device: first + (index % 100), name: `eth${index}`, type: '1000base-t' },
    })),
  )
  await makeAll(
    'ipam/ip-addresses',
    Array.from({ length: 100 }, (_, index) => ({
      address: `192.0.2.${index + 1}/24`,
      ...(index % 2 === 0 && {
        assigned_object_type: 'dcim.interface',
        assigned_object_id: index + 1,
      }),
    })),
  )
})
afterAll(() => api.close())

describe('a query', () => {
  it('returns the fields that it names, under the given aliases', async () => {
    expect(
      await data(
        `query Q($id: ID!, $no: Boolean = false) {
        one: site(id: $id) { __typename name ...place status @include(if: $no) }
      } fragment place on SiteType { region { name parent { slug } } }`,
        { id: made.site },
      ),
    ).toEqual({
      one: {
        ...{ __typename: 'SiteType', name: 'Paris' },
        region: { name: 'France', parent: { slug: 'europe' } },
      },
    })
  })

  it('filters, orders and divides related objects into pages independently', async () => {
    const found = await data(`{ device_list(filters: {name: {exact: "first"}}) {
      interfaces(filters: {name: {i_starts_with: "ETH"}}, order_by: ["-name"], pagination: {offset: 1, limit: 2}) { name }
    } }`)
    expect(found?.device_list).toEqual([{ interfaces: [{ name: 'eth800' }, { name: 'eth700' }] }])
  })

  it('shows the objects of a union by their types', async () => {
    const list = await data(`{ ip_address_list(pagination: {limit: 2}) {
      assigned_object { __typename ... on InterfaceType { name device { name } } }
    } }`)
    expect(list?.ip_address_list).toEqual([
      { assigned_object: { __typename: 'InterfaceType', name: 'eth0', device: { name: 'first' } } },
      { assigned_object: null },
    ])
  })

  it.each([
    ['{name: {exact: "Paris"}}', ['Paris']],
    ['{name: {in_list: []}}', []],
    ['{name: {exact: "Paris"}, OR: {status: {exact: STATUS_PLANNED}}}', ['Lyon', 'Paris']],
    ['{NOT: {status: {exact: STATUS_PLANNED}}}', ['Paris']],
    ['{region: {parent: {slug: {exact: "europe"}}}}', ['Paris']],
    [`{region_id: {id: 1, match_type: DESCENDANTS}}`, ['Paris']],
    ['{region_id: {id: 1, match_type: EXACT}}', []],
    ['{tags: {slug: {starts_with: "bl"}}}', ['Paris', 'Paris']],
    ['{tags: {slug: {starts_with: "bl"}}, DISTINCT: true}', ['Paris']],
    ['{tags: {slug: {exact: "blue"}, name: {exact: "Black"}}}', []],
    ['{tags: {NOT: {slug: {exact: "blue"}}}}', ['Lyon']],
    ['{created: {year: {gte: 2020}}}', ['Lyon', 'Paris']],
    ['{devices: {interfaces: {name: {exact: "eth7"}}}}', ['Paris']],
  ])('finds objects by %s', async (filters, names) => {
    const found = await data(`{ site_list(filters: ${filters}) { name } }`)
    expect(found?.site_list?.map(({ name }) => name)).toEqual(names)
  })

  it('counts each object once', async () => {
    expect(
      await data('{ site_count all: device_count tagged: site_count(filters: {tags: {slug: {starts_with: "bl"}}}) }'),
    ).toEqual({
      ...{ site_count: 2, all: 100, tagged: 1 },
    })
  })

  it('shows a change at once, although responses are cached', async () => {
    const query = `{ site(id: ${made.empty}) { description } }`
    for (const description of ['one', 'two']) {
      await api.ask('PATCH', `/api/dcim/sites/${made.empty}/`, { body: { description } })
      for (let time = 0; time < 3; time++) {
        expect(await data(query)).toEqual({ site: { description } })
      }
    }
  })
})

describe('statements', () => {
  const SHAPES = [
    '{ device_list(pagination: {limit: N}) { id } }',
    '{ device_list(pagination: {limit: N}) { id display class_type custom_fields } }',
    '{ interface_list(pagination: {limit: N}) { id display } }',
    '{ interface_list(pagination: {limit: N}) { device { name } } }',
    '{ interface_list(pagination: {limit: N}) { device { site { region { parent { name } } } } } }',
    '{ interface_list(pagination: {limit: N}) { ip_addresses { address } } }',
    '{ interface_list(pagination: {limit: N}) { ip_addresses(pagination: {limit: 1}) { address tags { name } } } }',
    '{ device_list(pagination: {limit: N}) { interfaces { name ip_addresses { address tags { name } } } } }',
    '{ device_list(pagination: {limit: N}) { tags { name } site { tags { name } } } }',
    '{ device_list(pagination: {limit: N}) { interfaces(filters: {name: {contains: "1"}}) { name } } }',
    '{ interface_list(pagination: {limit: N}, filters: {device: {site: {slug: {exact: "paris"}}}}) { id } }',
    '{ interface_list(pagination: {limit: N}, order_by: ["-name"]) { id } }',
    '{ interface_list(pagination: {limit: N}) { link_peers { ... on InterfaceType { name } } } }',
    '{ interface_list(pagination: {limit: N}) { connected_endpoints { ... on InterfaceType { name } } } }',
    '{ device_list(pagination: {limit: N}) { config_context } }',
    '{ device_list(pagination: {limit: N}) { journal_entries { comments } changelog { action } } }',
    '{ device_list(pagination: {limit: N}) { services { name } contacts { id } } }',
    '{ device_list(pagination: {limit: N}) { device_type { manufacturer { name } } role { name } } }',
    '{ tag_list(pagination: {limit: N}) { object_types { model } } }',
    '{ region_list(pagination: {limit: N}) { sites { devices { interfaces { ip_addresses { address } } } } } }',
  ]
  it.each(SHAPES)('of %s depend on its shape alone', async (shape) => {
    const { cache, database } = api.service
    const count = async (limit: number): Promise<number> => {
      cache.clear()
      const reads = spyOnReads(database)
      try {
        await data(shape.replace('N', String(limit)))
        // When the cache is cleared, the service reads its configuration again, beside the request.
        return reads.statements().filter(({ text }) => !text.includes('core_configrevision')).length
      } finally {
        reads.restore()
      }
    }
    const [one, fifty, thousand] = [await count(1), await count(50), await count(1000)]
    // With few rows a level may be empty, and is then not queried.
    expect(fifty).toBeGreaterThanOrEqual(one)
    expect(thousand).toBe(fifty)
    expect(thousand).toBeLessThan(25)
  })
})

describe('limits', () => {
  it.each([
    ['{ device_list { interfaces { device { interfaces { device { interfaces { id } } } } } } }'],
    [
      '{ device_list { ...F } } fragment F on DeviceType { interfaces { device { interfaces { device { interfaces { id } } } } } }',
    ],
  ])('of objects refuse %s before any object is read', async (query) => {
    const { cache, database } = api.service
    cache.clear()
    const reads = spyOnReads(database)
    try {
      expect(await message(query)).toBe('The response would contain more than 2500 objects.')
      const statements = reads.statements().map(({ text }) => text)
      expect(statements.filter((text) => !/count\(/.test(text) && /dcim_/.test(text))).toEqual([])
    } finally {
      reads.restore()
    }
  })

  it.each([
    '{ device_list(pagination: {limit: 2}) { interfaces { device { interfaces { device { name } } } } } }',
    '{ device_list(filters: {name: {exact: "first"}}) { interfaces { device { interfaces { device { interfaces { id } } } } } } }',
    '{ device_list { interfaces(filters: {name: {exact: "eth1"}}) { device { interfaces { device { interfaces { id } } } } } } }',
  ])('of objects allow %s', async (query) => {
    expect((await ask(query)).json.errors).toBeUndefined()
  })

  it('of time end a query that has started', async () => {
    const { cache, database } = api.service
    const queryArrays = database.queryArrays.bind(database)
    cache.clear()
    const slow = vi.spyOn(database, 'queryArrays').mockImplementation(async (statement) => {
      clock.advance(61_000)
      return await queryArrays(statement)
    })
    try {
      expect(await message('{ device_list { name interfaces { name } } }')).toBe(
        'The query takes longer than 60000 milliseconds.',
      )
    } finally {
      slow.mockRestore()
    }
  })
})

describe('an invalid query', () => {
  it.each([
    ['{', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ site_list { nope } }', "Cannot query field 'nope' on type 'SiteType'. Did you mean 'name'?"],
    ['{ site(id: 999) { id } }', 'Site matching query does not exist.'],
    ['{ site(id: "x") { id } }', "Field 'id' expected a number but got 'x'."],
    ['{ site(id: "99999999999999999999") { id } }', 'Site matching query does not exist.'],
    ['mutation { x }', 'Schema is not configured to execute mutation operation.'],
    ['{ site_list(pagination: {offset: -1}) { id } }', 'Negative indexing is not supported.'],
    [
      '{ site_list(filters: {custom_field_data: {path: "a;b", lookup: {string_lookup: {exact: "x"}}}}) { id } }',
      "'a;b' is not a path within JSON. A path consists of names with '__' between them.",
    ],
    ['{ site_list(order_by: ["nope"]) { id } }', "Objects cannot be ordered by 'nope'."],
    ['{ site_list(filters: {created: {gt: "x"}}) { id } }', 'Value cannot represent a DateTime: "x".'],
    [`{ ${Array.from({ length: 11 }, (_, i) => `a${i}: site_count`).join(' ')} }`, '11 aliases found. Allowed: 10'],
    [
      `{ region_list ${'{ parent '.repeat(9)}{ id }${' }'.repeat(10)}`,
      "'anonymous' exceeds maximum operation depth of 8",
    ],
    [
      '{ device_list { interfaces { device { interfaces { device { interfaces { id } } } } } } }',
      'The response would contain more than 2500 objects.',
    ],
    [
      '{ site_list { devices { site { devices { site { name } } } } } }',
      'The response would have more than 450000 characters.',
    ],
  ])('is refused with a message: %s', async (query, text) => {
    const { status, json } = await ask(query)
    expect([status, json.data, json.errors?.[0]?.message]).toEqual([200, null, text])
  })

  it.each([
    ['{ site_list(filters: {name: {regex: "("}}) { id } }'],
    ['{ site_list(filters: {name: {exact: "\\u0000"}}) { id } }'],
    ['{ site_list(filters: {id: {exact: "99999999999999999999"}}) { id } }'],
    ['{ site_list(filters: {id: {gt: "x"}}) { id } }'],
    ['{ site_list(filters: {id: {exact: "1.5"}}) { id } }'],
    ['{ site_list(filters: {latitude: {comparison_lookup: {gt: 1e300}}}) { id } }'],
    ['{ site_list(filters: {region_id: {id: "99999999999999999999", match_type: EXACT}}) { id } }'],
    ['{ site_list(filters: {tenant_id: "99999999999999999999"}) { id } }'],
    ['{ site_list(filters: {created: {time: {gt: "25:00"}}}) { id } }'],
    ['{ site_list(filters: {created: {date: {exact: "2020-13-45"}}}) { id } }'],
    ['{ site_list(pagination: {start: -1}) { id } }'],
    ['{ ip_address_list(filters: {parent: ["nonsense"]}) { id } }'],
    ['{ site_list(filters: {custom_field_data: {path: "a\\u0000", lookup: {string_lookup: {exact: "x"}}}}) { id } }'],
    ['{ site_list(filters: {NOT: {NOT: {NOT: {}}}}) { id } }'],
    ['{ a: site_list { id } a: rack_list { id } }'],
    ['{ ...F } fragment F on Query { ...F }'],
    ['{ __schema { types { name } } site_count }'],
  ])('or a result, but no failure, follows from %s', async (query) => {
    expect((await ask(query)).status).toBe(200)
  })
})

describe('over HTTP', () => {
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    api.ask('POST', '/graphql/', { body, headers })
  it.each([
    ['nothing', '', 'Unable to parse request body as JSON'],
    ['a broken document', '{"query":', 'Unable to parse request body as JSON'],
    ['a list', '[]', 'Batching is not enabled'],
    ['no query', '{}', 'No GraphQL query found in the request'],
    [
      'variables that are none',
      '{"query": "{ site_count }", "variables": []}',
      "The GraphQL operation's `variables` must be an object or null, if provided.",
    ],
  ])('%s is refused', async (_what, body, text) => {
    const answer = await post(body, { 'Content-Type': 'application/json' })
    expect([answer.status, answer.text]).toEqual([400, text])
  })

  it('other media types are refused', async () => {
    const answer = await post('query={site_count}', { 'Content-Type': 'text/plain' })
    expect([answer.status, answer.text]).toEqual([400, 'Unsupported content type'])
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('%s is refused', async (method) => {
    const { status, text, headers } = await api.ask(method, '/graphql/')
    const words = method === 'HEAD' ? '' : 'GraphQL only supports GET and POST requests.'
    expect([status, text, headers.get('allow')]).toEqual([405, words, 'GET, POST'])
  })

  it('invalid credentials are refused with a reason as text', async () => {
    const { status, text } = await api.ask('POST', '/graphql/', {
      body: { query: '{ site_count }' },
      token: '0'.repeat(40),
    })
    expect([status, text]).toEqual([403, 'Invalid v1 token'])
  })

  it('a query can be part of the URL', async () => {
    const { json } = await api.ask('GET', '/graphql/?query=%7Bsite_count%7D')
    expect(json.data).toEqual({ site_count: 2 })
  })

  it('a client without credentials gets no data', async () => {
    const { status } = await api.ask('POST', '/graphql/', {
      body: { query: '{ site_count }' },
      token: null,
    })
    expect(status).toBe(403)
  })

  it('a query that was sent together with its hash is found by the hash afterwards', async () => {
    const query = '{ site_count region_count }'
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    expect((await post({ extensions })).json.errors?.[0]?.message).toBe('PersistedQueryNotFound')
    const wrong = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }
    expect((await post({ query, extensions: wrong })).json.data).toBe(null)
    expect((await post({ query, extensions })).json.data).toEqual({
      site_count: 2,
      region_count: 2,
    })
    expect((await post({ extensions })).json.data).toEqual({ site_count: 2, region_count: 2 })
  })

  it('a browser gets the editor, all of whose files are served here', async () => {
    const { status, text, headers } = await api.ask('GET', '/graphql/', {
      headers: { Accept: 'text/html' },
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const files = [...text.matchAll(/(?:src|href)="([\w.-]+\.(?:js|css))"/g)].map(([, name]) => name)
    expect(files.length).toBeGreaterThan(4)
    for (const name of files) {
      expect((await api.ask('GET', `/graphql/${name}`)).status, name).toBe(200)
    }
  })

  it('an unknown operation is refused', async () => {
    const { status, text } = await post({ query: 'query A { site_count }', operationName: 'B' })
    expect([status, text]).toEqual([400, 'Unknown operation named "B".'])
  })

  it('the schema can be queried', async () => {
    const { json } = await post({ query: '{ __type(name: "SiteType") { name kind } __typename }' })
    expect(json.data).toEqual({ __type: { name: 'SiteType', kind: 'OBJECT' }, __typename: 'Query' })
    expect(await message('{ site_list }')).toContain('must have a selection of subfields')
  })
})
