import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { type Stock, stock } from '../../../test/support/stock.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
let ids: Stock & { user: number; mounted: number; rackType: number; panel: number }

beforeAll(async () => {
  inventory = await openInventory()
  const some = await stock(inventory)
  const { create } = inventory
  ids = {
    ...some,
    user: await create('users.user', { username: 'somebody', password: 'Something-long-1' }),
    mounted: await create('dcim.device', {
      device_type: some.type,
      role: some.role,
      site: some.site,
      rack: some.rack,
      face: 'front',
      position: 4,
    }),
    rackType: await create('dcim.racktype', {
      manufacturer: some.maker,
      model: 'RT',
      slug: 'rt',
      form_factor: '4-post-cabinet',
      u_height: 20,
    }),
    panel: await create('dcim.powerpanel', { name: 'P', site: some.site }),
  }
  await create('dcim.rackreservation', reservation([1, 2]))
})
afterAll(() => inventory.close())

const reservation = (units: readonly number[]) => ({
  rack: ids.rack,
  units,
  user: ids.user,
  description: 'kept free',
})
const feed = (more: object) => ({ power_panel: ids.panel, name: 'F', ...more })
const rackOf = (more: object) => ({ name: 'R', site: ids.site, ...more })
const typeOf = (more: object) => ({ manufacturer: ids.maker, model: 'M', slug: 'm', ...more })

describe('new objects', () => {
  // model and body → field of the error
  const cases: readonly [string, string, () => object, string[]][] = [
    [
      'location with a parent in another site',
      'dcim.location',
      () => ({ name: 'L', slug: 'l', site: ids.otherSite, parent: ids.room }),
      ['__all__'],
    ],
    ['rack in a location of another site', 'dcim.rack', () => rackOf({ location: ids.otherRoom }), ['__all__']],
    ['rack with a weight and no unit', 'dcim.rack', () => rackOf({ weight: 10 }), ['__all__']],
    ['rack with a maximum weight and no unit', 'dcim.rack', () => rackOf({ max_weight: 10 }), ['__all__']],
    ['rack with a width and no unit', 'dcim.rack', () => rackOf({ outer_width: 10 }), ['__all__']],
    ['rack of negative weight', 'dcim.rack', () => rackOf({ weight: -1, weight_unit: 'kg' }), ['weight']],
    [
      'rack type with a height and no unit',
      'dcim.racktype',
      () => ({ ...typeOf({}), form_factor: '4-post-frame', outer_height: 5 }),
      ['__all__'],
    ],
    [
      'device type with a height of a third of a unit',
      'dcim.devicetype',
      () => typeOf({ u_height: 0.3 }),
      ['u_height'],
    ],
    [
      'child device type with a height',
      'dcim.devicetype',
      () => typeOf({ u_height: 1, subdevice_role: 'child' }),
      ['u_height'],
    ],
    ['reservation of free units', 'dcim.rackreservation', () => reservation([9, 10]), []],
    ['reservation of a unit above the rack', 'dcim.rackreservation', () => reservation([11]), ['units']],
    ['reservation of reserved units', 'dcim.rackreservation', () => reservation([2, 3]), ['units']],
    [
      'power panel in a location of another site',
      'dcim.powerpanel',
      () => ({ name: 'Q', site: ids.site, location: ids.otherRoom }),
      ['__all__'],
    ],
    ['feed to a rack in another site', 'dcim.powerfeed', () => feed({ rack: ids.otherRack }), ['__all__']],
    ['feed without voltage', 'dcim.powerfeed', () => feed({ voltage: 0 }), ['voltage']],
    ['negative alternating current', 'dcim.powerfeed', () => feed({ voltage: -5 }), ['voltage']],
    ['negative direct current', 'dcim.powerfeed', () => feed({ voltage: -5, supply: 'dc' }), []],
  ]
  test.each(cases)('%s', async (_, model, body, expected) => {
    expect(await refusedAt(inventory.create(model, { ...body() }))).toEqual(expected)
  })

  test('a reservation of units that an earlier reservation in the same request has taken is refused', async () => {
    const both = [reservation([7]), reservation([7])]
    expect(await refusedAt(inventory.createAll('dcim.rackreservation', both))).toEqual(['units'])
  })
})

describe('changes', () => {
  // model, object and change → field of the error
  const cases: readonly [string, string, () => number, () => object, string[]][] = [
    ['a rack too low for its devices', 'dcim.rack', () => ids.rack, () => ({ u_height: 4 }), ['u_height']],
    ['a rack just high enough', 'dcim.rack', () => ids.rack, () => ({ u_height: 5 }), []],
    [
      'units that begin above a device',
      'dcim.rack',
      () => ids.rack,
      () => ({ starting_unit: 5, u_height: 40 }),
      ['starting_unit'],
    ],
    [
      'a type that becomes too high for a rack',
      'dcim.devicetype',
      () => ids.type,
      () => ({ u_height: 40 }),
      ['u_height'],
    ],
    [
      'a type without height whose devices are in racks',
      'dcim.devicetype',
      () => ids.type,
      () => ({ u_height: 0 }),
      ['u_height'],
    ],
  ]
  test.each(cases)('%s', async (_, model, id, change, expected) => {
    expect(await refusedAt(inventory.change(model, id(), { ...change() }))).toEqual(expected)
  })

  test('a device type with bay templates must stay a parent', async () => {
    const { create, change } = inventory
    const type = await create('dcim.devicetype', {
      ...typeOf({ model: 'P', slug: 'p' }),
      subdevice_role: 'parent',
    })
    await create('dcim.devicebaytemplate', { device_type: type, name: 'b' })
    expect(await refusedAt(change('dcim.devicetype', type, { subdevice_role: null }))).toEqual(['subdevice_role'])
  })
})

describe('effects of a change', () => {
  test('racks take their dimensions from their type', async () => {
    const { create, change, query } = inventory
    const id = await create('dcim.rack', rackOf({ name: 'typed', rack_type: ids.rackType }))
    await change('dcim.racktype', ids.rackType, { u_height: 30, weight: 2, weight_unit: 'kg' })
    expect(await query(sql`select u_height, form_factor, _abs_weight from dcim_rack where id = ${id}`)).toEqual([
      { u_height: 30, form_factor: '4-post-cabinet', _abs_weight: 2000 },
    ])
    const changes = await query(sql`
      select action from core_objectchange
      where changed_object_type = 'dcim.rack' and changed_object_id = ${id} order by time`)
    expect(changes).toEqual([{ action: 'create' }, { action: 'update' }])
  })

  test('a unit without a dimension is removed', async () => {
    const id = await inventory.create('dcim.rack', rackOf({ name: 'bare', outer_unit: 'mm' }))
    expect(await inventory.query(sql`select outer_unit from dcim_rack where id = ${id}`)).toEqual([
      { outer_unit: null },
    ])
  })

  test('a rack moves with its devices and their components', async () => {
    const { create, change, query } = inventory
    const rack = await create('dcim.rack', rackOf({ name: 'Moving' }))
    const box = { device_type: ids.type, role: ids.role, site: ids.site }
    const id = await create('dcim.device', { ...box, rack })
    await create('dcim.interface', { device: id, name: 'eth0', type: 'virtual' })
    await change('dcim.rack', rack, { site: ids.otherSite, location: ids.otherRoom })
    const rows = await query(sql`
      select d.site_id, d.location_id, i._site_id, i._location_id, i._rack_id
      from dcim_device d join dcim_interface i on i.device_id = d.id where d.id = ${id}`)
    expect(rows).toEqual([
      {
        site_id: ids.otherSite,
        location_id: ids.otherRoom,
        _site_id: ids.otherSite,
        _location_id: ids.otherRoom,
        _rack_id: rack,
      },
    ])
  })

  test('a location moves to another site with its contents and descendants', async () => {
    const { create, change, query } = inventory
    const floor = await create('dcim.location', { name: 'F', slug: 'f', site: ids.site })
    const cage = await create('dcim.location', {
      name: 'C',
      slug: 'c',
      site: ids.site,
      parent: floor,
    })
    const rack = await create('dcim.rack', rackOf({ name: 'Caged', location: cage }))
    const prefix = await create('ipam.prefix', {
      prefix: '198.51.100.0/24',
      scope_type: 'dcim.location',
      scope_id: cage,
    })
    await change('dcim.location', floor, { site: ids.otherSite })
    const [found] = await query(sql`
      select (select site_id from dcim_location where id = ${cage}) as cage,
        (select site_id from dcim_rack where id = ${rack}) as rack,
        (select _site_id from ipam_prefix where id = ${prefix}) as prefix`)
    expect(found).toEqual({ cage: ids.otherSite, rack: ids.otherSite, prefix: ids.otherSite })
  })

  test('objects whose scope is a site are in the region of the site', async () => {
    const { create, change, query } = inventory
    const region = await create('dcim.region', { name: 'North', slug: 'north' })
    const site = await create('dcim.site', { name: 'S', slug: 's' })
    const prefix = await create('ipam.prefix', {
      prefix: '203.0.113.0/24',
      scope_type: 'dcim.site',
      scope_id: site,
    })
    await change('dcim.site', site, { region })
    expect(await query(sql`select _region_id from ipam_prefix where id = ${prefix}`)).toEqual([{ _region_id: region }])
  })
})
