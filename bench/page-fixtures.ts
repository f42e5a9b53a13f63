import { type Access, ask } from './client.ts'
import { CreatedObjects } from './created-objects.ts'
import { createFixtures } from './fixtures.ts'

/** Objects that the pages of connections need and generated inventories lack; created before the run and removed after it. */
export interface PageFixtures {
  /** The site of all of them. */
  readonly site: number
  remove(): Promise<void>
}

/** Devices of each kind. */
const DEVICES = 10
const PORTS = 48
const OUTLETS = 24

const CONFIG_TEMPLATE = `hostname {{ device.name }}
{% for interface in device.interfaces.all() %}interface {{ interface.name }}
  description {{ interface.description }}
{% endfor %}`

/**
 * Switches whose interfaces lead over two patch panels to another switch, and whose power comes from a feed over a
 * distribution unit; their role has a config template. `mark` distinguishes runs on the same server.
 */
export async function createPageFixtures(access: Access, mark: string): Promise<PageFixtures> {
  const name = `bench ${mark}`
  const { site, role, deviceType, remove } = await createFixtures(access, mark)
  const objects = new CreatedObjects(access)
  objects.beforeRemoval(remove)
  try {
    await addConfigTemplate(access, objects, { role, name })
    const types = { switch: deviceType, ...(await addTypes(access, objects, deviceType, name)) }
    const devicesOf = (kind: keyof typeof types) =>
      objects.create(
        'dcim/devices',
        times(DEVICES, (index) => ({
          name: `${name} ${kind} ${index + 1}`,
          ...{ site, role, device_type: types[kind] },
        })),
      )
    const devices = {
      switches: await devicesOf('switch'),
      panels: await devicesOf('panel'),
      units: await devicesOf('unit'),
    }
    const powerPanel = await objects.createOne('dcim/power-panels', { site, name })
    const feeds = await objects.create(
      'dcim/power-feeds',
      times(DEVICES, (index) => ({ power_panel: powerPanel, name: `Feed ${index + 1}` })),
    )
    await objects.create('dcim/cables', [
      ...(await dataCables(access, site, devices)),
      ...(await powerCables(access, site, { ...devices, feeds })),
    ])
  } catch (error) {
    await objects.remove()
    throw error
  }
  return { site, remove: () => objects.remove() }
}

async function addConfigTemplate(
  access: Access,
  objects: CreatedObjects,
  { role, name }: { readonly role: number; readonly name: string },
): Promise<void> {
  const assign = (template: number | null) =>
    ask(access, 'PATCH', `/api/dcim/device-roles/${role}/`, { config_template: template })
  const body = { name, template_code: CONFIG_TEMPLATE }
  await assign(await objects.createOne('extras/config-templates', body))
  objects.beforeRemoval(() => assign(null))
}

/** Types of patch panels and power distribution units; the type of the switches gets a power port. */
async function addTypes(
  access: Access,
  objects: CreatedObjects,
  deviceType: number,
  name: string,
): Promise<{ readonly panel: number; readonly unit: number }> {
  const { manufacturer } = (await ask(access, 'GET', `/api/dcim/device-types/${deviceType}/`)) as {
    readonly manufacturer: { readonly id: number }
  }
  const addType = (kind: string): Promise<number> =>
    objects.createOne('dcim/device-types', {
      manufacturer: manufacturer.id,
      model: `${name} ${kind}`,
      slug: `${name.replaceAll(' ', '-')}-${kind}`,
    })
  // Templates are removed with their type.
  const addTemplates = (kind: string, bodies: readonly object[]) =>
    ask(access, 'POST', `/api/dcim/${kind}-templates/`, bodies) as Promise<
      readonly { readonly id: number }[]
    >
  const [panel, unit] = [await addType('panel'), await addType('unit')]
  await addTemplates('power-port', [
    { device_type: deviceType, name: 'PSU 1', maximum_draw: 300, allocated_draw: 200 },
    { device_type: unit, name: 'Inlet' },
  ])
  await addTemplates(
    'power-outlet',
    times(OUTLETS, (index) => ({ device_type: unit, name: `Outlet ${index + 1}` })),
  )
  const rears = await addTemplates(
    'rear-port',
    times(PORTS, (index) => ({ device_type: panel, name: `Rear ${index + 1}`, type: '8p8c' })),
  )
  await addTemplates(
    'front-port',
    rears.map(({ id }, index) => ({
      ...{ device_type: panel, name: `Front ${index + 1}`, type: '8p8c' },
      rear_ports: [{ position: 1, rear_port: id, rear_port_position: 1 }],
    })),
  )
  return { panel, unit }
}

type Ids = readonly number[]

/** Each switch to the fronts of a panel, and the panels to each other in pairs. */
async function dataCables(
  access: Access,
  site: number,
  { switches, panels }: { readonly switches: Ids; readonly panels: Ids },
): Promise<readonly object[]> {
  const ports = await portsOf(access, 'interfaces', site, switches)
  const fronts = await portsOf(access, 'front-ports', site, panels)
  const rears = await portsOf(access, 'rear-ports', site, panels)
  return times(DEVICES, (index) => [
    ...cables(['interface', ports[index]], ['frontport', fronts[index]]),
    ...(index % 2 === 0 ? cables(['rearport', rears[index]], ['rearport', rears[index + 1]]) : []),
  ]).flat()
}

/** Each switch to an outlet of a unit, and each unit to a feed. */
async function powerCables(
  access: Access,
  site: number,
  { switches, units, feeds }: { readonly switches: Ids; readonly units: Ids; readonly feeds: Ids },
): Promise<readonly object[]> {
  const supplies = await portsOf(access, 'power-ports', site, switches)
  const inlets = await portsOf(access, 'power-ports', site, units)
  const outlets = await portsOf(access, 'power-outlets', site, units)
  return times(DEVICES, (index) => [
    ...cables(['powerport', supplies[index]], ['poweroutlet', outlets[index]?.slice(0, 1)]),
    ...cables(['powerport', inlets[index]], ['powerfeed', feeds.slice(index, index + 1)]),
  ]).flat()
}

/** Ids of the ports of each device. */
async function portsOf(
  access: Access,
  kind: string,
  site: number,
  devices: Ids,
): Promise<readonly Ids[]> {
  const query = `site_id=${site}&limit=${DEVICES * PORTS}&fields=id,device`
  const { results } = (await ask(access, 'GET', `/api/dcim/${kind}/?${query}`)) as {
    readonly results: readonly { readonly id: number; readonly device: { readonly id: number } }[]
  }
  return devices.map((id) =>
    results.filter(({ device }) => device.id === id).map((port) => port.id),
  )
}

type Ends = readonly [type: string, ids: Ids | undefined]

/** Cables between the first, the second, … of both ends. */
const cables = ([aType, as = []]: Ends, [bType, bs = []]: Ends): readonly object[] =>
  as.map((id, index) => ({
    a_terminations: [{ object_type: `dcim.${aType}`, object_id: id }],
    b_terminations: [{ object_type: `dcim.${bType}`, object_id: bs[index] }],
  }))

const times = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => item(index))
