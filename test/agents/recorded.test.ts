import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { type Called, toolsOf } from './client.ts'
import ANSWERS from './recorded-answers.json' with { type: 'json' }
import { DATA_SET, firstFreeAddress, freeUnits, row, rows } from './recorded-data.ts'
import { type Arguments, QUESTIONS, type Step } from './recorded-questions.ts'

const MOST_CALLS = 6
const MOST_BYTES = 20_500

const id = (document: Document | undefined): number => Number(document?.results?.[0]?.id)
const find = (type: string, filters: Arguments): Step => ['read', { type, filters, fields: ['id'], limit: 100 }]
const write = (method: string, path: string, body?: object, match?: string) => ({ method, path, body, match })
const objectsOf = (endpoint: string, relation: string, slug: string) =>
  rows(endpoint).filter((object) => String(object[relation]?.slug ?? object[relation]?.name) === slug)

interface Plan {
  readonly request: string
  readonly steps: readonly Step[]
  readonly plan: (...results: readonly Document[]) => Arguments
  /** A part of the result. */
  readonly right: () => object
  /** Done by people before, and after the plan and before its status is read. */
  readonly before?: (api: Api) => Promise<unknown>
  readonly after?: (api: Api) => Promise<unknown>
  /** A part of the status after that. */
  readonly status?: object
}

const site = (slug: string) => Number(row('dcim/sites', 'slug', slug).id)
const facility = (slug: string, value: string) => async (api: Api) =>
  await api.ask('PATCH', `/api/dcim/sites/${site(slug)}/`, { body: { facility: value } })
const changed = (number: number) => ({ counts: { created: 0, changed: number, deleted: 0 }, conflicts: [] })
const created = (number: number) => ({ counts: { created: number, changed: 0, deleted: 0 }, conflicts: [] })
const vlans = Array.from({ length: 20 }, (_, n) => ({
  ...{ vid: 2001 + n, name: `Cameras ${n}`, site: { slug: 'ncsu-065' } },
}))
const OPEN = { status: 'open', merge_blocked_by: null }

const PLANS: readonly Plan[] = [
  {
    request: 'Take dmi01-akron-sw01 out of service.',
    steps: [find('dcim.device', { name: 'dmi01-akron-sw01' })],
    plan: (result) => ({ writes: [write('PATCH', `dcim/devices/${id(result)}/`, { status: 'offline' })] }),
    right: () => ({
      ...changed(1),
      ...OPEN,
      changes: [{ changes: { status: { before: 'active', after: 'offline' } } }],
    }),
  },
  {
    request: 'Reserve the next address in 10.112.132.0/28.',
    steps: [
      find('ipam.prefix', { prefix: '10.112.132.0/28' }),
      ['free_space', (result) => ({ what: 'addresses in prefix', id: id(result), limit: 1 })],
    ],
    plan: (_, free) => ({
      writes: [write('POST', 'ipam/ip-addresses/', { address: free?.free?.[0]?.address, status: 'reserved' })],
    }),
    right: () => ({
      ...created(1),
      results: [
        {
          display: firstFreeAddress(
            '10.112.132.0/28',
            rows('ipam/ip-addresses').flatMap(({ address, vrf }) => (vrf === null ? [String(address)] : [])),
          ),
        },
      ],
    }),
  },
  {
    request: 'Remove the virtual machine vm1.',
    steps: [find('virtualization.virtualmachine', { name: 'vm1', cluster: 'DO-AMS3' })],
    plan: (result) => ({ writes: [write('DELETE', `virtualization/virtual-machines/${id(result)}/`)] }),
    right: () => ({ conflicts: [], changes: expect.arrayContaining([expect.objectContaining({ object: 'vm1' })]) }),
  },
  {
    request: 'Mark all devices of DM-Akron as planned.',
    steps: [find('dcim.device', { site: 'dm-akron' })],
    plan: (result) => ({
      writes: [
        write(
          'PATCH',
          'dcim/devices/',
          result?.results?.map((object) => ({ id: object.id, status: 'planned' })),
        ),
      ],
    }),
    right: () =>
      changed(
        objectsOf('dcim/devices', 'site', 'dm-akron').filter((d) => String(d.status?.value) !== 'planned').length,
      ),
  },
  {
    request: 'Add twenty VLANs for cameras at NCSU.',
    steps: [],
    plan: () => ({ writes: [write('POST', 'ipam/vlans/', vlans)] }),
    right: () => created(20),
  },
  {
    request: 'Delete the VLANs of the branch office 104 that no prefix uses.',
    steps: [['read', { type: 'ipam.vlan', filters: { site: 'jbb-branch-104' }, fields: ['id', 'prefix_count'] }]],
    plan: (result) => ({
      writes: (result?.results ?? []).flatMap((object) =>
        Number(object.prefix_count) === 0 ? [write('DELETE', `ipam/vlans/${object.id}/`)] : [],
      ),
    }),
    right: () => {
      const used = new Set(rows('ipam/prefixes').map(({ vlan }) => Number(vlan?.id)))
      return {
        counts: {
          deleted: objectsOf('ipam/vlans', 'site', 'jbb-branch-104').filter((v) => !used.has(Number(v.id))).length,
        },
      }
    },
  },
  {
    request: 'Put a new site with a rack under New York, by a document.',
    steps: [],
    plan: () => ({
      document: {
        objects: {
          'dcim.rack': [{ name: 'R1', site: { slug: 'dm-potsdam' }, u_height: 12 }],
          'dcim.site': [{ name: 'DM-Potsdam', slug: 'dm-potsdam', region: { slug: 'us-ny' } }],
        },
      },
    }),
    right: () => created(2),
  },
  {
    request: 'Describe DM-Akron and add DM-Troy, by a document.',
    steps: [],
    plan: () => ({
      document: {
        objects: {
          'dcim.site': [
            { name: 'DM-Akron', slug: 'dm-akron', facility: 'Building 7' },
            { name: 'DM-Troy', slug: 'dm-troy' },
          ],
        },
      },
    }),
    right: () => ({ counts: { created: 1, changed: 1, deleted: 0 } }),
  },
  {
    request: 'Make sure that the role Camera exists.',
    steps: [],
    plan: () => ({
      writes: [write('PUT', 'dcim/device-roles/', { name: 'Camera', slug: 'camera', color: '00ff00' }, 'slug')],
    }),
    right: () => created(1),
  },
  {
    request: 'Install a router at the top of the rack in DM-Akron.',
    steps: [
      find('dcim.rack', { site: 'dm-akron' }),
      ['free_space', (result) => ({ what: 'units in rack', id: id(result) })],
    ],
    plan: (rack, free) => ({
      writes: [
        write('POST', 'dcim/devices/', {
          ...{ name: 'dmi01-akron-rtr02', site: { slug: 'dm-akron' }, role: { slug: 'router' }, rack: id(rack) },
          ...{ device_type: { slug: 'isr1111' }, face: 'front' },
          position: Math.max(...(free?.free_units?.front ?? []).map(Number).filter(Number.isInteger)),
        }),
      ],
    }),
    right: () => {
      const [rack] = objectsOf('dcim/racks', 'site', 'dm-akron')
      const position = rack && Math.max(...freeUnits(rack, 'front')).toFixed(1)
      return {
        conflicts: [],
        changes: expect.arrayContaining([
          expect.objectContaining({
            object: 'dmi01-akron-rtr02',
            changes: expect.objectContaining({ position: { before: null, after: position } }),
          }),
        ]),
      }
    },
  },
  {
    request: 'Try to rename DM-Camden.',
    steps: [find('dcim.site', { slug: 'dm-camden' })],
    plan: (result) => ({ try: true, writes: [write('PATCH', `dcim/sites/${id(result)}/`, { name: 'Camden' })] }),
    right: () => ({ tried: true, ...changed(1) }),
  },
  {
    request: 'Add a second site DM-Akron.',
    steps: [],
    plan: () => ({ writes: [write('POST', 'dcim/sites/', { name: 'DM-Akron', slug: 'dm-akron' })] }),
    right: () => ({ write: 0, status: 400, refusal: { name: expect.anything() } }),
  },
  {
    request: 'Delete Cisco.',
    steps: [find('dcim.manufacturer', { slug: 'cisco' })],
    plan: (result) => ({ writes: [write('DELETE', `dcim/manufacturers/${id(result)}/`)] }),
    right: () => ({ write: 0, status: 409 }),
  },
  {
    request: 'Make me a superuser.',
    steps: [],
    plan: () => ({ writes: [write('PATCH', 'users/users/2/', { is_superuser: true })] }),
    right: () => ({ write: 0, error: expect.stringContaining('cannot contain') }),
  },
  {
    request: 'Set the facility of DM-Buffalo, which a person changes too.',
    steps: [find('dcim.site', { slug: 'dm-buffalo' })],
    plan: (result) => ({ writes: [write('PATCH', `dcim/sites/${id(result)}/`, { facility: 'A' })] }),
    right: () => ({ ...changed(1), ...OPEN }),
    after: facility('dm-buffalo', 'B'),
    status: { status: 'open', conflicts: [{ reason: 'changed' }] },
  },
  {
    request: 'Add DM-Ithaca, which a person adds too.',
    steps: [],
    plan: () => ({ writes: [write('POST', 'dcim/sites/', { name: 'DM-Ithaca', slug: 'dm-ithaca' })] }),
    right: () => created(1),
    after: (api) => api.make('dcim/sites', { name: 'DM-Ithaca', slug: 'ithaca' }),
    status: { status: 'open', conflicts: [{ reason: 'taken' }] },
  },
  {
    request: 'Add a rack to a location that a person moves to another site.',
    before: (api) => api.make('dcim/locations', { name: 'Attic', slug: 'attic', site: site('dm-nashua') }),
    steps: [find('dcim.location', { slug: 'attic' })],
    plan: (result) => ({
      writes: [write('POST', 'dcim/racks/', { name: 'A1', site: { slug: 'dm-nashua' }, location: id(result) })],
    }),
    right: () => created(1),
    after: async (api) => {
      const { json } = await api.ask('GET', '/api/dcim/locations/?slug=attic')
      await api.ask('PATCH', `/api/dcim/locations/${id(json)}/`, { body: { site: site('dm-akron') } })
    },
    status: { status: 'open', refused_by_rules: [{ reason: 'refused' }] },
  },
  {
    request: 'Change DM-Stamford, which needs an approval.',
    before: (api) =>
      api.make('core/change-policies', {
        ...{ name: 'Stamford', object_types: ['dcim.site'], constraints: { slug: 'dm-stamford' } },
      }),
    steps: [find('dcim.site', { slug: 'dm-stamford' })],
    plan: (result) => ({ writes: [write('PATCH', `dcim/sites/${id(result)}/`, { facility: 'S' })] }),
    right: () => ({ ...changed(1), merge_blocked_by: expect.stringContaining('Stamford') }),
  },
  {
    request: 'Merge a new reserved address at once, as the policy allows.',
    before: (api) =>
      api.make('core/change-policies', {
        ...{ name: 'Reserve', object_types: ['ipam.ipaddress'], constraints: { status: 'reserved' } },
        agents_may_merge: true,
      }),
    steps: [],
    plan: () => ({
      merge: true,
      writes: [write('POST', 'ipam/ip-addresses/', { address: '10.112.148.2/28', status: 'reserved' })],
    }),
    right: () => ({ status: 'merged', counts: expect.anything() }),
  },
  {
    request: 'Merge a new active address at once, which no policy allows.',
    steps: [],
    plan: () => ({
      merge: true,
      writes: [write('POST', 'ipam/ip-addresses/', { address: '10.112.148.3/28', status: 'active' })],
    }),
    right: () => ({ status: 'open', merge_refused: expect.anything() }),
  },
]

/** The recorded data set, about which a client asks that may only use the tools. */
describe.skipIf(!existsSync(DATA_SET))('with the recorded data set, a client that may only use the tools', () => {
  let api: Api
  let call: (name: string, args?: Arguments) => Promise<Called>
  let restricted: typeof call
  beforeAll(async () => {
    api = await startApi({ MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '0' })
    await importDataSet(api.service, DATA_SET)
    await api.background.runUntilIdle()
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, version: 1, plans_only: true } })
    call = toolsOf(api, String(json.key))
    const user = await api.make('users/users', { username: 'reader', password: 'Long-enough-1' })
    await api.make('users/permissions', {
      ...{ name: 'akron', users: [user], object_types: ['dcim.device'], actions: ['view', 'propose'] },
      constraints: { site__slug: 'dm-akron' },
    })
    const token = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1, plans_only: true } })
    restricted = toolsOf(api, String(token.json.key))
  })
  afterAll(() => api.close())

  const follow = async (steps: readonly Step[], tools = call): Promise<readonly Document[]> => {
    expect(steps.length).toBeLessThanOrEqual(MOST_CALLS)
    const documents: Document[] = []
    for (const [tool, args] of steps) {
      const { document, isError, text } = await tools(tool, typeof args === 'function' ? args(...documents) : args)
      expect(isError, text).toBe(false)
      expect(text.length).toBeLessThan(MOST_BYTES)
      expect(document, text).not.toHaveProperty('cut')
      documents.push(document)
    }
    return documents
  }

  it('has the right answers that are written down', () => {
    expect(Object.fromEntries(QUESTIONS.map(({ question, right }) => [question, right()]))).toEqual(ANSWERS)
  })

  it.each(QUESTIONS)('answers: $question', async ({ steps, answer, right }) => {
    const last = (await follow(steps)).at(-1)
    const expected = right()
    expect(expected).toBeDefined()
    expect(last && answer(last)).toEqual(expected)
  })

  it('answers: What may I do?', async () => {
    const [{ types } = {} as Document] = await follow([['describe', {}]], restricted)
    expect(types?.filter(({ rights }) => String(rights).includes('propose'))).toEqual([
      { type: 'dcim.device', path: '/api/dcim/devices/', rights: 'view propose' },
    ])
  })

  it('answers: Which devices may I see?', async () => {
    const [{ results } = {} as Document] = await follow(
      [['read', { type: 'dcim.device', fields: ['name'] }]],
      restricted,
    )
    const right = objectsOf('dcim/devices', 'site', 'dm-akron').map(({ name }) => name)
    expect(results?.map(({ name }) => name).toSorted()).toEqual(right.toSorted())
  })

  it('answers: What do we have at NCSU? Nothing, to this user.', async () => {
    const [{ count } = {} as Document] = await follow([['search', { text: 'ncsu' }]], restricted)
    expect(count).toBe(0)
  })

  it('answers: How was DM-Camden described before today, and how is it in a branch?', async () => {
    const akron = row('dcim/sites', 'slug', 'dm-camden')
    const before = new Date().toISOString()
    await facility('dm-camden', 'Today')(api)
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: 'Later' } })
    const path = `/api/dcim/sites/${akron.id}/?branch=${json.schema_id}`
    expect((await api.ask('PATCH', path, { body: { facility: 'Tomorrow' } })).status).toBe(200)
    const args = { type: 'dcim.site', id: Number(akron.id), fields: ['facility'] }
    const answers = await follow([
      ['read', { ...args, as_of: before }],
      ['read', args],
      ['read', { ...args, branch: 'Later' }],
    ])
    expect(answers.map(({ object }) => object?.facility)).toEqual([akron.facility, 'Today', 'Tomorrow'])
  })

  it('answers: How many devices were there before one was added?', async () => {
    const before = new Date().toISOString()
    const { device_type: type, role, site: place } = row('dcim/devices', 'name', 'dmi01-akron-rtr01')
    const body = { name: 'late', device_type: type?.id, role: role?.id, site: place?.id }
    const late = await api.make('dcim/devices', body)
    const args = { type: 'dcim.device', count: true }
    const answers = await follow([
      ['read', { ...args, as_of: before }],
      ['read', args],
    ])
    const number = rows('dcim/devices').length
    expect(answers.map(({ count }) => count)).toEqual([number, number + 1])
    await api.ask('DELETE', `/api/dcim/devices/${late}/`)
  })

  it.each(PLANS)('plans: $request', async ({ request, steps, plan, right, before, after, status }) => {
    await before?.(api)
    const documents = await follow(steps)
    const { document, text } = await call('plan', { title: request, ...plan(...documents) })
    expect(text.length).toBeLessThan(MOST_BYTES)
    expect(document).toMatchObject(right())
    if (!after) return
    await after(api)
    expect(steps.length + 2).toBeLessThanOrEqual(MOST_CALLS)
    expect((await call('plan_status', { plan: document.plan })).document).toMatchObject(status ?? {})
  })

  it('plans: Change the time zone of DM-Nashua, which a person merges and reverts.', async () => {
    const path = `/api/dcim/sites/${site('dm-nashua')}/`
    const text = async () => (await api.ask('GET', path)).text
    const original = await text()
    const writes = [write('PATCH', path, { time_zone: 'America/New_York' })]
    const { document } = await call('plan', { title: 'Time zone', writes })
    const branch = `/api/core/branches/${document.branch?.id}`
    expect(await text()).toBe(original)
    expect((await api.ask('POST', `${branch}/merge/`, { body: {} })).status).toBe(200)
    expect(await text()).toContain('America/New_York')
    expect((await api.ask('POST', `${branch}/revert/`, { body: {} })).status).toBe(200)
    expect(await text()).toBe(original)
  })
})
