import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowDifferences } from '../history/stored-rows.ts'
import { type Api, startApi } from '../support/api.ts'
import { cableOf, device, fieldOf, namesOf, type Place } from './places.ts'
import { type Made, mainRows, type Preparation, prepareBranch, type Scenario } from './scenarios.ts'

interface Case extends Preparation {
  readonly name: string
  /** The name in `made` of the object in conflict, its type and the field. */
  readonly conflict: readonly [string, string, string | null]
  /** What main shows after the merge, if the decision is for the branch, or for main. */
  readonly mine: (scenario: Scenario, made: Made) => Promise<unknown>
  readonly theirs: (scenario: Scenario, made: Made) => Promise<unknown>
}

const port = (main: Place, device: number, name: string, path = 'dcim/interfaces') =>
  main.make(path, { device, name, ...(path === 'dcim/interfaces' && { type: '1000base-t' }) })
const fieldValue = async (place: Place, path: string, field: string) => (await place.read(path))[field]
const endsOf = async (place: Place, path: string, side: 'a' | 'b') =>
  [...((await place.read(path))[`${side}_terminations`] ?? [])].map(({ object_id: id }) => Number(id))

const parentsOf = (place: Place, path: string, ...ids: readonly (number | undefined)[]) =>
  Promise.all(ids.map(async (id) => (await place.read(`${path}/${id}/`)).parent?.id))

/** Whether there is an object at each path. */
const statusesOf = (place: Place, ...paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await place.read(path)).id !== undefined))

/** Ends of cables, with those at the other end. */
const PORTS = [
  ['dcim/interfaces', 'dcim.interface', 'dcim.interface', 'dcim/interfaces'],
  ['dcim/power-ports', 'dcim.powerport', 'dcim.poweroutlet', 'dcim/power-outlets'],
  ['dcim/console-ports', 'dcim.consoleport', 'dcim.consoleserverport', 'dcim/console-server-ports'],
] as const

const circuit: Case['before'] = async ({ main, mark }) => {
  const site = await main.make('dcim/sites', { name: mark, slug: mark })
  const provider = await main.make('circuits/providers', { name: mark, slug: mark })
  const type = await main.make('circuits/circuit-types', { name: mark, slug: mark })
  const own = await main.make('circuits/circuits', { cid: mark, provider, type })
  const end = { circuit: own, term_side: 'A', termination_type: 'dcim.site', termination_id: site }
  return { own, part: await main.make('circuits/circuit-terminations', end) }
}

type End = readonly [type: string, id: number]

/** Connects the ends. */
async function connected(main: Place, own: End, far: End): Promise<Made> {
  const ends = ([object_type, object_id]: End) => [{ object_type, object_id }]
  const cable = await main.make('dcim/cables', { a_terminations: ends(own), b_terminations: ends(far) })
  return { own: own[1], far: far[1], cable }
}

/** Four ports of a device, with a cable between the first two. */
const cabledPorts: Case['before'] = async ({ main, mark }) => {
  const own = await device(main, mark)
  const [i, j, k, l] = [
    await port(main, own, 'i'),
    await port(main, own, 'j'),
    await port(main, own, 'k'),
    await port(main, own, 'l'),
  ]
  return { i, j, k, l, cable: await main.make('dcim/cables', cableOf(i, j)) }
}

/** Objects with a cable, and the path of the cable's other end. */
const CABLED: readonly (readonly [type: string, path: string, farPath: string, make: Case['before']])[] = [
  ...PORTS.map(
    ([path, type, far, farPath]) =>
      [
        ...([type, path, farPath] as const),
        async ({ main, mark }: Parameters<Case['before']>[0]) => {
          const owner = await device(main, mark)
          const own = await port(main, owner, 'i', path)
          return await connected(main, [type, own], [far, await port(main, owner, 'j', farPath)])
        },
      ] as const,
  ),
  [
    'dcim.frontport',
    'dcim/front-ports',
    'dcim/interfaces',
    async ({ main, mark }) => {
      const owner = await device(main, mark)
      const rear = await main.make('dcim/rear-ports', { device: owner, name: 'r', type: '8p8c', positions: 1 })
      const rear_ports = [{ position: 1, rear_port: rear, rear_port_position: 1 }]
      const own = await main.make('dcim/front-ports', { device: owner, name: 'f', type: '8p8c', rear_ports })
      const far = await port(main, owner, 'j')
      return await connected(main, ['dcim.frontport', own], ['dcim.interface', far])
    },
  ],
  [
    'circuits.circuittermination',
    'circuits/circuit-terminations',
    'dcim/interfaces',
    async ({ main, mark }) => {
      const far = await port(main, await device(main, mark), 'j')
      const { part = 0 } = await circuit({ main, mark })
      return await connected(main, ['circuits.circuittermination', part], ['dcim.interface', far])
    },
  ],
]

/** Objects that are deleted with their parts. */
const OWNERS: readonly (readonly [type: string, path: string, parts: string, make: Case['before']])[] = [
  [
    'virtualization.virtualmachine',
    'virtualization/virtual-machines',
    'virtualization/interfaces',
    async ({ main, mark }) => {
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      const own = await main.make('virtualization/virtual-machines', { name: mark, site })
      return { own, part: await main.make('virtualization/interfaces', { virtual_machine: own, name: 'e0' }) }
    },
  ],
  ['circuits.circuit', 'circuits/circuits', 'circuits/circuit-terminations', circuit],
]

/** Documents and lists with an order, which do not merge by element. */
const SINGLE_VALUES: readonly (readonly [
  what: string,
  path: string,
  type: string,
  field: string,
  make: Case['before'],
  value: (n: number) => unknown,
])[] = [
  [
    'a document',
    'extras/config-contexts',
    'extras.configcontext',
    'data',
    async ({ main, mark }) => ({ own: await main.make('extras/config-contexts', { name: mark, data: { a: 0 } }) }),
    (n) => ({ a: 0, b: n }),
  ],
  [
    'a list',
    'ipam/vlan-groups',
    'ipam.vlangroup',
    'vid_ranges',
    async ({ main, mark }) => ({
      own: await main.make('ipam/vlan-groups', { name: mark, slug: mark, vid_ranges: [[1, 9]] }),
    }),
    (n) => [
      [1, 9],
      [10 * n, 10 * n + 5],
    ],
  ],
]

const customValues = async (place: Place, mark: string, name: string) =>
  [...((await place.read(`dcim/sites/?name__isw=${mark}`)).results ?? [])].map(
    ({ custom_fields: values }) => values?.[name],
  )

const CASES: readonly Case[] = [
  {
    name: 'an object that the branch deletes, and main changes',
    before: async ({ main, mark }) => {
      const tag = await main.make('extras/tags', { name: mark, slug: mark })
      const own = await device(main, mark)
      await main.send('PATCH', `dcim/devices/${own}`, { tags: [tag] })
      return { own, part: await port(main, own, 'e0') }
    },
    writes: async ({ main, branch }, { own }) => {
      await branch.send('DELETE', `dcim/devices/${own}`)
      await main.send('PATCH', `dcim/devices/${own}`, { serial: 'M' })
    },
    conflict: ['own', 'dcim.device', null],
    mine: async ({ main, mark }) => expect(await namesOf(main, `dcim/devices/?name=${mark}`)).toEqual([]),
    theirs: async ({ main, mark }, { own }) => {
      const { serial, tags } = await main.read(`dcim/devices/${own}/`)
      expect([serial, [...(tags ?? [])].length]).toEqual(['M', 1])
      expect(await namesOf(main, `dcim/interfaces/?device=${mark}`)).toEqual(['e0'])
    },
  },
  ...OWNERS.flatMap(([type, path, parts, make]): readonly Case[] => [
    {
      name: `an object of ${path} with parts that the branch deletes, and main changes`,
      before: make,
      writes: async ({ main, branch }, { own }) => {
        await branch.send('DELETE', `${path}/${own}`)
        await main.send('PATCH', `${path}/${own}`, { description: 'M' })
      },
      conflict: ['own', type, null],
      mine: async ({ main }, { own, part }) => {
        expect(await statusesOf(main, `${path}/${own}/`, `${parts}/${part}/`)).toEqual([false, false])
      },
      theirs: async ({ main }, { own, part }) => {
        expect(await fieldValue(main, `${path}/${own}/`, 'description')).toBe('M')
        expect(await statusesOf(main, `${parts}/${part}/`)).toEqual([true])
      },
    },
    {
      name: `an object of ${path} with parts that main deletes, and the branch changes`,
      before: make,
      writes: async ({ main, branch }, { own }) => {
        await branch.send('PATCH', `${path}/${own}`, { description: 'B' })
        await main.send('DELETE', `${path}/${own}`)
      },
      conflict: ['own', type, null],
      mine: async ({ main }, { own, part }) => {
        expect(await fieldValue(main, `${path}/${own}/`, 'description')).toBe('B')
        expect(await statusesOf(main, `${parts}/${part}/`)).toEqual([true])
      },
      theirs: async ({ main }, { own, part }) =>
        expect(await statusesOf(main, `${path}/${own}/`, `${parts}/${part}/`)).toEqual([false, false]),
    },
  ]),
  ...CABLED.flatMap(([type, path, farPath, before]) =>
    [true, false].map(
      (isCableDeleted): Case => ({
        name: `an object of ${path} that main deletes, ${isCableDeleted ? 'with' : 'without'} its cable, and the branch changes`,
        before,
        writes: async ({ main, branch }, { own, cable }) => {
          await branch.send('PATCH', `${path}/${own}`, { description: 'B' })
          if (isCableDeleted) await main.send('DELETE', `dcim/cables/${cable}`)
          await main.send('DELETE', `${path}/${own}`)
        },
        conflict: ['own', type, null],
        mine: async ({ main }, { own, far, cable }) => {
          const ends = await Promise.all([`${path}/${own}/`, `${farPath}/${far}/`].map((end) => main.read(end)))
          const expected = isCableDeleted ? null : expect.objectContaining({ id: cable })
          expect(ends.map((end) => end.cable)).toEqual([expected, expected])
          expect(ends[0]?.description).toBe('B')
          expect(ends.map((end) => end.link_peers?.length)).toEqual(isCableDeleted ? [0, 0] : [1, 1])
        },
        theirs: async ({ main }, { own }) => expect(await statusesOf(main, `${path}/${own}/`)).toEqual([false]),
      }),
    ),
  ),
  ...SINGLE_VALUES.map(
    ([what, path, type, field, make, value]): Case => ({
      name: `${what} that both sides change, which is one value`,
      before: make,
      writes: async ({ main, branch }, { own }) => {
        await branch.send('PATCH', `${path}/${own}`, { [field]: value(1) })
        await main.send('PATCH', `${path}/${own}`, { [field]: value(2) })
      },
      conflict: ['own', type, field],
      mine: async ({ main }, { own }) => expect(await fieldValue(main, `${path}/${own}/`, field)).toEqual(value(1)),
      theirs: async ({ main }, { own }) => expect(await fieldValue(main, `${path}/${own}/`, field)).toEqual(value(2)),
    }),
  ),
  {
    name: 'an object that the branch deletes, and to which main adds a part',
    before: async ({ main, mark }) => ({ own: await device(main, mark) }),
    writes: async ({ main, branch }, { own = 0 }) => {
      await branch.send('DELETE', `dcim/devices/${own}`)
      await port(main, own, 'new')
    },
    conflict: ['own', 'dcim.device', null],
    mine: async ({ main, mark }) => expect(await namesOf(main, `dcim/interfaces/?device=${mark}`)).toEqual([]),
    theirs: async ({ main, mark }) => expect(await namesOf(main, `dcim/interfaces/?device=${mark}`)).toEqual(['new']),
  },
  {
    name: 'an object that main deletes, and the branch changes',
    before: async ({ main, mark }) => {
      const own = await device(main, mark)
      return { own, part: await port(main, own, 'e0') }
    },
    writes: async ({ main, branch }, { own }) => {
      await branch.send('PATCH', `dcim/devices/${own}`, { serial: 'B' })
      await main.send('DELETE', `dcim/devices/${own}`)
    },
    conflict: ['own', 'dcim.device', null],
    mine: async ({ main, mark }, { own }) => {
      expect(await fieldValue(main, `dcim/devices/${own}/`, 'serial')).toBe('B')
      expect(await namesOf(main, `dcim/interfaces/?device=${mark}`)).toEqual(['e0'])
    },
    theirs: async ({ main, mark }) => expect(await namesOf(main, `dcim/devices/?name=${mark}`)).toEqual([]),
  },
  {
    name: 'objects that the branch deletes and main changes, to both of which an object refers',
    before: async ({ main, mark }) => {
      const region = await main.make('dcim/regions', { name: mark, slug: mark })
      const group = await main.make('dcim/site-groups', { name: mark, slug: mark })
      return { region, group, site: await main.make('dcim/sites', { name: mark, slug: mark, region, group }) }
    },
    writes: async ({ main, branch }, { region, group }) => {
      for (const path of [`dcim/regions/${region}`, `dcim/site-groups/${group}`]) {
        await branch.send('DELETE', path)
        await main.send('PATCH', path, { description: 'M' })
      }
    },
    conflict: ['region', 'dcim.region', null],
    mine: async ({ main }, { site }) => {
      expect(await main.read(`dcim/sites/${site}/`)).toMatchObject({ region: null, group: null })
    },
    theirs: async ({ main }, { region, group, site }) => {
      expect(await main.read(`dcim/sites/${site}/`)).toMatchObject({ region: { id: region }, group: { id: group } })
    },
  },
  {
    name: 'a part that the branch changes, of an object that main deletes',
    before: async ({ main, mark }) => {
      const own = await device(main, mark)
      return { own, part: await port(main, own, 'e0'), other: await port(main, own, 'e1') }
    },
    writes: async ({ main, branch }, { own, part }) => {
      await branch.send('PATCH', `dcim/interfaces/${part}`, { description: 'B' })
      await main.send('DELETE', `dcim/devices/${own}`)
    },
    conflict: ['part', 'dcim.interface', null],
    mine: async ({ main, mark }, { part }) => {
      expect(await fieldValue(main, `dcim/interfaces/${part}/`, 'description')).toBe('B')
      expect(await namesOf(main, `dcim/interfaces/?device=${mark}`)).toEqual(['e0', 'e1'])
    },
    theirs: async ({ main, mark }) => expect(await namesOf(main, `dcim/devices/?name=${mark}`)).toEqual([]),
  },
  {
    name: 'a new object below one that main deletes',
    before: async ({ main, mark }) => ({ site: await main.make('dcim/sites', { name: mark, slug: mark }) }),
    writes: async ({ main, branch, mark }, made) => {
      const { site } = made
      Object.assign(made, { rack: await branch.make('dcim/racks', { name: mark, site }) })
      await main.send('DELETE', `dcim/sites/${site}`)
    },
    conflict: ['rack', 'dcim.rack', 'site'],
    mine: async ({ main, mark }) => expect(await namesOf(main, `dcim/racks/?site=${mark}`)).toEqual([mark]),
    theirs: async ({ main, mark }) => expect(await namesOf(main, `dcim/racks/?name=${mark}`)).toEqual([]),
  },
  {
    name: 'the end of a cable that both sides move',
    before: cabledPorts,
    writes: async ({ main, branch }, { cable, k = 0, l = 0 }) => {
      await branch.send('PATCH', `dcim/cables/${cable}`, { b_terminations: cableOf(0, k).b_terminations })
      await main.send('PATCH', `dcim/cables/${cable}`, { b_terminations: cableOf(0, l).b_terminations })
    },
    conflict: ['cable', 'dcim.cable', 'b_terminations'],
    mine: async ({ main }, { cable, k }) => expect(await endsOf(main, `dcim/cables/${cable}/`, 'b')).toEqual([k]),
    theirs: async ({ main }, { cable, l }) => expect(await endsOf(main, `dcim/cables/${cable}/`, 'b')).toEqual([l]),
  },
  ...PORTS.map(
    ([path, type, far, farPath]): Case => ({
      name: `an object of ${path} that both sides connect`,
      before: async ({ main, mark }) => {
        const owner = await device(main, mark)
        return {
          i: await port(main, owner, 'i', path),
          j: await port(main, owner, 'j', farPath),
          k: await port(main, owner, 'k', farPath),
        }
      },
      writes: async ({ main, branch }, made) => {
        const cable = (to = 0) => ({
          a_terminations: [{ object_type: type, object_id: made.i }],
          b_terminations: [{ object_type: far, object_id: to }],
        })
        Object.assign(made, {
          own: await branch.make('dcim/cables', cable(made.j)),
          other: await main.make('dcim/cables', cable(made.k)),
        })
      },
      conflict: ['own', 'dcim.cable', 'a_terminations'],
      mine: async ({ main }, { i, own, k }) => {
        expect((await main.read(`${path}/${i}/`)).cable?.id).toBe(own)
        expect(await fieldValue(main, `${farPath}/${k}/`, 'cable')).toBeNull()
      },
      theirs: async ({ main }, { i, other, j }) => {
        expect((await main.read(`${path}/${i}/`)).cable?.id).toBe(other)
        expect(await fieldValue(main, `${farPath}/${j}/`, 'cable')).toBeNull()
      },
    }),
  ),
  {
    name: 'a unique name that both sides give to a new object',
    before: async () => ({}),
    writes: async ({ main, branch, mark }, made) => {
      const body = { name: mark, slug: mark }
      const own = await branch.make('dcim/sites', { ...body, facility: 'branch' })
      Object.assign(made, { own, rack: await branch.make('dcim/racks', { name: mark, site: own }) })
      await main.make('dcim/sites', { ...body, facility: 'main' })
    },
    conflict: ['own', 'dcim.site', 'slug'],
    mine: async ({ main, mark }) => {
      expect(
        [...((await main.read(`dcim/sites/?slug=${mark}`)).results ?? [])].map(({ facility }) => facility),
      ).toEqual(['branch'])
      expect(await namesOf(main, `dcim/racks/?site=${mark}`)).toEqual([mark])
    },
    theirs: async ({ main, mark }) => {
      expect(
        [...((await main.read(`dcim/sites/?slug=${mark}`)).results ?? [])].map(({ facility }) => facility),
      ).toEqual(['main'])
      expect(await namesOf(main, `dcim/racks/?name=${mark}`)).toEqual([])
    },
  },
  {
    name: 'one custom field that both sides change',
    before: async ({ main, mark }) => {
      await main.make('extras/custom-fields', { name: fieldOf(mark), type: 'text', object_types: ['dcim.site'] })
      return { own: await main.make('dcim/sites', { name: mark, slug: mark }) }
    },
    writes: async ({ main, branch, mark }, { own }) => {
      await branch.send('PATCH', `dcim/sites/${own}`, { custom_fields: { [fieldOf(mark)]: 'branch' }, facility: 'B' })
      await main.send('PATCH', `dcim/sites/${own}`, { custom_fields: { [fieldOf(mark)]: 'main' }, comments: 'M' })
    },
    conflict: ['own', 'dcim.site', 'custom_fields.*'],
    mine: async ({ main, mark }, { own }) =>
      expect(await main.read(`dcim/sites/${own}/`)).toMatchObject({
        custom_fields: { [fieldOf(mark)]: 'branch' },
        facility: 'B',
        comments: 'M',
      }),
    theirs: async ({ main, mark }, { own }) =>
      expect(await main.read(`dcim/sites/${own}/`)).toMatchObject({
        custom_fields: { [fieldOf(mark)]: 'main' },
        facility: 'B',
        comments: 'M',
      }),
  },
  {
    name: 'a custom field that both sides rename, and whose values the branch changes',
    before: async ({ main, mark }) => ({
      own: await main.make('extras/custom-fields', { name: fieldOf(mark), type: 'text', object_types: ['dcim.site'] }),
      site: await main.make('dcim/sites', { name: mark, slug: mark }),
    }),
    writes: async ({ main, branch, mark }, { own, site }) => {
      await branch.send('PATCH', `extras/custom-fields/${own}`, { name: fieldOf(mark, 'branch') })
      const custom_fields = { [fieldOf(mark, 'branch')]: 'B' }
      await branch.send('PATCH', `dcim/sites/${site}`, { custom_fields })
      await branch.make('dcim/sites', { name: `${mark} new`, slug: `${mark}-new`, custom_fields })
      await main.send('PATCH', `extras/custom-fields/${own}`, { name: fieldOf(mark, 'main') })
    },
    conflict: ['own', 'extras.customfield', 'name'],
    mine: async ({ main, mark }) => expect(await customValues(main, mark, fieldOf(mark, 'branch'))).toEqual(['B', 'B']),
    theirs: async ({ main, mark }) => expect(await customValues(main, mark, fieldOf(mark, 'main'))).toEqual(['B', 'B']),
  },
  {
    name: 'regions that the sides move below each other',
    before: async ({ main, mark }) => {
      const region = (name: string) => main.make('dcim/regions', { name: `${mark} ${name}`, slug: `${mark}-${name}` })
      return { a: await region('a'), b: await region('b') }
    },
    writes: async ({ main, branch }, { a, b }) => {
      await branch.send('PATCH', `dcim/regions/${a}`, { parent: b })
      await main.send('PATCH', `dcim/regions/${b}`, { parent: a })
    },
    conflict: ['a', 'dcim.region', 'parent'],
    mine: async ({ main }, { a, b }) => expect((await main.read(`dcim/regions/${a}/`)).parent?.id).toBe(b),
    theirs: async ({ main }, { a, b }) => expect((await main.read(`dcim/regions/${b}/`)).parent?.id).toBe(a),
  },
  {
    name: 'two pairs of locations that the sides move below each other',
    before: async ({ main, mark }) => {
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      const location = (name: string) => main.make('dcim/locations', { name: `${mark} ${name}`, slug: name, site })
      return { a: await location('a'), b: await location('b'), c: await location('c'), d: await location('d') }
    },
    writes: async ({ main, branch }, { a, b, c, d }) => {
      await branch.send('PATCH', `dcim/locations/${a}`, { parent: b })
      await branch.send('PATCH', `dcim/locations/${c}`, { parent: d })
      await main.send('PATCH', `dcim/locations/${b}`, { parent: a })
      await main.send('PATCH', `dcim/locations/${d}`, { parent: c })
    },
    conflict: ['a', 'dcim.location', 'parent'],
    mine: async ({ main }, { a, b, c, d }) =>
      expect(await parentsOf(main, 'dcim/locations', a, b, c, d)).toEqual([b, undefined, d, undefined]),
    theirs: async ({ main }, { a, b, c, d }) =>
      expect(await parentsOf(main, 'dcim/locations', a, b, c, d)).toEqual([undefined, a, undefined, c]),
  },
  {
    name: 'the end of a cable that the branch moves to a port that main connects',
    before: cabledPorts,
    writes: async ({ main, branch }, made) => {
      const { cable, k = 0, l = 0 } = made
      await branch.send('PATCH', `dcim/cables/${cable}`, { b_terminations: cableOf(0, k).b_terminations })
      Object.assign(made, { other: await main.make('dcim/cables', cableOf(k, l)) })
    },
    conflict: ['cable', 'dcim.cable', 'b_terminations'],
    mine: async ({ main }, { cable, k, other }) => {
      expect(await endsOf(main, `dcim/cables/${cable}/`, 'b')).toEqual([k])
      expect(await statusesOf(main, `dcim/cables/${other}/`)).toEqual([false])
    },
    theirs: async ({ main }, { cable, i, j, k, other }) => {
      expect(await endsOf(main, `dcim/cables/${cable}/`, 'a')).toEqual([i])
      expect(await endsOf(main, `dcim/cables/${cable}/`, 'b')).toEqual([j])
      expect(await endsOf(main, `dcim/cables/${other}/`, 'a')).toEqual([k])
    },
  },
]

describe('a conflict between main and a branch', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  let count = 0
  const prepare = (preparation: Preparation) => prepareBranch(api, `d${++count}`, preparation)

  describe.each(['mine', 'theirs'] as const)('decided for %s', (keep) => {
    it.each(CASES.map((each) => [each.name, each] as const))('is merged: %s', async (_, scenario) => {
      const { made, act, conflicts, ...places } = await prepare(scenario)
      const [name, type, field] = scenario.conflict
      const [conflict, ...others] = await conflicts()
      const expected = field?.endsWith('*') ? `custom_fields.${fieldOf(places.mark)}` : field
      expect([conflict?.object_type, conflict?.object_id, conflict?.field]).toEqual([type, made[name], expected])
      const before = await mainRows(api)
      for (const action of ['sync', 'merge']) expect((await act(action)).status, action).toBe(409)
      expect(rowDifferences(before, await mainRows(api))).toEqual([])
      const decisions = [conflict, ...others].map((each) => ({
        object_type: each?.object_type,
        object_id: each?.object_id,
        field: each?.field,
        keep,
      }))
      const decided = await act('conflicts', decisions)
      expect([decided.status, decided.json.count], decided.text).toEqual([200, 0])
      const rehearsed = await act('merge', { commit: false })
      expect(rehearsed.json.data, rehearsed.text).toMatchObject({ status: 200, conflicts: [] })
      const merged = await act('merge')
      expect(merged.status, merged.text).toBe(200)
      await scenario[keep](places, made)
      const reverted = await act('revert')
      expect(reverted.status, reverted.text).toBe(200)
      expect(rowDifferences(before, await mainRows(api))).toEqual([])
    })
  })

  const DESCRIPTION: Preparation = {
    before: async ({ main, mark }) => ({ site: await main.make('dcim/sites', { name: mark, slug: mark }) }),
    writes: async ({ main, branch }, { site }) => {
      await branch.send('PATCH', `dcim/sites/${site}`, { description: 'b', facility: 'b' })
      await main.send('PATCH', `dcim/sites/${site}`, { description: 'm' })
    },
  }
  it.each<[string, 'mine' | 'theirs', 'main' | 'branch']>([
    ['main', 'mine', 'main'],
    ['main, decided for it', 'theirs', 'main'],
    ['the branch', 'mine', 'branch'],
    ['the branch, decided for main', 'theirs', 'branch'],
  ])('is open again after a change of the value on %s', async (_, keep, side) => {
    const { made, act, conflicts, ...places } = await prepare(DESCRIPTION)
    const decision = { object_type: 'dcim.site', object_id: made.site, field: 'description', keep }
    expect((await act('conflicts', decision)).status).toBe(200)
    await places[side].send('PATCH', `dcim/sites/${made.site}`, { description: 'later' })
    expect(await conflicts()).toEqual([expect.objectContaining({ field: 'description', [side]: 'later' })])
    expect((await act('merge')).status).toBe(409)
    expect((await act('conflicts', decision)).status).toBe(200)
    expect((await act('merge')).status).toBe(200)
  })

  it.each(['mine', 'theirs'] as const)('is open again if main changes an object again: %s', async (keep) => {
    const { made, act, conflicts, main } = await prepare({
      before: async ({ main, mark }) => ({ own: await device(main, mark) }),
      writes: async ({ main, branch }, { own }) => {
        await branch.send('DELETE', `dcim/devices/${own}`)
        await main.send('PATCH', `dcim/devices/${own}`, { serial: 'M' })
      },
    })
    const decision = { object_type: 'dcim.device', object_id: made.own, keep }
    expect((await act('conflicts', decision)).json.count).toBe(0)
    await main.send('PATCH', `dcim/devices/${made.own}`, { serial: 'later' })
    expect((await conflicts()).length).toBe(1)
    expect((await act('merge')).status).toBe(409)
  })

  it.each<[string, (site: number) => object]>([
    [
      'a field that only the branch has changed',
      (site) => ({ object_type: 'dcim.site', object_id: site, field: 'facility' }),
    ],
    [
      'an object as a whole that is in conflict about a field',
      (site) => ({ object_type: 'dcim.site', object_id: site }),
    ],
    ['an object that the branch has not changed', () => ({ object_type: 'dcim.site', object_id: 99_999 })],
    [
      'an object of another type with the same id',
      (site) => ({ object_type: 'dcim.region', object_id: site, field: 'description' }),
    ],
  ])('cannot be decided about %s', async (_, of) => {
    const { made, act } = await prepare(DESCRIPTION)
    const { status, text } = await act('conflicts', { ...of(made.site ?? 0), keep: 'theirs' })
    expect([status, text]).toEqual([400, expect.stringContaining('There is no such conflict')])
  })

  it('cannot be decided for both sides in one request', async () => {
    const { made, act, conflicts } = await prepare(DESCRIPTION)
    const decided = (keep: string) => ({
      ...{ object_type: 'dcim.site', object_id: made.site, field: 'description', keep },
    })
    const { status, text } = await act('conflicts', [decided('mine'), decided('theirs')])
    expect([status, text]).toEqual([400, expect.stringContaining('Both')])
    expect((await conflicts()).length).toBe(1)
    expect((await act('conflicts', [decided('mine'), decided('mine')])).status).toBe(200)
    expect(await conflicts()).toEqual([])
  })

  it('cannot be decided once it is settled on either side', async () => {
    for (const side of ['main', 'branch'] as const) {
      const { made, act, ...places } = await prepare(DESCRIPTION)
      const settled = { description: side === 'main' ? 'b' : 'm' }
      await places[side].send('PATCH', `dcim/sites/${made.site}`, settled)
      const decision = { object_type: 'dcim.site', object_id: made.site, field: 'description', keep: 'theirs' }
      expect((await act('conflicts', decision)).status, side).toBe(400)
    }
  })

  it.each<[string, Pick<Case, 'before' | 'writes'>, string]>([
    [
      'replaces one with the same unique value',
      {
        before: async () => ({}),
        writes: async ({ main, branch, mark }, made) => {
          Object.assign(made, { own: await branch.make('dcim/sites', { name: mark, slug: mark }) })
          const site = await main.make('dcim/sites', { name: mark, slug: mark })
          await main.make('dcim/racks', { name: mark, site })
          await main.make('dcim/locations', { name: mark, slug: mark, site })
        },
      },
      'Yours deletes that object and 2 objects that need it',
    ],
    [
      'has lost one to which main has added parts',
      {
        before: async ({ main, mark }) => ({ own: await main.make('dcim/sites', { name: mark, slug: mark }) }),
        writes: async ({ main, branch, mark }, { own }) => {
          await branch.send('DELETE', `dcim/sites/${own}`)
          await main.make('dcim/racks', { name: mark, site: own })
        },
      },
      'Yours deletes it and 1 object that needs it',
    ],
  ])('says what else of main is deleted if the branch %s, and is open again after more', async (_, scenario, words) => {
    const { main, mark, made, act, conflicts } = await prepare(scenario)
    const [conflict] = await conflicts()
    expect([String(conflict?.detail), Number(conflict?.deletes)]).toEqual([
      expect.stringContaining(words),
      Number(/\d/.exec(words)),
    ])
    const decision = { object_type: 'dcim.site', object_id: made.own, field: conflict?.field, keep: 'mine' }
    expect((await act('conflicts', decision)).json.count).toBe(0)
    const [site] = [...((await main.read(`dcim/sites/?slug=${mark}`)).results ?? [])].map(({ id }) => Number(id))
    await main.make('dcim/racks', { name: `${mark} 2`, site })
    expect(await conflicts()).toEqual([expect.objectContaining({ deletes: Number(conflict?.deletes) + 1 })])
  })

  it('between units of a rack names the device, and is settled by moving it on either side', async () => {
    const { branch, made, act } = await prepare({
      before: async ({ main, mark }) => {
        const manufacturer = await main.make('dcim/manufacturers', { name: mark, slug: mark })
        const site = await main.make('dcim/sites', { name: mark, slug: mark })
        return {
          site,
          device_type: await main.make('dcim/device-types', { manufacturer, model: mark, slug: mark, u_height: 2 }),
          role: await main.make('dcim/device-roles', { name: mark, slug: mark }),
          rack: await main.make('dcim/racks', { name: mark, site }),
        }
      },
      writes: async ({ main, branch, mark }, made) => {
        const body = { ...made, face: 'front' }
        Object.assign(made, {
          own: await branch.make('dcim/devices', { ...body, name: `${mark} branch`, position: 10 }),
        })
        await main.make('dcim/devices', { ...body, name: `${mark} main`, position: 11 })
      },
    })
    const refused = await act('merge')
    const sentence =
      /^Main and the branch are in conflict\. .* d\d+ branch would not be valid: position: .* Change it in the branch/
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringMatching(sentence)])
    await branch.send('PATCH', `dcim/devices/${made.own}`, { position: 20 })
    expect((await act('merge')).status).toBe(200)
  })

  it('keeps every decision of those that are sent at once', async () => {
    const names = ['description', 'facility', 'comments', 'physical_address', 'shipping_address', 'status']
    const values = (value: string) =>
      Object.fromEntries(
        names.map((name) => [name, name === 'status' ? (value === 'b' ? 'planned' : 'retired') : value]),
      )
    for (let round = 0; round < 5; round++) {
      const { made, act, conflicts } = await prepare({
        before: DESCRIPTION.before,
        writes: async ({ main, branch }, { site }) => {
          await branch.send('PATCH', `dcim/sites/${site}`, values('b'))
          await main.send('PATCH', `dcim/sites/${site}`, values('m'))
        },
      })
      const decisions = names.map((field) =>
        act('conflicts', { object_type: 'dcim.site', object_id: made.site, field, keep: 'mine' }),
      )
      expect((await Promise.all(decisions)).map(({ status }) => status)).toEqual(names.map(() => 200))
      expect(await conflicts()).toEqual([])
    }
  })

  it('arises from a write on main, or another merge, at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const {
        made,
        act,
        branch: _,
        ...places
      } = await prepare({
        before: DESCRIPTION.before,
        writes: ({ branch }, { site }) => branch.send('PATCH', `dcim/sites/${site}`, { description: 'b' }),
      })
      const second = await api.ask('POST', '/api/core/branches/', { body: { name: `Second ${places.mark}` } })
      const headers = { 'X-NetBox-Branch': String(second.json.schema_id) }
      const path = `/api/dcim/sites/${made.site}/`
      await api.ask('PATCH', path, { body: { description: 'c' }, headers })
      const isMerge = round % 2 === 0
      const [merged, other] = await Promise.all([
        act('merge'),
        isMerge
          ? api.ask('POST', `/api/core/branches/${second.json.id}/merge/`, { body: {} })
          : api.ask('PATCH', path, { body: { description: 'm' } }),
      ])
      const last = await fieldValue(places.main, `dcim/sites/${made.site}/`, 'description')
      if (isMerge) {
        expect([merged.status, other.status].sort()).toEqual([200, 409])
        expect(last).toBe(merged.status === 200 ? 'b' : 'c')
      } else {
        // The write comes after the merge, or the merge is refused: it never overwrites the write.
        expect([other.status, last]).toEqual([200, 'm'])
      }
    }
  })
})
