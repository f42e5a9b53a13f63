import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
const ids: Record<string, number> = {}

beforeAll(async () => {
  inventory = await openInventory()
  const { create } = inventory
  const named = (name: string) => ({ name, slug: name })
  ids.family = await create('dcim.sitegroup', named('family'))
  ids.site = await create('dcim.site', { ...named('here'), group: ids.family })
  ids.otherSite = await create('dcim.site', named('there'))
  ids.rir = await create('ipam.rir', named('rir'))
  ids.group = await create('ipam.vlangroup', {
    ...named('group'),
    vid_ranges: [
      [10, 20],
      [30, 30],
    ],
  })
  const scoped = (name: string, scope_type: string, scope_id: number | undefined) =>
    create('ipam.vlangroup', { ...named(name), scope_type, scope_id })
  ids.siteGroup = await scoped('of-site', 'dcim.site', ids.site)
  ids.familyGroup = await scoped('of-family', 'dcim.sitegroup', ids.family)
  ids.service = await create('ipam.vlan', { name: 'service', vid: 100, qinq_role: 'svlan' })
})
afterAll(() => inventory.close())

describe('groups', () => {
  const cases: readonly [string, unknown, string[]][] = [
    ['no range', [], ['vid_ranges']],
    ['below 1', [[0, 10]], ['vid_ranges']],
    ['above 4094', [[1, 4095]], ['vid_ranges']],
    ['end before start', [[20, 10]], ['vid_ranges']],
    [
      'overlap',
      [
        [15, 30],
        [1, 15],
      ],
      ['vid_ranges'],
    ],
    [
      'side by side',
      [
        [16, 30],
        [1, 15],
      ],
      [],
    ],
  ]
  test.each(cases)('ranges: %s', async (name, vid_ranges, expected) => {
    const slug = name.replaceAll(' ', '-')
    const work = inventory.create('ipam.vlangroup', { name, slug, vid_ranges })
    expect(await refusedAt(work)).toEqual(expected)
  })

  test('a group shows how many numbers it has in total', async () => {
    const rows = await inventory.query(
      sql`select total_vlan_ids from ipam_vlangroup where name in ('group', 'of-site') order by name`,
    )
    expect(rows).toEqual([{ total_vlan_ids: 12 }, { total_vlan_ids: 4094 }])
  })
})

describe('VLANs', () => {
  let count = 0
  const cases: readonly [string, () => object, string[]][] = [
    ['a number of the group', () => ({ vid: 20, group: ids.group }), []],
    ['a range of one number', () => ({ vid: 30, group: ids.group }), []],
    ['a number outside the group', () => ({ vid: 21, group: ids.group }), ['vid']],
    ['a number in use', () => ({ vid: 20, group: ids.group }), ['__all__']],
    ["the group's site", () => ({ group: ids.siteGroup, site: ids.site }), []],
    ['another site', () => ({ group: ids.siteGroup, site: ids.otherSite }), ['__all__']],
    ["a site of the group's sites", () => ({ group: ids.familyGroup, site: ids.site }), []],
    ['a site outside the scope', () => ({ group: ids.familyGroup, site: ids.otherSite }), ['__all__']],
    ['a service VLAN alone', () => ({ qinq_svlan: ids.service }), ['qinq_svlan']],
    ['a customer VLAN alone', () => ({ qinq_role: 'cvlan' }), ['qinq_role']],
    ['both', () => ({ qinq_role: 'cvlan', qinq_svlan: ids.service }), []],
  ]
  test.each(cases)('%s', async (_name, body, expected) => {
    count += 1
    const work = inventory.create('ipam.vlan', { name: `vlan ${count}`, vid: 5, ...body() })
    expect(await refusedAt(work)).toEqual(expected)
  })
})

describe('ranges of AS numbers', () => {
  const cases: readonly [number, number, string[]][] = [
    [64512, 64511, ['__all__']],
    [64512, 64512, ['__all__']],
    [64512, 64513, []],
  ]
  test.each(cases)('from %i to %i', async (start, end, expected) => {
    const body = { name: `${start}`, slug: `${start}`, rir: ids.rir, start, end }
    expect(await refusedAt(inventory.create('ipam.asnrange', body))).toEqual(expected)
  })
})
