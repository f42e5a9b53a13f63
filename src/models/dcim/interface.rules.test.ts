import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { type Stock, stock } from '../../../test/support/stock.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
let ids: Stock & {
  own: number
  foreign: number
  lag: number
  vlan: number
  farVlan: number
  mac: number
  takenMac: number
}

beforeAll(async () => {
  inventory = await openInventory()
  const some = await stock(inventory)
  const { create } = inventory
  const sibling = await create('dcim.interface', port(some.device, { name: 'own' }))
  ids = {
    ...some,
    own: sibling,
    foreign: await create('dcim.interface', port(some.sibling, { name: 'foreign' })),
    lag: await create('dcim.interface', port(some.device, { name: 'lag', type: 'lag' })),
    vlan: await create('ipam.vlan', { vid: 1, name: 'near', site: some.site }),
    farVlan: await create('ipam.vlan', { vid: 2, name: 'far', site: some.otherSite }),
    mac: await create('dcim.macaddress', { mac_address: '00:00:5e:00:53:01' }),
    takenMac: await create('dcim.macaddress', {
      mac_address: '00:00:5e:00:53:02',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: sibling,
    }),
  }
})
afterAll(() => inventory.close())

const port = (device: number, more: object = {}) => ({
  device,
  name: 'x',
  type: '1000base-t',
  ...more,
})

describe('a new interface', () => {
  // body → field of the error
  const cases: readonly [string, () => object, string[]][] = [
    ['untagged VLAN without mode', () => ({ untagged_vlan: ids.vlan }), ['untagged_vlan']],
    ['tagged VLAN without mode', () => ({ tagged_vlans: [ids.vlan] }), ['tagged_vlans']],
    ['tagged VLAN in access mode', () => ({ mode: 'access', tagged_vlans: [ids.vlan] }), ['tagged_vlans']],
    ['service VLAN in access mode', () => ({ mode: 'access', qinq_svlan: ids.vlan }), ['qinq_svlan']],
    ['untagged VLAN of another site', () => ({ mode: 'access', untagged_vlan: ids.farVlan }), ['untagged_vlan']],
    ['tagged VLAN of another site', () => ({ mode: 'tagged', tagged_vlans: [ids.farVlan] }), ['tagged_vlans']],
    ['power on a virtual interface', () => ({ type: 'virtual', poe_mode: 'pd' }), ['poe_mode']],
    ['power type without power mode', () => ({ poe_type: 'type1-ieee802.3af' }), ['poe_type']],
    ['wireless role on a wired interface', () => ({ rf_role: 'ap' }), ['rf_role']],
    ['channel on a wired interface', () => ({ rf_channel: '5g-36-5180-20' }), ['rf_channel']],
    ['channel width on a wired interface', () => ({ rf_channel_width: 20 }), ['rf_channel_width']],
    [
      'frequency that differs from that of the channel',
      () => ({
        type: 'ieee802.11ac',
        rf_channel: '5g-36-5180-20',
        rf_channel_frequency: 5200,
      }),
      ['rf_channel_frequency'],
    ],
    ['a virtual interface marked as connected', () => ({ type: 'virtual', mark_connected: true }), ['mark_connected']],
    ['parent of a wired interface', () => ({ parent: ids.own }), ['parent']],
    ['parent in the device', () => ({ type: 'virtual', name: 'v1', parent: ids.own }), []],
    ['parent elsewhere', () => ({ type: 'virtual', parent: ids.foreign }), ['parent']],
    ['bridge elsewhere', () => ({ bridge: ids.foreign }), ['bridge']],
    ['aggregate of a virtual interface', () => ({ type: 'virtual', lag: ids.lag }), ['lag']],
    ['address of another interface', () => ({ primary_mac_address: ids.takenMac }), ['primary_mac_address']],
  ]
  test.each(cases)('%s', async (_, more, expected) => {
    const created = inventory.create('dcim.interface', port(ids.device, more()))
    expect(await refusedAt(created)).toEqual(expected)
  })

  test('is assigned its primary address, which cannot be unassigned', async () => {
    const { create, change, query } = inventory
    const id = await create('dcim.interface', port(ids.device, { name: 'addressed', primary_mac_address: ids.mac }))
    expect(
      await query(sql`
        select assigned_object_type as type, assigned_object_id as id
        from dcim_macaddress where id = ${ids.mac}`),
    ).toEqual([{ type: 'dcim.interface', id }])
    const away = { assigned_object_type: null, assigned_object_id: null }
    expect(await refusedAt(change('dcim.macaddress', ids.mac, away))).toEqual(['__all__'])
  })

  test('gets frequency and width from its channel', async () => {
    const id = await inventory.create(
      'dcim.interface',
      port(ids.device, { name: 'w', type: 'ieee802.11ac', rf_channel: '5g-36-5180-20' }),
    )
    const rows = await inventory.query(sql`
      select rf_channel_frequency::int as frequency, rf_channel_width::int as width
      from dcim_interface where id = ${id}`)
    expect(rows).toEqual([{ frequency: 5180, width: 20 }])
  })
})

describe('a change of an interface', () => {
  // change → field of the error
  const cases: readonly [string, () => object, string[]][] = [
    ['another device', () => ({ device: ids.sibling }), ['device']],
    ['a bridge to itself', () => ({ bridge: ids.own }), ['bridge']],
    ['itself as its parent', () => ({ type: 'virtual', parent: ids.own }), ['parent']],
    ['itself as its aggregate', () => ({ lag: ids.own }), ['lag']],
  ]
  test.each(cases)('%s', async (_, change, expected) => {
    expect(await refusedAt(inventory.change('dcim.interface', ids.own, { ...change() }))).toEqual(expected)
  })

  test('VLANs that its mode does not use are removed', async () => {
    const { create, change, query } = inventory
    const id = await create(
      'dcim.interface',
      port(ids.device, { name: 'trunk', mode: 'tagged', tagged_vlans: [ids.vlan] }),
    )
    expect(await refusedAt(change('dcim.interface', id, { mode: 'access' }))).toEqual(['tagged_vlans'])
    await change('dcim.interface', id, { mode: 'q-in-q' })
    expect(await query(sql`select 1 from dcim_interface_tagged_vlans where interface_id = ${id}`)).toEqual([])
  })

  test('a parent can only be deleted with its children', async () => {
    const { create, remove } = inventory
    const parent = await create('dcim.interface', port(ids.device, { name: 'p' }))
    const child = await create('dcim.interface', port(ids.device, { name: 'p.1', type: 'virtual', parent }))
    expect(await refusedAt(remove('dcim.interface', parent))).toEqual(['inUse'])
    expect(await refusedAt(remove('dcim.interface', parent, child))).toEqual([])
  })
})

test('members of a virtual chassis may belong to one aggregate', async () => {
  const { create, createAll } = inventory
  const chassis = await create('dcim.virtualchassis', { name: 'stack' })
  const box = { device_type: ids.type, role: ids.role, site: ids.site, virtual_chassis: chassis }
  const [one = 0, two = 0] = await createAll('dcim.device', [
    { ...box, vc_position: 1 },
    { ...box, vc_position: 2 },
  ])
  const lag = await create('dcim.interface', port(one, { name: 'lag', type: 'lag' }))
  expect(await refusedAt(create('dcim.interface', port(two, { lag })))).toEqual([])
})
