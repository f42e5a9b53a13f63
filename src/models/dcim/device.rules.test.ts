import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { type Stock, stock } from '../../../test/support/stock.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
let ids: Stock & {
  roomRack: number
  deep: number
  flat: number
  child: number
  parent: number
  foreignPlatform: number
  farCluster: number
  farAddress: number
  ownAddress: number
  mounted: number
}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const some = await stock(inventory)
  const type = (model: string, more: object) =>
    create('dcim.devicetype', { manufacturer: some.maker, model, slug: model, ...more })
  const port = (device: number) => create('dcim.interface', { device, name: 'm0', type: 'virtual' })
  const address = async (host: string, device: number) =>
    create('ipam.ipaddress', {
      address: host,
      assigned_object_type: 'dcim.interface',
      assigned_object_id: await port(device),
    })
  const clusterType = await create('virtualization.clustertype', { name: 'T', slug: 't' })
  ids = {
    ...some,
    roomRack: await create('dcim.rack', { name: 'R3', site: some.site, location: some.room }),
    deep: await type('deep', { u_height: 1, is_full_depth: true, airflow: 'passive' }),
    flat: await type('flat', { u_height: 0 }),
    child: await type('child', { u_height: 0, subdevice_role: 'child' }),
    parent: await type('parent', { subdevice_role: 'parent' }),
    foreignPlatform: await create('dcim.platform', {
      name: 'Foreign',
      slug: 'foreign',
      manufacturer: some.otherMaker,
    }),
    farCluster: await create('virtualization.cluster', {
      name: 'C',
      type: clusterType,
      scope_type: 'dcim.site',
      scope_id: some.otherSite,
    }),
    farAddress: await address('192.0.2.1/24', some.distant),
    ownAddress: await address('192.0.2.2/24', some.device),
    mounted: await create('dcim.device', {
      device_type: some.type,
      role: some.role,
      site: some.site,
      rack: some.rack,
      face: 'front',
      position: 4,
    }),
  }
})
afterAll(() => inventory.close())

const device = (more: object = {}) => ({
  device_type: ids.type,
  role: ids.role,
  site: ids.site,
  ...more,
})

describe('a new device', () => {
  // body → field of the error
  const cases: readonly [string, () => object, string[]][] = [
    ['no rack', () => ({}), []],
    ['rack of another site', () => ({ rack: ids.otherRack }), ['rack']],
    ['location of another site', () => ({ location: ids.otherRoom }), ['location']],
    ['rack outside the location', () => ({ rack: ids.rack, location: ids.room }), ['rack']],
    ['face without rack', () => ({ face: 'front' }), ['face']],
    ['position without rack', () => ({ position: 1 }), ['position']],
    ['position without face', () => ({ rack: ids.rack, position: 1 }), ['face']],
    ['odd position', () => ({ rack: ids.rack, face: 'front', position: 1.3 }), ['position']],
    ['free units', () => ({ rack: ids.rack, face: 'front', position: 1 }), []],
    ['taken units', () => ({ rack: ids.rack, face: 'front', position: 5 }), ['position']],
    ['behind another', () => ({ rack: ids.rack, face: 'rear', position: 5 }), []],
    ['too high', () => ({ rack: ids.rack, face: 'front', position: 10 }), ['position']],
    [
      'full depth behind another device',
      () => ({ rack: ids.rack, face: 'rear', position: 4, device_type: ids.deep }),
      ['position'],
    ],
    [
      'position without height',
      () => ({ rack: ids.rack, face: 'rear', position: 9, device_type: ids.flat }),
      ['position'],
    ],
    ['child device with a face', () => ({ rack: ids.rack, face: 'rear', device_type: ids.child }), ['face']],
    ['platform of another manufacturer', () => ({ platform: ids.foreignPlatform }), ['platform']],
    ['cluster of another site', () => ({ cluster: ids.farCluster }), ['cluster']],
    ['address of another device', () => ({ primary_ip4: ids.farAddress }), ['primary_ip4']],
  ]
  test.each(cases)('%s', async (_, more, expected) => {
    expect(await refusedAt(inventory.create('dcim.device', device(more())))).toEqual(expected)
  })

  test('in the place that an earlier device of the same request has taken is refused', async () => {
    const place = device({ rack: ids.rack, face: 'front', position: 7 })
    expect(await refusedAt(inventory.createAll('dcim.device', [place, place]))).toEqual(['position'])
  })

  test('has the location of its rack and the airflow of its type', async () => {
    const id = await inventory.create('dcim.device', device({ rack: ids.roomRack, device_type: ids.deep }))
    const rows = await inventory.query(sql`select location_id, airflow from dcim_device where id = ${id}`)
    expect(rows).toEqual([{ location_id: ids.room, airflow: 'passive' }])
  })
})

describe('a change of a device', () => {
  // change → field of the error
  const cases: readonly [string, () => object, string[]][] = [
    ['something else', () => ({ serial: 'A1' }), []],
    ['its own address', () => ({ primary_ip4: ids.ownAddress }), []],
    ['its address as the other family', () => ({ primary_ip6: ids.ownAddress }), ['primary_ip6']],
    ['another address for management', () => ({ oob_ip: ids.farAddress }), ['oob_ip']],
  ]
  test.each(cases)('%s', async (_, change, expected) => {
    expect(await refusedAt(inventory.change('dcim.device', ids.device, { ...change() }))).toEqual(expected)
  })

  test('a mounted device can be changed without being moved', async () => {
    const change = inventory.change('dcim.device', ids.mounted, { serial: 'A1' })
    expect(await refusedAt(change)).toEqual([])
  })

  test('devices in its bays move with it', async () => {
    const parent = await inventory.create('dcim.device', device({ device_type: ids.parent }))
    const child = await inventory.create('dcim.device', device({ device_type: ids.child }))
    await inventory.create('dcim.devicebay', {
      device: parent,
      name: 'b',
      installed_device: child,
    })
    await inventory.change('dcim.device', parent, { site: ids.otherSite, rack: ids.otherRack })
    const rows = await inventory.query(sql`select site_id, rack_id from dcim_device where id = ${child}`)
    expect(rows).toEqual([{ site_id: ids.otherSite, rack_id: ids.otherRack }])
  })
})

describe('virtual chassis', () => {
  test('members need a position, and the master cannot leave', async () => {
    const { create, change } = inventory
    const master = await create('dcim.device', device())
    const chassis = await create('dcim.virtualchassis', { name: 'stack', master })
    const member = device({ virtual_chassis: chassis })
    expect(await refusedAt(create('dcim.device', member))).toEqual(['vc_position'])
    const away = { virtual_chassis: null, vc_position: null }
    expect(await refusedAt(change('dcim.device', master, away))).toEqual(['virtual_chassis'])
    const stranger = { master: ids.device }
    expect(await refusedAt(change('dcim.virtualchassis', chassis, stranger))).toEqual(['master'])
  })

  test('members lose their position when the chassis is deleted', async () => {
    const { create, query, remove } = inventory
    const chassis = await create('dcim.virtualchassis', { name: 'short' })
    const id = await create('dcim.device', device({ virtual_chassis: chassis, vc_position: 3 }))
    await remove('dcim.virtualchassis', chassis)
    expect(await query(sql`select virtual_chassis_id, vc_position from dcim_device where id = ${id}`)).toEqual([
      { virtual_chassis_id: null, vc_position: null },
    ])
  })

  test('a chassis with a link aggregation group across members cannot be deleted', async () => {
    const { create, remove } = inventory
    const chassis = await create('dcim.virtualchassis', { name: 'bonded' })
    const [one, two] = await inventory.createAll('dcim.device', [
      device({ virtual_chassis: chassis, vc_position: 1 }),
      device({ virtual_chassis: chassis, vc_position: 2 }),
    ])
    const lag = await create('dcim.interface', { device: one, name: 'lag', type: 'lag' })
    await create('dcim.interface', { device: two, name: 'e0', type: '1000base-t', lag })
    expect(await refusedAt(remove('dcim.virtualchassis', chassis))).toEqual(['inUse'])
  })
})
