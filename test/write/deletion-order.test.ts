import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { deleteObjects } from '../../src/write/remove/delete-objects.ts'
import { runWrite } from '../../src/write/run.ts'
import { type Inventory, openInventory, TESTER } from '../support/inventory.ts'
import { stock } from '../support/stock.ts'

describe('deletion of objects that refer to each other', () => {
  let inventory: Inventory
  let device: number
  let site: number

  beforeAll(async () => {
    inventory = await openInventory()
    ;({ device, site } = await stock(inventory))
  })
  afterAll(() => inventory.close())

  const port = (name: string, more: object) =>
    inventory.create('dcim.interface', { device, name, type: 'ieee802.11ac', ...more })

  test('a device is deleted with all that belongs to it, whichever refers to the other', async () => {
    const vlan = await inventory.create('ipam.vlan', { vid: 7, name: 'seven', site })
    const bond = await port('bond', { type: 'lag', mode: 'tagged', tagged_vlans: [vlan] })
    await port('member', { type: '1000base-t', lag: bond })
    await port('child', { type: 'virtual', parent: bond })
    const first = await port('first', {})
    const second = await port('second', {})
    await inventory.create('wireless.wirelesslink', { interface_a: first, interface_b: second })
    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: bond }
    const mac = await inventory.create('dcim.macaddress', {
      mac_address: '00:00:5E:00:53:01',
      ...assigned,
    })
    await inventory.change('dcim.interface', bond, { primary_mac_address: mac })
    const address = await inventory.create('ipam.ipaddress', {
      address: '192.0.2.1/24',
      ...assigned,
    })
    await inventory.change('dcim.device', device, { primary_ip4: address })
    await inventory.create('dcim.modulebay', { device, name: 'bay' })
    const chassis = await inventory.create('dcim.virtualchassis', { name: 'stack' })
    await inventory.change('dcim.device', device, { virtual_chassis: chassis, vc_position: 1 })
    await inventory.create('dcim.inventoryitem', { device, name: 'fan' })

    await inventory.remove('dcim.device', device)

    const [left] = await inventory.query(sql`
      select (select count(*)::int from dcim_interface where device_id = ${device}::bigint) as interfaces,
        (select count(*)::int from wireless_wirelesslink) as links,
        (select count(*)::int from dcim_interface_tagged_vlans) as tagged,
        (select count(*)::int from dcim_modulebay) as bays,
        (select count(*)::int from ipam_vlan) as vlans`)
    expect(left).toEqual({ interfaces: 0, links: 0, tagged: 0, bays: 0, vlans: 1 })
  })

  test('all nodes of a tree are deleted together', async () => {
    const root = await inventory.create('dcim.region', { name: 'root', slug: 'root' })
    const node = await inventory.create('dcim.region', { name: 'node', slug: 'node', parent: root })
    await inventory.create('dcim.region', { name: 'leaf', slug: 'leaf', parent: node })
    await inventory.remove('dcim.region', root)
    expect(await inventory.query(sql`select id from dcim_region`)).toEqual([])
  })

  test('the server is free to choose plans again after it has searched for what refers to an object', async () => {
    const region = await inventory.create('dcim.region', { name: 'gone', slug: 'gone' })
    const { service } = inventory
    const settings = await runWrite(service, { actor: TESTER, requestId: randomUUID() }, async (context) => {
      await deleteObjects(context, service.registry.model('dcim.region'), [{ id: region }], { bulk: false })
      return await context.transaction.queryColumn(sql`select current_setting('enable_seqscan')`)
    })
    expect(settings).toEqual(['on'])
  })
})
