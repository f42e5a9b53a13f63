import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileRule, enabledRules } from '../../src/read/rules/compile-rule.ts'
import type { Registry } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import type { Queryable } from '../../src/sql/queryable.ts'
import { table } from '../../src/sql/table.ts'
import type { Document } from '../support/api.ts'
import { directoryOfTest } from '../support/directory.ts'

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
  ['ipam.prefix', 'count(contained_ip_addresses) % 2 = 0'],
  ['ipam.prefix', 'not any(contained_prefixes where status = this.status)'],
  ['ipam.prefix', 'address_count(prefix) < 64'],
  ['ipam.ipaddress', "count(containing_prefixes where status = 'active') % 2 = 0"],
  ['dcim.rearport', 'count(mappings) = positions'],
  ['ipam.service', "not includes(port_mappings, 'tcp/23', 'tcp/80')"],
  ['dcim.device', "json(local_context_data, 'ntp.server') != null"],
]

/** Lists of which objects are deleted. */
const DELETED = [
  ...['dcim/interfaces', 'dcim/racks', 'ipam/ip-addresses', 'dcim/devices', 'ipam/prefixes', 'dcim/front-ports'],
  ...['dcim/rear-ports', 'ipam/services'],
]

/** A request with a JSON body. */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly json: Document }>

/** An inventory that changes at random, with rules about it. All requests may be refused. */
export class RandomWorld {
  readonly #pick: (limit: number) => number
  readonly #ids = new Map<string, number[]>()
  readonly #undoable: string[] = []
  #count = 0
  /** The device with all patch ports. */
  #panel = 0

  constructor(pick: (limit: number) => number) {
    this.#pick = pick
  }

  /** Objects that all others refer to, and the rules. Throws if a request is refused. */
  async prepare(ask: Ask): Promise<void> {
    const make = async (path: string, body: object): Promise<void> => {
      const { status, json } = await this.#create(ask, path, body)
      if (status !== 201) throw new Error(`${path}: ${JSON.stringify(json)}`)
    }
    for (const name of ['R1', 'R2', 'R3']) await make('dcim/regions', { name, slug: name.toLowerCase() })
    await make('tenancy/tenant-groups', { name: 'G1', slug: 'g1' })
    await make('tenancy/tenants', { name: 'N1', slug: 'n1', group: this.#some('tenancy/tenant-groups') })
    await make('dcim/manufacturers', { name: 'M', slug: 'm' })
    const manufacturer = this.#some('dcim/manufacturers')
    await make('dcim/device-types', { manufacturer, model: 'T', slug: 't', u_height: 0 })
    await make('dcim/device-roles', { name: 'L', slug: 'l' })
    await make('ipam/rirs', { name: 'RIR', slug: 'rir' })
    for (const asn of [65001, 65002]) await make('ipam/asns', { asn, rir: this.#some('ipam/rirs') })
    for (const vid of [10, 200]) await make('ipam/vlans', { vid, name: `V${vid}` })
    await make('extras/tags', { name: 'T1', slug: 't1' })
    await make('ipam/vrfs', { name: 'A' })
    await make('dcim/sites', { name: 'Hall', slug: 'hall' })
    await make('dcim/devices', { ...this.#additions['dcim/devices']?.(), name: 'Panel' })
    this.#panel = this.#some('dcim/devices') ?? 0
    this.#ids.delete('dcim/devices')
    for (const [index, [object_type, expression]] of RULES.entries()) {
      const name = `Rule ${index}`
      await make('extras/rules', { name, object_type, expression, message: 'Wrong', severity: 'low' })
    }
  }

  /** Adds one object of each kind. */
  async grow(ask: Ask): Promise<void> {
    for (const path of Object.keys(this.#additions)) await this.#create(ask, path, this.#addition(path))
  }

  /** One random change. Returns what it was. */
  async change(ask: Ask): Promise<string> {
    const [name, step] = this.#one(Object.entries(this.#steps)) ?? ['', () => undefined]
    await step(ask)
    return name
  }

  /** A data set with some new and some changed sites and racks, as a directory. */
  dataSet(): string {
    const directory = directoryOfTest()
    mkdirSync(join(directory, 'dcim'))
    const write = (file: string, rows: readonly object[]) =>
      writeFileSync(join(directory, 'dcim', file), rows.map((row) => JSON.stringify(row)).join('\n'))
    const sites = [1, 2, 3].map((id) => ({
      ...{ id, name: `Imported ${id}`, slug: `imported-${id}`, status: { value: 'active' } },
      facility: ['', 'F'][this.#pick(2)],
    }))
    write('sites.jsonl', sites)
    const racks = [1, 2, 3].map((id) => ({
      ...{ id, name: `Imported ${id}`, site: { id: 1 + this.#pick(3) }, status: { value: 'active' } },
      u_height: [10, 42][this.#pick(2)],
    }))
    write('racks.jsonl', racks)
    return directory
  }

  readonly #changes: Readonly<Record<string, () => object>> = {
    'dcim/sites': () => ({
      ...{ facility: ['', 'F'][this.#pick(2)], region: this.#some('dcim/regions') },
      ...{ tenant: this.#some('tenancy/tenants'), asns: (this.#ids.get('ipam/asns') ?? []).slice(0, this.#pick(3)) },
    }),
    'dcim/racks': () => ({ u_height: [10, 42][this.#pick(2)], site: this.#some('dcim/sites') }),
    'dcim/devices': () => ({
      ...{ status: ['active', 'offline'][this.#pick(2)], site: this.#some('dcim/sites') },
      name: this.#one(['D1', this.#next('D')]),
      tags: this.#pick(2) === 0 ? [] : [{ name: 'T1' }],
      local_context_data: this.#one([null, { ntp: { server: 'here' } }, { ntp: 1 }]),
    }),
    'dcim/interfaces': () => ({
      ...{ enabled: this.#pick(3) > 0, mtu: this.#mtu(), label: ['', 'a', 'b'][this.#pick(3)], mode: 'tagged' },
      tagged_vlans: (this.#ids.get('ipam/vlans') ?? []).slice(this.#pick(2), 2),
    }),
    'ipam/ip-addresses': () => ({
      ...{ assigned_object_type: 'dcim.interface', assigned_object_id: this.#some('dcim/interfaces') },
      ...{ address: this.#address(), vrf: this.#pick(2) === 0 ? null : this.#some('ipam/vrfs') },
    }),
    'dcim/regions': () => ({ parent: this.#pick(2) === 0 ? null : (this.#ids.get('dcim/regions') ?? [])[0] }),
    'ipam/vlans': () => ({ vid: 1 + this.#pick(4000) }),
    'ipam/prefixes': () => ({
      ...{ status: ['active', 'reserved'][this.#pick(2)], vrf: this.#pick(2) === 0 ? null : this.#some('ipam/vrfs') },
      prefix: `10.0.0.${32 * this.#pick(8)}/${27 + this.#pick(2)}`,
    }),
    'dcim/front-ports': () => ({
      rear_ports:
        this.#pick(2) === 0 ? [] : [{ position: 1, rear_port: this.#some('dcim/rear-ports'), rear_port_position: 1 }],
    }),
    'ipam/services': () => ({ port_mappings: [this.#one(['tcp/22', 'tcp/23', 'udp/80'])] }),
  }

  readonly #additions: Readonly<Record<string, () => object>> = {
    'dcim/sites': () => ({ name: this.#next('S'), slug: this.#next('s') }),
    'dcim/racks': () => ({ name: this.#next('K'), site: this.#some('dcim/sites') }),
    'dcim/devices': () => ({
      ...{ name: this.#next('D'), device_type: this.#some('dcim/device-types') },
      ...{ role: this.#some('dcim/device-roles'), site: this.#some('dcim/sites') },
    }),
    'dcim/interfaces': () => ({
      ...{ name: this.#next('I'), device: this.#some('dcim/devices'), type: 'other', mtu: this.#mtu() },
    }),
    'ipam/ip-addresses': () => ({ address: this.#address() }),
    'ipam/prefixes': () => ({ prefix: `10.0.0.${64 * this.#pick(4)}/26` }),
    'dcim/rear-ports': () => ({ name: this.#next('R'), device: this.#panel, type: 'lc', positions: 1 }),
    'dcim/front-ports': () => ({ name: this.#next('F'), device: this.#panel, type: 'lc', positions: 1 }),
    'ipam/services': () => ({
      ...{ name: this.#next('V'), parent_object_type: 'dcim.device', parent_object_id: this.#panel },
      port_mappings: [this.#one(['tcp/22', 'tcp/23'])],
    }),
  }

  readonly #steps: Readonly<Record<string, (ask: Ask) => Promise<unknown>>> = {
    ...Object.fromEntries(
      Object.keys(this.#additions).map((path) => [
        `add to ${path}`,
        (ask: Ask) => this.#create(ask, path, this.#addition(path)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(this.#changes).map(([path, body]) => [
        `change ${path}`,
        async (ask: Ask) => {
          const id = this.#some(path)
          if (id !== undefined) this.#note(await ask('PATCH', `/api/${path}/${id}/`, body()))
        },
      ]),
    ),
    connect: async (ask) => {
      const ends = [this.#some('dcim/interfaces'), this.#some('dcim/interfaces')]
      const [a, b] = ends.map((id) => [{ object_type: 'dcim.interface', object_id: id }])
      await ask('POST', '/api/dcim/cables/', { a_terminations: a, b_terminations: b })
    },
    disconnect: async (ask) => {
      const cable = this.#one(await results(ask, 'dcim/cables'))
      if (cable) await ask('DELETE', `/api/dcim/cables/${cable.id}/`)
    },
    delete: async (ask) => {
      const path = this.#one(DELETED) ?? ''
      const id = this.#some(path)
      if (id === undefined) return
      this.#note(await ask('DELETE', `/api/${path}/${id}/`))
      this.#ids.set(path, this.#ids.get(path)?.filter((other) => other !== id) ?? [])
    },
    undo: async (ask) => {
      const request = this.#undoable.pop()
      if (request !== undefined) await ask('POST', `/api/core/requests/${request}/undo/`, {})
      for (const path of Object.keys(this.#additions)) await this.#readIds(ask, path)
    },
    'branch and merge': async (ask) => {
      const { json: branch } = await ask('POST', '/api/core/branches/', { name: this.#next('changes of ') })
      for (const path of ['dcim/sites', 'dcim/interfaces']) {
        const id = this.#some(path)
        if (id !== undefined) await ask('PATCH', `/api/${path}/${id}/?branch=${branch.name}`, this.#changes[path]?.())
      }
      await ask('POST', `/api/core/branches/${branch.id}/merge/`, {})
    },
    'add several': async (ask) => {
      const body = Array.from({ length: 5 }, () => this.#addition('dcim/interfaces'))
      await ask('POST', '/api/dcim/interfaces/', body)
      await this.#readIds(ask, 'dcim/interfaces')
    },
  }

  async #create(ask: Ask, path: string, body: object) {
    const created = await ask('POST', `/api/${path}/`, body)
    const id = created.json.id as unknown
    if (typeof id === 'number') this.#ids.set(path, [...(this.#ids.get(path) ?? []), id])
    return created
  }

  async #readIds(ask: Ask, path: string): Promise<void> {
    this.#ids.set(
      path,
      (await results(ask, path)).map(({ id }) => Number(id)),
    )
  }

  #note({ headers }: { readonly headers: Headers }): void {
    const request = headers.get('x-request-id')
    if (request !== null) this.#undoable.push(request)
  }

  readonly #one = <T>(list: readonly T[]): T | undefined => list[this.#pick(list.length)]
  readonly #some = (path: string): number | undefined => this.#one(this.#ids.get(path) ?? [])
  readonly #address = (): string => `10.0.0.${1 + this.#pick(254)}/24`
  readonly #mtu = () => [null, 1500, 9000][this.#pick(3)]
  readonly #addition = (path: string): object => this.#additions[path]?.() ?? {}

  #next(prefix: string): string {
    this.#count += 1
    return `${prefix}${this.#count}`
  }
}

const results = async (ask: Ask, path: string): Promise<readonly Document[]> =>
  (await ask('GET', `/api/${path}/?limit=0`)).json.results ?? []

interface Source {
  readonly registry: Registry
  readonly database: Queryable
}

/** The findings that the rules should have: every rule evaluated for all objects. */
export async function expectedFindings({ registry, database }: Source): Promise<readonly string[]> {
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

export async function storedFindings({ database }: Pick<Source, 'database'>): Promise<readonly string[]> {
  const rows = await database.query<{ expression: string; object_id: number }>(sql`
    select r.expression, f.object_id from ${table('extras.finding')} f join ${table('extras.rule')} r on r.id = f.rule_id`)
  return rows.map((row) => `${row.expression}: ${row.object_id}`).toSorted()
}
