import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asPlain } from '../../src/schema/json.ts'
import { readRecords } from '../../src/transfer/bulk-import/read-records.ts'
import { type Api, startApi } from '../support/api.ts'

let api: Api
const create = async (path: string, body: object): Promise<number> => {
  const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return Number(json.id)
}

beforeAll(async () => {
  api = await startApi()
  const region = await create('dcim/regions', { name: 'North', slug: 'north' })
  await create('extras/tags', { name: 'Alpha', slug: 'alpha' })
  await create('extras/tags', { name: 'Beta', slug: 'beta' })
  await create('extras/custom-fields', {
    name: 'floors',
    label: 'Number of floors',
    type: 'integer',
    object_types: ['dcim.site'],
  })
  await create('dcim/sites', {
    name: 'One, "quoted"',
    slug: 'one',
    region,
    status: 'planned',
    latitude: 40,
    tags: [{ slug: 'beta' }, { slug: 'alpha' }],
    custom_fields: { floors: 3 },
    comments: 'first\nsecond',
  })
  await create('dcim/sites', { name: 'Two', slug: 'two' })
})
afterAll(() => api.close())

const csv = async (path: string) => {
  const { headers, text } = await api.ask('GET', path)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  return { text, records: readRecords(text).records.map(({ cells }) => cells) }
}

describe('an export of a list', () => {
  test('has all columns, those of custom fields last', async () => {
    const { records } = await csv('/dcim/sites/?export')
    expect(records[0]).toMatchObject({
      Name: 'One, "quoted"',
      Status: 'Planned',
      Region: 'North',
      Latitude: '40.000000',
      Tags: 'Alpha,Beta',
      Comments: 'first\nsecond',
      'Number of floors': '3',
    })
    expect(Object.keys(records[0] ?? {}).at(-1)).toBe('Number of floors')
    expect(records).toHaveLength(2)
  })

  test('of the table has the columns shown there', async () => {
    const { text } = await csv('/dcim/sites/?export=table&name=Two')
    expect(text).toBe('Name,Status,Facility,Region,Group,Tenant,Description\r\nTwo,Active,,,,,\r\n')
  })

  test('has the filters and the order of the list, and is not divided into pages', async () => {
    const names = async (query: string) =>
      (await csv(`/dcim/sites/?export=table${query}`)).records.map(({ Name }) => Name)
    expect(await names('&ordering=-name&limit=1')).toEqual(['Two', 'One, "quoted"'])
    expect(await names('&region=north')).toEqual(['One, "quoted"'])
  })

  test.each(['json', 'yaml'] as const)('as %s has the objects of the API', async (format) => {
    const { text, headers } = await api.ask('GET', `/dcim/sites/?export=${format}`)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="sites.${format}"`)
    const { json } = await api.ask('GET', '/api/dcim/sites/')
    const objects = asPlain(readRecords(text, { format }).records.map(({ cells }) => cells))
    expect(objects).toEqual(json.results)
  })

  test('is offered by the list, with its filters and its templates', async () => {
    await api.ask('POST', '/api/extras/export-templates/', {
      body: { name: 'My list', object_types: ['dcim.site'], template_code: 'x' },
    })
    const { text } = await api.ask('GET', '/dcim/sites/?status=planned')
    expect(text).toContain('href="?status=planned&amp;export=table"')
    expect(text).toContain('href="?status=planned&amp;export=My+list"')
  })

  test('with an unknown template is not found', async () => {
    expect((await api.ask('GET', '/dcim/sites/?export=other')).status).toBe(404)
  })

  test('contains only what the user may view', async () => {
    const user = await create('users/users', { username: 'ann', password: 'A-long-password-1' })
    const key = (await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key
    const ask = () => api.ask('GET', '/dcim/sites/?export=table', { token: String(key) })
    expect((await ask()).status).toBe(403)
    await create('users/permissions', {
      name: 'two',
      object_types: ['dcim.site'],
      actions: ['view'],
      users: [user],
      constraints: { slug: 'two' },
    })
    expect((await ask()).text.split('\r\n')).toHaveLength(3)
  })
})

test('device types are exported with their components', async () => {
  const manufacturer = await create('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const device_type = await create('dcim/device-types', { manufacturer, model: 'M', slug: 'm' })
  await create('dcim/interface-templates', { device_type, name: 'e0', type: '1000base-t' })
  const rear_port = await create('dcim/rear-port-templates', { device_type, name: 'r', type: 'lc' })
  await create('dcim/front-port-templates', {
    device_type,
    name: 'f',
    type: 'lc',
    rear_ports: [{ position: 1, rear_port, rear_port_position: 1 }],
  })
  const { text, headers } = await api.ask('GET', '/dcim/device-types/?export')
  expect(headers.get('content-type')).toBe('text/yaml')
  const records = readRecords(text, { format: 'yaml' }).records.map(({ cells }) => cells)
  expect(asPlain(records)).toMatchObject([
    {
      manufacturer: 'Maker',
      model: 'M',
      interfaces: [{ name: 'e0', type: '1000base-t' }],
      'front-ports': [{ name: 'f' }],
      'port-mappings': [{ front_port: 'f', front_port_position: 1, rear_port: 'r', rear_port_position: 1 }],
    },
  ])
})
