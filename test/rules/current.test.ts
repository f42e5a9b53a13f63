import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileRule, enabledRules } from '../../src/read/rules/compile-rule.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'

/** Rules whose expressions reach other objects in every way that there is. */
const RULES: readonly (readonly [type: string, expression: string])[] = [
  ['dcim.site', "facility != ''"],
  ['dcim.site', "not any(devices where status = 'offline')"],
  ['dcim.site', 'sum(racks.u_height) < 80'],
  ['dcim.site', 'count(asns) < 2'],
  ['dcim.site', "region.parent.name != 'R1'"],
  ['dcim.site', "region != 'R2' and tenant.group != 'G1'"],
  ['dcim.device', 'all(interfaces where enabled)'],
  ['dcim.device', 'count(interfaces where mtu > 1500 and count(ip_addresses) = 0) = 0'],
  ['dcim.device', 'same(interfaces.mtu where enabled)'],
  ['dcim.device', "unique(interfaces.label where label != '')"],
  ['dcim.device', "site.facility != '' and any(site.racks where u_height >= 40)"],
  ['dcim.device', "not any(tags where name = 'T1')"],
  ['dcim.device', 'interface_count < 3'],
  ['dcim.device', "display != 'D1'"],
  ['dcim.interface', 'not any(peer_interfaces where mtu != this.mtu)'],
  ['dcim.interface', 'count(connected_interfaces) = count(peer_interfaces)'],
  ['dcim.interface', 'count(tagged_vlans where vid > 100) = 0'],
  ['dcim.interface', "device.site.region.name != 'R1'"],
  ['ipam.ipaddress', "within(address, '10.0.0.0/25')"],
  ['ipam.ipaddress', 'assigned_object_id != null'],
  ['ipam.vlan', 'count(interfaces_as_tagged) < 2'],
]

let api: Api
beforeAll(async () => {
  api = await startApi({ API_VERSION: '4.7' })
})
afterAll(() => api.close())

const results = async (path: string): Promise<readonly Document[]> =>
  (await api.ask('GET', `/api/${path}/?limit=0`)).json.results ?? []

/** The findings that the rules should have: every rule evaluated for all objects. */
async function expected(): Promise<readonly string[]> {
  const { registry, database } = api.service
  const all: string[] = []
  for (const stored of await enabledRules(database)) {
    const rule = await compileRule({ registry, database }, stored)
    if ('problem' in rule) throw new Error(`${stored.expression}: ${rule.problem}`)
    const ids = await database.queryColumn(
      sql`select t.id from ${table(rule.model)} t where ${rule.isBroken} order by t.id`,
    )
    all.push(...ids.map((id) => `${stored.expression}: ${id}`))
  }
  return all.toSorted()
}

async function actual(): Promise<readonly string[]> {
  await api.background.runUntilIdle()
  const rows = await api.service.database.query<{ expression: string; object_id: number }>(sql`
    select r.expression, f.object_id from ${table('extras.finding')} f join ${table('extras.rule')} r on r.id = f.rule_id`)
  return rows.map((row) => `${row.expression}: ${row.object_id}`).toSorted()
}

it('findings equal a full evaluation of all rules after any changes, their undo, branches and imports', async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
  const pick = randomNumbers(seed)
  const one = <T>(list: readonly T[]): T | undefined => list[pick(list.length)]
  const post = async (path: string, body: object, query = ''): Promise<Document> =>
    (await api.ask('POST', `/api/${path}/${query}`, { body })).json
  const ids = new Map<string, number[]>()
  const create = async (path: string, body: object): Promise<void> => {
    const { id } = await post(path, body)
    if (typeof id === 'number') ids.set(path, [...(ids.get(path) ?? []), id])
  }
  const some = (path: string): number | undefined => one(ids.get(path) ?? [])
  const regions = ['R1', 'R2', 'R3']
  for (const name of regions) await create('dcim/regions', { name, slug: name.toLowerCase() })
  await create('tenancy/tenant-groups', { name: 'G1', slug: 'g1' })
  await create('tenancy/tenants', { name: 'N1', slug: 'n1', group: some('tenancy/tenant-groups') })
  await create('dcim/manufacturers', { name: 'M', slug: 'm' })
  await create('dcim/device-types', { manufacturer: some('dcim/manufacturers'), model: 'T', slug: 't', u_height: 0 })
  await create('dcim/device-roles', { name: 'L', slug: 'l' })
  await create('ipam/rirs', { name: 'RIR', slug: 'rir' })
  for (const asn of [65001, 65002]) await create('ipam/asns', { asn, rir: some('ipam/rirs') })
  for (const vid of [10, 200]) await create('ipam/vlans', { vid, name: `V${vid}` })
  await create('extras/tags', { name: 'T1', slug: 't1' })
  for (const [index, [object_type, expression]] of RULES.entries()) {
    const made = await api.ask('POST', '/api/extras/rules/', {
      body: { name: `Rule ${index}`, object_type, expression, message: 'Wrong', severity: 'low' },
    })
    expect(made.status, `${expression} ${made.text}`).toBe(201)
  }
  let count = 0
  const next = (prefix: string): string => {
    count += 1
    return `${prefix}${count}`
  }
  const mtu = () => [null, 1500, 9000][pick(3)]
  const changes: Readonly<Record<string, () => object>> = {
    'dcim/sites': () => ({
      ...{ facility: ['', 'F'][pick(2)], region: some('dcim/regions'), tenant: some('tenancy/tenants') },
      asns: (ids.get('ipam/asns') ?? []).slice(0, pick(3)),
    }),
    'dcim/racks': () => ({ u_height: [10, 42][pick(2)], site: some('dcim/sites') }),
    'dcim/devices': () => ({
      ...{ status: ['active', 'offline'][pick(2)], site: some('dcim/sites'), name: one(['D1', next('D')]) },
      tags: pick(2) === 0 ? [] : [{ name: 'T1' }],
    }),
    'dcim/interfaces': () => ({
      ...{ enabled: pick(3) > 0, mtu: mtu(), label: ['', 'a', 'b'][pick(3)], mode: 'tagged' },
      tagged_vlans: (ids.get('ipam/vlans') ?? []).slice(pick(2), 2),
    }),
    'ipam/ip-addresses': () => ({
      ...{ assigned_object_type: 'dcim.interface', assigned_object_id: some('dcim/interfaces') },
    }),
    'dcim/regions': () => ({ parent: pick(2) === 0 ? null : (ids.get('dcim/regions') ?? [])[0] }),
    'ipam/vlans': () => ({ vid: 1 + pick(4000) }),
  }
  const additions: Readonly<Record<string, () => object>> = {
    'dcim/sites': () => ({ name: next('S'), slug: next('s') }),
    'dcim/racks': () => ({ name: next('K'), site: some('dcim/sites') }),
    'dcim/devices': () => ({
      ...{ name: next('D'), device_type: some('dcim/device-types'), role: some('dcim/device-roles') },
      site: some('dcim/sites'),
    }),
    'dcim/interfaces': () => ({ name: next('I'), device: some('dcim/devices'), type: 'other', mtu: mtu() }),
    'ipam/ip-addresses': () => ({ address: `10.0.0.${1 + pick(254)}/24` }),
  }
  const undoable: string[] = []
  const steps: readonly (() => Promise<unknown>)[] = [
    ...Object.entries(additions).map(
      ([path, body]) =>
        () =>
          create(path, body()),
    ),
    ...Object.entries(changes).map(([path, body]) => async () => {
      const id = some(path)
      if (id === undefined) return
      const { headers } = await api.ask('PATCH', `/api/${path}/${id}/`, { body: body() })
      const request = headers.get('x-request-id')
      if (request !== null) undoable.push(request)
    }),
    async () => {
      const ends = [some('dcim/interfaces'), some('dcim/interfaces')]
      const [a, b] = ends.map((id) => [{ object_type: 'dcim.interface', object_id: id }])
      await post('dcim/cables', { a_terminations: a, b_terminations: b })
    },
    async () => {
      const cable = one(await results('dcim/cables'))
      if (cable) await api.ask('DELETE', `/api/dcim/cables/${cable.id}/`)
    },
    async () => {
      const path = one(['dcim/interfaces', 'dcim/racks', 'ipam/ip-addresses', 'dcim/devices']) ?? ''
      const id = some(path)
      if (id === undefined) return
      const { headers } = await api.ask('DELETE', `/api/${path}/${id}/`)
      ids.set(
        path,
        (ids.get(path) ?? []).filter((other) => other !== id),
      )
      const request = headers.get('x-request-id')
      if (request !== null) undoable.push(request)
    },
    async () => {
      const request = undoable.pop()
      if (request) await post(`core/requests/${request}/undo`, {})
      for (const path of Object.keys(additions))
        ids.set(
          path,
          (await results(path)).map(({ id }) => Number(id)),
        )
    },
    async () => {
      const branch = await post('core/branches', { name: next('changes of ') })
      for (const path of ['dcim/sites', 'dcim/interfaces'] as const) {
        const id = some(path)
        if (id !== undefined)
          await api.ask('PATCH', `/api/${path}/${id}/?branch=${branch.name}`, { body: changes[path]?.() ?? {} })
      }
      await post(`core/branches/${branch.id}/merge`, {})
    },
    async () => {
      const body = Array.from({ length: 5 }, () => additions['dcim/interfaces']?.() ?? {})
      await api.ask('POST', '/api/dcim/interfaces/', { body })
      ids.set(
        'dcim/interfaces',
        (await results('dcim/interfaces')).map(({ id }) => Number(id)),
      )
    },
  ]
  for (let index = 0; index < 12; index += 1)
    for (const path of Object.keys(additions)) await create(path, additions[path]?.() ?? {})
  expect(await actual()).toEqual(await expected())
  let broken = 0
  for (let step = 0; step < runSize({ full: 400, usual: 80 }); step += 1) {
    const number = pick(steps.length)
    await steps[number]?.()
    const [found, wanted] = [await actual(), await expected()]
    broken += wanted.length
    expect(found, `seed ${seed}, step ${step}, kind ${number}`).toEqual(wanted)
  }
  expect(broken).toBeGreaterThan(0)
})
