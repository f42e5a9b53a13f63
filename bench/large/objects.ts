import { type Access, ask } from '../client.ts'

/** A page with as many objects as it should stay usable with. */
export interface LargePage {
  readonly name: string
  readonly path: string
  /** Selector of an element that the page's script adds: from then on it can be used. */
  readonly usable: string
}

const UNITS = 52
const ADDRESSES = 65_536
const DEVICES = 2_000
const DEVICES_IN_RACK = 40
/** Objects of one request. */
const AT_ONCE = 1_000

/** Creates the objects on an empty server. Returns their pages. */
export async function createLargePages(access: Access): Promise<readonly LargePage[]> {
  const create = async (path: string, bodies: readonly object[]): Promise<readonly number[]> => {
    const ids: number[] = []
    for (let start = 0; start < bodies.length; start += AT_ONCE) {
      const part = bodies.slice(start, start + AT_ONCE)
      const created = (await ask(access, 'POST', `/api/${path}/`, part)) as readonly {
        readonly id: number
      }[]
      ids.push(...created.map(({ id }) => id))
    }
    return ids
  }
  const createOne = async (path: string, body: object): Promise<number> =>
    (await create(path, [body]))[0] ?? 0
  const site = await createOne('dcim/sites', { name: 'Large', slug: 'large' })
  const role = await createOne('dcim/device-roles', { name: 'Server', slug: 'server' })
  const manufacturer = await createOne('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const type = await createOne('dcim/device-types', { manufacturer, model: 'Box', slug: 'box' })
  await create(
    'dcim/interface-templates',
    times(2, (index) => ({ device_type: type, name: `eth${index}`, type: '10gbase-t' })),
  )
  const addRacks = (count: number, height: number, place: object) =>
    create(
      'dcim/racks',
      times(count, (index) => ({ ...place, name: `R${height}-${index + 1}`, u_height: height })),
    )
  const addDevices = (count: number, inRack: number, racks: readonly number[], place: object) =>
    create(
      'dcim/devices',
      times(count, (index) => ({
        ...place,
        ...{ name: `d${racks[0]}-${index}`, device_type: type, role, face: 'front' },
        ...{ rack: racks[Math.floor(index / inRack)], position: 1 + (index % inRack) },
      })),
    )
  const rackSite = await createOne('dcim/sites', { name: 'Tall', slug: 'tall' })
  const tall = await addRacks(1, UNITS, { site: rackSite })
  await addDevices(UNITS, UNITS, tall, { site: rackSite })
  const racks = await addRacks(DEVICES / DEVICES_IN_RACK, 42, { site })
  const devices = await addDevices(DEVICES, DEVICES_IN_RACK, racks, { site })
  await create('dcim/cables', await cablesOf(access, site, devices))
  const prefix = await createOne('ipam/prefixes', { prefix: '10.0.0.0/16' })
  await create(
    'ipam/ip-addresses',
    times(ADDRESSES, (index) => ({ address: `10.0.${index >> 8}.${index & 255}/16` })),
  )
  const zoom = 'button[aria-label="Zoom in"]'
  return [
    {
      name: `a rack of ${UNITS} units with ${UNITS} devices`,
      path: `/dcim/racks/${tall[0]}/`,
      usable: 'button[aria-label^="Move "]',
    },
    {
      name: 'a prefix with 65,536 addresses',
      path: `/ipam/prefixes/${prefix}/`,
      usable: 'form[data-island="allocate"] button[type=button]',
    },
    {
      name: 'a map of 2,000 devices, as racks',
      path: `/dcim/topology/?site_id=${site}`,
      usable: zoom,
    },
    {
      name: 'a map of 2,000 single devices',
      path: `/dcim/topology/?site_id=${site}&group=none`,
      usable: zoom,
    },
  ]
}

/** Each device to the next one. */
async function cablesOf(
  access: Access,
  site: number,
  devices: readonly number[],
): Promise<readonly object[]> {
  const byDevice = new Map<number, readonly number[]>()
  for (let offset = 0; offset < devices.length * 2; offset += AT_ONCE) {
    const query = `site_id=${site}&limit=${AT_ONCE}&offset=${offset}&fields=id,device`
    const { results } = (await ask(access, 'GET', `/api/dcim/interfaces/?${query}`)) as {
      readonly results: readonly { readonly id: number; readonly device: { readonly id: number } }[]
    }
    for (const { id, device } of results) {
      byDevice.set(device.id, [...(byDevice.get(device.id) ?? []), id])
    }
  }
  const port = (device: number | undefined, index: number) => ({
    object_type: 'dcim.interface',
    object_id: byDevice.get(device ?? 0)?.[index],
  })
  return devices.slice(1).map((device, index) => ({
    a_terminations: [port(devices[index], 1)],
    b_terminations: [port(device, 0)],
  }))
}

const times = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => item(index))
