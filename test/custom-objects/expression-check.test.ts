import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'

const PATH = '/api/extras/computed-fields/check/'

let api: Api
let amsterdam: number
beforeAll(async () => {
  api = await startApi()
  const region = await api.make('dcim/regions', { name: 'North', slug: 'north' })
  amsterdam = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams', region })
  for (const name of ['Berlin', 'Cairo', 'Delhi']) {
    await api.make('dcim/sites', { name, slug: name.toLowerCase() })
  }
  await api.make('dcim/racks', { name: 'R1', site: amsterdam, u_height: 40 })
  await api.make('dcim/racks', { name: 'R2', site: amsterdam, u_height: 10 })
  await api.make('extras/custom-fields', { name: 'contract_end', type: 'date', object_types: ['dcim.site'] })
})
afterAll(() => api.close())

/** The part of the response that a test has made sure to be there. */
interface Checked {
  readonly values: readonly { readonly display: string; readonly value: unknown }[]
  readonly error: { readonly message: string }
  readonly suggestions: { readonly names: readonly { readonly name: string }[] }
}

async function check(body: object, token?: string) {
  const asked = { body: { object_type: 'dcim.site', ...body }, ...(token !== undefined && { token }) }
  const { status, text } = await api.ask('POST', PATH, asked)
  return { status, text, json: JSON.parse(text) as Checked }
}

/** The names at the bar in the expression, which marks the cursor. */
async function namesAt(marked: string, token?: string) {
  const position = marked.indexOf('|')
  const { json, status, text } = await check({ expression: marked.replace('|', ''), position }, token)
  expect(status, text).toBe(200)
  const { suggestions } = json as Partial<Checked>
  return suggestions?.names.map(({ name }) => name)
}

describe('the check of an expression', () => {
  it.each([
    ['upper(slug)', 'text', 'AMS'],
    ['count(racks)', 'integer', 2],
    ['sum(racks.u_height) / 4', 'decimal', 12.5],
    ['region.name', 'text', 'North'],
    ["name = 'x'", 'boolean', false],
    ["date('2027-02-03')", 'date', '2027-02-03'],
    ['null', 'text', null],
  ])('shows what %s yields', async (expression, type, value) => {
    const { json } = await check({ expression })
    expect(json).toMatchObject({ valid: true, type, error: null, suggestions: null })
    expect(json.values.map(({ display }) => display)).toEqual(['Amsterdam', 'Berlin', 'Cairo'])
    expect(json.values[0]).toEqual({ id: amsterdam, display: 'Amsterdam', value })
  })

  it('shows the value of one object', async () => {
    const { json } = await check({ expression: 'lower(name)', object_id: amsterdam + 3 })
    expect(json.values).toEqual([{ id: amsterdam + 3, display: 'Delhi', value: 'delhi' }])
  })

  it.each([
    ['upper(nam)', 6, /^A site has no field nam\. There are: .*slug/],
    ['name +', 6, /^The expression ends too early/],
    ['', 0, /^The expression ends too early/],
    ['constructor(name)', 0, /^There is no function constructor/],
    ['max(racks.constructor)', 10, /^A rack has no field constructor/],
  ])('shows the place of the error in %s', async (expression, position, message) => {
    const { json } = await check({ expression })
    expect(json).toMatchObject({ valid: false, type: null, values: [], error: { position } })
    expect(String(json.error.message)).toMatch(message)
  })

  it.each([
    ['sl|', ['slug']],
    ['s|lug', ['slug', 'status', 'shipping_address', 'sum', 'same']],
    ['REG|', ['region']],
    ['name & reg|', ['region']],
    ['not (stat|', ['status']],
    ['lower(fac|', ['facility']],
    ["if(status = 'active', cou|", ['count']],
    ['region.slu|', ['slug']],
    ['region . parent.sl|', ['slug']],
    ['region.display|', ['display']],
    ['count(rac|', ['racks']],
    ['count(tenant|', ['tenant']],
    ['count(region.site|', ['sites']],
    ['sum(racks.u_h|', ['u_height']],
    ['sum(racks.seria|', []],
    ['max(racks.seria|', ['serial']],
    ['max(racks.role.colo|', ['color']],
    ['cf|', ['cf']],
    ['cf.|', ['contract_end']],
    ['today|', ['today']],
    ['nope|', []],
    ['addre|', ['address_count', 'physical_address', 'shipping_address']],
    ['dress|', []],
  ])('suggests names at %s', async (marked, expected) => {
    const names = await namesAt(marked)
    expect(names?.slice(0, expected.length)).toEqual(expected)
    if (expected.length === 0) expect(names).toEqual([])
  })

  it.each([
    ["'na|me'", 'within a text'],
    ["name & 'reg|", 'within a text without an end'],
    ['12|', 'within a number'],
    ['name |', 'after a value'],
    ["'and' |", 'after a text'],
    ['lower(name) |', 'after a function'],
    ['nope.na|', 'after a name that does not exist'],
    ['name.x|', 'after a field without fields'],
    ['racks.|', 'after a relation to several objects outside of a function'],
    ['count(racks.|', 'where only objects are counted'],
    ['sum(racks.u_height, na|', 'after the argument of a sum'],
    ['1.|', 'after a point that follows no name'],
  ])('suggests nothing at %s: %s', async (marked) => {
    expect(await namesAt(marked)).toBeUndefined()
  })

  it('describes names and functions, and says what they replace', async () => {
    const { json } = await check({ expression: 'lower(regi) & "x"', position: 9 })
    expect(json.suggestions).toEqual({
      ...{ start: 6, end: 10 },
      names: [
        { name: 'region', kind: 'relation', type: 'text', object_type: 'dcim.region', label: 'Region', help: '' },
      ],
    })
    const { json: at } = await check({ expression: 'count(rac', position: 9 })
    expect(at.suggestions.names).toEqual([
      { name: 'racks', kind: 'objects', type: null, object_type: 'dcim.rack', label: 'Racks', help: '' },
    ])
    const { json: call } = await check({ expression: 'days_', position: 5 })
    expect(call.suggestions.names).toEqual([
      expect.objectContaining({
        kind: 'function',
        label: 'days_between(from, to)',
        help: expect.stringMatching(/days/),
      }),
    ])
  })

  it.each([
    [{ object_type: 'dcim.nothing', expression: 'name' }, 'object_type'],
    [{ object_type: 'dcim.cablepath', expression: 'id' }, 'object_type'],
    [{ object_type: ['dcim.site'], expression: 'name' }, 'object_type'],
    [{ expression: 1 }, 'expression'],
    [{}, 'expression'],
    [{ expression: 'x'.repeat(2_001) }, 'expression'],
    [{ expression: 'name', position: 5 }, 'position'],
    [{ expression: 'name', position: -1 }, 'position'],
    [{ expression: 'name', position: 'end' }, 'position'],
    [{ expression: 'name', object_id: 1_000_000 }, 'object_id'],
    [{ expression: 'name', object_id: 1.5 }, 'object_id'],
  ])('refuses %j', async (body, field) => {
    const { status, json } = await check(body)
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it('gives up values that take too long, and still checks', async () => {
    await api.service.database.transaction(async (transaction) => {
      await transaction.query(sql`select t.id from ${table('dcim.site')} t limit 1`)
      await transaction.script('lock table dcim_site in access exclusive mode')
      const { json } = await check({ expression: 'upper(name)', position: 9 })
      expect(json).toMatchObject({ valid: true, type: 'text', values: null, suggestions: { start: 6 } })
    })
  })
})

describe('a restricted user', () => {
  let token: string
  beforeAll(async () => {
    const user = await api.make('users/users', { username: 'writer', password: 'Writer-1234-x' })
    const permit = async (object_type: string, constraints: object | null = null) =>
      await api.make('users/permissions', {
        ...{ name: object_type, actions: ['view', 'add'], users: [user], object_types: [object_type], constraints },
      })
    await permit('extras.computedfield')
    await permit('dcim.site', { name__in: ['Amsterdam', 'Cairo'] })
    await permit('dcim.rack', { name: 'R2' })
    const made = (await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1, write_enabled: false } }))
      .json
    token = String(made.key ?? made.token)
  })

  it('sees values of visible objects only, over visible objects only', async () => {
    const { json } = await check({ expression: "count(racks) & coalesce(region.name, '?')" }, token)
    expect(json.values.map(({ display, value }) => [display, value])).toEqual([
      ['Amsterdam', '1?'],
      ['Cairo', '0?'],
    ])
    const { status } = await check({ expression: 'name', object_id: amsterdam + 1 }, token)
    expect(status).toBe(400)
  })

  it.each([
    ['region|', []],
    ['count(device|', []],
    ['count(rack|', ['racks']],
    ['name|', ['name']],
  ])('is suggested only names of models that they may view: %s', async (marked, expected) => {
    expect(await namesAt(marked, token)).toEqual(expected)
  })

  it('learns no names of hidden models from errors or paths', async () => {
    expect(await namesAt('region.na|', token)).toBeUndefined()
    const { json } = await check({ expression: 'region.nope' }, token)
    expect(json.error.message).toBe('A region has no field nope.')
    const { json: own } = await check({ expression: 'nope' }, token)
    expect(own.error.message).toMatch(/There are: .*slug/)
    expect(own.error.message).not.toMatch(/region|tenant/)
    const { json: hidden } = await check({ object_type: 'dcim.device', expression: 'nam', position: 3 }, token)
    expect(hidden).toMatchObject({ valid: false, suggestions: null, error: { message: 'A device has no field nam.' } })
    const { json: none } = await check({ object_type: 'dcim.device', expression: 'name' }, token)
    expect(none).toMatchObject({ valid: true, values: [] })
  })

  it('is refused without permission to view computed fields', async () => {
    const user = await api.make('users/users', { username: 'nobody', password: 'Nobody-1234-x' })
    const made = (await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })).json
    const { status } = await check({ expression: 'name' }, String(made.key ?? made.token))
    expect(status).toBe(403)
  })
})
