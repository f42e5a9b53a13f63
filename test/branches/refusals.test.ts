import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { changeConfiguration } from '../../src/changes/configuration-revisions.ts'
import { rowDifferences } from '../history/stored-rows.ts'
import { type Api, startApi } from '../support/api.ts'
import { device, fieldOf, kinds } from './places.ts'
import { mainRows, type Preparation, prepareBranch } from './scenarios.ts'

interface Case extends Preparation {
  readonly name: string
  /** Rules that the configuration gets afterwards. */
  readonly rules?: Readonly<Partial<Record<'CUSTOM_VALIDATORS' | 'PROTECTION_RULES', string>>>
  /** Type of the object, which is called `own` in what has been made, and words of the rule. */
  readonly refused: readonly [type: string, words: string]
  /** Whether another conflict about the object is decided for the branch first. */
  readonly isDecidedFirst?: true
}

/** A rack, and what a device in it needs. */
const rack: Preparation['before'] = async ({ main, mark }) => {
  const site = await main.make('dcim/sites', { name: mark, slug: mark })
  const { role } = await kinds(main, mark)
  const [manufacturer] = [...((await main.read(`dcim/manufacturers/?slug=${mark}`)).results ?? [])].map(({ id }) => id)
  const type = { manufacturer, model: `${mark}-2`, slug: `${mark}-2`, u_height: 2 }
  const device_type = await main.make('dcim/device-types', type)
  return { site, role, device_type, rack: await main.make('dcim/racks', { name: mark, site }) }
}
const site: Preparation['before'] = async ({ main, mark }) => ({
  own: await main.make('dcim/sites', { name: mark, slug: mark, status: 'planned' }),
})

const MOVED: Case = {
  name: 'a device with a new tag that moves to units that main has taken',
  before: async (scenario) => {
    const made = await rack(scenario)
    const body = { ...made, face: 'front', position: 1, name: `${scenario.mark}-b` }
    const tag = await scenario.main.make('extras/tags', { name: scenario.mark, slug: scenario.mark })
    return { ...made, tag, own: await scenario.main.make('dcim/devices', body) }
  },
  writes: async ({ main, branch, mark }, made) => {
    const { own, tag, ...needed } = made
    await branch.send('PATCH', `dcim/devices/${own}`, { position: 10, tags: [tag] })
    const body = { ...needed, face: 'front', position: 11, name: `${mark}-m` }
    Object.assign(made, { rival: await main.make('dcim/devices', body) })
  },
  refused: ['dcim.device', 'position: '],
}

const CASES: readonly Case[] = [
  {
    name: 'a new device, with its interface, at units that main has taken',
    before: rack,
    writes: async ({ main, branch, mark }, made) => {
      const body = { ...made, face: 'front', position: 10 }
      const own = await branch.make('dcim/devices', { ...body, name: `${mark}-b` })
      await branch.make('dcim/interfaces', { device: own, name: 'e0', type: '1000base-t' })
      await main.make('dcim/devices', { ...body, name: `${mark}-m`, position: 11 })
      Object.assign(made, { own })
    },
    refused: ['dcim.device', 'position: '],
  },
  MOVED,
  {
    name: 'an object that lacks the value of a field that is required now',
    before: async ({ main, mark }) => ({
      field: await main.make('extras/custom-fields', {
        ...{ name: fieldOf(mark), type: 'text', object_types: ['dcim.region'] },
      }),
    }),
    writes: async ({ main, branch, mark }, made) => {
      Object.assign(made, { own: await branch.make('dcim/regions', { name: mark, slug: mark }) })
      await main.send('PATCH', `extras/custom-fields/${made.field}`, { required: true })
    },
    refused: ['dcim.region', 'A required field'],
  },
  {
    name: 'an object that a new rule of the configuration refuses',
    before: site,
    writes: ({ branch }, { own }) => branch.send('PATCH', `dcim/sites/${own}`, { facility: 'x' }),
    rules: { CUSTOM_VALIDATORS: '{"dcim.site": [{"facility": {"max_length": 0}}]}' },
    refused: ['dcim.site', 'facility: '],
  },
  {
    name: 'a deletion that a new rule of the configuration refuses',
    before: site,
    writes: ({ branch }, { own }) => branch.send('DELETE', `dcim/sites/${own}`),
    rules: { PROTECTION_RULES: '{"dcim.site": [{"status": {"neq": "planned"}}]}' },
    refused: ['dcim.site', 'protection rule'],
  },
  {
    name: 'a deletion that was decided against a change of main, and that a new rule refuses',
    before: site,
    writes: async ({ main, branch }, { own }) => {
      await branch.send('DELETE', `dcim/sites/${own}`)
      await main.send('PATCH', `dcim/sites/${own}`, { facility: 'm' })
    },
    rules: { PROTECTION_RULES: '{"dcim.site": [{"status": {"neq": "planned"}}]}' },
    refused: ['dcim.site', 'protection rule'],
    isDecidedFirst: true,
  },
  {
    name: 'a part of a deleted object that a new rule of the configuration protects',
    before: async ({ main, mark }) => {
      const owner = await device(main, mark)
      return { owner, own: await main.make('dcim/interfaces', { device: owner, name: 'e0', type: '1000base-t' }) }
    },
    writes: ({ branch }, { owner }) => branch.send('DELETE', `dcim/devices/${owner}`),
    rules: { PROTECTION_RULES: '{"dcim.interface": [{"name": {"neq": "e0"}}]}' },
    refused: ['dcim.interface', 'protection rule'],
  },
]

/** What rules refuse at a merge, though neither side has done anything wrong. */
describe('a rule that refuses a merge', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  let count = 0
  const prepared = async (scenario: Case) => {
    const branch = await prepareBranch(api, `r${++count}`, scenario)
    await changeConfiguration(api.service, { ...scenario.rules }, '')
    const [type] = scenario.refused
    const decide = (keep: string) => branch.act('conflicts', { object_type: type, object_id: branch.made.own, keep })
    if (scenario.isDecidedFirst) expect((await decide('mine')).status).toBe(200)
    return { ...branch, decide }
  }
  afterEach(() => changeConfiguration(api.service, { CUSTOM_VALIDATORS: undefined, PROTECTION_RULES: undefined }, ''))

  it.each(CASES.map((each) => [each.name, each] as const))(
    'is a conflict that main can win: %s',
    async (_, scenario) => {
      const { act, conflicts, decide, made } = await prepared(scenario)
      const [type, words] = scenario.refused
      const expected = {
        ...{ reason: 'refused', object_type: type, object_id: made.own, field: null },
        detail: expect.stringContaining(words),
      }
      const before = await mainRows(api)
      expect(await conflicts()).toEqual([expect.objectContaining(expected)])
      const refused = await act('merge')
      expect([refused.status, refused.json.conflicts], refused.text).toEqual([409, [expect.objectContaining(expected)]])
      const mine = await decide('mine')
      expect([mine.status, mine.text]).toEqual([400, expect.stringContaining('A rule refuses')])
      expect((await decide('theirs')).json.count).toBe(0)
      const rehearsed = await act('merge', { commit: false })
      expect(rehearsed.json.data, rehearsed.text).toMatchObject({ status: 200, conflicts: [] })
      expect(rowDifferences(before, await mainRows(api))).toEqual([])
      const merged = await act('merge')
      expect(merged.status, merged.text).toBe(200)
      // Nothing else has changed in the branch.
      expect(rowDifferences(before, await mainRows(api))).toEqual([])
    },
  )

  it('can be asked again after a decision for main', async () => {
    const { act, conflicts, decide, main, made } = await prepared(MOVED)
    await decide('theirs')
    const again = await decide('mine')
    expect([again.status, again.json.count], again.text).toEqual([200, 1])
    expect(await conflicts()).toEqual([expect.objectContaining({ reason: 'refused' })])
    await main.send('DELETE', `dcim/devices/${made.rival}`)
    expect(await conflicts()).toEqual([])
    expect((await act('merge')).status).toBe(200)
    expect((await main.read(`dcim/devices/${made.own}/`)).position).toBe(10)
  })

  it('is settled by a synchronisation after the decision for main, with all that belongs to the object', async () => {
    const { act, decide, branch, main, made } = await prepared(MOVED)
    await decide('theirs')
    expect((await act('sync')).status).toBe(200)
    const path = `dcim/devices/${made.own}/?fields=position,tags`
    expect(await branch.read(path)).toEqual(await main.read(path))
    const { json } = await act('merge', { commit: false })
    expect(json.data).toMatchObject({ conflicts: [], changes: [{ changed_object_type: 'core.branch' }] })
  })
})
