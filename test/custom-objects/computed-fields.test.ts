import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  const region = await api.make('dcim/regions', { name: 'North', slug: 'north' })
  const ams = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams', region, facility: 'X-1' })
  await api.make('dcim/sites', { name: 'Berlin', slug: 'ber', latitude: 52.5 })
  await api.make('dcim/racks', { name: 'R1', site: ams, u_height: 40 })
  await api.make('dcim/racks', { name: 'R2', site: ams, u_height: 10 })
  await api.make('extras/custom-fields', { name: 'tier', type: 'text', object_types: ['dcim.site'] })
})
afterAll(() => api.close())

const computed = async (name: string, expression: string, object_type = 'dcim.site') =>
  await api.ask('POST', '/api/extras/computed-fields/', { body: { object_type, name, expression } })

const valuesOf = async (name: string) => {
  const { json } = await api.ask('GET', `/api/dcim/sites/?ordering=name&fields=${name}`)
  return [...(json.results ?? [])].map((site) => site[name] ?? null)
}

/** Fifteen calls of a function with two arguments, each with the value of the next one. */
const nested = (name: string, value: string, argument: number): string =>
  `${`${name}(`.repeat(15)}${value}${`, ${argument})`.repeat(15)}`

describe('a computed field', () => {
  it.each([
    ['lower(name)', 'text', ['amsterdam', 'berlin']],
    ['region.name', 'text', ['North', null]],
    ['region', 'text', ['North', null]],
    ["coalesce(region.name, 'none')", 'text', ['North', 'none']],
    ['count(racks)', 'integer', [2, 0]],
    ['sum(racks.u_height)', 'decimal', [50, 0]],
    ['max(racks.name)', 'text', ['R2', null]],
    ['sum(racks.u_height) / count(racks)', 'decimal', [25, null]],
    ["if(count(racks) > 1, 'large', 'small')", 'text', ['large', 'small']],
    ["status = 'active' and not (facility = '')", 'boolean', [true, false]],
    ["name & ' (' & slug & ')'", 'text', ['Amsterdam (ams)', 'Berlin (ber)']],
    ['latitude * 2 - -1', 'decimal', [null, 106]],
    ["date('2027-02-31')", 'date', [null, null]],
    ["date('0000-01-01')", 'date', [null, null]],
    ["date('2028-02-29T10:00:00Z')", 'date', ['2028-02-29', '2028-02-29']],
    [`${'date('.repeat(18)}created${')'.repeat(18)} = date(created)`, 'boolean', [true, true]],
    ['text(9007199254740993)', 'text', ['9007199254740993', '9007199254740993']],
    ['text(9223372036854775807 + 1)', 'text', ['9223372036854775808', '9223372036854775808']],
    ["number('9007199254740993') = 9007199254740993", 'boolean', [true, true]],
    ['text(u.u / 4)'.replace('u.u', 'sum(racks.u_height)'), 'text', ['12.5', '0']],
    ['coalesce(latitude, 1) & coalesce(null, 1.50)', 'text', ['11.5', '52.51.5']],
    ['name = slug', 'boolean', [false, false]],
    ['upper(display) & max(racks.display)', 'text', ['AMSTERDAMR2', 'BERLIN']],
    ["upper(name & facility & 'é')", 'text', ['AMSTERDAMX-1É', 'BERLINÉ']],
    ['min(racks.desc_units)', 'boolean', [false, null]],
    ['max(racks.desc_units)', 'boolean', [false, null]],
    ['left(name, null)', 'text', [null, null]],
    ['round(latitude, null)', 'decimal', [null, null]],
    ['null = null', 'boolean', [true, true]],
    ['display != null', 'boolean', [true, true]],
    ["days_between(date('2027-01-01'), date('2027-03-01'))", 'integer', [59, 59]],
    ["add_days(date('2027-01-01'), 90)", 'date', ['2027-04-01', '2027-04-01']],
    ["add_days(date('2027-01-01'), -700000)", 'date', ['0110-06-20', '0110-06-20']],
    ["add_days(date('2027-01-01'), 3000000)", 'date', [null, null]],
    ["add_days(date('2027-01-01'), -800000)", 'date', [null, null]],
    ['add_days(now(), null)', 'date', [null, null]],
    [nested('add_days', 'created', 360_000), 'date', [null, null]],
    [nested('add_days', 'created', -360_000), 'date', [null, null]],
    ['days_between(created, now())', 'integer', [0, 0]],
    ['days_between(today(), add_days(now(), 2))', 'integer', [2, 2]],
    ['abs(null)', 'decimal', [null, null]],
    ['-null', 'text', [null, null]],
    ['upper(null) & add_days(null, 1)', 'text', ['', '']],
    ["number('x')", 'decimal', [null, null]],
    ['region = null', 'boolean', [false, true]],
    ['created <= now()', 'boolean', [true, true]],
    ['cf.tier', 'text', [null, null]],
  ])('has the value of %s', async (expression, type, expected) => {
    const { status, json, text } = await computed('answer', expression)
    expect(status, text).toBe(201)
    try {
      expect(json.result_type).toMatchObject({ value: type })
      expect(await valuesOf('answer')).toEqual(expected.map((value) => (value === null ? null : expect.anything())))
      const values = await valuesOf('answer')
      expect(values.map((value) => (typeof value === 'number' ? Number(value) : value))).toEqual(expected)
    } finally {
      await api.ask('DELETE', `/api/extras/computed-fields/${json.id}/`)
    }
  })

  it.each([
    ['names', 'expression', /Character 1: A site has no field names/],
    ['cf.tiers', 'expression', /There is no custom field tiers/],
    ['region.cf.tier', 'expression', /A region has no field cf/],
    ...['<', '<=', '>', '>='].flatMap((operator): [string, string, RegExp][] => [
      [`count(racks) ${operator} null`, 'expression', /null can only be compared by = and !=/],
      [`null ${operator} name`, 'expression', /Character 1: null can only be compared/],
    ]),
    ['name +', 'expression', /Character 7: The expression ends too early/],
    ['name + 1', 'expression', /Character 1: A number is expected, not a text/],
    ['count(name)', 'expression', /Character 7: name is no relation/],
    ['count(racks.name)', 'expression', /Only objects can be counted/],
    ["name = 'x' or", 'expression', /ends too early/],
    ['nope(name)', 'expression', /There is no function nope/],
    ['name.x', 'expression', /has no single value/],
    ['name ; 1', 'expression', /Character 6/],
    ['coalesce(name, 1)', 'expression', /All values must have one type/],
    ["lower('a'", 'expression', /ends too early/],
    [`${'('.repeat(50)}1${')'.repeat(50)}`, 'expression', /levels deep/],
    [Array.from({ length: 80 }, () => '1').join('+'), 'expression', /at most 100 parts/],
    [
      'count(racks) + count(racks) + count(devices) + count(devices) + count(racks) + count(racks)',
      'expression',
      /at most 5/,
    ],
  ])('is refused with the place of the error: %s', async (expression, name, expected) => {
    const { status, json } = await computed('wrong', expression)
    expect(status).toBe(400)
    expect(String(json[name])).toMatch(expected)
  })

  it.each(['name', 'racks', 'region_id', 'q', 'limit', 'id'])('cannot be called %s', async (name) => {
    const { status, json } = await computed(name, '1')
    expect([status, Object.keys(json)]).toEqual([400, ['name']])
  })

  it('filters, sorts, is exported, searched by GraphQL, read as of a time and in a branch', async () => {
    const before = new Date().toISOString()
    await computed('rack_total', 'count(racks)')
    const ids = async (query: string) => {
      const { json } = await api.ask('GET', `/api/dcim/sites/?${query}`)
      return [...(json.results ?? [])].map(({ name }) => String(name))
    }
    expect(await ids('rack_total=2')).toEqual(['Amsterdam'])
    expect(await ids('rack_total__lt=2')).toEqual(['Berlin'])
    expect(await ids('ordering=rack_total')).toEqual(['Berlin', 'Amsterdam'])
    expect(await ids('ordering=-rack_total')).toEqual(['Amsterdam', 'Berlin'])
    const { text } = await api.ask('GET', '/dcim/sites/?export&columns=name,rack_total')
    expect(text).toContain('Amsterdam')
    const query = '{ site_list(filters: { rack_total: { gt: 1 } }) { name rack_total } }'
    const { json } = await api.ask('POST', '/graphql/', { body: { query } })
    expect(json, JSON.stringify(json)).toMatchObject({ data: { site_list: [{ name: 'Amsterdam' }] } })
    const page = await api.ask('GET', '/dcim/sites/1/')
    expect(page.text).toContain('Computed fields')
    await api.make('plugins/branching/branches', { name: 'more racks' })
    const added = await api.ask('POST', '/api/dcim/racks/?branch=more%20racks', { body: { name: 'R3', site: 1 } })
    expect(added.status, added.text).toBe(201)
    const total = async (more: string) => (await api.ask('GET', `/api/dcim/sites/1/?${more}`)).json.rack_total
    expect(await total('')).toBe(2)
    expect(await total('branch=more%20racks')).toBe(3)
    const third = await api.make('dcim/racks', { name: 'R4', site: 1 })
    expect(await total('')).toBe(3)
    expect(await total(`as_of=${encodeURIComponent(before)}`)).toBe(2)
    expect((await api.ask('DELETE', `/api/dcim/racks/${third}/`)).status).toBe(204)
  })

  it('is hidden from users who may not view all objects that it reads', async () => {
    await computed('visible_racks', 'count(racks)')
    const user = await api.make('users/users', { username: 'reader', password: 'Reader-1234-x' })
    await api.make('users/permissions', {
      ...{ name: 'sites and one rack', actions: ['view'], users: [user] },
      ...{ object_types: ['dcim.site'] },
    })
    await api.make('users/permissions', {
      ...{ name: 'one rack', actions: ['view'], users: [user] },
      ...{ object_types: ['dcim.rack'], constraints: { name: 'R1' } },
    })
    const made = (await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })).json
    const token = String(made.key ?? made.token)
    const { json } = await api.ask('GET', '/api/dcim/sites/1/', { token })
    expect(json).not.toHaveProperty('visible_racks')
    const page = await api.ask('GET', '/api/dcim/sites/?fields=name,visible_racks', { token })
    expect(page.json.results).toEqual([{ name: 'Amsterdam' }, { name: 'Berlin' }])
    const filtered = await api.ask('GET', '/api/dcim/sites/?visible_racks=2', { token })
    expect(filtered.json.count).toBe(0)
    const query = '{ site_list { name visible_racks } }'
    const graphql = await api.ask('POST', '/graphql/', { body: { query }, token })
    expect(graphql.json.data).toEqual({
      site_list: [
        { name: 'Amsterdam', visible_racks: 1 },
        { name: 'Berlin', visible_racks: 0 },
      ],
    })
    expect((await api.ask('GET', '/api/dcim/sites/1/?fields=id,visible_racks', { token })).json).toEqual({ id: 1 })
    expect((await api.ask('GET', '/api/dcim/sites/1/')).json.visible_racks).toBe(2)
  })

  it('is a column of the list of those who may see it, if that is wanted', async () => {
    const headings = async (token?: string) => {
      const { text } = await api.ask('GET', '/dcim/sites/', {
        headers: { accept: 'text/html' },
        ...(token && { token }),
      })
      const [, head = ''] = /<thead>(.*?)<\/thead>/s.exec(text) ?? []
      return ['Racks in lists', 'Short name', 'Not in lists'].filter((label) => head.includes(label))
    }
    const make = async (name: string, label: string, expression: string, in_lists: boolean) =>
      await api.make('extras/computed-fields', { object_type: 'dcim.site', name, label, expression, in_lists })
    const made = [
      await make('racks_listed', 'Racks in lists', 'count(racks)', true),
      await make('short_name', 'Short name', 'left(name, 2)', true),
      await make('not_listed', 'Not in lists', 'name', false),
    ]
    expect(await headings()).toEqual(['Racks in lists', 'Short name'])
    const user = await api.make('users/users', { username: 'lister', password: 'Lister-1234-x' })
    await api.make('users/permissions', {
      name: 'sites',
      actions: ['view'],
      users: [user],
      object_types: ['dcim.site'],
    })
    const token = (await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })).json
    expect(await headings(String(token.key ?? token.token))).toEqual(['Short name'])
    for (const id of made) await api.ask('DELETE', `/api/extras/computed-fields/${id}/`)
  })

  it('keeps a field from being removed, and belongs to custom objects too', async () => {
    const type = await api.make('plugins/custom-objects/custom-object-types', { name: 'deal', slug: 'deals' })
    const ends = await api.make('plugins/custom-objects/custom-object-type-fields', {
      ...{ custom_object_type: type, name: 'ends', type: 'date' },
    })
    const { status, text } = await computed('last_year', 'year(ends)', 'custom_objects.deal')
    expect(status, text).toBe(201)
    await api.make('plugins/custom-objects/deals', { ends: '2027-05-01' })
    const list = await api.ask('GET', '/api/plugins/custom-objects/deals/?last_year=2027')
    expect(list.json).toMatchObject({ count: 1, results: [{ last_year: 2027 }] })
    const removal = await api.ask('DELETE', `/api/plugins/custom-objects/custom-object-type-fields/${ends}/`)
    expect([removal.status, removal.text]).toEqual([400, expect.stringContaining('The computed field last_year')])
  })
})
