import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { rebuildPrefixHierarchy } from './prefix.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory({ ENFORCE_GLOBAL_UNIQUE: 'true' })
  const { create } = inventory
  for (const name of ['strict', 'ranges', 'tree', 'other']) {
    ids[name] = await create('ipam.vrf', { name })
  }
  ids.lax = await create('ipam.vrf', { name: 'lax', enforce_unique: false })
  ids.rir = await create('ipam.rir', { name: 'RIR', slug: 'rir' })
  const port = (virtual_machine: number | undefined, name: string) =>
    create('virtualization.vminterface', { virtual_machine, name })
  ids.cluster = await create('virtualization.cluster', {
    name: 'Cluster',
    type: await create('virtualization.clustertype', { name: 'Type', slug: 'type' }),
  })
  ids.machine = await create('virtualization.virtualmachine', {
    name: 'vm',
    cluster: ids.cluster,
  })
  ids.otherMachine = await create('virtualization.virtualmachine', {
    name: 'other',
    cluster: ids.cluster,
  })
  ids.port = await port(ids.machine, 'eth0')
  ids.secondPort = await port(ids.machine, 'eth1')
  ids.otherPort = await port(ids.otherMachine, 'eth0')
})
afterAll(() => inventory.close())

describe('aggregates', () => {
  beforeAll(async () => {
    await inventory.create('ipam.aggregate', { prefix: '10.0.0.0/8', rir: ids.rir })
  })
  const cases: readonly [string, string, string[]][] = [
    ['the whole Internet', '::/0', ['prefix']],
    ['host bits', '192.0.2.1/24', ['prefix']],
    ['the same', '10.0.0.0/8', ['prefix']],
    ['inside', '10.1.0.0/16', ['prefix']],
    ['around', '8.0.0.0/6', ['prefix']],
    ['beside', '11.0.0.0/8', []],
  ]
  test.each(cases)('%s: %s', async (_name, prefix, expected) => {
    const work = inventory.create('ipam.aggregate', { prefix, rir: ids.rir })
    expect(await refusedAt(work)).toEqual(expected)
  })

  test('overlaps within one request are refused', async () => {
    const work = inventory.createAll(
      'ipam.aggregate',
      ['2001:db8::/32', '2001:db8:1::/48', '2001:db9::/32'].map((prefix) => ({
        prefix,
        rir: ids.rir,
      })),
    )
    expect(await refusedAt(work)).toEqual(['prefix'])
  })
})

describe('prefixes', () => {
  beforeAll(async () => {
    for (const vrf of [ids.strict, ids.lax, null]) {
      await inventory.create('ipam.prefix', { prefix: '192.0.2.0/24', vrf })
    }
  })
  const cases: readonly [string, () => object, string[]][] = [
    ['the whole Internet', () => ({ prefix: '0.0.0.0/0' }), ['prefix']],
    ['host bits', () => ({ prefix: '192.0.2.1/24' }), ['prefix']],
    ['a duplicate in a VRF that enforces uniqueness', () => ({ vrf: ids.strict }), ['prefix']],
    ['a duplicate in a VRF that does not', () => ({ vrf: ids.lax }), []],
    ['a duplicate in the global table', () => ({ vrf: null }), ['prefix']],
    ['another mask', () => ({ prefix: '192.0.2.0/25', vrf: ids.strict }), []],
    ['half a scope', () => ({ scope_type: 'dcim.site' }), ['__all__']],
    ['the other half of a scope', () => ({ scope_id: 1 }), ['scope_type']],
    ['a scope that is missing', () => ({ scope_type: 'dcim.site', scope_id: 99 }), ['scope_id']],
  ]
  test.each(cases)('%s', async (_name, body, expected) => {
    const work = inventory.create('ipam.prefix', { prefix: '192.0.2.0/24', ...body() })
    expect(await refusedAt(work)).toEqual(expected)
  })

  test('duplicates within one request are refused', async () => {
    const body = { prefix: '198.51.100.0/24', vrf: ids.strict }
    expect(await refusedAt(inventory.createAll('ipam.prefix', [body, body]))).toEqual(['prefix'])
  })

  test('a prefix is not a duplicate of itself', async () => {
    const [row] = await inventory.query<{ id: number }>(
      sql`select id from ${table('ipam.prefix')} where vrf_id = ${ids.strict} and prefix = '192.0.2.0/24'`,
    )
    const work = inventory.change('ipam.prefix', row?.id ?? 0, { description: 'again' })
    expect(await refusedAt(work)).toEqual([])
  })
})

describe('the hierarchy of prefixes', () => {
  const placed = async () =>
    Object.fromEntries(
      (
        await inventory.query<{ prefix: string; _depth: number; _children: number }>(sql`
          select prefix::text, _depth, _children from ${table('ipam.prefix')}
          where vrf_id = ${ids.tree} order by prefix`)
      ).map(({ prefix, _depth, _children }) => [prefix, [_depth, _children]]),
    )

  test('is updated by creation, a move and a deletion', async () => {
    const vrf = ids.tree
    const [top = 0, middle = 0] = await inventory.createAll(
      'ipam.prefix',
      ['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24'].map((prefix) => ({ prefix, vrf })),
    )
    await inventory.create('ipam.prefix', { prefix: '10.1.0.0/17', vrf: ids.other })
    await inventory.create('ipam.prefix', { prefix: '10.1.0.0/20', vrf })
    expect(await placed()).toEqual({
      '10.0.0.0/8': [0, 3],
      '10.1.0.0/16': [1, 2],
      '10.1.0.0/20': [2, 1],
      '10.1.1.0/24': [3, 0],
    })
    await inventory.change('ipam.prefix', middle, { prefix: '10.2.0.0/16' })
    expect(await placed()).toEqual({
      '10.0.0.0/8': [0, 3],
      '10.1.0.0/20': [1, 1],
      '10.1.1.0/24': [2, 0],
      '10.2.0.0/16': [1, 0],
    })
    await inventory.change('ipam.prefix', middle, { vrf: ids.other })
    await inventory.remove('ipam.prefix', top)
    const left = { '10.1.0.0/20': [0, 1], '10.1.1.0/24': [1, 0] }
    expect(await placed()).toEqual(left)
    await inventory.query(sql`${updateTable('ipam.prefix')} set _depth = 7, _children = 7`)
    await rebuildPrefixHierarchy(inventory.service.database)
    expect(await placed()).toEqual(left)
  })
})

describe('ranges of addresses', () => {
  beforeAll(async () => {
    await inventory.create('ipam.iprange', range('10.0.0.10/24', '10.0.0.20/24'))
  })
  const range = (start_address: string, end_address: string, vrf = ids.ranges) => ({
    start_address,
    end_address,
    vrf,
  })
  const cases: readonly [string, () => object, string[]][] = [
    ['two families', () => range('10.0.0.1/24', '2001:db8::1/24'), ['end_address']],
    ['two masks', () => range('10.0.0.1/24', '10.0.0.2/25'), ['end_address']],
    ['end before start', () => range('10.0.0.5/24', '10.0.0.1/24'), ['end_address']],
    ['reaches in', () => range('10.0.0.1/24', '10.0.0.10/24'), ['__all__']],
    ['reaches out', () => range('10.0.0.20/24', '10.0.0.30/24'), ['__all__']],
    ['inside', () => range('10.0.0.12/25', '10.0.0.13/25'), ['__all__']],
    ['around', () => range('10.0.0.1/24', '10.0.0.30/24'), ['__all__']],
    ['too many', () => range('2001:db8::/32', '2001:db8:1::/32'), ['__all__']],
    ['one address', () => range('10.0.0.40/24', '10.0.0.40/24'), []],
    ['the same in another VRF', () => range('10.0.0.10/24', '10.0.0.20/24', ids.other), []],
  ]
  test.each(cases)('%s', async (_name, body, expected) => {
    expect(await refusedAt(inventory.create('ipam.iprange', { ...body() }))).toEqual(expected)
  })

  test('overlaps within one request are refused', async () => {
    const bodies = [range('10.9.0.1/24', '10.9.0.9/24'), range('10.9.0.9/24', '10.9.0.10/24')]
    expect(await refusedAt(inventory.createAll('ipam.iprange', bodies))).toEqual(['__all__'])
  })

  test('a range shows its size', async () => {
    const rows = await inventory.query(
      sql`select size from ${table('ipam.iprange')} where vrf_id = ${ids.ranges} order by start_address`,
    )
    expect(rows).toEqual([{ size: 11 }, { size: 1 }])
  })
})

describe('addresses', () => {
  beforeAll(async () => {
    const { create } = inventory
    await create('ipam.ipaddress', { address: '192.0.2.10/24', vrf: ids.strict })
    await create('ipam.ipaddress', { address: '192.0.2.20/24', vrf: ids.strict, role: 'vip' })
    for (const address of ['198.51.100.200/24', '2001:db8::99/64']) {
      await create('ipam.ipaddress', { address })
    }
    await create('ipam.iprange', {
      start_address: '192.0.2.100/24',
      end_address: '192.0.2.110/24',
      vrf: ids.strict,
      mark_populated: true,
    })
  })
  const onPort = (address: string) => () => ({
    address,
    assigned_object_type: 'virtualization.vminterface',
    assigned_object_id: ids.port,
  })
  const cases: readonly [string, () => object, string[]][] = [
    ['the whole Internet', () => ({ address: '192.0.2.1/0' }), ['address']],
    [
      'a duplicate in a VRF that enforces uniqueness',
      () => ({ address: '192.0.2.10/24', vrf: ids.strict }),
      ['address'],
    ],
    ['the same host with another mask', () => ({ address: '192.0.2.10/32', vrf: ids.strict }), ['address']],
    [
      'a shared role beside a host of its own',
      () => ({ address: '192.0.2.10/24', vrf: ids.strict, role: 'vip' }),
      ['address'],
    ],
    ['a shared role beside a shared role', () => ({ address: '192.0.2.20/24', vrf: ids.strict, role: 'hsrp' }), []],
    ['no role beside a shared role', () => ({ address: '192.0.2.20/24', vrf: ids.strict }), ['address']],
    ['the same in another VRF', () => ({ address: '192.0.2.10/24', vrf: ids.other }), []],
    ['a duplicate in the global table', () => ({ address: '198.51.100.200/25' }), ['address']],
    ['a duplicate in another spelling', () => ({ address: '2001:DB8:0:0::99/48' }), ['address']],
    ['outside of VRFs what a VRF has', () => ({ address: '192.0.2.10/24' }), []],
    ['in a full range', () => ({ address: '192.0.2.105/24', vrf: ids.strict }), ['address']],
    ['in a full range of another VRF', () => ({ address: '192.0.2.105/24', vrf: ids.other }), []],
    ['a network address on an interface', onPort('198.51.100.0/24'), ['__all__']],
    ['a broadcast address on an interface', onPort('198.51.100.255/24'), ['__all__']],
    ['either end of a link', onPort('198.51.100.0/31'), []],
    ['the last of an IPv6 network', onPort('2001:db8::ffff/112'), []],
    ['the first of an IPv6 network', onPort('2001:db8::/64'), ['__all__']],
    ['a network address without an interface', () => ({ address: '198.51.101.0/24' }), []],
    ['SLAAC in IPv4', () => ({ address: '203.0.113.1/24', status: 'slaac' }), ['status']],
    ['SLAAC in IPv6', () => ({ address: '2001:db8::7/64', status: 'slaac' }), []],
    ['a name', () => ({ address: '203.0.113.2/24', dns_name: '*.Example.ORG.' }), []],
    ['no name', () => ({ address: '203.0.113.3/24', dns_name: 'a b' }), ['dns_name']],
  ]
  test.each(cases)('%s', async (_name, body, expected) => {
    expect(await refusedAt(inventory.create('ipam.ipaddress', { ...body() }))).toEqual(expected)
  })

  test('names are stored in lower case', async () => {
    const rows = await inventory.query(
      sql`select dns_name from ${table('ipam.ipaddress')} where address = '203.0.113.2/24'`,
    )
    expect(rows).toEqual([{ dns_name: '*.example.org.' }])
  })

  test('duplicates within one request are refused', async () => {
    const bodies = ['192.0.2.30/24', '192.0.2.30/25'].map((address) => ({
      address,
      vrf: ids.strict,
    }))
    expect(await refusedAt(inventory.createAll('ipam.ipaddress', bodies))).toEqual(['address'])
  })

  test('when many change at once, those that keep their host are no duplicates, and one that takes another’s host is', async () => {
    const { createAll, changeAll } = inventory
    const [one = 0, other = 0, global = 0] = await createAll('ipam.ipaddress', [
      { address: '192.0.2.40/24', vrf: ids.strict },
      { address: '192.0.2.41/24', vrf: ids.strict },
      { address: '203.0.113.40/24' },
    ])
    const to = (id: number, body: object) => ({ id, body })
    const isRefused = (...targets: ReturnType<typeof to>[]) => refusedAt(changeAll('ipam.ipaddress', targets))
    const described = [one, other, global].map((id) => to(id, { description: 'changed' }))
    expect(await isRefused(...described)).toEqual([])
    const [first, second] = [{ address: '192.0.2.40/24' }, { address: '192.0.2.41/24' }]
    expect(await isRefused(to(one, second), to(other, first))).toEqual([])
    expect(await isRefused(to(global, { ...first, vrf: ids.strict }), to(one, second))).toEqual(['address'])
  })

  test('a primary address cannot leave its machine, and deleting it clears the relation', async () => {
    const { create, change, remove } = inventory
    const id = await create('ipam.ipaddress', onPort('198.51.100.7/24')())
    await change('virtualization.virtualmachine', ids.machine ?? 0, { primary_ip4: id })
    const move = (type: string | null, target: number | null | undefined) =>
      refusedAt(
        change('ipam.ipaddress', id, {
          assigned_object_type: type,
          assigned_object_id: target,
        }),
      )
    expect(await move(null, null)).toEqual(['__all__'])
    expect(await move('virtualization.vminterface', ids.otherPort)).toEqual(['__all__'])
    expect(await move('virtualization.vminterface', ids.secondPort)).toEqual([])
    await remove('ipam.ipaddress', id)
    const rows = await inventory.query(
      sql`select primary_ip4_id from ${table('virtualization.virtualmachine')} where id = ${ids.machine}`,
    )
    expect(rows).toEqual([{ primary_ip4_id: null }])
  })
})
