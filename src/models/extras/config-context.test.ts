import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Inventory, openInventory } from '../../../test/support/inventory.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const named = (name: string) => ({ name, slug: name.toLowerCase() })
  ids.north = await create('dcim.region', named('North'))
  ids.town = await create('dcim.region', { ...named('Town'), parent: ids.north })
  ids.south = await create('dcim.region', named('South'))
  ids.site = await create('dcim.site', { ...named('Here'), region: ids.town })
  ids.role = await create('dcim.devicerole', named('Edge'))
  ids.otherRole = await create('dcim.devicerole', named('Core'))
  ids.group = await create('tenancy.tenantgroup', named('Group'))
  ids.subgroup = await create('tenancy.tenantgroup', { ...named('Subgroup'), parent: ids.group })
  ids.tenant = await create('tenancy.tenant', { ...named('Tenant'), group: ids.subgroup })
  ids.tag = await create('extras.tag', named('Prod'))
  const manufacturer = await create('dcim.manufacturer', named('Maker'))
  ids.type = await create('dcim.devicetype', { manufacturer, model: 'M', slug: 'm' })
  ids.clusterType = await create('virtualization.clustertype', named('Kind'))
  ids.cluster = await create('virtualization.cluster', { name: 'C', type: ids.clusterType })
  const context = (name: string, more: object) =>
    create('extras.configcontext', { name, data: { [name]: true, last: name }, ...more })
  await context('everywhere', { weight: 10 })
  await context('inactive', { weight: 10, is_active: false })
  await context('north', { weight: 20, regions: [ids.north] })
  await context('south', { weight: 20, regions: [ids.south] })
  await context('edge', { weight: 30, roles: [ids.role, ids.otherRole], regions: [ids.town] })
  await context('core', { weight: 30, roles: [ids.otherRole] })
  await context('group', { weight: 40, tenant_groups: [ids.group] })
  await context('subgroup', { weight: 40, tenant_groups: [ids.subgroup] })
  await context('prod', { weight: 5, tags: ['prod'] })
  await context('typed', { weight: 50, device_types: [ids.type], sites: [ids.site] })
  await context('clustered', { weight: 60, cluster_types: [ids.clusterType] })
})
afterAll(() => inventory.close())

async function contextOf(name: string, id: number): Promise<unknown> {
  const { service } = inventory
  const model = service.registry.model(name)
  const selection = { fields: ['config_context'], brief: false, excludeContext: false }
  const projection = projectionOf(service, model, selection)
  const texts = await fetchObjects(committedData(service), [id], projection, '')
  return JSON.parse(texts.get(id) ?? '').config_context
}

// body → names of the matching contexts, the last one last
const cases: readonly [string, string, () => object, string][] = [
  ['a device', 'dcim.device', () => ({ role: ids.role }), 'everywhere north edge typed'],
  ['another role', 'dcim.device', () => ({ role: ids.otherRole }), 'everywhere north edge core typed'],
  [
    'a tenant in a subgroup',
    'dcim.device',
    () => ({ role: ids.role, tenant: ids.tenant }),
    'everywhere north edge subgroup typed',
  ],
  ['a tag, lightest', 'dcim.device', () => ({ role: ids.role, tags: [ids.tag] }), 'prod everywhere north edge typed'],
  [
    'local data',
    'dcim.device',
    () => ({ role: ids.role, local_context_data: { own: true, last: 'own' } }),
    'everywhere north edge typed own',
  ],
  [
    'a virtual machine without site or role',
    'virtualization.virtualmachine',
    () => ({ name: 'vm', cluster: ids.cluster }),
    'everywhere clustered',
  ],
]

test.each(cases)('contexts match %s', async (_name, model, fields, expected) => {
  const common = model === 'dcim.device' ? { device_type: ids.type, site: ids.site } : {}
  const id = await inventory.create(model, { ...common, ...fields() })
  const names = expected.split(' ')
  const last = names.at(-1)
  expect(await contextOf(model, id)).toEqual({
    ...Object.fromEntries(names.map((name) => [name, true])),
    last,
  })
})

test('a context whose lists have changed matches other objects', async () => {
  const { create, change } = inventory
  const device = { device_type: ids.type, site: ids.site, role: ids.role }
  const id = await create('dcim.device', device)
  const context = await create('extras.configcontext', {
    name: 'late',
    data: { late: true },
    sites: [ids.site],
  })
  expect(await contextOf('dcim.device', id)).toMatchObject({ late: true })
  await change('extras.configcontext', context, { sites: [], regions: [ids.south] })
  expect(await contextOf('dcim.device', id)).not.toHaveProperty('late')
})
