import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const named = (name: string) => ({ name, slug: name })
  ids.site = await create('dcim.site', named('site'))
  ids.type = await create('dcim.devicetype', {
    manufacturer: await create('dcim.manufacturer', named('maker')),
    model: 'type',
    slug: 'type',
  })
  ids.role = await create('dcim.devicerole', named('role'))
  ids.device = await create('dcim.device', {
    name: 'device',
    device_type: ids.type,
    role: ids.role,
    site: ids.site,
  })
  for (const [name, type] of [
    ['radio1', 'ieee802.11ac'],
    ['radio2', 'ieee802.11ax'],
    ['radio3', '5g'],
    ['copper', '1000base-t'],
  ]) {
    ids[name ?? ''] = await create('dcim.interface', { device: ids.device, name, type })
  }
  for (const vid of [1, 2, 3, 4]) {
    ids[`vlan${vid}`] = await create('ipam.vlan', { name: `vlan ${vid}`, vid })
  }
  ids.point = await create('vpn.l2vpn', { ...named('point'), type: 'vpws' })
  ids.wide = await create('vpn.l2vpn', { ...named('wide'), type: 'vxlan' })
  ids.tunnel = await create('vpn.tunnel', { name: 't', status: 'active', encapsulation: 'gre' })
})
afterAll(() => inventory.close())

describe('IKE and IPsec', () => {
  const cases: readonly [string, string, object, string[]][] = [
    ['IKEv1 without mode', 'vpn.ikepolicy', { version: 1 }, ['__all__']],
    ['IKEv1 with mode', 'vpn.ikepolicy', { version: 1, mode: 'main' }, []],
    ['IKEv2 with mode', 'vpn.ikepolicy', { version: 2, mode: 'main' }, ['__all__']],
    ['IKEv2 without mode', 'vpn.ikepolicy', { version: 2 }, []],
    ['no algorithm', 'vpn.ipsecproposal', {}, ['__all__']],
    ['encryption', 'vpn.ipsecproposal', { encryption_algorithm: 'aes-128-cbc' }, []],
    ['authentication', 'vpn.ipsecproposal', { authentication_algorithm: 'hmac-sha1' }, []],
  ]
  test.each(cases)('%s', async (name, model, body, expected) => {
    expect(await refusedAt(inventory.create(model, { name, ...body }))).toEqual(expected)
  })
})

describe('terminations', () => {
  const vlan = (l2vpn: string, id: string) => () => ({
    l2vpn: ids[l2vpn],
    assigned_object_type: 'ipam.vlan',
    assigned_object_id: ids[id],
  })
  const cases: readonly [string, () => object, string[]][] = [
    ['first end', vlan('point', 'vlan1'), []],
    ['an object at which another one ends already', vlan('wide', 'vlan1'), ['__all__']],
    ['second end', vlan('point', 'vlan2'), []],
    ['third end', vlan('point', 'vlan3'), ['__all__']],
    ['third end of a multipoint network', vlan('wide', 'vlan3'), []],
  ]
  test.each(cases)('of an L2VPN are checked against its type: %s', async (_name, body, expected) => {
    expect(await refusedAt(inventory.create('vpn.l2vpntermination', { ...body() }))).toEqual(expected)
  })

  test('both ends of a point-to-point network can be saved again in one request', async () => {
    const rows = await inventory.query<{ id: number }>(
      sql`select id from vpn_l2vpntermination where l2vpn_id = ${ids.point}`,
    )
    for (const { id } of rows) {
      const work = inventory.change('vpn.l2vpntermination', id, { l2vpn: ids.point })
      expect(await refusedAt(work)).toEqual([])
    }
  })

  test('an interface can be the end of only one tunnel', async () => {
    const body = {
      tunnel: ids.tunnel,
      role: 'peer',
      termination_type: 'dcim.interface',
      termination_id: ids.copper,
    }
    expect(await refusedAt(inventory.create('vpn.tunneltermination', body))).toEqual([])
    expect(await refusedAt(inventory.create('vpn.tunneltermination', body))).toEqual(['__all__', 'termination'])
  })
})

describe('wireless links', () => {
  const cases: readonly [string, string, string, object, string[]][] = [
    ['cabled first end', 'copper', 'radio1', {}, ['interface_a']],
    ['cabled second end', 'radio1', 'copper', {}, ['interface_b']],
    ['distance without unit', 'radio1', 'radio2', { distance: 5 }, ['__all__']],
  ]
  test.each(cases)('%s', async (_name, a, b, more, expected) => {
    const body = { interface_a: ids[a], interface_b: ids[b], ...more }
    expect(await refusedAt(inventory.create('wireless.wirelesslink', body))).toEqual(expected)
  })

  test('interfaces show their link', async () => {
    const { create, change, remove, query } = inventory
    const links = async () =>
      Object.fromEntries(
        (
          await query<{ name: string; link: number | null }>(sql`
            select name, wireless_link_id as link from dcim_interface where name like 'radio%'`)
        ).map(({ name, link }) => [name, link]),
      )
    const id = await create('wireless.wirelesslink', {
      interface_a: ids.radio1,
      interface_b: ids.radio2,
      distance_unit: 'km',
    })
    expect(await links()).toEqual({ radio1: id, radio2: id, radio3: null })
    await change('wireless.wirelesslink', id, { interface_b: ids.radio3 })
    expect(await links()).toEqual({ radio1: id, radio2: null, radio3: id })
    const [row] = await query(sql`
      select _interface_a_device_id as device, distance_unit from wireless_wirelesslink`)
    expect(row).toEqual({ device: ids.device, distance_unit: null })
    await remove('wireless.wirelesslink', id)
    expect(await links()).toEqual({ radio1: null, radio2: null, radio3: null })
  })
})
