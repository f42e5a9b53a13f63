import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowDifferences } from '../history/stored-rows.ts'
import { type Api, startApi } from '../support/api.ts'
import { runSize } from '../support/run-size.ts'
import { cableOf, device, fieldOf, kinds, namesOf, type Place, placeOf } from './places.ts'
import { type Made, mainRows, type Preparation, prepareBranch, type Scenario } from './scenarios.ts'

interface Case extends Preparation {
  readonly name: string
  /** What main shows after the merge. */
  readonly shows: (scenario: Scenario, made: Made) => Promise<unknown>
}

async function circuitEnd(main: Place, mark: string, site: number): Promise<number> {
  const provider = await main.make('circuits/providers', { name: mark, slug: mark })
  const type = await main.make('circuits/circuit-types', { name: mark, slug: mark })
  const circuit = await main.make('circuits/circuits', { cid: mark, provider, type })
  const end = { termination_type: 'dcim.site', termination_id: site }
  return await main.make('circuits/circuit-terminations', { circuit, term_side: 'A', ...end })
}

/** Models whose objects need a name and a slug only. */
const NAMED = [
  ['dcim.site', 'dcim/sites'],
  ['tenancy.tenant', 'tenancy/tenants'],
  ['circuits.provider', 'circuits/providers'],
] as const

/** Objects from which others copy their place, with these. */
const MOVES: readonly (readonly [what: string, path: string, make: Case['before']])[] = [
  [
    'a device with a cable',
    'dcim/devices',
    async ({ main, mark }) => {
      const moved = await device(main, mark)
      const port = (name: string) => main.make('dcim/interfaces', { device: moved, name, type: '1000base-t' })
      await main.make('dcim/cables', cableOf(await port('one'), await port('two')))
      return { moved }
    },
  ],
  [
    'a site with a circuit',
    'dcim/sites',
    async ({ main, mark }) => {
      const moved = await main.make('dcim/sites', { name: mark, slug: mark })
      await circuitEnd(main, mark, moved)
      return { moved }
    },
  ],
  [
    'a location with a wireless LAN and a cluster',
    'dcim/locations',
    async ({ main, mark }) => {
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      const moved = await main.make('dcim/locations', { name: mark, slug: mark, site })
      const scope = { scope_type: 'dcim.location', scope_id: moved }
      await main.make('wireless/wireless-lans', { ssid: mark, ...scope })
      const type = await main.make('virtualization/cluster-types', { name: mark, slug: mark })
      await main.make('virtualization/clusters', { name: mark, type, ...scope })
      return { moved }
    },
  ],
]

/** What a merge without conflicts makes of main. Its revert restores main byte for byte. */
const CASES: readonly Case[] = [
  {
    name: 'an object that main creates too, and that the branch has deleted again',
    before: async ({ main, mark }) => ({ device: await device(main, mark) }),
    writes: async ({ main, branch }, { device }) => {
      const body = { device, name: 'eth0', type: 'virtual' }
      const own = await branch.make('dcim/interfaces', body)
      await main.make('dcim/interfaces', body)
      await branch.send('DELETE', `dcim/interfaces/${own}`)
    },
    shows: async ({ main }, { device }) =>
      expect(await namesOf(main, `dcim/interfaces/?device_id=${device}`)).toEqual(['eth0']),
  },
  {
    name: 'a unique value that the branch no longer has',
    before: async ({ main, mark }) => ({ group: await main.make('ipam/vlan-groups', { name: mark, slug: mark }) }),
    writes: async ({ main, branch }, { group }) => {
      const vlan = await branch.make('ipam/vlans', { vid: 100, name: 'branch', group })
      await main.make('ipam/vlans', { vid: 100, name: 'main', group })
      await branch.send('PATCH', `ipam/vlans/${vlan}`, { vid: 101 })
    },
    shows: async ({ main }, { group }) =>
      expect(await namesOf(main, `ipam/vlans/?group_id=${group}`)).toEqual(['main', 'branch']),
  },
  {
    name: 'a number of a circuit that the branch no longer has',
    before: async ({ main, mark }) => ({
      provider: await main.make('circuits/providers', { name: mark, slug: mark }),
      type: await main.make('circuits/circuit-types', { name: mark, slug: mark }),
    }),
    writes: async ({ main, branch, mark }, { provider, type }) => {
      const circuit = await branch.make('circuits/circuits', { cid: mark, provider, type, description: 'branch' })
      await main.make('circuits/circuits', { cid: mark, provider, type, description: 'main' })
      await branch.send('PATCH', `circuits/circuits/${circuit}`, { cid: `${mark} 2` })
    },
    shows: async ({ main }, { provider }) =>
      expect(
        [...((await main.read(`circuits/circuits/?provider_id=${provider}`)).results ?? [])].map(
          ({ description: text }) => text,
        ),
      ).toEqual(['main', 'branch']),
  },
  {
    name: 'an asset tag that the branch has given back',
    before: async ({ main, mark }) => ({
      one: await device(main, `${mark} 1`),
      two: await device(main, `${mark} 2`),
    }),
    writes: async ({ main, branch, mark }, { one, two }) => {
      await branch.send('PATCH', `dcim/devices/${one}`, { asset_tag: mark })
      await main.send('PATCH', `dcim/devices/${two}`, { asset_tag: mark })
      await branch.send('PATCH', `dcim/devices/${one}`, { asset_tag: null, serial: 'B' })
    },
    shows: async ({ main, mark }, { one, two }) => {
      expect(await main.read(`dcim/devices/${one}/`)).toMatchObject({ asset_tag: null, serial: 'B' })
      expect((await main.read(`dcim/devices/${two}/`)).asset_tag).toBe(mark)
    },
  },
  {
    name: 'a tenant that main has deleted, and that the branch has left',
    before: async ({ main, mark }) => ({ tenant: await main.make('tenancy/tenants', { name: mark, slug: mark }) }),
    writes: async ({ main, branch, mark }, { tenant }) => {
      const vlan = await branch.make('ipam/vlans', { vid: 7, name: mark, tenant })
      await main.send('DELETE', `tenancy/tenants/${tenant}`)
      await branch.send('PATCH', `ipam/vlans/${vlan}`, { tenant: null })
    },
    shows: async ({ main, mark }) => expect(await namesOf(main, `ipam/vlans/?name=${mark}`)).toEqual([mark]),
  },
  {
    name: 'a position in a rack that the branch has left',
    before: async ({ main, mark }) => {
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      const rack = await main.make('dcim/racks', { name: mark, site })
      return { ...(await kinds(main, mark)), site, rack }
    },
    writes: async ({ main, branch, mark }, { site, rack, device_type, role }) => {
      const body = { device_type, role, site, rack, face: 'front', position: 12 }
      const own = await branch.make('dcim/devices', { ...body, name: `${mark} of branch` })
      await main.make('dcim/devices', { ...body, name: `${mark} of main` })
      await branch.send('PATCH', `dcim/devices/${own}`, { position: 13 })
    },
    shows: async ({ main }, { rack }) =>
      expect(
        [...((await main.read(`dcim/devices/?rack_id=${rack}`)).results ?? [])].map(({ position }) => position),
      ).toEqual([13, 12]),
  },
  {
    name: 'a parent that main has deleted, and that the branch has left',
    before: async ({ main, mark }) => ({
      one: await main.make('dcim/sites', { name: `${mark} 1`, slug: `${mark}-1` }),
      two: await main.make('dcim/sites', { name: `${mark} 2`, slug: `${mark}-2` }),
    }),
    writes: async ({ main, branch, mark }, { one, two }) => {
      const rack = await branch.make('dcim/racks', { name: mark, site: one })
      await main.send('DELETE', `dcim/sites/${one}`)
      await branch.send('PATCH', `dcim/racks/${rack}`, { site: two })
    },
    shows: async ({ main, mark }, { two }) => expect(await namesOf(main, `dcim/racks/?site_id=${two}`)).toEqual([mark]),
  },
  {
    name: 'a parent that main has deleted, of an object that the branch has created and deleted',
    before: async ({ main, mark }) => ({ device: await device(main, mark) }),
    writes: async ({ main, branch }, { device }) => {
      const own = await branch.make('dcim/interfaces', { device, name: 'eth0', type: 'virtual' })
      await branch.send('DELETE', `dcim/interfaces/${own}`)
      await main.send('DELETE', `dcim/devices/${device}`)
    },
    shows: async ({ main, mark }) => expect(await namesOf(main, `dcim/devices/?name=${mark}`)).toEqual([]),
  },
  ...(
    [
      ['dcim/sites', 'dcim/locations', 'site'],
      ['vpn/l2vpns', 'vpn/l2vpn-terminations', 'l2vpn'],
      ['virtualization/virtual-machines', 'virtualization/interfaces', 'virtual_machine'],
    ] as const
  ).map(
    ([path, parts, reference]): Case => ({
      name: `an object of ${path} that main has deleted, below which the branch has created and deleted one`,
      before: async ({ main, mark }) => {
        const site = await main.make('dcim/sites', { name: `${mark} s`, slug: `${mark}-s` })
        const more = { 'dcim/sites': {}, 'vpn/l2vpns': { type: 'vxlan' }, 'virtualization/virtual-machines': { site } }
        return {
          owner: await main.make(path, { name: mark, slug: mark, ...more[path] }),
          vlan: await main.make('ipam/vlans', { vid: 9, name: mark }),
        }
      },
      writes: async ({ main, branch, mark }, { owner, vlan }) => {
        const body =
          parts === 'vpn/l2vpn-terminations'
            ? { assigned_object_type: 'ipam.vlan', assigned_object_id: vlan }
            : { name: mark, slug: mark }
        await branch.send('DELETE', `${parts}/${await branch.make(parts, { ...body, [reference]: owner })}`)
        await main.send('DELETE', `${path}/${owner}`)
      },
      shows: async ({ main, mark }) => expect(await namesOf(main, `${path}/?name=${mark}`)).toEqual([]),
    }),
  ),
  ...(['tags', 'site', 'device', 'scoped', 'address'] as const).map(
    (what): Case => ({
      name: `the deletion of ${what} that the branch has undone`,
      before: async ({ main, mark }) => {
        const tag = await main.make('extras/tags', { name: mark, slug: mark })
        const site = await main.make('dcim/sites', { name: mark, slug: mark, tags: [tag] })
        const scoped = await main.make('ipam/vlan-groups', {
          name: mark,
          slug: mark,
          scope_type: 'dcim.site',
          scope_id: site,
        })
        const own = await device(main, `${mark} device`)
        const port = await main.make('dcim/interfaces', { device: own, name: 'eth0', type: '1000base-t' })
        const far = await main.make('dcim/interfaces', { device: own, name: 'eth1', type: '1000base-t' })
        const address = await main.make('ipam/ip-addresses', {
          address: `192.0.2.${mark.slice(1)}/24`,
          assigned_object_type: 'dcim.interface',
          assigned_object_id: port,
        })
        await main.send('PATCH', `dcim/devices/${own}`, { primary_ip4: address })
        await main.make('dcim/cables', cableOf(port, far))
        return { tag, site, device: own, scoped, address }
      },
      writes: async ({ branch }, made) => {
        const path = {
          tags: `extras/tags/${made.tag}`,
          site: `dcim/sites/${made.site}`,
          device: `dcim/devices/${made.device}`,
          scoped: `ipam/vlan-groups/${made.scoped}`,
          address: `ipam/ip-addresses/${made.address}`,
        }[what]
        await branch.undo(await branch.send('DELETE', path))
      },
      shows: async ({ main, mark }, { site }) =>
        expect([...((await main.read(`dcim/sites/${site}/`)).tags ?? [])].map(({ name }) => name)).toEqual([mark]),
    }),
  ),
  ...MOVES.map(
    ([what, path, make]): Case => ({
      name: `the move of ${what} to a new place`,
      before: make,
      writes: async ({ branch, mark }, { moved }) => {
        const field = path === 'dcim/sites' ? 'region' : 'site'
        const place = await branch.make(`dcim/${field}s`, { name: `${mark} new`, slug: `${mark}-new` })
        await branch.send('PATCH', `${path}/${moved}`, { [field]: place })
      },
      shows: async ({ main, mark }, { moved }) =>
        expect(
          Object.values(await main.read(`${path}/${moved}/`)).some((value) => String(value?.slug) === `${mark}-new`),
        ).toBe(true),
    }),
  ),
  {
    name: 'the deletion of a tag that objects of several models have',
    before: async ({ main, mark }) => {
      const [tag, stays] = [
        await main.make('extras/tags', { name: mark, slug: mark }),
        await main.make('extras/tags', { name: `${mark} stays`, slug: `${mark}-stays` }),
      ]
      const site = await main.make('dcim/sites', { name: mark, slug: mark, tags: [tag, stays] })
      await main.make('dcim/racks', { name: mark, site, tags: [tag] })
      await main.make('extras/config-contexts', { name: mark, data: { a: 1 }, tags: [mark] })
      return { tag, site }
    },
    writes: ({ branch }, { tag }) => branch.send('DELETE', `extras/tags/${tag}`),
    shows: async ({ main, mark }, { site }) =>
      expect([...((await main.read(`dcim/sites/${site}/`)).tags ?? [])].map(({ name }) => name)).toEqual([
        `${mark} stays`,
      ]),
  },
  {
    name: 'a custom field that main has renamed, and whose label the branch has changed',
    before: async ({ main, mark }) => ({
      field: await main.make('extras/custom-fields', {
        name: fieldOf(mark),
        type: 'text',
        object_types: ['dcim.site'],
      }),
      site: await main.make('dcim/sites', { name: mark, slug: mark }),
    }),
    writes: async ({ main, branch, mark }, { field, site }) => {
      await branch.send('PATCH', `extras/custom-fields/${field}`, { label: 'Level' })
      await branch.send('PATCH', `dcim/sites/${site}`, { custom_fields: { [fieldOf(mark)]: '3' } })
      await main.send('PATCH', `extras/custom-fields/${field}`, { name: fieldOf(mark, 'level') })
    },
    shows: async ({ main, mark }, { site }) =>
      expect((await main.read(`dcim/sites/${site}/`)).custom_fields?.[fieldOf(mark, 'level')]).toBe('3'),
  },
  {
    name: 'a value that the branch clears, of a custom field with a default that it creates',
    before: async ({ main, mark }) => ({ site: await main.make('dcim/sites', { name: mark, slug: mark }) }),
    writes: async ({ branch, mark }, { site }) => {
      const field = { name: fieldOf(mark), type: 'text', object_types: ['dcim.site'], default: 'usual' }
      await branch.make('extras/custom-fields', field)
      await branch.send('PATCH', `dcim/sites/${site}`, { custom_fields: { [fieldOf(mark)]: null } })
    },
    shows: async ({ main, mark }, { site }) =>
      expect((await main.read(`dcim/sites/${site}/`)).custom_fields).toHaveProperty([fieldOf(mark)], null),
  },
  {
    name: 'new objects of types that main gives a custom field with a default',
    before: async () => ({}),
    writes: async ({ main, branch, mark }, made) => {
      Object.assign(made, {
        site: await branch.make('dcim/sites', { name: mark, slug: mark }),
        tenant: await branch.make('tenancy/tenants', { name: mark, slug: mark }),
      })
      await main.make('extras/custom-fields', {
        ...{ name: fieldOf(mark), type: 'text', default: 'given', object_types: ['dcim.site', 'tenancy.tenant'] },
      })
      Object.assign(made, {
        later: await branch.make('dcim/sites', {
          ...{ name: `${mark} 2`, slug: `${mark}-2`, custom_fields: { [fieldOf(mark)]: 'own' } },
        }),
      })
    },
    shows: async ({ main, mark }, { site, tenant, later }) => {
      const paths = [`dcim/sites/${site}/`, `tenancy/tenants/${tenant}/`, `dcim/sites/${later}/`]
      const values = await Promise.all(
        paths.map(async (path) => (await main.read(path)).custom_fields?.[fieldOf(mark)]),
      )
      expect(values).toEqual(['given', 'given', 'own'])
    },
  },
  {
    name: 'bookmarks and subscriptions',
    before: async ({ main, mark }) => {
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      const user = Number((await main.read('users/users/?username=admin')).results?.[0]?.id)
      const body = { object_type: 'dcim.site', object_id: site, user }
      return { site, user, subscription: await main.make('extras/subscriptions', body) }
    },
    writes: async ({ branch }, { site, user, subscription }) => {
      const bookmark = await branch.make('extras/bookmarks', { object_type: 'dcim.site', object_id: site, user })
      await branch.send('DELETE', `extras/subscriptions/${subscription}`)
      expect(bookmark).toBeGreaterThan(0)
    },
    shows: async ({ main }, { site }) => {
      const count = async (path: string) =>
        Number((await main.read(`extras/${path}/?object_type=dcim.site&object_id=${site}`)).count)
      expect([await count('bookmarks'), await count('subscriptions')]).toEqual([1, 0])
    },
  },
  ...NAMED.map(
    ([type, path]): Case => ({
      name: `a custom field of ${path} that main has renamed`,
      before: async ({ main, mark }) => ({
        field: await main.make('extras/custom-fields', {
          name: fieldOf(mark),
          type: 'text',
          object_types: [type],
        }),
        site: await main.make(path, { name: mark, slug: mark, custom_fields: { [fieldOf(mark)]: '1' } }),
      }),
      writes: async ({ main, branch, mark }, { field, site }) => {
        const name = fieldOf(mark)
        await branch.make(path, { name: `${mark} new`, slug: `${mark}-new`, custom_fields: { [name]: '2' } })
        await branch.send('PATCH', `${path}/${site}`, { custom_fields: { [name]: '3' } })
        await main.send('PATCH', `extras/custom-fields/${field}`, { name: `${name}_level` })
      },
      shows: async ({ main, mark }) => {
        const { results } = await main.read(`${path}/?name__isw=${mark}`)
        expect([...(results ?? [])].map(({ custom_fields: values }) => values?.[`${fieldOf(mark)}_level`])).toEqual([
          '3',
          '2',
        ])
      },
    }),
  ),
  ...NAMED.map(
    ([type, path]): Case => ({
      name: `custom fields of ${path} of which each side has changed one`,
      before: async ({ main, mark }) => {
        for (const name of ['a', 'b'])
          await main.make('extras/custom-fields', {
            name: fieldOf(mark, name),
            type: 'text',
            object_types: [type],
          })
        return { site: await main.make(path, { name: mark, slug: mark }) }
      },
      writes: async ({ main, branch, mark }, { site }) => {
        await branch.send('PATCH', `${path}/${site}`, { custom_fields: { [fieldOf(mark, 'a')]: 'branch' } })
        await main.send('PATCH', `${path}/${site}`, { custom_fields: { [fieldOf(mark, 'b')]: 'main' } })
      },
      shows: async ({ main, mark }, { site }) =>
        expect((await main.read(`${path}/${site}/`)).custom_fields).toMatchObject({
          [fieldOf(mark, 'a')]: 'branch',
          [fieldOf(mark, 'b')]: 'main',
        }),
    }),
  ),
  ...(['dcim/sites', 'extras/tags', 'tenancy/tenants'] as const).map(
    (path): Case => ({
      name: `unique values that rotate between objects of ${path}`,
      before: async ({ main, mark }) => ({
        x: await main.make(path, { name: `${mark} x`, slug: `${mark}-x` }),
        y: await main.make(path, { name: `${mark} y`, slug: `${mark}-y` }),
        z: await main.make(path, { name: `${mark} z`, slug: `${mark}-z` }),
      }),
      writes: async ({ branch, mark }, { x, y, z }) => {
        const rename = (id: number | undefined, to: string) =>
          branch.send('PATCH', `${path}/${id}`, { name: `${mark} ${to}`, slug: `${mark}-${to}` })
        for (const [id, to] of [
          [x, 't'],
          [z, 'x'],
          [y, 'z'],
          [x, 'y'],
        ] as const)
          await rename(id, to)
      },
      shows: async ({ main, mark }, { x, y, z }) => {
        const slugs = await Promise.all([x, y, z].map(async (id) => (await main.read(`${path}/${id}/`)).slug))
        expect(slugs).toEqual([`${mark}-y`, `${mark}-z`, `${mark}-x`])
      },
    }),
  ),
  {
    name: 'the sides of a circuit that have been exchanged',
    before: async ({ main, mark }) => {
      const provider = await main.make('circuits/providers', { name: mark, slug: mark })
      const type = await main.make('circuits/circuit-types', { name: mark, slug: mark })
      const circuit = await main.make('circuits/circuits', { cid: mark, provider, type })
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      const ends = { circuit, termination_type: 'dcim.site', termination_id: site }
      const a = await main.make('circuits/circuit-terminations', { ...ends, term_side: 'A' })
      return { circuit, a, z: await main.make('circuits/circuit-terminations', { ...ends, term_side: 'Z' }) }
    },
    writes: async ({ branch }, { a, z }) => {
      await branch.send('PATCH', 'circuits/circuit-terminations', [
        { id: a, term_side: 'Z' },
        { id: z, term_side: 'A' },
      ])
    },
    shows: async ({ main }, { circuit, a, z }) => {
      const { termination_a: sideA, termination_z: sideZ } = await main.read(`circuits/circuits/${circuit}/`)
      expect([sideA?.id, sideZ?.id]).toEqual([z, a])
    },
  },
  ...NAMED.map(
    ([, path]): Case => ({
      name: `a tag of ${path} that main has renamed, whose name another tag has taken`,
      before: async ({ main, mark }) => ({
        tag: await main.make('extras/tags', { name: mark, slug: mark }),
        site: await main.make(path, { name: mark, slug: mark }),
      }),
      writes: async ({ main, branch, mark }, { tag, site }) => {
        await branch.send('PATCH', `${path}/${site}`, { tags: [tag] })
        await main.send('PATCH', `extras/tags/${tag}`, { name: `${mark} other`, slug: `${mark}-other` })
        await main.make('extras/tags', { name: mark, slug: mark })
      },
      shows: async ({ main }, { tag, site }) =>
        expect([...((await main.read(`${path}/${site}/`)).tags ?? [])].map(({ id }) => id)).toEqual([tag]),
    }),
  ),
  {
    name: 'a cable that main moves to another port, of a device that the branch moves to another site',
    before: async ({ main, mark }) => {
      const own = await device(main, mark)
      const port = (name: string) => main.make('dcim/interfaces', { device: own, name, type: '1000base-t' })
      const [one, two, other] = [await port('one'), await port('two'), await port('other')]
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      return { own, other, site, cable: await main.make('dcim/cables', cableOf(one, two)) }
    },
    writes: async ({ main, branch }, { own, other = 0, site, cable }) => {
      await branch.send('PATCH', `dcim/devices/${own}`, { site })
      const { b_terminations } = cableOf(0, other)
      await main.send('PATCH', `dcim/cables/${cable}`, { b_terminations })
    },
    shows: async ({ main }, { own, other, site, cable }) => {
      const { b_terminations: ends } = await main.read(`dcim/cables/${cable}/`)
      expect([...(ends ?? [])].map(({ object_id: id }) => id)).toEqual([other])
      expect((await main.read(`dcim/devices/${own}/`)).site?.id).toBe(site)
    },
  },
  {
    name: 'a new cable between ports of main',
    before: async ({ main, mark }) => {
      const own = await device(main, mark)
      const port = (name: string) => main.make('dcim/interfaces', { device: own, name, type: '1000base-t' })
      return { one: await port('one'), two: await port('two') }
    },
    writes: async ({ branch }, { one = 0, two = 0 }) => branch.make('dcim/cables', cableOf(one, two)),
    shows: async ({ main }, { one, two }) => {
      const { connected_endpoints: ends } = await main.read(`dcim/interfaces/${one}/`)
      expect([...(ends ?? [])].map(({ id }) => id)).toEqual([two])
    },
  },
  {
    name: 'the mappings of ports',
    before: async ({ main, mark }) => {
      const own = await device(main, mark)
      const rear = await main.make('dcim/rear-ports', { device: own, name: 'R', type: '8p8c', positions: 4 })
      const mapped = [{ position: 1, rear_port: rear, rear_port_position: 1 }]
      return {
        rear,
        front: await main.make('dcim/front-ports', { device: own, name: 'F', type: '8p8c', rear_ports: mapped }),
      }
    },
    writes: async ({ branch }, { rear, front }) => {
      const mapped = [{ position: 1, rear_port: rear, rear_port_position: 3 }]
      await branch.send('PATCH', `dcim/front-ports/${front}`, { rear_ports: mapped })
    },
    shows: async ({ main }, { rear, front }) =>
      expect((await main.read(`dcim/front-ports/${front}/`)).rear_ports).toEqual([
        { position: 1, rear_port: rear, rear_port_position: 3 },
      ]),
  },
  {
    name: 'the deletion of a virtual chassis with members',
    before: async ({ main, mark }) => {
      const [one, two] = [await device(main, `${mark} 1`), await device(main, `${mark} 2`)]
      const chassis = await main.make('dcim/virtual-chassis', { name: mark, master: one })
      await main.send('PATCH', `dcim/devices/${two}`, { virtual_chassis: chassis, vc_position: 2 })
      return { chassis, one, two }
    },
    writes: async ({ branch }, { chassis }) => branch.send('DELETE', `dcim/virtual-chassis/${chassis}`),
    shows: async ({ main }, { two }) => {
      const { virtual_chassis: chassis, vc_position: position } = await main.read(`dcim/devices/${two}/`)
      expect([chassis, position]).toEqual([null, null])
    },
  },
  {
    name: 'objects that have moved out of what the branch then deletes, whose names others take',
    before: async ({ main, mark }) => {
      const [from, to] = await Promise.all(
        ['from', 'to'].map((name) => main.make('dcim/sites', { name: `${mark} ${name}`, slug: `${mark}-${name}` })),
      )
      return { from: from ?? 0, to: to ?? 0, rack: await main.make('dcim/racks', { name: mark, site: from }) }
    },
    writes: async ({ branch, mark }, { from, to, rack }) => {
      await branch.send('PATCH', `dcim/racks/${rack}`, { site: to })
      await branch.send('DELETE', `dcim/sites/${from}`)
      await branch.make('dcim/sites', { name: `${mark} from`, slug: `${mark}-from` })
    },
    shows: async ({ main, mark }, { to }) => {
      expect(await namesOf(main, `dcim/racks/?site_id=${to}`)).toEqual([mark])
      expect(await namesOf(main, `dcim/sites/?slug=${mark}-from`)).toHaveLength(1)
    },
  },
  {
    name: 'regions that have changed places in their tree',
    before: async ({ main, mark }) => {
      const region = (name: string, parent?: number) =>
        main.make('dcim/regions', { name: `${mark} ${name}`, slug: `${mark}-${name}`, parent })
      const a = await region('a')
      const b = await region('b', a)
      return { a, b, c: await region('c', b) }
    },
    writes: async ({ main, branch, mark }, { a, b, c }) => {
      await branch.send('PATCH', `dcim/regions/${b}`, { parent: null })
      await branch.send('PATCH', `dcim/regions/${a}`, { parent: b })
      await branch.send('PATCH', `dcim/regions/${c}`, { parent: a })
      const below = await main.make('dcim/regions', { name: `${mark} d`, slug: `${mark}-d`, parent: c })
      await main.make('dcim/sites', { name: mark, slug: mark, region: below })
    },
    shows: async ({ main, mark }, { a, b, c }) => {
      for (const id of [a, b, c]) expect(await namesOf(main, `dcim/sites/?region_id=${id}`)).toEqual([mark])
      expect((await main.read(`dcim/regions/${c}/`))._depth).toBe(2)
    },
  },
]

type Undone = readonly [name: string, make: (main: Place, mark: string) => Promise<() => Promise<string>>]

/** Writes of one request, whose undo restores main; `make` prepares them. */
const UNDONE: readonly Undone[] = [
  [
    'a new cable',
    async (main, mark) => {
      const own = await device(main, mark)
      const port = (name: string) => main.make('dcim/interfaces', { device: own, name, type: '1000base-t' })
      const [one, two] = [await port('one'), await port('two')]
      return () => main.send('POST', 'dcim/cables', cableOf(one, two))
    },
  ],
  [
    'several new cables of power ports',
    async (main, mark) => {
      const own = await device(main, mark)
      const bodies = await Promise.all(
        [1, 2].map(async (number) => ({
          a_terminations: [
            {
              object_type: 'dcim.powerport',
              object_id: await main.make('dcim/power-ports', { device: own, name: `P${number}` }),
            },
          ],
          b_terminations: [
            {
              object_type: 'dcim.poweroutlet',
              object_id: await main.make('dcim/power-outlets', { device: own, name: `O${number}` }),
            },
          ],
        })),
      )
      return () => main.send('POST', 'dcim/cables', bodies)
    },
  ],
  [
    'new cables between ends of other kinds',
    async (main, mark) => {
      const own = await device(main, mark)
      const component = (path: string, name: string, more: object = {}) =>
        main.make(`dcim/${path}`, { device: own, name, ...more })
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      const panel = await main.make('dcim/power-panels', { name: mark, site })
      const cable = (...ends: readonly (readonly [string, number])[]) => {
        const [a, b] = ends.map(([object_type, object_id]) => [{ object_type, object_id }])
        return { a_terminations: a, b_terminations: b }
      }
      const bodies = [
        cable(
          ['dcim.consoleport', await component('console-ports', 'c')],
          ['dcim.consoleserverport', await component('console-server-ports', 's')],
        ),
        cable(
          ['dcim.powerfeed', await main.make('dcim/power-feeds', { name: mark, power_panel: panel })],
          ['dcim.powerport', await component('power-ports', 'p')],
        ),
        cable(
          ['dcim.rearport', await component('rear-ports', 'r', { type: '8p8c' })],
          ['dcim.interface', await component('interfaces', 'i', { type: '1000base-t' })],
        ),
        cable(
          ['dcim.frontport', await component('front-ports', 'f', { type: '8p8c' })],
          ['circuits.circuittermination', await circuitEnd(main, mark, site)],
        ),
      ]
      return () => main.send('POST', 'dcim/cables', bodies)
    },
  ],
  ...(['POST', 'DELETE'] as const).map(
    (method): Undone => [
      method === 'POST' ? 'a device with the components of its type' : 'the deletion of such a device',
      async (main, mark) => {
        const body = { name: mark, site: await main.make('dcim/sites', { name: mark, slug: mark }) }
        const common = await kinds(main, mark)
        const { device_type } = common
        await main.make('dcim/interface-templates', { device_type, name: 'i', type: '1000base-t' })
        await main.make('dcim/module-bay-templates', { device_type, name: 'b' })
        const rear_port = await main.make('dcim/rear-port-templates', { device_type, name: 'r', type: '8p8c' })
        const rear_ports = [{ position: 1, rear_port, rear_port_position: 1 }]
        await main.make('dcim/front-port-templates', { device_type, name: 'f', type: '8p8c', rear_ports })
        if (method === 'POST') return () => main.send('POST', 'dcim/devices', { ...body, ...common })
        const made = await main.make('dcim/devices', { ...body, ...common })
        return () => main.send('DELETE', `dcim/devices/${made}`)
      },
    ],
  ),
  ...(['POST', 'DELETE'] as const).map(
    (method): Undone => [
      method === 'POST' ? 'a module with components' : 'the deletion of a module with components',
      async (main, mark) => {
        const own = await device(main, mark)
        const module_bay = await main.make('dcim/module-bays', { device: own, name: 'b' })
        const manufacturer = await main.make('dcim/manufacturers', { name: `${mark} m`, slug: `${mark}-m` })
        const module_type = await main.make('dcim/module-types', { manufacturer, model: mark })
        await main.make('dcim/interface-templates', { module_type, name: 'i', type: '1000base-t' })
        await main.make('dcim/power-port-templates', { module_type, name: 'p' })
        const body = { device: own, module_bay, module_type }
        if (method === 'POST') return () => main.send('POST', 'dcim/modules', body)
        const made = await main.make('dcim/modules', body)
        return () => main.send('DELETE', `dcim/modules/${made}`)
      },
    ],
  ),
  [
    'the deletion of a rear port with mappings and a cable',
    async (main, mark) => {
      const own = await device(main, mark)
      const rear = await main.make('dcim/rear-ports', { device: own, name: 'R', type: '8p8c' })
      const rear_ports = [{ position: 1, rear_port: rear, rear_port_position: 1 }]
      await main.make('dcim/front-ports', { device: own, name: 'F', type: '8p8c', rear_ports })
      const far = await main.make('dcim/interfaces', { device: own, name: 'i', type: '1000base-t' })
      const a_terminations = [{ object_type: 'dcim.rearport', object_id: rear }]
      await main.make('dcim/cables', { ...cableOf(0, far), a_terminations })
      return () => main.send('DELETE', `dcim/rear-ports/${rear}`)
    },
  ],
  [
    'a new chassis with a master',
    async (main, mark) => {
      const master = await device(main, mark)
      return () => main.send('POST', 'dcim/virtual-chassis', { name: mark, master })
    },
  ],
  [
    'the deletion of a chassis with members',
    async (main, mark) => {
      const [one, two] = [await device(main, `${mark} 1`), await device(main, `${mark} 2`)]
      const chassis = await main.make('dcim/virtual-chassis', { name: mark, master: one })
      await main.send('PATCH', `dcim/devices/${two}`, { virtual_chassis: chassis, vc_position: 2 })
      return () => main.send('DELETE', `dcim/virtual-chassis/${chassis}`)
    },
  ],
  [
    'a new circuit termination',
    async (main, mark) => {
      const provider = await main.make('circuits/providers', { name: mark, slug: mark })
      const type = await main.make('circuits/circuit-types', { name: mark, slug: mark })
      const circuit = await main.make('circuits/circuits', { cid: mark, provider, type })
      const site = await main.make('dcim/sites', { name: mark, slug: mark })
      return () =>
        main.send('POST', 'circuits/circuit-terminations', {
          circuit,
          term_side: 'A',
          termination_type: 'dcim.site',
          termination_id: site,
        })
    },
  ],
  [
    'a wireless link',
    async (main, mark) => {
      const own = await device(main, mark)
      const port = (name: string) => main.make('dcim/interfaces', { device: own, name, type: 'ieee802.11ac' })
      const [interface_a, interface_b] = [await port('one'), await port('two')]
      return () => main.send('POST', 'wireless/wireless-links', { interface_a, interface_b })
    },
  ],
  [
    'a change of port mappings',
    async (main, mark) => {
      const own = await device(main, mark)
      const rear = await main.make('dcim/rear-ports', { device: own, name: 'R', type: '8p8c', positions: 4 })
      const mapped = (to: number) => [{ position: 1, rear_port: rear, rear_port_position: to }]
      const front = await main.make('dcim/front-ports', {
        device: own,
        name: 'F',
        type: '8p8c',
        rear_ports: mapped(1),
      })
      return () => main.send('PATCH', `dcim/front-ports/${front}`, { rear_ports: mapped(3) })
    },
  ],
]

describe('a merge of what a branch has changed', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  let count = 0
  it.each(CASES.map((each) => [each.name, each] as const))('handles %s', async (_, scenario) => {
    const merges = runSize({ full: 2, usual: count % 4 === 0 ? 2 : 1 })
    const { made, act, conflicts, ...places } = await prepareBranch(api, `m${++count}`, scenario)
    const before = await mainRows(api)
    expect(await conflicts()).toEqual([])
    for (let round = 0; round < merges; round++) {
      const merged = await act('merge')
      expect(merged.status, merged.text).toBe(200)
      await scenario.shows(places, made)
      const reverted = await act('revert')
      expect(reverted.status, reverted.text).toBe(200)
      expect(rowDifferences(before, await mainRows(api))).toEqual([])
    }
    const synchronized = await act('sync')
    expect(synchronized.status, synchronized.text).toBe(200)
    expect((await act('merge')).status).toBe(200)
    await scenario.shows(places, made)
  })

  describe('undo of one request on main', () => {
    it.each(UNDONE.map(([name, make]) => [name, make] as const))('restores main before %s', async (_, make) => {
      const main = placeOf(api)
      const write = await make(main, `u${++count}`)
      const before = await mainRows(api)
      const request = await write()
      expect(rowDifferences(before, await mainRows(api))).not.toEqual([])
      await main.undo(request)
      expect(rowDifferences(before, await mainRows(api))).toEqual([])
    })
  })
})
