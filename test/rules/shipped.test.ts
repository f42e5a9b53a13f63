import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileExpression } from '../../src/read/expression/compile-expression.ts'
import { T } from '../../src/read/query/alias.ts'
import { columnOf } from '../../src/read/query/column.ts'
import { displayOf } from '../../src/read/query/display.ts'
import { readYamlDocuments } from '../../src/schema/yaml-documents.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { SHIPPED_WORLD } from './shipped-world.ts'

const directory = join(import.meta.dirname, '../../examples/rules')
const documents = readdirSync(directory).toSorted()

let api: Api
let rules: readonly Document[]
beforeAll(async () => {
  api = await startApi({ API_VERSION: '4.7' })
  const { status, text } = await api.ask('POST', '/api/apply/?fields=counts', { body: { objects: SHIPPED_WORLD } })
  expect(status, text).toBe(200)
  // These fields take ids only.
  const idIn = async (list: string) => Number((await api.ask('GET', `/api/${list}`)).json.results?.[0]?.id)
  const change = async (list: string, query: string, body: object) => {
    const changed = await api.ask('PATCH', `/api/${list}/${await idIn(`${list}/?${query}`)}/`, { body })
    expect(changed.status, changed.text).toBe(200)
  }
  const vlan = await idIn('ipam/vlans/?vid=4002')
  await change('dcim/interfaces', 'device=SW_02&name=Ethernet4', { tagged_vlans: [vlan] })
  for (const number of [1, 2, 4]) {
    const rear_port = await idIn(`dcim/rear-ports/?name=R${number}`)
    const rear_ports = [{ position: 1, rear_port, rear_port_position: 1 }]
    await change('dcim/front-ports', `name=F${number}`, { rear_ports })
  }
  const removed = await api.ask('DELETE', `/api/dcim/power-outlets/${await idIn('dcim/power-outlets/?name=Removed')}/`)
  expect(removed.status, removed.text).toBe(204)
  for (const name of documents) {
    const [body] = readYamlDocuments(readFileSync(join(directory, name), 'utf8'))
    const applied = await api.ask('POST', '/api/apply/?fields=counts', { body })
    expect(applied.status, `${name}: ${applied.text}`).toBe(200)
  }
  rules = (await api.ask('GET', '/api/extras/rules/?limit=0')).json.results ?? []
})
afterAll(() => api.close())

/** Objects of the inventory, by their name. */
interface Cases {
  readonly passes: readonly string[]
  /** All objects that have a finding. */
  readonly fails: readonly string[]
  /** Objects to which the rule does not apply; `never` if there cannot be any. */
  readonly ignores: readonly string[] | 'never'
}

const cases = (passes: string, fails: string, ignores: string): Cases => {
  const names = (text: string) => text.split(', ')
  return { passes: names(passes), fails: names(fails), ignores: ignores === 'never' ? 'never' : names(ignores) }
}

/** For each rule: objects that pass, all that fail, and objects to which it does not apply. */
const CASES: Readonly<Record<string, Cases>> = {
  'Routed interfaces have addresses': cases(
    'r1 Ethernet1, r2 Ethernet3',
    'r1 Ethernet2, r3 Ethernet2, r3 Ethernet3, r4 Ethernet1',
    'r2 Ethernet2, r1 mgmt0, sw-01a Ethernet1',
  ),
  'Addresses are unique in their VRF': cases('10.9.0.2/24', '10.9.0.1/24, 10.9.0.1/25', '10.9.0.3/24, 10.0.0.0/31'),
  'Active addresses are assigned': cases(
    '10.0.0.0/31',
    '10.9.0.1/24, 10.9.0.2/24, 2001:db8::7/64',
    '10.9.0.3/24, 192.0.2.7/24',
  ),
  'Loopbacks have host routes': cases('r1 Loopback0', 'r2 Loopback0', 'r3 Loopback0, r1 Ethernet1'),
  'Links between routers have small networks': cases(
    'r1 Ethernet1',
    'r1 Ethernet3, r2 Ethernet1, r3 Ethernet1',
    'r1 mgmt0, r2 Ethernet3, sw-01a Ethernet1',
  ),
  'Addresses of an interface are in its VRF': cases(
    'r1 Ethernet1, r1 mgmt0',
    'r1 management-in-name-only1, r2 mgmt0',
    'r1 Ethernet2',
  ),
  'Management interfaces are in the management VRF': cases('r1 mgmt0', 'r2 mgmt0', 'r3 mgmt0, r1 Ethernet1'),
  'Management addresses are in the management network': cases('r1 (A1)', 'r2', 'r3, srv1'),
  'Documentation networks are not in use': cases('192.0.2.7/24', '2001:db8:1::1/64, 2001:db8::7/64', '10.0.0.0/31'),
  'Prefixes have free addresses': cases('10.0.0.0/24, 10.9.9.0/24', '10.7.0.0/29', '10.0.0.0/8, 2001:db8::/32'),
  'Addresses are inside of prefixes': cases('10.9.9.1/24, 10.9.9.2/24, 10.9.0.1/25', '192.0.2.7/24', 'never'),
  'Restricted prefixes are in their VRF': cases('10.6.0.0/24', '10.5.0.0/24', '10.0.0.0/24'),
  'Restricted addresses belong to servers': cases('srv1 Ethernet1', 'r3 uplink', 'r1 Ethernet1'),
  'Rear ports lead to front ports': cases('panel R1, panel R2', 'panel R3', 'panel R5'),
  'Global contexts name time and log servers': cases('Global', 'Global too', 'Leaky'),
  'Time servers of contexts are lists': cases('Global', 'Global too', 'Leaky'),
  'Contexts contain no passwords': cases('Global, Hashed', 'Leaky', 'never'),
  'Contexts have no common SNMP community': cases('Hashed', 'Leaky', 'Global'),
  'Devices have no passwords in their context': cases('r1 (A1)', 'r2', 'r3'),
  'Prefixes have a role': cases('10.0.0.0/24', '10.0.1.0/24', '10.0.0.0/8'),
  'Switches have two uplinks': cases('sw-01a, sw-01b', 'SW_02, sw-03, sw-04, sw-05', 'r1 (A1)'),
  'Leaves are connected to two spines': cases('leaf1', 'leaf2', 'spine1'),
  'Devices are fed twice': cases('r1 (A1)', 'r2', 'r3, srv1, pdu1'),
  'Sites have two routers': cases('full, same', 'single', 'bare'),
  'Routers of a site are in different racks': cases('full', 'same', 'single, bare'),
  'Sites with circuits have two': cases('full, same', 'single', 'bare'),
  'Sites have circuits of two providers': cases('full', 'same', 'single, bare'),
  'Link aggregations have two members': cases('sw-01a Port-channel1', 'sw-01b Port-channel1', 'r1 Ethernet1'),
  'Virtual chassis have two members': cases('stack', 'lonely', 'never'),
  'Racks have two power feeds': cases('k1, k3', 'k2', 'k4'),
  'Feeds of a rack come from two panels': cases('k1', 'k3', 'k2, k4'),
  'Power feeds have room': cases('c1', 'c2', 'a1, a4'),
  'Interfaces are named alike': cases(
    'r1 Ethernet1, sw-01a Port-channel1',
    'r3 uplink',
    'r1 Loopback0, leaf1 Ethernet1',
  ),
  'Devices have short names': cases('r1 (A1), sw-01a, sw-01b', 'SW_02', 'maker M1 (A9)'),
  'Devices of a role have one platform': cases('router', 'switch', 'leaf'),
  'Private AS numbers belong to private registries': cases('AS64512, AS3320', 'AS4200000001 (64086.59905)', 'never'),
  'VLANs of sites are in the range': cases('Offices (20)', 'Wrong (4001)', 'Backbone (4002)'),
  'VLANs are assigned': cases('r2 Ethernet2, SW_02 Ethernet4', 'SW_02 Ethernet1, SW_02 Ethernet5', 'r1 Ethernet1'),
  'Sites have a router and a switch': cases('full, single', 'same', 'bare'),
  'Services are encrypted': cases('SSH', 'Telnet', 'never'),
  'Sites have contacts': cases('full', 'single, same', 'bare'),
  'Devices have serial numbers': cases('r1 (A1)', 'r2, r4, r5', 'r3, srv1'),
  'Routers and switches have a management address': cases(
    'r1 (A1), r2',
    'r3, r4, r5, sw-01a, sw-01b, SW_02, sw-03',
    'r6, sw-04, srv1',
  ),
  'Enabled interfaces are connected': cases(
    'r1 Ethernet1',
    'r1 management-in-name-only1, r3 mgmt0, SW_02 Ethernet4, SW_02 Ethernet5',
    'r3 uplink, r1 Loopback0, sw-01a Port-channel1, sw-01b wlan0',
  ),
  'Interfaces of a link have the same MTU': cases(
    'r1 Ethernet1, r1 Ethernet2',
    'r2 Ethernet2, sw-01b Ethernet1',
    'r1 Ethernet3, sw-01a Ethernet2',
  ),
  'Interfaces of a path have the same MTU': cases(
    'r1 Ethernet1',
    'r2 Ethernet2, sw-01b Ethernet1',
    'r3 Ethernet2, r3 uplink',
  ),
  'Cables lead to something': cases(
    'r1 Ethernet1, r3 Ethernet2, sw-01b Ethernet2, r3 Ethernet3, r4 Ethernet1',
    'SW_02 Ethernet1, SW_02 Ethernet2',
    'r3 uplink, r1 Loopback0',
  ),
  'Consoles are connected': cases('r1 (A1)', 'r2', 'r3'),
  'Power ports are connected': cases('r1 PSU1, srv1 PSU1, pdu1 Inlet', 'srv2 PSU2', 'r2 PSU2, pdu3 Inlet'),
  'Power ports lead to a feed': cases('r1 PSU1, srv1 PSU1', 'r2 PSU1', 'r2 PSU2, srv2 PSU2'),
  'Cables have two ends': cases('whole', 'torn', 'planned'),
  'Circuits have both ends': cases('F-1', 'F-2, S-1, X-1, X-2', 'P-1'),
}

describe('the rules that ship', () => {
  it('all have cases', () => {
    expect(rules.map(({ name }) => String(name)).toSorted()).toEqual(Object.keys(CASES).toSorted())
  })

  it.each(Object.entries(CASES))('%s: passes, fails and does not apply', async (name, { passes, fails, ignores }) => {
    const values = await valuesOf(name)
    const withValue = (value: boolean | null) => values.flatMap(([object, its]) => (its === value ? [object] : []))
    expect(withValue(false).toSorted()).toEqual(fails.toSorted())
    expect(withValue(true)).toEqual(expect.arrayContaining([...passes]))
    if (ignores === 'never') expect(withValue(null)).toEqual([])
    else expect(withValue(null)).toEqual(expect.arrayContaining([...ignores]))
  })

  it('have the findings that follow from their expressions', async () => {
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', '/api/extras/findings/?limit=0')
    const counts = Map.groupBy(json.results ?? [], ({ rule }) => String(rule?.name))
    const expected = Object.entries(CASES).map(([name, { fails }]) => [name, fails.length])
    const actual = [...counts].map(([name, findings]) => [name, findings.length])
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected))
    const again = (await api.ask('GET', '/api/extras/rules/?limit=0')).json.results ?? []
    expect(again.filter(({ problem }) => String(problem) !== '')).toEqual([])
  })
})

/** Results of other validation software that were wrong for such objects, each with the right one. */
const COMMON_ERRORS: readonly (readonly [error: string, rule: string, object: string, right: boolean | null])[] = [
  ['the names of an A/B pair are inconsistent', 'Devices have short names', 'sw-01a', true],
  ['the names of an A/B pair are inconsistent', 'Devices have short names', 'sw-01b', true],
  ['a layer-2 port has no address', 'Routed interfaces have addresses', 'r2 Ethernet2', null],
  ['a port of a switch has no address', 'Routed interfaces have addresses', 'sw-01b Ethernet2', null],
  ['a port with subinterfaces has no address', 'Routed interfaces have addresses', 'r2 Ethernet3', true],
  ['a management port is a point-to-point link', 'Links between routers have small networks', 'r1 mgmt0', null],
  [
    'a spare port is outside of the management VRF',
    'Management interfaces are in the management VRF',
    'r3 mgmt0',
    null,
  ],
  [
    'a port is for management because of its name',
    'Management interfaces are in the management VRF',
    'r1 management-in-name-only1',
    null,
  ],
  ['a management address without a VRF passes', 'Management interfaces are in the management VRF', 'r2 mgmt0', false],
  ['a circuit at a location is no path', 'Sites with circuits have two', 'full', true],
  ['a cabled termination is no path', 'Sites with circuits have two', 'same', true],
  ['a circuit behind a patch panel is nothing', 'Cables lead to something', 'r4 Ethernet1', true],
  ['a feed with too much draw has no data', 'Power feeds have room', 'c2', false],
  ['a feed without data passes', 'Power feeds have room', 'a1', null],
  ['both panels of a rack that is fed twice are shared', 'Feeds of a rack come from two panels', 'k1', true],
  ['links without an MTU pass', 'Interfaces of a link have the same MTU', 'r1 Ethernet3', null],
]

it.each(COMMON_ERRORS)('not: %s (%s: %s)', async (_error, name, object, right) => {
  expect(new Map(await valuesOf(name)).get(object)).toBe(right)
})

it('allows two rules of one kind with different limits', async () => {
  const sites = (name: string, least: number) => ({
    ...{ name, object_type: 'dcim.site', expression: `count(devices) >= ${least}`, message: 'Few devices' },
  })
  const ids = [await api.make('extras/rules', sites('One', 1)), await api.make('extras/rules', sites('Three', 3))]
  await api.background.runUntilIdle()
  const counts = await Promise.all(
    ids.map(async (id) => (await api.ask('GET', `/api/extras/findings/?rule_id=${id}`)).json.count),
  )
  expect(counts).toEqual([0, 3])
  for (const id of ids) await api.ask('DELETE', `/api/extras/rules/${id}/`)
})

it.each(documents)('%s changes nothing the second time', async (name) => {
  const [body] = readYamlDocuments(readFileSync(join(directory, name), 'utf8'))
  const { json } = await api.ask('POST', '/api/apply/?fields=counts', { body })
  expect(json).toMatchObject({ created: 0, updated: 0 })
})

/** The value of the rule's expression for each object, by the object's name. */
async function valuesOf(name: string): Promise<readonly (readonly [string, boolean | null])[]> {
  const rule = rules.find((candidate) => String(candidate.name) === name)
  const model = api.service.registry.model(String(rule?.object_type))
  const column = columnOf(model, T)
  const owner = model.steps.has('device') ? sql`${column('device.name')} || ' '` : sql`''`
  const { sql: value } = compileExpression(model, String(rule?.expression))
  const rows = await api.service.database.query<{ name: string; value: boolean | null }>(sql`
    select ${owner} || ${displayOf(model, T)} as name, ${value(column)} as value from ${table(model)} t order by t.id`)
  return rows.map((row) => [row.name, row.value])
}
