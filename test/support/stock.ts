import type { Inventory } from './inventory.ts'

/** Ids of a few objects that most rules need. */
export type Stock = Awaited<ReturnType<typeof stock>>

/** Two sites with a room and a rack each, and a device in each site. */
export async function stock({ create }: Inventory) {
  const named = (name: string) => ({ name, slug: name.toLowerCase() })
  const site = await create('dcim.site', named('Here'))
  const otherSite = await create('dcim.site', named('There'))
  const room = await create('dcim.location', { ...named('Room'), site })
  const otherRoom = await create('dcim.location', { ...named('Hall'), site: otherSite })
  const rack = await create('dcim.rack', { name: 'R1', site, u_height: 10 })
  const otherRack = await create('dcim.rack', { name: 'R2', site: otherSite })
  const maker = await create('dcim.manufacturer', named('Maker'))
  const otherMaker = await create('dcim.manufacturer', named('Rival'))
  const role = await create('dcim.devicerole', named('Role'))
  const type = await create('dcim.devicetype', {
    manufacturer: maker,
    model: 'Box',
    slug: 'box',
    u_height: 2,
    is_full_depth: false,
  })
  const box = { device_type: type, role }
  const device = await create('dcim.device', { ...box, name: 'one', site })
  const sibling = await create('dcim.device', { ...box, name: 'two', site })
  const distant = await create('dcim.device', { ...box, name: 'three', site: otherSite })
  return {
    site,
    otherSite,
    room,
    otherRoom,
    rack,
    otherRack,
    maker,
    otherMaker,
    role,
    type,
    device,
    sibling,
    distant,
  }
}
