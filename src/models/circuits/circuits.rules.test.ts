import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const named = (name: string) => ({ name, slug: name })
  ids.provider = await create('circuits.provider', named('provider'))
  ids.other = await create('circuits.provider', named('other'))
  ids.foreignAccount = await create('circuits.provideraccount', {
    account: '1',
    provider: ids.other,
  })
  ids.network = await create('circuits.providernetwork', { name: 'net', provider: ids.provider })
  ids.type = await create('circuits.circuittype', named('type'))
  ids.virtualType = await create('circuits.virtualcircuittype', named('type'))
  ids.region = await create('dcim.region', named('region'))
  ids.site = await create('dcim.site', { ...named('site'), region: ids.region })
  ids.circuit = await circuit('first')
  ids.second = await circuit('second')
  ids.virtual = await create('circuits.virtualcircuit', {
    cid: 'v',
    provider_network: ids.network,
    type: ids.virtualType,
  })
  ids.device = await create('dcim.device', {
    name: 'device',
    device_type: await create('dcim.devicetype', {
      manufacturer: await create('dcim.manufacturer', named('maker')),
      model: 'type',
      slug: 'type',
    }),
    role: await create('dcim.devicerole', named('role')),
    site: ids.site,
  })
})
afterAll(() => inventory.close())

const circuit = (cid: string, more: object = {}) =>
  inventory.create('circuits.circuit', { cid, provider: ids.provider, type: ids.type, ...more })

describe('a circuit', () => {
  const cases: readonly [string, () => object, string[]][] = [
    ['with an account of another provider', () => ({ provider_account: ids.foreignAccount }), ['provider_account']],
    ['with a distance without unit', () => ({ distance: 1 }), ['__all__']],
    ['with groups in the body, which are read-only', () => ({ assignments: [1] }), []],
    ['with an empty list of groups', () => ({ assignments: [] }), []],
  ]
  test.each(cases)('%s', async (name, more, places) => {
    expect(await refusedAt(circuit(name, more()))).toEqual(places)
  })

  test('a virtual circuit with an account of another provider', async () => {
    const change = inventory.change('circuits.virtualcircuit', ids.virtual ?? 0, {
      provider_account: ids.foreignAccount,
    })
    expect(await refusedAt(change)).toEqual(['provider_account'])
  })
})

describe('a termination', () => {
  const end = (side: string, more: object) =>
    inventory.create('circuits.circuittermination', {
      circuit: ids.circuit,
      term_side: side,
      ...more,
    })
  const atSite = () => ({ termination_type: 'dcim.site', termination_id: ids.site })

  test.each([
    ['nowhere', {}],
    ['at no site', { termination_type: 'dcim.site' }],
  ])('terminates %s', async (_name, more) => {
    expect(await refusedAt(end('A', more))).toEqual(['__all__'])
  })

  test('is stored in its circuit, together with its place', async () => {
    const sides = () =>
      inventory.query(sql`
        select termination_a_id as a, termination_z_id as z from circuits_circuit
        where id in (${ids.circuit}, ${ids.second}) order by id`)
    const here = await end('A', atSite())
    const cloud = await end('Z', {
      termination_type: 'circuits.providernetwork',
      termination_id: ids.network,
    })
    expect(await sides()).toEqual([
      { a: here, z: cloud },
      { a: null, z: null },
    ])
    await inventory.change('circuits.circuittermination', here, { circuit: ids.second })
    expect(await sides()).toEqual([
      { a: null, z: cloud },
      { a: here, z: null },
    ])
    await inventory.remove('circuits.circuittermination', cloud)
    expect(await sides()).toEqual([
      { a: null, z: null },
      { a: here, z: null },
    ])
    const [places] = await inventory.query(
      sql`select _site_id, _region_id from circuits_circuittermination where id = ${here}`,
    )
    expect(places).toEqual({ _site_id: ids.site, _region_id: ids.region })
  })

  test.each([
    ['1000base-t', ['__all__']],
    ['virtual', []],
    ['lag', []],
    ['bridge', []],
  ])('of a virtual circuit accepts only virtual interfaces: %s', async (type, places) => {
    const at = await inventory.create('dcim.interface', { device: ids.device, name: type, type })
    const creation = inventory.create('circuits.virtualcircuittermination', {
      virtual_circuit: ids.virtual,
      interface: at,
    })
    expect(await refusedAt(creation)).toEqual(places)
  })
})
