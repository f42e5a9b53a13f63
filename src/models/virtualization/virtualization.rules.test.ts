import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const named = (name: string) => ({ name, slug: name })
  ids.here = await create('dcim.site', named('here'))
  ids.there = await create('dcim.site', named('there'))
  const clusterType = await create('virtualization.clustertype', named('type'))
  const scope = (site: number | undefined) => ({ scope_type: 'dcim.site', scope_id: site })
  ids.cluster = await create('virtualization.cluster', {
    name: 'cluster',
    type: clusterType,
    ...scope(ids.here),
  })
  const deviceType = await create('dcim.devicetype', {
    manufacturer: await create('dcim.manufacturer', named('maker')),
    model: 'type',
    slug: 'type',
  })
  const role = await create('dcim.devicerole', named('role'))
  const host = (name: string, more: object) =>
    create('dcim.device', { name, device_type: deviceType, role, site: ids.here, ...more })
  ids.member = await host('member', { cluster: ids.cluster })
  ids.alone = await host('alone', {})
  ids.type = await create('virtualization.virtualmachinetype', {
    ...named('small'),
    default_memory: 512,
    default_vcpus: 2,
  })
  ids.machine = await create('virtualization.virtualmachine', { name: 'm', cluster: ids.cluster })
  ids.other = await create('virtualization.virtualmachine', { name: 'o', cluster: ids.cluster })
  const card = (machine: number | undefined) =>
    create('virtualization.vminterface', { virtual_machine: machine, name: 'eth0' })
  ids.card = await card(ids.machine)
  ids.otherCard = await card(ids.other)
  const address = (value: string, at: number | undefined) =>
    create('ipam.ipaddress', {
      address: value,
      assigned_object_type: 'virtualization.vminterface',
      assigned_object_id: at,
    })
  ids.own = await address('192.0.2.1/24', ids.card)
  ids.own6 = await address('2001:db8::1/64', ids.card)
  ids.foreign = await address('192.0.2.2/24', ids.otherCard)
  ids.vlanThere = await create('ipam.vlan', { name: 'v', vid: 5, site: ids.there })
})
afterAll(() => inventory.close())

describe('a virtual machine', () => {
  // body → field of the error
  const cases: readonly [string, () => object, string[]][] = [
    ['nowhere', () => ({}), ['__all__']],
    ['a cluster in another site', () => ({ cluster: ids.cluster, site: ids.there }), ['cluster']],
    ['a host in another site', () => ({ device: ids.alone, site: ids.there }), ['site']],
    ['a host without its cluster', () => ({ device: ids.member }), ['cluster']],
    ['a host outside the cluster', () => ({ device: ids.alone, cluster: ids.cluster }), ['device']],
    ['a host and its cluster', () => ({ device: ids.member, cluster: ids.cluster }), []],
    ['a lone host', () => ({ device: ids.alone }), []],
    ['context data that is not an object', () => ({ site: ids.here, local_context_data: [1] }), ['local_context_data']],
    ['an address of another machine', () => ({ site: ids.here, primary_ip4: ids.own }), ['primary_ip4']],
  ]
  test.each(cases)('%s', async (name, more, places) => {
    const creation = inventory.create('virtualization.virtualmachine', { name, ...more() })
    expect(await refusedAt(creation)).toEqual(places)
  })

  const addresses: readonly [string, () => object, string[]][] = [
    ['its own', () => ({ primary_ip4: ids.own, primary_ip6: ids.own6 }), []],
    ['of the other family', () => ({ primary_ip4: ids.own6 }), ['primary_ip4']],
    ["another machine's", () => ({ primary_ip4: ids.foreign }), ['primary_ip4']],
  ]
  test.each(addresses)('primary address: %s', async (_name, body, places) => {
    const change = inventory.change('virtualization.virtualmachine', ids.machine ?? 0, {
      ...body(),
    })
    expect(await refusedAt(change)).toEqual(places)
  })

  test('gets its site from the cluster, and missing values from its type', async () => {
    const id = await inventory.create('virtualization.virtualmachine', {
      name: 'heir',
      cluster: ids.cluster,
      virtual_machine_type: ids.type,
      memory: 64,
    })
    const [row] = await inventory.query(sql`
      select site_id, memory, vcpus::text from virtualization_virtualmachine where id = ${id}`)
    expect(row).toEqual({ site_id: ids.here, memory: 64, vcpus: '2.00' })
  })

  test('has the total size of its disks', async () => {
    const { create, change, remove } = inventory
    const disk = (name: string, size: number) =>
      create('virtualization.virtualdisk', { virtual_machine: ids.machine, name, size })
    const size = async () => {
      const [row] = await inventory.query(sql`select disk from virtualization_virtualmachine where id = ${ids.machine}`)
      return row?.disk
    }
    const first = await disk('a', 10)
    const second = await disk('b', 15)
    expect(await size()).toBe(25)
    const wrong = change('virtualization.virtualmachine', ids.machine ?? 0, { disk: 24 })
    expect(await refusedAt(wrong)).toEqual(['disk'])
    await change('virtualization.virtualdisk', first, { size: 20 })
    expect(await size()).toBe(35)
    await remove('virtualization.virtualdisk', first, second)
    expect(await size()).toBeNull()
  })
})

describe('an interface', () => {
  const cases: readonly [string, () => object, string[]][] = [
    ['a parent in another machine', () => ({ parent: ids.otherCard }), ['parent']],
    ['a bridge in another machine', () => ({ bridge: ids.otherCard }), ['bridge']],
    ['itself as parent', () => ({ parent: ids.card }), ['parent']],
    ['a VLAN of another site', () => ({ mode: 'access', untagged_vlan: ids.vlanThere }), ['untagged_vlan']],
    ['tagged VLANs of another site', () => ({ mode: 'tagged', tagged_vlans: [ids.vlanThere] }), ['tagged_vlans']],
    ['a service VLAN without its mode', () => ({ qinq_svlan: ids.vlanThere }), ['qinq_svlan']],
  ]
  test.each(cases)('%s', async (_name, body, places) => {
    const change = inventory.change('virtualization.vminterface', ids.card ?? 0, { ...body() })
    expect(await refusedAt(change)).toEqual(places)
  })
})

describe('a cluster', () => {
  const cases: readonly [string, () => object, string[]][] = [
    ['a scope without an object', () => ({ scope_type: 'dcim.site', scope_id: null }), ['__all__']],
    ['a site without its hosts', () => ({ scope_id: ids.there }), ['scope']],
  ]
  test.each(cases)('%s', async (_name, body, places) => {
    const change = inventory.change('virtualization.cluster', ids.cluster ?? 0, { ...body() })
    expect(await refusedAt(change)).toEqual(places)
  })

  test('moves to another site with its virtual machines', async () => {
    const { create, change } = inventory
    const moved = await create('virtualization.cluster', {
      name: 'moved',
      type: await create('virtualization.clustertype', { name: 'other', slug: 'other' }),
      scope_type: 'dcim.site',
      scope_id: ids.here,
    })
    const machine = await create('virtualization.virtualmachine', { name: 'm', cluster: moved })
    await change('virtualization.cluster', moved, { scope_id: ids.there })
    const [row] = await inventory.query(sql`select site_id from virtualization_virtualmachine where id = ${machine}`)
    expect(row?.site_id).toBe(ids.there)
  })
})
