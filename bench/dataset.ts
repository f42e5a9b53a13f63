import { type Access, ask } from './client.ts'

/** Values of a data set that requests refer to; undefined where it has none of the kind. */
export interface Dataset {
  /** Numbers of objects, by collection. */
  readonly counts: Readonly<Record<string, number>>
  readonly device: number | undefined
  readonly deviceName: string | undefined
  /** Letters that occur in the names of several devices. */
  readonly namePart: string | undefined
  /** A device well behind the first ones, by id. */
  readonly lastDevice: number | undefined
  readonly interface: number | undefined
  readonly site: number | undefined
  readonly siteSlug: string | undefined
  /** A region with child regions, if there is one. */
  readonly regionSlug: string | undefined
  readonly address: number | undefined
  readonly prefix: number | undefined
  /** A prefix that contains others. */
  readonly container: string | undefined
  /** Slugs of two tags of one device. */
  readonly tags: readonly string[] | undefined
  readonly customField: { readonly name: string; readonly value: string } | undefined
}

const COLLECTIONS = {
  sites: '/api/dcim/sites/',
  devices: '/api/dcim/devices/',
  interfaces: '/api/dcim/interfaces/',
  cables: '/api/dcim/cables/',
  prefixes: '/api/ipam/prefixes/',
  addresses: '/api/ipam/ip-addresses/',
} as const

interface Named {
  readonly id: number
  readonly slug: string
}
interface Device {
  readonly id: number
  readonly name: string | null
  readonly site: Named
  readonly tags: readonly Named[]
  readonly custom_fields: Readonly<Record<string, unknown>>
}
interface Page<T> {
  readonly count: number
  readonly results: readonly T[]
}

/** Reads such values from a server with any data. */
export async function probeDataset(access: Access): Promise<Dataset> {
  // These parts of a response are the same on every server of this API.
  const page = async <T>(path: string) => (await ask(access, 'GET', path)) as Page<T>
  const first: Partial<Record<keyof typeof COLLECTIONS, Named>> = {}
  const counts: Record<string, number> = {}
  for (const name of Object.keys(COLLECTIONS) as (keyof typeof COLLECTIONS)[]) {
    const { count, results } = await page<Named>(`${COLLECTIONS[name]}?limit=1`)
    counts[name] = count
    if (results[0]) first[name] = results[0]
  }
  const { results: devices } = await page<Device>('/api/dcim/devices/?limit=500')
  const named = devices.find(({ name }) => /\p{L}{4}/u.test(name ?? '')) ?? devices[0]
  const tagged = devices.find(({ tags }) => tags.length > 1)
  const { results: prefixes } = await page<{ prefix: string; children: number }>(
    '/api/ipam/prefixes/?limit=500&vrf_id=null',
  )
  const container = prefixes.toSorted((a, b) => b.children - a.children)[0]
  return {
    counts,
    device: named?.id,
    deviceName: named?.name ?? undefined,
    namePart: /\p{L}{4}/u.exec(named?.name ?? '')?.[0],
    lastDevice: devices.at(Math.floor(devices.length / 2))?.id,
    interface: first.interfaces?.id,
    site: first.sites?.id,
    siteSlug: named?.site.slug,
    regionSlug: await regionOf(access, named?.site.id),
    address: first.addresses?.id,
    prefix: first.prefixes?.id,
    container: container?.prefix,
    tags: tagged?.tags.slice(0, 2).map(({ slug }) => slug),
    customField: customFieldOf(devices),
  }
}

/** The parent of the site's region, or that region itself. */
async function regionOf(access: Access, site: number | undefined): Promise<string | undefined> {
  if (site === undefined) return undefined
  const { region } = (await ask(access, 'GET', `/api/dcim/sites/${site}/`)) as {
    region: Named | null
  }
  if (!region) return undefined
  const { parent } = (await ask(access, 'GET', `/api/dcim/regions/${region.id}/`)) as {
    parent: Named | null
  }
  return (parent ?? region).slug
}

function customFieldOf(devices: readonly Device[]): Dataset['customField'] {
  for (const { custom_fields } of devices) {
    for (const [name, value] of Object.entries(custom_fields)) {
      if (typeof value === 'string' && value !== '') return { name, value }
    }
  }
  return undefined
}
