import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const BASE = '/api/plugins/custom-objects'
let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const fieldsOf = async (type: number) => {
  const { json } = await api.ask('GET', `${BASE}/custom-object-type-fields/?custom_object_type_id=${type}`)
  return new Map([...(json.results ?? [])].map(({ name, id }) => [String(name), Number(id)]))
}

/** A type with fields of every kind. */
async function contracts() {
  const type = await api.make('plugins/custom-objects/custom-object-types', {
    name: 'power_contract',
    slug: 'power-contracts',
    verbose_name: 'Power contract',
  })
  const set = await api.make('extras/custom-field-choice-sets', {
    name: 'tariffs',
    extra_choices: [
      ['gold', 'Gold'],
      ['silver', 'Silver'],
    ],
  })
  const field = { custom_object_type: type }
  const { status, text } = await api.ask('POST', `${BASE}/custom-object-type-fields/`, {
    body: [
      { ...field, name: 'number', type: 'text', primary: true, required: true, unique: true },
      { ...field, name: 'notes', type: 'longtext', validation_regex: '^[A-Z]' },
      { ...field, name: 'kwh', type: 'integer', validation_minimum: 1 },
      { ...field, name: 'price', type: 'decimal' },
      { ...field, name: 'is_signed', type: 'boolean', default: false },
      { ...field, name: 'ends', type: 'date' },
      { ...field, name: 'checked', type: 'datetime' },
      { ...field, name: 'manual', type: 'url' },
      { ...field, name: 'extra', type: 'json' },
      { ...field, name: 'tariff', type: 'select', choice_set: set },
      { ...field, name: 'tariffs', type: 'multiselect', choice_set: set },
      { ...field, name: 'site', type: 'object', app_label: 'dcim', model: 'site', on_delete_behavior: 'protect' },
      { ...field, name: 'racks', type: 'multiobject', related_object_type: 'dcim.rack' },
      {
        ...{ ...field, name: 'attached', type: 'object', is_polymorphic: true },
        related_object_types_input: [
          { app_label: 'dcim', model: 'rack' },
          { app_label: 'dcim', model: 'site' },
        ],
      },
      { ...field, name: 'spot', type: 'coordinates' },
      { ...field, name: 'gateway', type: 'address' },
      { ...field, name: 'network', type: 'prefix' },
      { ...field, name: 'mac', type: 'mac_address' },
    ],
  })
  expect(status, text).toBe(201)
  const site = await api.make('dcim/sites', { name: 'Site', slug: 'site' })
  const rack = await api.make('dcim/racks', { name: 'Rack', site })
  return { type, site, rack, fields: await fieldsOf(type) }
}

const DOCUMENT = {
  objects: {
    'custom_objects.customobjecttype': [{ name: 'licence', slug: 'licences' }],
    'custom_objects.customobjecttypefield': [
      { custom_object_type: { slug: 'licences' }, name: 'key', type: 'text', primary: true },
      { custom_object_type: { slug: 'licences' }, name: 'seats', type: 'integer' },
      {
        custom_object_type: { slug: 'licences' },
        name: 'tenant',
        type: 'object',
        related_object_type: 'tenancy.tenant',
      },
    ],
    'extras.computedfield': [{ object_type: 'custom_objects.licence', name: 'label', expression: "key & '!'" }],
    'tenancy.tenant': [{ name: 'Tenant', slug: 'tenant' }],
    'custom_objects.licence': [{ key: 'A-1', seats: 5, tenant: { slug: 'tenant' } }],
    'extras.savedfilter': [
      { name: 'big', slug: 'big', object_types: ['custom_objects.licence'], parameters: { seats__gte: ['3'] } },
    ],
  },
}

describe('a document', () => {
  it('can declare a type and have its objects', async () => {
    const dry = await api.ask('POST', '/api/apply/?dry_run=true', { body: DOCUMENT })
    expect(dry.status, dry.text).toBe(200)
    expect((await api.ask('GET', `${BASE}/licences/`)).status).toBe(404)
    const { status, json, text } = await api.ask('POST', '/api/apply/', { body: DOCUMENT })
    expect(status, text).toBe(200)
    expect(json).toMatchObject({ created: 8, updated: 0 })
    const again = await api.ask('POST', '/api/apply/', { body: DOCUMENT })
    expect(again.json, again.text).toMatchObject({ created: 0, updated: 0, unchanged: 8 })
    const list = await api.ask('GET', `${BASE}/licences/?seats__gte=3&tenant=tenant`)
    expect(list.json).toMatchObject({
      count: 1,
      results: [{ key: 'A-1', display: 'A-1', label: 'A-1!', tenant: { slug: 'tenant' } }],
    })
  })
})

describe('a type', () => {
  let made: Awaited<ReturnType<typeof contracts>>
  beforeAll(async () => {
    made = await contracts()
  })

  const body = () => ({
    ...{ number: 'E-1', notes: 'Abc', kwh: 1200, price: 1.5, ends: '2027-01-31', checked: '2026-11-28T10:00:00Z' },
    ...{ manual: 'https://example.com/1', manual_title: 'Manual', extra: { a: [1] }, tariff: 'gold' },
    ...{ tariffs: ['silver', 'gold'], site: made.site, racks: [made.rack], spot_latitude: 47.5 },
    ...{ attached_type: 'dcim.rack', attached_id: made.rack, spot_longitude: 19.04, gateway: '192.0.2.1/24' },
    ...{ network: '192.0.2.0/24', mac: '00:11:22:33:44:55', tags: [] },
  })

  it('has objects with values of all kinds', async () => {
    const { status, json, text } = await api.ask('POST', `${BASE}/power-contracts/`, { body: body() })
    expect(status, text).toBe(201)
    expect(json).toMatchObject({
      ...{ display: 'E-1', custom_object_type: { slug: 'power-contracts' }, number: 'E-1', kwh: 1200, price: 1.5 },
      ...{ is_signed: false, ends: '2027-01-31', manual: 'https://example.com/1', manual_title: 'Manual' },
      ...{ extra: { a: [1] }, tariff: { value: 'gold', label: 'Gold' }, tariffs: ['silver', 'gold'] },
      ...{ site: { slug: 'site' }, racks: [{ name: 'Rack' }], attached: { display: 'Rack' }, spot_latitude: 47.5 },
      ...{ gateway: '192.0.2.1/24', network: '192.0.2.0/24', mac: '00:11:22:33:44:55' },
    })
  })

  it.each([
    ['without a required value', { number: null }, { number: ['This field is required.'] }],
    ['below a minimum', { number: 'x', kwh: 0 }, { kwh: ['Ensure this value is greater than or equal to 1.'] }],
    ['against a pattern', { number: 'x', notes: 'abc' }, { notes: [expect.stringContaining('regular expression')] }],
    ['with half of the coordinates', { number: 'x', spot_latitude: 1 }, { spot_longitude: [expect.any(String)] }],
    ['with an unknown choice', { number: 'x', tariff: 'lead' }, { tariff: [expect.any(String)] }],
    ['with a value that is taken', { number: 'E-1' }, { number: [expect.stringContaining('already exists')] }],
    ['with an unknown object', { number: 'x', site: 9999 }, { site: [expect.any(String)] }],
  ])('refuses an object %s', async (_name, part, expected) => {
    const { status, json } = await api.ask('POST', `${BASE}/power-contracts/`, { body: part })
    expect(status).toBe(400)
    expect(json).toMatchObject(expected)
  })

  it.each([
    ['number=E-1', 1],
    ['number__ic=e-', 1],
    ['kwh__gt=1200', 0],
    ['ends__lte=2027-01-31', 1],
    ['tariff=gold', 1],
    ['tariff=silver', 0],
    ['site=site', 1],
    ['site_id__n=1', 0],
    ['q=E-1', 1],
    ['is_signed=false', 1],
    ['racks=1', 1],
    ['gateway=192.0.2.1/24', 1],
    ['gateway=192.0.2.2/24', 0],
    ['network=192.0.2.0/24', 1],
    ['network=null', 0],
    ['racks_id__n=1', 0],
    ['attached_dcim_rack=1', 1],
    ['attached_dcim_rack=2', 0],
    ['attached_type=dcim.rack&attached_id=1', 1],
  ])('filters its list by %s', async (query, count) => {
    const { json } = await api.ask('GET', `${BASE}/power-contracts/?${query}`)
    expect(json.count).toBe(count)
  })

  it('protects the objects that a field refers to, and lists what refers to an object', async () => {
    expect((await api.ask('DELETE', `/api/dcim/sites/${made.site}/`)).status).toBe(409)
    const linked = await api.ask('GET', `${BASE}/linked-objects/?object_type=dcim.rack&object_id=${made.rack}`)
    expect(linked.json).toMatchObject({
      ...{ count: 2, next: null, previous: null },
      results: ['attached', 'racks'].map((field_name) => ({
        ...{ field_name, object: { display: 'E-1' }, custom_object_type: { slug: 'power-contracts' } },
      })),
    })
    expect((await api.ask('GET', `${BASE}/linked-objects/?object_type=dcim.nope&object_id=1`)).status).toBe(400)
  })

  it('is part of GraphQL, OpenAPI and the object types', async () => {
    const query = '{ custom_objects_power_contracts_list { number kwh site { name } } }'
    const { json } = await api.ask('POST', '/graphql/', { body: { query } })
    expect(json.data).toEqual({
      custom_objects_power_contracts_list: [{ number: 'E-1', kwh: expect.anything(), site: { name: 'Site' } }],
    })
    const schema = await api.ask('GET', '/api/schema/?format=json')
    expect(Object.keys(schema.json.paths ?? {})).toContain('/api/plugins/custom-objects/power-contracts/')
    const types = await api.ask('GET', '/api/core/object-types/?app_label=custom_objects&model=powercontract')
    expect(types.json).toMatchObject({ count: 1, results: [{ is_plugin_model: true }] })
  })

  it('is listed in the section of the menu that it names', async () => {
    for (const [name, part] of Object.entries({
      rented_line: { menu_section: 'circuits', icon: 'label' },
      insurance: { menu_section: 'Risks', group_name: 'Money', icon: 'certificate' },
      audit: { menu_section: 'Risks', icon: 'clock' },
    })) {
      await api.make('plugins/custom-objects/custom-object-types', { name, slug: name.replace('_', '-'), ...part })
    }
    const { text } = await api.ask('GET', '/plugins/custom-objects/audit/')
    const [, circuits = ''] = text.split('data-subject="circuits"')
    const [before, risks = ''] = circuits.split('data-subject="risks"')
    expect(before).toMatch(
      /^[^<]*><summary[^<]*<span class="icon i-circuits".*href="\/plugins\/custom-objects\/rented-line/s,
    )
    expect(risks).toMatch(/^[^<]*><summary[^<]*<span class="icon i-certificate".*Money.*Insurances.*Audits/s)
  })

  it('has a member in GraphQL for each choice, however similar their values are', async () => {
    const set = await api.make('extras/custom-field-choice-sets', {
      name: 'similar',
      extra_choices: ['a-b', 'a b', 'A_B', 'é', '€'].map((value) => [value, value]),
    })
    const type = await api.make('plugins/custom-objects/custom-object-types', { name: 'similar', slug: 'similar' })
    const body = { custom_object_type: type, name: 'kind', type: 'select', choice_set: set }
    expect((await api.ask('POST', `${BASE}/custom-object-type-fields/`, { body })).status).toBe(201)
    await api.make('plugins/custom-objects/similar', { kind: 'a b' })
    const answers = await Promise.all(
      ['A_B', 'A_B_2', 'A_B_3', '_', '__2'].map(async (name) => {
        const query = `{ custom_objects_similar_list(filters: {kind: {exact: KIND_${name}}}) { kind } }`
        return (await api.ask('POST', '/graphql/', { body: { query } })).json
      }),
    )
    const key = 'custom_objects_similar_list'
    expect(answers.map(({ data }) => data)).toEqual([
      { [key]: [] },
      { [key]: [{ kind: 'a b' }] },
      ...Array.from({ length: 3 }, () => ({ [key]: [] })),
    ])
  })

  it.each([
    ['/plugins/custom-objects/power-contracts/', 'E-1'],
    ['/plugins/custom-objects/power-contracts/add/', 'Tariff'],
    ['/plugins/custom-objects/power-contracts/1/', 'https://example.com/1'],
    ['/plugins/custom-objects/power-contracts/1/edit/', 'E-1'],
    ['/plugins/custom-objects/power-contracts/import/', 'kwh'],
    ['/plugins/custom-objects/custom-object-types/', 'Power contract'],
    ['/dcim/sites/1/', 'Power contracts'],
    ['/dcim/racks/1/', 'Power contracts'],
    ['/plugins/custom-objects/custom-object-type-fields/', 'Kwh'],
    ['/plugins/custom-objects/custom-object-types/1/', 'All 1 licence'],
  ])('has the page %s', async (path, content) => {
    const { status, text } = await api.ask('GET', path)
    expect(status).toBe(200)
    expect(text).toContain(content)
  })

  const change = async (name: string, part: object) =>
    await api.ask('PATCH', `${BASE}/custom-object-type-fields/${made.fields.get(name)}/`, { body: part })
  const object = async () => (await api.ask('GET', `${BASE}/power-contracts/1/`)).json

  it('keeps values when a field is renamed, converted, removed and restored', async () => {
    expect((await change('kwh', { name: 'energy' })).status).toBe(200)
    expect(await object()).toMatchObject({ energy: 1200 })
    const converted = await change('kwh', { type: 'text', validation_minimum: null })
    expect(converted.status, converted.text).toBe(200)
    expect(await object()).toMatchObject({ energy: '1200' })
    expect((await change('notes', { type: 'integer', validation_regex: '' })).json).toMatchObject({
      type: ['1 values cannot be converted without a change, such as "Abc".'],
    })
    const path = `${BASE}/custom-object-type-fields/${made.fields.get('kwh')}/`
    const removal = await api.ask('DELETE', path)
    expect(removal.status).toBe(204)
    expect(await object()).not.toHaveProperty('energy')
    const request = removal.headers.get('x-request-id')
    const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
    expect(undone.status, undone.text).toBe(200)
    expect(await object()).toMatchObject({ energy: '1200' })
  })

  it('restores deleted objects with the values of fields that have been renamed since then', async () => {
    const custom_object_type = await api.make('plugins/custom-objects/custom-object-types', {
      ...{ name: 'berth', slug: 'berths' },
    })
    const field = async (name: string, type: string) =>
      await api.make('plugins/custom-objects/custom-object-type-fields', { custom_object_type, name, type })
    const [a, b, c] = [await field('a', 'text'), await field('b', 'integer'), await field('c', 'url')]
    await field('d', 'coordinates')
    const berth = await api.make('plugins/custom-objects/berths', {
      ...{ a: 'long', b: 7, c: 'https://x.example', c_title: 'X', d_latitude: 1.5, d_longitude: 2.5 },
    })
    const removal = await api.ask('DELETE', `${BASE}/berths/${berth}/`)
    const rename = async (id: number, name: string) => {
      const path = `${BASE}/custom-object-type-fields/${id}/`
      const { status, text } = await api.ask('PATCH', path, { body: { name } })
      expect(status, text).toBe(200)
    }
    // Two fields exchange their names.
    for (const [id, name] of [
      [a, 'other'],
      [b, 'a'],
      [a, 'b'],
      [c, 'link'],
    ] as const)
      await rename(id, name)
    const path = `/api/core/requests/${removal.headers.get('x-request-id')}/undo/`
    const undone = await api.ask('POST', path, { body: {} })
    expect(undone.status, undone.text).toBe(200)
    expect((await api.ask('GET', `${BASE}/berths/${berth}/`)).json).toMatchObject({
      ...{ a: 7, b: 'long', link: 'https://x.example', link_title: 'X', d_latitude: 1.5 },
    })
  })

  it('comes back with its objects when its removal is undone', async () => {
    const removal = await api.ask('DELETE', `${BASE}/custom-object-types/${made.type}/`)
    expect(removal.status, removal.text).toBe(204)
    expect((await api.ask('GET', `${BASE}/power-contracts/`)).status).toBe(404)
    // A removed type protects nothing.
    const request = removal.headers.get('x-request-id')
    const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
    expect(undone.status, undone.text).toBe(200)
    expect(await object()).toMatchObject({ number: 'E-1', tariff: { value: 'gold' }, racks: [{ name: 'Rack' }] })
  })
})

describe('a field that gets another name', () => {
  it('keeps its place in the order, the unique constraints and the names of objects', async () => {
    const part = {
      ...{ ordering: ['-ends', 'label'], unique_together: [['label', 'ends']] },
      display_expression: '{{label}} ({{ ends }}, {{ site }})',
    }
    const type = await api.make('plugins/custom-objects/custom-object-types', {
      name: 'lease',
      slug: 'leases',
      ...part,
    })
    const fields = Object.entries({ label: 'text', ends: 'date' }).map(([name, kind]) => ({
      ...{ custom_object_type: type, name, type: kind },
    }))
    expect((await api.ask('POST', `${BASE}/custom-object-type-fields/`, { body: fields })).status).toBe(201)
    const objects = ['2026-01-01', '2027-01-01'].map((day) => ({ label: 'L', ends: day }))
    expect((await api.ask('POST', `${BASE}/leases/`, { body: objects })).status).toBe(201)
    const ids = await fieldsOf(type)
    const renamed = await api.ask('PATCH', `${BASE}/custom-object-type-fields/`, {
      body: [
        { id: ids.get('ends'), name: 'until' },
        { id: ids.get('label'), name: 'title' },
      ],
    })
    expect(renamed.status, renamed.text).toBe(200)
    const state = async () => ({
      type: (await api.ask('GET', `${BASE}/custom-object-types/${type}/`)).json,
      names: (await api.ask('GET', `${BASE}/leases/`)).json.results?.map(({ display }) => display),
    })
    const names = ['L (2027-01-01, )', 'L (2026-01-01, )']
    expect(await state()).toMatchObject({
      names,
      type: {
        ...{ ordering: ['-until', 'title'], unique_together: [['title', 'until']] },
        display_expression: '{{ title }} ({{ until }}, {{ site }})',
      },
    })
    const body = { title: 'L', until: '2027-01-01' }
    expect((await api.ask('POST', `${BASE}/leases/`, { body })).status).toBe(400)
    const request = renamed.headers.get('x-request-id')
    const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
    expect(undone.status, undone.text).toBe(200)
    expect(await state()).toMatchObject({ names, type: part })
  })
})

describe('a selection from a published list', () => {
  it('has its values with their labels, and those of the set', async () => {
    const sets = await Promise.all(
      ['ISO_3166', 'IATA', 'UN_LOCODE'].map((base_choices) =>
        api.make('extras/custom-field-choice-sets', {
          ...{ name: base_choices, base_choices },
          extra_choices: [
            ['ZZ', 'Nowhere'],
            ['NL', 'Home'],
          ],
        }),
      ),
    )
    const custom_object_type = await api.make('plugins/custom-objects/custom-object-types', {
      ...{ name: 'journey', slug: 'journeys' },
    })
    const [country, airports, port] = sets
    const made = await api.ask('POST', `${BASE}/custom-object-type-fields/`, {
      body: [
        { custom_object_type, name: 'country', type: 'select', choice_set: country },
        { custom_object_type, name: 'airports', type: 'multiselect', choice_set: airports },
        { custom_object_type, name: 'port', type: 'select', choice_set: port },
      ],
    })
    expect(made.status, made.text).toBe(201)
    const body = { country: 'SE', airports: ['AMS', 'ZZ'], port: 'NLRTM' }
    const { status, json, text } = await api.ask('POST', `${BASE}/journeys/`, { body })
    expect(status, text).toBe(201)
    expect(json.country).toEqual({ value: 'SE', label: 'SE (Sweden)' })
    expect(json.airports).toEqual(['AMS', 'ZZ'])
    expect(json.port).toBe('NLRTM')
    const home = await api.ask('PATCH', `${BASE}/journeys/${json.id}/`, { body: { country: 'NL' } })
    expect(home.json.country).toEqual({ value: 'NL', label: 'Home' })
    const refused = await api.ask('PATCH', `${BASE}/journeys/${json.id}/`, { body: { country: 'SEE' } })
    expect([refused.status, refused.json]).toEqual([
      400,
      { country: ['"SEE" is not a valid choice. OPTIONS lists the choices.'] },
    ])
    const { text: form } = await api.ask('GET', `/plugins/custom-objects/journeys/${json.id}/edit/`)
    expect(form).toContain('SE (Sweden)')
  })
})

describe('what is removed', () => {
  it('cannot be a type to which a field of another type refers', async () => {
    const types = 'plugins/custom-objects/custom-object-types'
    const harbour = await api.make(types, { name: 'harbour', slug: 'harbours' })
    const pier = await api.make(types, { name: 'pier', slug: 'piers', verbose_name: 'Long pier' })
    const field = await api.make('plugins/custom-objects/custom-object-type-fields', {
      ...{ custom_object_type: pier, name: 'belongs_to', type: 'object' },
      related_object_type: 'custom_objects.harbour',
    })
    const refused = await api.ask('DELETE', `/api/${types}/${harbour}/`)
    expect([refused.status, refused.json]).toEqual([
      400,
      {
        non_field_errors: [
          'The type harbour cannot be removed, because the field belongs_to of the type Long pier refers to it. Remove the field first.',
        ],
      },
    ])
    expect((await api.ask('GET', `${BASE}/harbours/`)).status).toBe(200)
    expect((await api.ask('DELETE', `${BASE}/custom-object-type-fields/${field}/`)).status).toBe(204)
    expect((await api.ask('DELETE', `/api/${types}/${harbour}/`)).status).toBe(204)
  })

  it('is listed, and lost only when it is deleted for good', async () => {
    const type = await api.make('plugins/custom-objects/custom-object-types', { name: 'note', slug: 'notes' })
    const make = async (name: string) =>
      await api.make('plugins/custom-objects/custom-object-type-fields', {
        custom_object_type: type,
        name,
        type: 'text',
      })
    const [kept, lost] = [await make('kept'), await make('lost')]
    await api.make('plugins/custom-objects/notes', { kept: 'a', lost: 'b' })
    const removal = await api.ask('DELETE', `${BASE}/custom-object-type-fields/${lost}/`)
    const ofNotes = async () => {
      const { json } = await api.ask('GET', `${BASE}/removed/`)
      return [...(json.results ?? [])].filter(({ table }) => String(table) === 'custom_note')
    }
    expect(await ofNotes()).toEqual([{ table: 'custom_note', column: 'f2', values: 1 }])
    expect((await api.ask('DELETE', `${BASE}/removed/`)).status).toBe(204)
    expect(await ofNotes()).toEqual([])
    const undone = await api.ask('POST', `/api/core/requests/${removal.headers.get('x-request-id')}/undo/`, {
      body: {},
    })
    expect(undone.status, undone.text).toBe(200)
    expect((await api.ask('GET', `${BASE}/notes/?fields=kept,lost`)).json.results).toEqual([{ kept: 'a', lost: null }])
    expect((await api.ask('GET', `${BASE}/removed/`, { token: null })).status).toBe(403)
    expect(kept).toBeGreaterThan(0)
  })
})

describe('an extension of a model of the program', () => {
  it('adds fields to some of its objects', async () => {
    const role = await api.make('dcim/device-roles', { name: 'Router', slug: 'router' })
    const other = await api.make('dcim/device-roles', { name: 'Switch', slug: 'switch' })
    const maker = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const device_type = await api.make('dcim/device-types', { model: 'M', slug: 'm', manufacturer: maker })
    const site = await api.make('dcim/sites', { name: 'Extended', slug: 'extended' })
    const type = await api.make('plugins/custom-objects/custom-object-types', {
      ...{ name: 'router_data', slug: 'router-data', verbose_name: 'Router data' },
      ...{ extends: 'dcim.device', applies_to: { role: ['router'] } },
    })
    const field = { custom_object_type: type }
    const fields = await api.ask('POST', `${BASE}/custom-object-type-fields/`, {
      body: [
        { ...field, name: 'loopback', type: 'address' },
        { ...field, name: 'asn_number', type: 'integer', required: true },
        { ...field, name: 'is_core', type: 'boolean', default: true },
        { ...field, name: 'backup_of', type: 'object', related_object_type: 'dcim.site' },
      ],
    })
    expect(fields.status, fields.text).toBe(201)
    const device = { device_type, site }
    const missing = await api.ask('POST', '/api/dcim/devices/', { body: { ...device, name: 'r0', role } })
    expect([missing.status, missing.json]).toEqual([400, { asn_number: ['This field is required.'] }])
    const unfit = await api.ask('POST', '/api/dcim/devices/', {
      body: { ...device, name: 's', role: other, asn_number: 1 },
    })
    expect([unfit.status, unfit.json]).toEqual([
      400,
      { asn_number: ['This field is only for objects with role router.'] },
    ])
    const outside = await api.make('dcim/devices', { ...device, name: 's1', role: other })
    expect((await api.ask('GET', `/api/dcim/devices/${outside}/`)).json.is_core).toBeNull()
    const router = await api.make('dcim/devices', {
      ...{ ...device, name: 'r1', role, loopback: '192.0.2.1/32', asn_number: 65000, backup_of: site },
    })
    const list = await api.ask('GET', '/api/dcim/devices/?asn_number__gte=65000&fields=name,loopback,backup_of')
    expect(list.json.results).toMatchObject([{ name: 'r1', loopback: '192.0.2.1/32', backup_of: { slug: 'extended' } }])
    expect((await api.ask('GET', `/dcim/devices/${router}/`)).text).toContain('Router data')
    const removal = await api.ask('DELETE', `${BASE}/custom-object-types/${type}/`)
    expect(removal.status, removal.text).toBe(204)
    expect((await api.ask('GET', `/api/dcim/devices/${router}/`)).json).not.toHaveProperty('loopback')
    const undone = await api.ask('POST', `/api/core/requests/${removal.headers.get('x-request-id')}/undo/`, {
      body: {},
    })
    expect(undone.status, undone.text).toBe(200)
    expect((await api.ask('GET', `/api/dcim/devices/${router}/`)).json).toMatchObject({ asn_number: 65000 })
  })

  it('cannot take the name of a field of the model', async () => {
    const type = await api.make('plugins/custom-objects/custom-object-types', {
      ...{ name: 'more', slug: 'more', extends: 'dcim.rack' },
    })
    const { status, text } = await api.ask('POST', `${BASE}/custom-object-type-fields/`, {
      body: { custom_object_type: type, name: 'serial', type: 'text' },
    })
    expect([status, text]).toEqual([400, expect.stringContaining('the name serial is taken')])
  })
})
