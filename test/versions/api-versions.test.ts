import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, type Document, startApi } from '../support/api.ts'
import { makePlaces } from './places.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ API_VERSION: '4.7' })
})
afterAll(() => api.close())

const VERSIONS = ['4.6', '4.7'] as const
type Version = (typeof VERSIONS)[number]

const ask = (version: Version, method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
  api.ask(method, path, {
    headers: { Accept: `application/json; version=${version}` },
    ...(body !== undefined && { body }),
  })

describe('the version of a request', () => {
  it('is that of the setting unless Accept names one', async () => {
    const { headers } = await api.ask('GET', '/api/dcim/sites/')
    expect(headers.get('API-Version')).toBe('4.7')
    const earlier = await ask('4.6', 'GET', '/api/status/')
    expect(earlier.headers.get('API-Version')).toBe('4.6')
    expect(earlier.json).toMatchObject({ 'netbox-version': '4.6.8' })
    expect((await ask('4.7', 'GET', '/api/status/')).json).toMatchObject({ 'netbox-version': '4.7.3' })
  })

  it('is that of its token if Accept names none', async () => {
    const { status, json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, api_version: '4.6' } })
    expect(status).toBe(201)
    const token = String(json.key)
    expect((await api.ask('GET', '/api/dcim/sites/', { token })).headers.get('API-Version')).toBe('4.6')
    const accept = { Accept: 'application/json; version=4.7' }
    expect((await api.ask('GET', '/api/dcim/sites/', { token, headers: accept })).headers.get('API-Version')).toBe(
      '4.7',
    )
  })

  it.each(['4.5', '4.7.3', ''])('is refused if it is %j', async (version) => {
    const headers = { Accept: `application/json; version=${version}` }
    const body = { name: 'Refused', slug: 'refused' }
    const { status, json } = await api.ask('POST', '/api/dcim/sites/', { headers, body })
    expect([status, json.detail]).toEqual([
      406,
      'Could not satisfy the request Accept header. Versions of the API: 4.6, 4.7.',
    ])
    expect((await api.ask('GET', '/api/dcim/sites/?slug=refused')).json.count).toBe(0)
  })

  it('is not named to a client that accepts no media type of the API', async () => {
    const { status, json } = await api.ask('GET', '/api/dcim/sites/', { headers: { Accept: 'application/xml' } })
    expect([status, json.detail]).toEqual([406, 'Could not satisfy the request Accept header.'])
  })

  it.each([
    ['4.6', false],
    ['4.7', true],
  ])('decides which OpenAPI document is sent: %s', async (version, hasCooling) => {
    const { json } = await api.ask('GET', `/api/schema/?format=json&version=${version}`)
    expect(Object.keys(json.paths ?? {}).includes('/api/dcim/cooling-feeds/')).toBe(hasCooling)
  })

  it('decides which collections the root lists, although all can be used', async () => {
    expect(Object.keys((await ask('4.6', 'GET', '/api/dcim/')).json)).not.toContain('cooling-feeds')
    expect(Object.keys((await ask('4.7', 'GET', '/api/dcim/')).json)).toContain('cooling-feeds')
    expect((await ask('4.6', 'GET', '/api/dcim/cooling-feeds/')).status).toBe(200)
  })

  it('also applies to users with permissions', async () => {
    const user = await api.make('users/users', { username: 'reader', password: 'A-long-password-1' })
    await api.make('users/permissions', {
      ...{ name: 'bookmarks', object_types: ['extras.bookmark', 'dcim.site'], actions: ['view', 'add'], users: [user] },
    })
    const token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
    const site = await api.make('dcim/sites', { name: 'Marked', slug: 'marked' })
    const body = { object_type: 'dcim.site', object_id: site, user }
    expect((await api.ask('POST', '/api/extras/bookmarks/', { token, body })).status).toBe(201)
    for (const version of VERSIONS) {
      const headers = { Accept: `application/json; version=${version}` }
      const { status, text } = await api.ask('GET', '/api/extras/bookmarks/', { token, headers })
      expect(status, text).toBe(200)
    }
  })
})

describe.each([
  ['dcim/sites', { name: 'Tagged', slug: 'tagged' }],
  ['ipam/services', { name: 'Tagged', protocol: 'tcp', ports: [53] }],
  ['dcim/manufacturers', { name: 'Tagged', slug: 'tagged' }],
  ['users/groups', { name: 'Tagged' }],
])('the ETag of an object of %s', (path, body) => {
  let object: string
  beforeAll(async () => {
    const device = path === 'ipam/services' ? await (await makePlaces(api)).device('tagged') : undefined
    const parent = device && { parent_object_type: 'dcim.device', parent_object_id: device }
    object = `/api/${path}/${await api.make(path, { ...body, ...parent })}/`
  })
  const etagIn = async (version: Version) => (await ask(version, 'GET', object)).headers.get('etag') ?? ''
  const askIf = (version: Version, method: string, headers: Readonly<Record<string, string>>, body?: unknown) =>
    api.ask(method, object, {
      headers: { Accept: `application/json; version=${version}`, ...headers },
      ...(body !== undefined && { body }),
    })

  it('belongs to one version, so that no client keeps the form of another one', async () => {
    for (const [version, other] of [VERSIONS, VERSIONS.toReversed()] as const) {
      const etag = await etagIn(version ?? '4.7')
      expect((await askIf(version ?? '4.7', 'GET', { 'If-None-Match': etag })).status).toBe(etag === '' ? 200 : 304)
      expect((await askIf(other ?? '4.6', 'GET', { 'If-None-Match': etag })).status).toBe(200)
    }
  })

  it('of a write is that of a read in the same version', async () => {
    const written = await askIf('4.6', 'PATCH', {}, { name: 'Tagged again' })
    expect(written.headers.get('etag') ?? '').toBe(await etagIn('4.6'))
  })

  it('is a precondition of changes in both versions', async () => {
    for (const [read, written] of [VERSIONS, VERSIONS.toReversed()] as const) {
      const headers = { 'If-Match': await etagIn(read ?? '4.7') }
      if (headers['If-Match'] === '') continue
      const change = (name: string) => askIf(written ?? '4.6', 'PATCH', headers, { name })
      expect([(await change(`A ${read}`)).status, (await change(`B ${read}`)).status]).toEqual([200, 412])
    }
  })
})

describe('errors of lists', () => {
  const sites = [{ name: 'One', slug: 'one' }, { name: 'Two' }]
  it.each<[Version, object]>([
    ['4.6', [{}, { slug: [expect.any(String)] }]],
    ['4.7', { detail: expect.any(String), errors: [{ index: 1, errors: { slug: [expect.any(String)] } }] }],
  ])('%s: creation', async (version, expected) => {
    const { status, json } = await ask(version, 'POST', '/api/dcim/sites/', sites)
    expect({ status, json }).toEqual({ status: 400, json: expected })
  })

  it.each<[Version, number]>([
    ['4.6', 200],
    ['4.7', 400],
  ])('%s: an object that does not exist', async (version, status) => {
    expect((await ask(version, 'PATCH', '/api/dcim/sites/', [{ id: 999_999, name: 'x' }])).status).toBe(status)
  })

  it.each<[Version, string]>([
    ['4.6', 'non_field_errors'],
    ['4.7', '__all__'],
  ])('%s: a body that is not an object', async (version, key) => {
    const { status, json } = await api.ask('POST', '/api/dcim/sites/', {
      headers: { Accept: `application/json; version=${version}`, 'Content-Type': 'application/json' },
      body: '"text"',
    })
    expect({ status, keys: Object.keys(json) }).toEqual({ status: 400, keys: [key] })
  })
})

describe('selections in custom fields', () => {
  let site: number
  beforeAll(async () => {
    const choices = {
      name: 'Colours',
      extra_choices: [
        ['b', 'Blue'],
        ['r', 'Red'],
      ],
    }
    const choice_set = await api.make('extras/custom-field-choice-sets', choices)
    const field = { object_types: ['dcim.site'], choice_set }
    await api.make('extras/custom-fields', { ...field, name: 'colour', type: 'select' })
    await api.make('extras/custom-fields', { ...field, name: 'colours', type: 'multiselect' })
    site = await api.make('dcim/sites', {
      name: 'Coloured',
      slug: 'coloured',
      custom_fields: { colour: 'b', colours: ['r'] },
    })
  })

  it.each<[Version, object]>([
    ['4.6', { colour: 'b', colours: ['r'] }],
    ['4.7', { colour: { value: 'b', label: 'Blue' }, colours: [{ value: 'r', label: 'Red' }] }],
  ])('%s: values that were read can be sent back', async (version, custom_fields) => {
    const path = `/api/dcim/sites/${site}/`
    const { json } = await ask(version, 'GET', path)
    expect(json.custom_fields).toEqual(custom_fields)
    const { status, text } = await ask(version, 'PATCH', path, { custom_fields: json.custom_fields })
    expect(status, text).toBe(200)
    expect((await ask(version, 'GET', path)).json.custom_fields).toEqual(custom_fields)
  })
})

describe('choices of a published list in custom fields', () => {
  it.each<[Version, unknown]>([
    ['4.6', ['SE', 'XX']],
    [
      '4.7',
      [
        { value: 'SE', label: 'SE (Sweden)' },
        { value: 'XX', label: 'Nowhere' },
      ],
    ],
  ])('have the labels of the list in %s', async (version, expected) => {
    const name = `countries_${version.replace('.', '')}`
    const set = { name, base_choices: 'ISO_3166', extra_choices: [['XX', 'Nowhere']] }
    const choice_set = await api.make('extras/custom-field-choice-sets', set)
    await api.make('extras/custom-fields', { name, type: 'multiselect', object_types: ['dcim.region'], choice_set })
    const region = await api.make('dcim/regions', { name, slug: name, custom_fields: { [name]: ['SE', 'XX'] } })
    const { json } = await ask(version, 'GET', `/api/dcim/regions/${region}/`)
    expect(json.custom_fields).toMatchObject({ [name]: expected })
  })
})

describe('the alias display_name', () => {
  it('exists in both versions, since the specification lists it without a version', async () => {
    const site = await api.make('dcim/sites', { name: 'Named', slug: 'named' })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const device_type = await api.make('dcim/device-types', { manufacturer, model: 'Box', slug: 'box' })
    const role = await api.make('dcim/device-roles', { name: 'Role', slug: 'role' })
    const device = await api.make('dcim/devices', { name: 'named', site, device_type, role })
    const port = await api.make('dcim/interfaces', { device, name: 'eth0', type: 'other' })
    const onPort = { assigned_object_type: 'dcim.interface', assigned_object_id: port }
    const paths = [
      `dcim/devices/${device}`,
      `ipam/vlans/${await api.make('ipam/vlans', { vid: 7, name: 'named' })}`,
      `ipam/ip-addresses/${await api.make('ipam/ip-addresses', { address: '192.0.2.7/24', ...onPort })}`,
    ]
    for (const version of VERSIONS) {
      const texts = await Promise.all(
        paths.flatMap((path) => [
          ask(version, 'GET', `/api/${path}/`).then(({ text }) => text),
          ask(version, 'GET', `/api/${path}/?fields=id,display_name,assigned_object`).then(({ text }) => text),
        ]),
      )
      expect(texts.map((text) => text.includes('"display_name"'))).toEqual(texts.map(() => true))
    }
  })
})

describe('a field that is writable only in 4.7', () => {
  it.each<[Version, number]>([
    ['4.6', 200],
    ['4.7', 400],
  ])('is ignored or accepted, depending on %s', async (version, expected) => {
    const template = await api.make('extras/export-templates', {
      ...{ name: `Template of ${version}`, object_types: ['dcim.site'], template_code: 'x' },
    })
    const path = `/api/extras/export-templates/${template}/`
    const { status, text } = await ask(version, 'PATCH', path, { data_file: 999_999 })
    expect(status, text).toBe(expected)
  })
})

describe('ports of services', () => {
  let device: number
  beforeAll(async () => {
    const site = await api.make('dcim/sites', { name: 'Served', slug: 'served' })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
    const device_type = await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    const role = await api.make('dcim/device-roles', { name: 'R', slug: 'r' })
    device = await api.make('dcim/devices', { name: 'D', site, device_type, role })
  })

  const service = (name: string, ports: object) => ({
    ...{ name, parent_object_type: 'dcim.device', parent_object_id: device, ...ports },
  })

  it.each(
    VERSIONS.flatMap((version) => [
      [version, { protocol: 'tcp', ports: [443, 80] }] as const,
      [version, { port_mappings: [' TCP/0443', 'tcp/80'] }] as const,
    ]),
  )('%s: %j is accepted, and shown in both forms', async (version, ports) => {
    const { status, text, json } = await ask(version, 'POST', '/api/ipam/services/', service('Web', ports))
    expect(status, text).toBe(201)
    const path = `/api/ipam/services/${json.id}/`
    const protocol = { value: 'tcp', label: 'TCP' }
    expect((await ask('4.6', 'GET', path)).json).toMatchObject({
      protocol,
      ports: [443, 80],
      display: 'Web (TCP/80, 443)',
    })
    expect((await ask('4.7', 'GET', path)).json).toMatchObject({
      ...{ port_mappings: ['tcp/443', 'tcp/80'], protocol, ports: [80, 443], display: 'Web' },
    })
  })

  it('shows the first of several protocols in 4.6', async () => {
    const mappings = { port_mappings: ['udp/53', 'tcp/53', 'tcp/853'] }
    const { json } = await ask('4.7', 'POST', '/api/ipam/services/', service('DNS', mappings))
    expect(json).toMatchObject({ ...mappings, protocol: null, ports: null })
    const earlier = await ask('4.6', 'GET', `/api/ipam/services/${json.id}/`)
    const protocol = { value: 'udp', label: 'UDP' }
    expect(earlier.json).toMatchObject({ protocol, ports: [53], display: 'DNS (UDP/53)' })
  })

  it.each([
    ['protocol=tcp&port=853', ['DNS']],
    ['protocol=udp&port=853', []],
    ['protocol=udp&port__gte=50&port__lte=60', ['DNS']],
  ])('?%s applies to one mapping', async (query, names) => {
    const { json } = await ask('4.7', 'GET', `/api/ipam/services/?${query}&name=DNS`)
    expect(json.results?.map(({ name }) => name)).toEqual(names)
  })
})

describe('orders and filters of lists', () => {
  it.each<[Version, readonly string[]]>([
    ['4.6', ['A', 'B']],
    ['4.7', ['B', 'A']],
  ])('by a tree use the names of nodes or their paths, depending on %s', async (version, expected) => {
    const tag = `orders ${version}`
    const group = (name: string, parent: number | null) =>
      api.make('tenancy/tenant-groups', { name, slug: `${name}`.replaceAll(/\W/g, '-'), parent })
    const top = await group(`Z ${tag}`, null)
    const first = await group(`B ${tag}`, null)
    const below = await group(`A ${tag}`, top)
    await api.make('tenancy/tenants', { name: `A ${tag}`, slug: `a-${version.at(-1)}`, group: below })
    await api.make('tenancy/tenants', { name: `B ${tag}`, slug: `b-${version.at(-1)}`, group: first })
    const { json } = await ask(
      version,
      'GET',
      `/api/tenancy/tenants/?ordering=group&name__ic=${encodeURIComponent(tag)}`,
    )
    expect(json.results?.map(({ name }: Document) => String(name).charAt(0))).toEqual(expected)
  })

  it.each(VERSIONS)('find objects without a choice by null in %s', async (version) => {
    const manufacturer = await api.make('dcim/manufacturers', { name: `M${version}`, slug: `m${version.at(-1)}` })
    const type = (model: string, more: object) =>
      api.make('dcim/device-types', { manufacturer, model, slug: `${model}-${version.at(-1)}`, ...more })
    const without = await type('without', {})
    const airy = await type('airy', { airflow: 'passive', cooling_method: 'air' })
    for (const name of version === '4.6' ? ['airflow'] : ['airflow', 'cooling_method']) {
      const ids = async (query: string) => {
        const { json } = await ask(version, 'GET', `/api/dcim/device-types/?manufacturer_id=${manufacturer}&${query}`)
        return json.results?.map(({ id }: Document) => id)
      }
      expect(await ids(`${name}=null`)).toEqual([without])
      expect(await ids(`${name}__n=null`)).toEqual([airy])
    }
  })

  it.each<[Version, boolean]>([
    ['4.6', true],
    ['4.7', false],
  ])('of GraphQL show the places of nodes in %s: %s', async (version, areShown) => {
    const query = '{ region_list { level lft rght tree_id } }'
    const { json } = await ask(version, 'POST', '/graphql/', { query })
    expect(json.errors === undefined).toBe(areShown)
  })

  it('of GraphQL mark protocol and ports of services as deprecated in 4.7', async () => {
    const fields = '{ fields(includeDeprecated: true) { name deprecationReason } }'
    const query = `{ service: __type(name: "ServiceType") ${fields} template: __type(name: "ServiceTemplateType") ${fields} }`
    const reasons = async (version: Version) => {
      const { data } = (await ask(version, 'POST', '/graphql/', { query })).json
      return ['service', 'template'].flatMap((type) =>
        data?.[type]?.fields?.filter(({ deprecationReason }: Document) => deprecationReason !== null),
      )
    }
    expect(await reasons('4.6')).toEqual([])
    const reason = { deprecationReason: 'Use port_mappings.' }
    const pair = [
      { name: 'protocol', ...reason },
      { name: 'ports', ...reason },
    ]
    expect(await reasons('4.7')).toEqual([...pair, ...pair])
  })

  it('of GraphQL join conditions on the mappings of services with OR', async () => {
    const device = await (await makePlaces(api)).device('served')
    const service = (name: string, port_mappings: readonly string[]) =>
      api.make('ipam/services', { name, parent_object_type: 'dcim.device', parent_object_id: device, port_mappings })
    await service('or sctp', ['sctp/1'])
    await service('or udp', ['udp/443', 'udp/80'])
    await service('or tcp', ['tcp/1'])
    const query = '{ service_list(filters: {protocol: [SCTP], OR: {protocol: [UDP]}}) { name ports } }'
    const { json } = await ask('4.7', 'POST', '/graphql/', { query })
    expect(json.data?.service_list?.filter(({ name }: Document) => String(name).startsWith('or '))).toEqual([
      { name: 'or sctp', ports: [1] },
      { name: 'or udp', ports: [80, 443] },
    ])
  })
})
