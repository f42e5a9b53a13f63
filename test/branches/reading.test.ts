import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import { cableOf, device, kinds, type Place, placeOf } from './places.ts'

type Ids = Readonly<Record<string, number>>

interface Case {
  readonly name: string
  readonly setUp: (main: Place, mark: string) => Promise<Ids>
  readonly deletes: (made: Ids) => string
  /** Makes objects that refer to the deleted one, in the other place. Returns paths, and what is shown of them. */
  readonly adds: (place: Place, made: Ids, mark: string) => Promise<readonly (readonly [string, number])[]>
}

/** Objects that cannot exist without what is deleted. */
const CASES: readonly Case[] = [
  {
    name: 'an interface with a cable',
    setUp: async (main, mark) => {
      const far = await main.make('dcim/interfaces', {
        device: await device(main, `${mark} far`),
        name: 'eth0',
        type: 'virtual',
      })
      return { device: await device(main, mark), far }
    },
    deletes: ({ device }) => `dcim/devices/${device}`,
    adds: async (place, { device, far }) => {
      const near = await place.make('dcim/interfaces', { device, name: 'eth0', type: '1000base-t' })
      await place.send('PATCH', `dcim/interfaces/${far}`, { type: '1000base-t' })
      await place.make('dcim/cables', cableOf(near, Number(far)))
      return [['interface', near]]
    },
  },
  {
    name: 'an interface of a device at a site',
    setUp: async (main, mark) => ({
      ...(await kinds(main, mark)),
      site: await main.make('dcim/sites', { name: mark, slug: mark }),
    }),
    deletes: ({ site }) => `dcim/sites/${site}`,
    adds: async (place, { site, device_type, role }, mark) => {
      const made = await place.make('dcim/devices', { name: `New ${mark}`, site, device_type, role })
      const port = await place.make('dcim/interfaces', { device: made, name: 'eth0', type: 'virtual' })
      return [
        ['device', made],
        ['interface', port],
      ]
    },
  },
  {
    name: 'an interface of a virtual machine with an address',
    setUp: async (main, mark) => {
      const type = await main.make('virtualization/cluster-types', { name: mark, slug: mark })
      const cluster = await main.make('virtualization/clusters', { name: mark, type })
      return { vm: await main.make('virtualization/virtual-machines', { name: mark, cluster }) }
    },
    deletes: ({ vm }) => `virtualization/virtual-machines/${vm}`,
    adds: async (place, { vm }) => [
      ['vm_interface', await place.make('virtualization/interfaces', { virtual_machine: vm, name: 'eth0' })],
    ],
  },
  {
    name: 'locations below a location',
    setUp: async (main, mark) => {
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      return { site, top: await main.make('dcim/locations', { name: mark, slug: mark, site }) }
    },
    deletes: ({ top }) => `dcim/locations/${top}`,
    adds: async (place, { site, top }, mark) => {
      const middle = await place.make('dcim/locations', { name: 'Middle', slug: `${mark}-m`, site, parent: top })
      const low = await place.make('dcim/locations', { name: 'Low', slug: `${mark}-l`, site, parent: middle })
      return [
        ['location', middle],
        ['location', low],
      ]
    },
  },
  {
    name: 'a termination of a circuit',
    setUp: async (main, mark) => {
      const provider = await main.make('circuits/providers', { name: mark, slug: mark })
      const type = await main.make('circuits/circuit-types', { name: mark, slug: mark })
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      return { site, circuit: await main.make('circuits/circuits', { cid: mark, provider, type }) }
    },
    deletes: ({ circuit }) => `circuits/circuits/${circuit}`,
    adds: async (place, { site, circuit }) => [
      [
        'circuit_termination',
        await place.make('circuits/circuit-terminations', {
          ...{ circuit, term_side: 'A', termination_type: 'dcim.site', termination_id: site },
        }),
      ],
    ],
  },
]

const PATHS: Readonly<Record<string, string>> = {
  interface: 'dcim/interfaces',
  device: 'dcim/devices',
  vm_interface: 'virtualization/interfaces',
  location: 'dcim/locations',
  circuit_termination: 'circuits/circuit-terminations',
  prefix: 'ipam/prefixes',
}
/** A query for the list with a relation that the schema requires. */
const REQUIRED: Readonly<Record<string, string>> = {
  interface: 'device { name }',
  device: 'site { name }',
  vm_interface: 'virtual_machine { name }',
  location: 'site { name }',
  circuit_termination: 'circuit { cid }',
  prefix: 'vrf { name }',
}

interface TreeCase {
  readonly tree: string
  /** Fields that all nodes need. */
  readonly context?: (main: Place, mark: string) => Promise<Ids>
  readonly list: string
  readonly filter: string
  readonly leaf: (place: Place, mark: string, node: number) => Promise<number>
}

const sites = new Map<string, number>()
const siteOf = async (place: Place, mark: string): Promise<Ids> => {
  const name = mark.split(' ')[0] ?? mark
  const site = sites.get(name) ?? (await place.make('dcim/sites', { name, slug: name }))
  sites.set(name, site)
  return { site }
}
const named =
  (path: string, field: string): TreeCase['leaf'] =>
  (place, mark, node) =>
    place.make(path, { name: `Leaf ${mark}`, slug: `leaf-${mark}`.replaceAll(' ', '-'), [field]: node })

const TREES: readonly TreeCase[] = [
  { tree: 'dcim/regions', list: 'dcim/sites', filter: 'region_id', leaf: named('dcim/sites', 'region') },
  { tree: 'dcim/site-groups', list: 'dcim/sites', filter: 'group_id', leaf: named('dcim/sites', 'group') },
  {
    tree: 'dcim/locations',
    context: siteOf,
    list: 'dcim/racks',
    filter: 'location_id',
    leaf: async (place, mark, location) =>
      await place.make('dcim/racks', { name: mark, location, ...(await siteOf(place, mark)) }),
  },
  {
    tree: 'tenancy/tenant-groups',
    list: 'tenancy/tenants',
    filter: 'group_id',
    leaf: named('tenancy/tenants', 'group'),
  },
  {
    tree: 'tenancy/contact-groups',
    list: 'tenancy/contacts',
    filter: 'group_id',
    leaf: (place, name, group) => place.make('tenancy/contacts', { name, groups: [group] }),
  },
  {
    tree: 'wireless/wireless-lan-groups',
    list: 'wireless/wireless-lans',
    filter: 'group_id',
    leaf: (place, ssid, group) => place.make('wireless/wireless-lans', { ssid, group }),
  },
  {
    tree: 'dcim/platforms',
    list: 'virtualization/virtual-machines',
    filter: 'platform_id',
    leaf: async (place, name, platform) =>
      await place.make('virtualization/virtual-machines', { name, platform, ...(await siteOf(place, name)) }),
  },
]

describe('in a branch', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  let count = 0
  const newBranch = async () => {
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: `Reading ${++count}` } })
    const headers = { 'X-NetBox-Branch': String(json.schema_id) }
    return { headers, branch: placeOf(api, headers), id: Number(json.id) }
  }
  const graphql = async (headers: Readonly<Record<string, string>>, query: string): Promise<Document> => {
    const { json, text } = await api.ask('POST', '/graphql/', { body: { query }, headers })
    expect(json.errors, text).toBeUndefined()
    return json.data as Document
  }
  /** In which of the surfaces the object is visible. */
  const surfaces = async (headers: Readonly<Record<string, string>>, type: string, id: number) => {
    const path = PATHS[type]
    const lists = await Promise.all([
      api.ask('GET', `/api/${path}/?id=${id}`, { headers }),
      api.ask('GET', `/api/${path}/?limit=0`, { headers }),
    ])
    const data = await graphql(headers, `{ ${type}_list { id ${REQUIRED[type]} } }`)
    const [detail, page] = await Promise.all([
      api.ask('GET', `/api/${path}/${id}/`, { headers }),
      api.ask('GET', `/${path}/${id}/`, { headers: { ...headers, accept: 'text/html' } }),
    ])
    const has = (list: Document | undefined) => [...(list ?? [])].some((object) => Number(object.id) === id)
    return {
      filtered: has(lists[0].json.results),
      list: has(lists[1].json.results),
      graphql: has(data[`${type}_list`]),
      detail: detail.status === 200,
      page: page.status !== 404,
    }
  }
  const all = (isVisible: boolean) => ({
    ...{ filtered: isVisible, list: isVisible, graphql: isVisible, detail: isVisible, page: isVisible },
  })

  it.each(CASES.map((scenario) => [scenario.name, scenario] as const))(
    'what main adds to an object that the branch has deleted is absent: %s',
    async (_, { setUp, deletes, adds }) => {
      const main = placeOf(api)
      const mark = `in-${++count}`
      const made = await setUp(main, mark)
      const { branch, headers } = await newBranch()
      await branch.send('DELETE', deletes(made))
      const added = await adds(main, made, mark)
      for (const [type, id] of added) {
        expect(await surfaces(headers, type, id), type).toEqual(all(false))
        expect(await surfaces({}, type, id), type).toEqual(all(true))
      }
      await graphql(headers, '{ cable_list { id a_terminations { ... on InterfaceType { name device { name } } } } }')
    },
  )

  it.each(CASES.map((scenario) => [scenario.name, scenario] as const))(
    'what the branch adds to an object that main has deleted keeps it: %s',
    async (_, { setUp, deletes, adds }) => {
      const main = placeOf(api)
      const mark = `out-${++count}`
      const made = await setUp(main, mark)
      const { branch, headers } = await newBranch()
      const added = await adds(branch, made, mark)
      await main.send('DELETE', deletes(made))
      for (const [type, id] of added) expect(await surfaces(headers, type, id), type).toEqual(all(true))
      await graphql(headers, '{ cable_list { id a_terminations { ... on InterfaceType { name device { name } } } } }')
    },
  )

  it('what main adds to a deleted object appears once the deletion is undone, or main moves it away', async () => {
    const main = placeOf(api)
    const [one, two] = [await device(main, 'undone 1'), await device(main, 'undone 2')]
    const { branch, headers } = await newBranch()
    const deletion = await branch.send('DELETE', `dcim/devices/${one}`)
    const kept = await main.make('dcim/interfaces', { device: one, name: 'eth0', type: 'virtual' })
    expect(await surfaces(headers, 'interface', kept)).toEqual(all(false))
    await branch.undo(deletion)
    expect(await surfaces(headers, 'interface', kept)).toEqual(all(true))
    await branch.send('DELETE', `dcim/devices/${two}`)
    const bay = await main.make('dcim/inventory-items', { device: two, name: 'Fan' })
    const item = async () => (await api.ask('GET', `/api/dcim/inventory-items/${bay}/`, { headers })).status
    expect(await item()).toBe(404)
    await main.send('PATCH', `dcim/inventory-items/${bay}`, { device: one })
    expect(await item()).toBe(200)
  })

  it('what main gives an optional reference to a deleted object lacks it, and merges so', async () => {
    const main = placeOf(api)
    const vrf = await main.make('ipam/vrfs', { name: 'Optional' })
    const tenant = await main.make('tenancy/tenants', { name: 'Optional', slug: 'optional' })
    const site = await main.make('dcim/sites', { name: 'Optional', slug: 'optional' })
    const { branch, headers, id } = await newBranch()
    await branch.send('DELETE', `ipam/vrfs/${vrf}`)
    await branch.send('DELETE', `tenancy/tenants/${tenant}`)
    const prefix = await main.make('ipam/prefixes', { prefix: '10.9.0.0/16', vrf })
    await main.send('PATCH', `dcim/sites/${site}`, { tenant })
    expect(await surfaces(headers, 'prefix', prefix)).toEqual(all(true))
    const shown = async (place: Place) => [
      (await place.read(`ipam/prefixes/${prefix}/`)).vrf,
      (await place.read(`dcim/sites/${site}/`)).tenant,
    ]
    expect(await shown(branch)).toEqual([null, null])
    await main.send('POST', `core/branches/${id}/merge`, { acknowledge_conflicts: true })
    expect(await shown(main)).toEqual([null, null])
  })

  it.each(TREES)('nodes added below a moved one are found below its new parent: $tree', async (tree) => {
    const main = placeOf(api)
    const mark = `tree-${++count}`
    const node = async (place: Place, name: string, parent?: number) =>
      await place.make(tree.tree, {
        ...{ name: `${mark} ${name}`, slug: `${mark}-${name}` },
        ...(parent !== undefined && { parent }),
        ...(await tree.context?.(main, mark)),
      })
    const [a, b] = [await node(main, 'a'), await node(main, 'b')]
    const [c, d] = [await node(main, 'c', a), await node(main, 'd', a)]
    const { branch } = await newBranch()
    // The branch moves c, to which main adds; main moves d, to which the branch adds.
    await branch.send('PATCH', `${tree.tree}/${c}`, { parent: b })
    const added = await node(main, 'e', c)
    const low = await node(main, 'f', added)
    const own = await node(branch, 'g', d)
    await main.send('PATCH', `${tree.tree}/${d}`, { parent: b })
    const leaves = [await tree.leaf(main, mark, low), await tree.leaf(branch, `${mark} 2`, own)]
    const below = async (place: Place, id: number) =>
      [...((await place.read(`${tree.list}/?${tree.filter}=${id}`)).results ?? [])].map((leaf) => Number(leaf.id))
    expect(await below(branch, b)).toEqual(leaves)
    expect(await below(branch, a)).toEqual([])
    expect(await below(main, a)).toEqual(leaves.slice(0, 1))
    const depths = async (place: Place) =>
      [...((await place.read(`${tree.tree}/?q=${mark}&limit=0`)).results ?? [])].map(({ name, _depth }) => [
        String(name).slice(-1),
        Number(_depth),
      ])
    expect(await depths(branch)).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 1],
      ['e', 2],
      ['f', 3],
      ['d', 1],
      ['g', 2],
    ])
  })
})
