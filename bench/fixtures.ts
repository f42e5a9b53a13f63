import { type Access, ask } from './client.ts'

/** Objects that writes hang theirs on; made before and removed after. Ids. */
export interface Fixtures {
  readonly vrf: number
  readonly site: number
  readonly role: number
  /** A type with 48 interfaces. */
  readonly deviceType: number
  remove(): Promise<void>
}

const INTERFACES = 48

/** Makes what writes need; `mark` keeps runs on the same server apart. */
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
    // They go with their type.
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
