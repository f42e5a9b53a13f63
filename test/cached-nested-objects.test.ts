import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectionOf } from '../src/read/serialise/projection.ts'
import { fetchObjects } from '../src/read/serialise/read-objects.ts'
import { committedData } from '../src/read/serialise/read-source.ts'
import { type Inventory, openInventory } from './support/inventory.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const named = (name: string) => ({ name, slug: name.toLowerCase() })
  ids.maker = await create('dcim.manufacturer', named('Maker'))
  ids.type = await create('dcim.devicetype', { manufacturer: ids.maker, model: 'T', slug: 't' })
  ids.role = await create('dcim.devicerole', named('Role'))
  ids.outer = await create('dcim.region', named('Outer'))
  ids.inner = await create('dcim.region', { ...named('Inner'), parent: ids.outer })
  ids.site = await create('dcim.site', { ...named('Site'), region: ids.inner })
  ids.device = await create('dcim.device', device({ name: 'one' }))
  ids.chassis = await create('dcim.virtualchassis', { name: 'Stack' })
  ids.member = await create('dcim.device', device({ virtual_chassis: ids.chassis, vc_position: 1 }))
  const context = (of: string, weight: number, where: object) =>
    create('extras.configcontext', { name: of, weight, data: { of }, ...where })
  await context('site', 100, { sites: [ids.site] })
  await context('region', 200, { regions: [ids.inner] })
  ids.port = await create('dcim.interface', { device: ids.member, name: 'e0', type: 'virtual' })
})
afterAll(() => inventory.close())

const device = (more: object) => ({
  device_type: ids.type,
  role: ids.role,
  site: ids.site,
  ...more,
})

async function show(model: string, id: number | undefined, field: string): Promise<unknown> {
  const { service } = inventory
  const selection = { fields: [field], brief: false, excludeContext: false }
  const projection = projectionOf(service, service.registry.model(model), selection)
  const texts = await fetchObjects(committedData(service), [id ?? 0], projection, '')
  return JSON.parse(texts.get(id ?? 0) ?? '{}')[field]
}

// Each write → the places that must show it at once.
const cases: readonly {
  name: string
  shown: readonly [model: string, object: string, field: string]
  before: object
  write: () => Promise<unknown>
  after: object
}[] = [
  {
    name: 'a counter of a related object',
    shown: ['dcim.device', 'device', 'device_type'],
    before: { device_count: 2 },
    write: () => inventory.create('dcim.device', device({ name: 'two' })),
    after: { device_count: 3 },
  },
  {
    name: 'an object two steps away',
    shown: ['dcim.device', 'device', 'device_type'],
    before: { manufacturer: expect.objectContaining({ name: 'Maker' }) },
    write: () => inventory.change('dcim.manufacturer', ids.maker ?? 0, { name: 'Builder' }),
    after: { manufacturer: expect.objectContaining({ name: 'Builder' }) },
  },
  {
    name: 'a node that moves within its tree',
    shown: ['dcim.site', 'site', 'region'],
    before: { _depth: 1 },
    write: () => inventory.change('dcim.region', ids.inner ?? 0, { parent: null }),
    after: { _depth: 0 },
  },
  {
    name: 'an object that only a display names',
    shown: ['dcim.interface', 'port', 'device'],
    before: { display: 'Stack:1' },
    write: () => inventory.change('dcim.virtualchassis', ids.chassis ?? 0, { name: 'Pile' }),
    after: { display: 'Pile:1' },
  },
  {
    name: 'a config context of the region of the site',
    shown: ['dcim.device', 'device', 'config_context'],
    before: { of: 'region' },
    write: () => inventory.change('dcim.site', ids.site ?? 0, { region: null }),
    after: { of: 'site' },
  },
]

test.each(cases)('$name shows in nested objects after a write', async (each) => {
  const { shown, before, write, after } = each
  const [model, object, field] = shown
  expect(await show(model, ids[object], field)).toMatchObject(before)
  await write()
  expect(await show(model, ids[object], field)).toMatchObject(after)
})
