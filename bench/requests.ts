import type { Client } from './client.ts'

/** A kind of read. `path` returns a different URL for each number, as far as the data allows. */
export interface Read {
  readonly name: string
  path(turn: number): string
  /** Collection in which an object is changed before each request of the mode "after a change". */
  readonly changes?: Collection
}

/** Ids of objects that the requests name, by the path of their collection, and the number of all interfaces. */
export interface Samples
  extends Readonly<Record<'dcim/devices' | 'dcim/interfaces' | 'dcim/sites' | 'ipam/ip-addresses', readonly number[]>> {
  readonly interfaces: number
}

/** A collection of which there are samples. */
export type Collection = Exclude<keyof Samples, 'interfaces'>

/**
 * The first ids of each collection. Addresses within VRFs are left out: a data set may contain duplicates there, which
 * cannot be saved.
 */
export async function samplesOf({ send }: Client): Promise<Samples> {
  const idsOf = async (path: string, query = ''): Promise<number[]> => {
    const { body } = await send('GET', `/api/${path}/?limit=100&fields=id${query}`)
    return (JSON.parse(body) as { results: { id: number }[] }).results.map(({ id }) => id) // the API's own form
  }
  return {
    interfaces: JSON.parse((await send('GET', '/api/dcim/interfaces/?limit=1&fields=id')).body).count,
    'dcim/devices': await idsOf('dcim/devices'),
    'dcim/interfaces': await idsOf('dcim/interfaces'),
    'dcim/sites': await idsOf('dcim/sites'),
    'ipam/ip-addresses': await idsOf('ipam/ip-addresses', '&vrf_id=null'),
  }
}

const at = (ids: readonly number[], turn: number): number => ids[turn % ids.length] ?? 0

const GRAPHQL = (limit: number): string =>
  encodeURIComponent(`{device_list(pagination:{limit:${limit}}){id name site{name} interfaces{name}}}`)

/** Reads of the API and of pages. */
export function readsOf(samples: Samples): readonly Read[] {
  const device = (turn: number) => at(samples['dcim/devices'], turn)
  const list = (path: string, query: string) => `/api/${path}/?${query}`
  const one = (path: Collection) => (turn: number) => `/api/${path}/${at(samples[path], turn)}/`
  const [DEVICES, INTERFACES] = ['dcim/devices', 'dcim/interfaces'] as const
  const ADDRESSES = 'ipam/ip-addresses'
  const rows: readonly [name: string, path: Read['path'], changes?: Collection][] = [
    ['50 devices', (turn) => list(DEVICES, `limit=50&offset=${turn % 40}`), DEVICES],
    ['one device', one(DEVICES), DEVICES],
    ['50 interfaces', (turn) => list(INTERFACES, `limit=50&offset=${turn * 37}`), INTERFACES],
    ['interfaces of a device', (turn) => list(INTERFACES, `device_id=${device(turn)}`), INTERFACES],
    ['one interface', one(INTERFACES)],
    ['1,000 interfaces', (turn) => list(INTERFACES, `limit=${1_000 - (turn % 50)}`)],
    ['sites', (turn) => list('dcim/sites', `limit=${20 + (turn % 20)}`), 'dcim/sites'],
    ['50 addresses', (turn) => list(ADDRESSES, `limit=50&offset=${turn % 150}`), ADDRESSES],
    ['one address', one(ADDRESSES)],
    ['50 prefixes', (turn) => list('ipam/prefixes', `limit=50&offset=${turn % 60}`)],
    ['50 cables', (turn) => list('dcim/cables', `limit=50&offset=${turn % 60}`)],
    ['50 change records', (turn) => list('core/object-changes', `limit=50&offset=${turn}`)],
    ['devices by search', (turn) => list(DEVICES, `q=${String.fromCharCode(97 + (turn % 26))}`)],
    ['search', (turn) => `/api/search/?q=${turn}`],
    // Nothing matches as it is written, nor in words that stand apart.
    ['search without a match', (turn) => `/api/search/?q=zq${turn}`],
    [
      'random page of interfaces',
      (turn) => list(INTERFACES, `limit=50&offset=${(turn * 7_919_737) % samples.interfaces}`),
    ],
    ['GraphQL', (turn) => `/graphql/?query=${GRAPHQL(20 + (turn % 20))}`],
    ['page: devices', (turn) => `/dcim/devices/?per_page=${25 + (turn % 25)}`, DEVICES],
    ['page: one device', (turn) => `/dcim/devices/${device(turn)}/`],
  ]
  return rows.map(([name, path, changes]) => ({ name, path, ...(changes && { changes }) }))
}

/** A kind of write. Sends one or several requests, one of which is measured; returns its milliseconds. */
export interface Write {
  readonly name: string
  run(client: Client, turn: number): Promise<number>
}

/**
 * Writes of single objects and of many. The created objects are deleted again. `tag`: part of the names of new objects.
 */
export function writesOf(samples: Samples, tag: string): readonly Write[] {
  const created = async (client: Client, path: string, body: object): Promise<[number, unknown]> => {
    const { milliseconds, body: text } = await client.send('POST', path, body)
    return [milliseconds, JSON.parse(text)]
  }
  const site = (turn: number) => ({ name: `${tag} ${turn}`, slug: `${tag}-${turn}` })
  const newSite = async (client: Client, turn: number): Promise<[number, string]> => {
    const [milliseconds, made] = await created(client, '/api/dcim/sites/', site(turn))
    return [milliseconds, `/api/dcim/sites/${(made as { id: number }).id}/`] // the API's own form
  }
  const addressesOf = (turn: number) =>
    Array.from({ length: 200 }, (_, index) => ({ address: `198.18.${turn % 250}.${index}/32` }))
  return [
    {
      name: 'create a site',
      run: async (client, turn) => {
        const [milliseconds, path] = await newSite(client, turn)
        await client.send('DELETE', path)
        return milliseconds
      },
    },
    {
      name: 'change a site',
      run: async (client, turn) => {
        const [, path] = await newSite(client, turn)
        const { milliseconds } = await client.send('PATCH', path, { description: `${turn}` })
        await client.send('DELETE', path)
        return milliseconds
      },
    },
    {
      name: 'delete a site',
      run: async (client, turn) => {
        const [, path] = await newSite(client, turn)
        return (await client.send('DELETE', path)).milliseconds
      },
    },
    {
      name: 'change a device',
      run: async (client, turn) => {
        const path = `/api/dcim/devices/${at(samples['dcim/devices'], turn)}/`
        return (await client.send('PATCH', path, { comments: `${tag} ${turn}` })).milliseconds
      },
    },
    {
      name: 'create 200 addresses',
      run: async (client, turn) => {
        const path = '/api/ipam/ip-addresses/'
        const [milliseconds, made] = await created(client, path, addressesOf(turn))
        const ids = (made as { id: number }[]).map(({ id }) => ({ id })) // the API's own form
        await client.send('DELETE', path, ids)
        return milliseconds
      },
    },
    ...[
      {
        name: 'change 50 devices',
        path: '/api/dcim/devices/',
        ids: samples['dcim/devices'].slice(0, 50),
      },
      {
        name: 'change 100 interfaces',
        path: '/api/dcim/interfaces/',
        ids: samples['dcim/interfaces'],
      },
    ].map(({ name, path, ids }) => ({
      name,
      run: async (client: Client, turn: number) => {
        const bodies = ids.map((id) => ({ id, description: `${tag} ${turn}` }))
        return (await client.send('PATCH', path, bodies)).milliseconds
      },
    })),
  ]
}
