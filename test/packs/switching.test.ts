import { expect, it, onTestFinished } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { type Api, startApi, startApiOver } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import type { TestSettings } from '../support/settings.ts'

async function started(environment?: TestSettings): Promise<Api> {
  const api = await startApi(environment)
  onTestFinished(() => api.close())
  return api
}

async function packId({ ask }: Api, name: string): Promise<number> {
  const { json } = await ask('GET', `/api/core/packs/?name=${name}`)
  return Number(json.results?.[0]?.id)
}

async function switchPack(api: Api, name: string, enabled: boolean): Promise<void> {
  const { status, text } = await api.ask('PATCH', `/api/core/packs/${await packId(api, name)}/`, { body: { enabled } })
  expect(status, text).toBe(200)
}

const PREFIX_LISTS = '/api/plugins/bgp/prefix-list/'

it('a pack that is on has addresses, object types, a GraphQL field and an entry in the menu, and none before', async () => {
  const api = await started()
  const seen = async () => ({
    list: (await api.ask('GET', PREFIX_LISTS)).status,
    alias: (await api.ask('GET', '/api/plugins/bgp/session/')).status,
    root: 'bgp' in (await api.ask('GET', '/api/plugins/')).json,
    type: (await api.ask('GET', '/api/core/object-types/?app_label=netbox_bgp&model=bgpsession')).json.count,
    query:
      (await api.ask('POST', '/graphql/', { body: { query: '{ netbox_bgp_session_list { id } }' } })).json.data != null,
    schema: (await api.ask('GET', '/api/schema/?format=json')).text.includes('"/api/plugins/bgp/prefix-list/"'),
  })
  expect(await seen()).toEqual({ list: 404, alias: 404, root: false, type: 0, query: false, schema: false })
  await switchPack(api, 'bgp', true)
  expect(await seen()).toEqual({ list: 200, alias: 200, root: true, type: 1, query: true, schema: true })
})

it('a pack that was off keeps its objects, and what they refer to', async () => {
  const api = await started()
  await switchPack(api, 'bgp', true)
  const [rir, list] = [
    await api.make('ipam/rirs', { name: 'RIR', slug: 'rir' }),
    await api.make('plugins/bgp/prefix-list', { name: 'Customers', family: 'ipv4' }),
  ]
  const prefix = await api.make('ipam/prefixes', { prefix: '10.0.0.0/8' })
  const rule = { prefix_list: list, index: 10, action: 'permit', prefix }
  await api.make('plugins/bgp/prefix-list-rule', rule)
  const rules = async () => (await api.ask('GET', '/api/plugins/bgp/prefix-list-rule/?fields=id,index,prefix')).text
  const before = await rules()
  await switchPack(api, 'bgp', false)
  expect((await api.ask('GET', PREFIX_LISTS)).status).toBe(404)
  expect((await api.ask('DELETE', `/api/ipam/prefixes/${prefix}/`)).status).toBe(409)
  expect((await api.ask('DELETE', `/api/ipam/rirs/${rir}/`)).status).toBe(204)
  await switchPack(api, 'bgp', true)
  expect(await rules()).toBe(before)
})

it('switching on can be undone and tried', async () => {
  const api = await started()
  const path = `/api/core/packs/${await packId(api, 'bgp')}/`
  expect((await api.ask('PATCH', `${path}?dry_run=true`, { body: { enabled: true } })).status).toBe(200)
  expect((await api.ask('GET', PREFIX_LISTS)).status).toBe(404)
  const { headers } = await api.ask('PATCH', path, { body: { enabled: true } })
  expect((await api.ask('GET', PREFIX_LISTS)).status).toBe(200)
  const request = headers.get('x-request-id')
  const { status, text } = await api.ask('POST', `/api/core/requests/${request}/undo/`)
  expect(status, text).toBe(200)
  expect((await api.ask('GET', PREFIX_LISTS)).status).toBe(404)
})

it('the setting PACKS keeps packs on', async () => {
  const api = await started({ PACKS: 'bgp,lifecycle' })
  expect((await api.ask('GET', PREFIX_LISTS)).status).toBe(200)
  expect((await api.ask('GET', '/api/plugins/lifecycle/vendor/')).status).toBe(200)
  const path = `/api/core/packs/${await packId(api, 'bgp')}/`
  const refused = await api.ask('PATCH', path, { body: { enabled: false } })
  expect([refused.status, refused.json]).toEqual([
    400,
    { enabled: ['The setting PACKS names this pack, so that it is always on.'] },
  ])
  await expect(startApi({ PACKS: 'nowhere' })).rejects.toThrow(
    /^PACKS: there is no pack nowhere\. There are: access-lists, attachments,/,
  )
})

const RACKS = {
  name: 'cages',
  models: [
    {
      name: 'cage',
      path: 'cages',
      labels: ['cage', 'cages'],
      fields: {
        name: { kind: 'text', max: 50, unique: true },
        site: { kind: 'object', to: 'dcim.site', related: 'cages' },
        units: { kind: 'integer', range: [0, 100], default: 1 },
      },
      rules: [{ expression: 'units > 0', message: 'A cage has units.', field: 'units' }],
    },
  ],
}

const withFields = (fields: object) => ({ ...RACKS, models: [{ ...RACKS.models[0], fields }] })

it('a pack of your own follows its document, and removed fields keep their values', async () => {
  const api = await started()
  const site = await api.make('dcim/sites', { name: 'Site', slug: 'site' })
  const id = await api.make('core/packs', { document: RACKS, enabled: true })
  const cage = await api.make('plugins/cages/cages', { name: 'A', site, units: 5 })
  const path = `/api/plugins/cages/cages/${cage}/`
  const refused = await api.ask('PATCH', path, { body: { units: 0 } })
  expect([refused.status, refused.json]).toEqual([400, { units: ['A cage has units.'] }])
  const { name, site: place } = RACKS.models[0]?.fields ?? {}
  const change = async (document: object) => {
    const { status, text } = await api.ask('PATCH', `/api/core/packs/${id}/`, { body: { document } })
    expect(status, text).toBe(200)
  }
  const without = withFields({ name, site: place, note: { kind: 'text', default: '' } })
  await change({ ...without, models: without.models.map(({ rules: _, ...model }) => model) })
  const shown = (await api.ask('GET', path)).json
  expect(['units' in shown, shown.note]).toEqual([false, ''])
  await change(RACKS)
  expect((await api.ask('GET', path)).json.units).toBe(5)
  expect((await api.ask('DELETE', `/api/core/packs/${id}/`)).status).toBe(204)
  expect((await api.ask('GET', path)).status).toBe(404)
  await api.make('core/packs', { document: RACKS, enabled: true })
  expect((await api.ask('GET', path)).json.units).toBe(5)
})

it.each([
  ['PATCH', { document: RACKS }, { document: ['A pack in a folder cannot be changed here.'] }],
  ['PATCH', { name: 'other' }, { name: ['A pack in a folder cannot be renamed here.'] }],
  ['DELETE', undefined, { detail: 'A pack in a folder cannot be deleted: switch it off.' }],
] as const)('a pack that ships refuses %s %o', async (method, body, expected) => {
  const api = await started()
  const { status, json } = await api.ask(method, `/api/core/packs/${await packId(api, 'bgp')}/`, { body })
  expect([Math.floor(status / 100), json]).toEqual([4, expected])
})

it('a pack that cannot be used is switched off at the start, with the reason, and the others stay on', async () => {
  const database = await openTestDatabase('migrated')
  const first = await startApiOver(database)
  onTestFinished(() => first.close())
  await switchPack(first, 'bgp', true)
  const id = await first.make('core/packs', { document: RACKS, enabled: true })
  await first.make('plugins/bgp/prefix-list', { name: 'Customers', family: 'ipv4' })
  const broken = withFields({ name: { kind: 'text' }, lost: { kind: 'object', to: 'dcim.nothing' } })
  await first.service.database.execute(
    sql`${updateTable('core.pack')} set document = ${JSON.stringify(broken)}::jsonb where id = ${id}::bigint`,
  )
  const second = await startApiOver(database)
  const { json } = await second.ask('GET', `/api/core/packs/${id}/`)
  expect([json.enabled, json.problem]).toEqual([false, 'cages.cage: No model is named dcim.nothing.'])
  expect((await second.ask('GET', PREFIX_LISTS)).json.count).toBe(1)
  const { status } = await second.ask('PATCH', `/api/core/packs/${id}/`, { body: { document: RACKS, enabled: true } })
  expect(status).toBe(200)
})

it('one document switches a pack on, declares another, and has objects of both', async () => {
  const api = await started()
  const document = {
    objects: {
      'netbox_bgp.prefixlist': [{ name: 'Customers', family: 'ipv4' }],
      'cages.cage': [{ name: 'A', site: { slug: 'site' } }],
      'dcim.site': [{ name: 'Site', slug: 'site' }],
      'core.pack': [
        { name: 'bgp', enabled: true },
        { name: 'cages', document: RACKS, enabled: true },
      ],
    },
  }
  for (const outcomes of [{ created: 4, updated: 1 }, { unchanged: 5 }]) {
    const { status, json, text } = await api.ask('POST', '/api/apply/?fields=counts', { body: document })
    expect([status, json], text).toEqual([200, expect.objectContaining(outcomes)])
  }
})
