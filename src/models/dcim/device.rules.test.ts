import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const named = (name: string) => ({ name, slug: name.toLowerCase() })
  ids.site = await create('dcim.site', named('Here'))
  ids.otherSite = await create('dcim.site', named('There'))
  ids.room = await create('dcim.location', { ...named('Room'), site: ids.site })
  ids.otherRoom = await create('dcim.location', { ...named('Hall'), site: ids.otherSite })
  ids.rack = await create('dcim.rack', { name: 'R1', site: ids.site, u_height: 10 })
  ids.roomRack = await create('dcim.rack', { name: 'R2', site: ids.site, location: ids.room })
  ids.otherRack = await create('dcim.rack', { name: 'R3', site: ids.otherSite })
  ids.maker = await create('dcim.manufacturer', named('Maker'))
  ids.otherMaker = await create('dcim.manufacturer', named('Other'))
  ids.role = await create('dcim.devicerole', named('Role'))
  const type = (model: string, more: object) =>
    create('dcim.devicetype', { manufacturer: ids.maker, model, slug: model, ...more })
  ids.type = await type('two-units', { u_height: 2, is_full_depth: false })
  ids.deep = await type('deep', { u_height: 1, is_full_depth: true })
  ids.flat = await type('flat', { u_height: 0 })
  ids.child = await type('child', { u_height: 0, subdevice_role: 'child' })
  ids.foreignPlatform = await create('dcim.platform', {
    ...named('Foreign'),
    manufacturer: ids.otherMaker,
  })
  ids.mounted = await create('dcim.device', {
    ...device(),
    rack: ids.rack,
    face: 'front',
    position: 4,
  })
})
afterAll(() => inventory.close())

const device = (more: object = {}) => ({
  device_type: ids.type,
  role: ids.role,
  site: ids.site,
  ...more,
})

describe('placement', () => {
  // What a device is created with → where it is refused.
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
      'full depth behind another',
      () => ({ rack: ids.rack, face: 'rear', position: 4, device_type: ids.deep }),
      ['position'],
    ],
    [
      'no height',
      () => ({ rack: ids.rack, face: 'rear', position: 9, device_type: ids.flat }),
      ['position'],
    ],
    [
      'child with a face',
      () => ({ rack: ids.rack, face: 'rear', device_type: ids.child }),
      ['face'],
    ],
    ['platform of another manufacturer', () => ({ platform: ids.foreignPlatform }), ['platform']],
  ]
  test.each(cases)('%s', async (_, more, expected) => {
    expect(await refusedAt(inventory.create('dcim.device', device(more())))).toEqual(expected)
  })

  test('of two devices for one place the second is refused', async () => {
    const place = device({ rack: ids.rack, face: 'front', position: 7 })
    expect(await refusedAt(inventory.createAll('dcim.device', [place, place]))).toEqual([
      'position',
    ])
  })

  test('a device stays where it is while something else is changed', async () => {
    const change = inventory.change('dcim.device', ids.mounted ?? 0, { serial: 'A1' })
    expect(await refusedAt(change)).toEqual([])
  })

  test('a rack takes its devices along', async () => {
    const rack = await inventory.create('dcim.rack', { name: 'Moving', site: ids.site })
    const id = await inventory.create('dcim.device', device({ rack }))
    await inventory.create('dcim.interface', { device: id, name: 'eth0', type: 'virtual' })
    await inventory.change('dcim.rack', rack, { site: ids.otherSite, location: ids.otherRoom })
    const rows = await inventory.query(sql`
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

  test('the location comes from the rack', async () => {
    const id = await inventory.create('dcim.device', device({ rack: ids.roomRack }))
    const rows = await inventory.query(sql`select location_id from dcim_device where id = ${id}`)
    expect(rows).toEqual([{ location_id: ids.room }])
  })
})
