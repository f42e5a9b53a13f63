import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { SERVICE_ACTOR } from '../../src/identity/actor.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { words } from '../../src/schema/view.ts'
import { createService } from '../../src/service.ts'
import { raw } from '../../src/sql/fragment.ts'
import { loadDemo, loadSample, sampleOutlook } from '../../src/transfer/demo/load-demo.ts'
import { hasSample, removeSample } from '../../src/transfer/demo/sample-objects.ts'
import { runWrite } from '../../src/write/run.ts'
import { type Api, apiOfTest } from '../support/api.ts'
import { databaseOfTest } from '../support/database.ts'

const registry = buildRegistry(MODELS, BEHAVIOURS)

describe('the sample network', () => {
  it('is written with change records, once', async () => {
    const database = await databaseOfTest('migrated')
    const settings = readSettings({})
    const service = createService(registry, database, settings)
    const ask = (statement: string) => database.queryArrays(raw(statement))
    const count = await loadDemo(service)
    expect(count).toBeGreaterThan(80)
    expect(await ask(`select name from dcim_site order by name`)).toEqual([
      ['Gull Rock Lighthouse'],
      ['Harbour House'],
      ['Mainland Hall'],
      ['Otter Bank Lighthouse'],
      ['Seal Point Lighthouse'],
    ])
    expect(
      await ask(`select count(*) from dcim_device
        where primary_ip4_id is null and interface_count > 0 and status = 'active'`),
    ).toEqual([[0]])
    expect(await ask('select count(*) from dcim_site where created is null')).toEqual([[0]])
    expect(await ask('select count(*) from dcim_interface where _path_id is null and cable_id is not null')).toEqual([
      [0],
    ])
    expect(
      await ask(`select count(distinct changed_object_id), min(user_name) from core_objectchange
        where changed_object_type = 'dcim.site' and action = 'create'`),
    ).toEqual([[5, 'demo']])
    expect(await ask('select title from core_changerequest')).toEqual([['Build Otter Bank']])
    expect(await loadDemo(service)).toBe(0)
  })

  it('is removed without a trace, and can be loaded again', async () => {
    const api = await apiOfTest()
    const before = await countsOf(api)
    const count = await loadSample(api.service)
    const loaded = await countsOf(api)
    expect(loaded['dcim/devices']).toBe(38)
    const { staying } = await remove(api)
    expect(staying.size).toBe(0)
    expect(await countsOf(api)).toEqual(before)
    expect(await hasSample(api.service)).toBe(false)
    expect(await loadSample(api.service)).toBe(count)
    expect(await countsOf(api)).toEqual(loaded)
    await remove(api)
    expect(await countsOf(api)).toEqual(before)
  })

  it.each<{ readonly title: string; readonly add: (api: Api) => Promise<unknown>; readonly stays: object }>([
    {
      title: 'a device at one of its sites',
      add: async (api) => {
        const site = await idOf(api, 'dcim/sites', 'name=Harbour House')
        await api.make('dcim/devices', {
          ...{ name: 'mine', site, role: { slug: 'switch' }, device_type: { slug: 'flood-8' } },
        })
      },
      stays: { 'dcim/sites': 1, 'dcim/regions': 2, 'dcim/devices': 1, 'dcim/device-types': 1, 'dcim/racks': 0 },
    },
    {
      title: 'a note about a prefix',
      add: async (api) => {
        const id = await idOf(api, 'ipam/prefixes', 'prefix=10.20.0.0/16')
        await api.make('extras/journal-entries', {
          ...{ assigned_object_type: 'ipam.prefix', assigned_object_id: id, comments: 'Keep this.' },
        })
      },
      stays: { 'ipam/prefixes': 1, 'dcim/sites': 0, 'extras/journal-entries': 1 },
    },
    {
      title: 'a tag on an object of their own',
      add: (api) => api.make('dcim/sites', { name: 'Mine', slug: 'mine', tags: [{ slug: 'critical' }] }),
      stays: { 'dcim/sites': 1, 'extras/tags': 2, 'dcim/devices': 0 },
    },
    {
      title: 'a bookmark, which goes with its object',
      add: async (api) => {
        const id = await idOf(api, 'dcim/sites', 'name=Harbour House')
        await api.make('extras/bookmarks', { object_type: 'dcim.site', object_id: id, user: 1 })
      },
      stays: { 'dcim/sites': 0, 'extras/bookmarks': 0 },
    },
    {
      title: 'a change in its branch',
      add: async (api) => {
        const { status } = await api.ask('POST', '/api/tenancy/tenants/?branch=Otter+Bank+rollout', {
          body: { name: 'Mine', slug: 'mine' },
        })
        expect(status).toBe(201)
      },
      stays: { 'core/branches': 1, 'dcim/sites': 0 },
    },
  ])('leaves in place what people build upon: $title', async ({ add, stays }) => {
    const api = await apiOfTest()
    await loadSample(api.service)
    await add(api)
    await remove(api)
    expect(await countsOf(api)).toMatchObject(stays)
  })

  it('is loaded beside what is there, which stays as it is', async () => {
    const api = await apiOfTest()
    const mine = await api.make('dcim/sites', { name: 'Harbour House', slug: 'harbour-house', description: 'mine' })
    await api.make('dcim/sites', { name: 'HQ', slug: 'hq' })
    const before = (await api.ask('GET', '/api/dcim/sites/')).json.results
    expect(await loadDemo(api.service)).toBe(0)
    const outlook = await sampleOutlook(api.service)
    expect(outlook.here).toBe(1)
    expect(await loadSample(api.service)).toBe(outlook.created)
    expect((await countsOf(api))['dcim/sites']).toBe(6)
    expect((await api.ask('GET', `/api/dcim/sites/${mine}/`)).json.description).toBe('mine')
    await remove(api)
    expect((await api.ask('GET', '/api/dcim/sites/')).json.results).toEqual(before)
  })
})

const remove = (api: Api) =>
  runWrite(api.service, { actor: { ...SERVICE_ACTOR, username: 'test' }, requestId: randomUUID() }, removeSample)

const COUNTED = words(`
  dcim/sites dcim/regions dcim/racks dcim/devices dcim/device-types dcim/interfaces dcim/cables ipam/prefixes
  ipam/ip-addresses ipam/vlans circuits/circuits tenancy/tenants virtualization/virtual-machines extras/tags
  extras/custom-fields extras/journal-entries extras/bookmarks core/branches core/change-requests
`)

/** Numbers of objects by path. */
async function countsOf(api: Api): Promise<Readonly<Record<string, number>>> {
  const counts = await Promise.all(
    COUNTED.map(async (path) => [path, Number((await api.ask('GET', `/api/${path}/?limit=1`)).json.count)] as const),
  )
  return Object.fromEntries(counts)
}

const idOf = async (api: Api, path: string, query: string): Promise<number> =>
  Number((await api.ask('GET', `/api/${path}/?${query}`)).json.results?.[0]?.id)
