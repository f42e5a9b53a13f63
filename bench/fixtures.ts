import { type Access, ask } from './client.ts'

/** Ids of objects that writes refer to; created before the run and removed after it. */
export interface Fixtures {
  readonly vrf: number
  readonly site: number
  readonly role: number
  /** A device type with 48 interfaces. */
  readonly deviceType: number
  remove(): Promise<void>
}

const INTERFACES = 48

/** Creates the objects that writes need; `mark` distinguishes runs on the same server. */
export async function createFixtures(access: Access, mark: string): Promise<Fixtures> {
  const made: string[] = []
  const create = async (path: string, body: unknown): Promise<number> => {
    const { id } = (await ask(access, 'POST', path, body)) as { id: number }
    made.push(`${path}${id}/`)
    return id
  }
  const named = { name: `bench ${mark}`, slug: `bench-${mark}` }
  const remove = async () => {
    for (const path of made.toReversed()) await ask(access, 'DELETE', path)
  }
  try {
    const vrf = await create('/api/ipam/vrfs/', { name: named.name })
    const site = await create('/api/dcim/sites/', named)
    const role = await create('/api/dcim/device-roles/', { ...named, color: '2196f3' })
    const manufacturer = await create('/api/dcim/manufacturers/', named)
    const deviceType = await create('/api/dcim/device-types/', {
      manufacturer,
      model: named.name,
      slug: named.slug,
      u_height: 1,
    })
    // Interface templates are removed with their type.
    await ask(
      access,
      'POST',
      '/api/dcim/interface-templates/',
      Array.from({ length: INTERFACES }, (_, index) => ({
        device_type: deviceType,
        name: `Ethernet1/${index + 1}`,
        type: '10gbase-x-sfpp',
      })),
    )
    return { vrf, site, role, deviceType, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
