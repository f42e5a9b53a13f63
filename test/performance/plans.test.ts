import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateInventory } from '../../bench/data/generate.ts'
import type { Database } from '../../src/db/database.ts'
import { hasTrigrams } from '../../src/db/migrate/trigrams.ts'
import { type Sql, sql } from '../../src/sql/fragment.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'

/** Tables of which a page shows a small part: a request for a few rows must not read all of them. */
const LARGE = ['dcim_device', 'dcim_interface', 'ipam_ipaddress', 'ipam_prefix', 'extras_taggeditem']
const WHOLE_TABLE = /select count\(\*\) as count from "\w+" t$/

let api: Api
let database: Database
/** Statements of the current request. */
let asked: Sql[] = []
const ids: Record<string, unknown> = {}

beforeAll(async () => {
  database = await openTestDatabase('migrated')
  const queryArrays = (statement: Sql) => {
    asked.push(statement)
    return database.queryArrays(statement)
  }
  const queryColumn = (statement: Sql) => {
    asked.push(statement)
    return database.queryColumn(statement)
  }
  const query: Database['query'] = (statement) => {
    asked.push(statement)
    return database.query(statement)
  }
  api = await startApiOver({ ...database, queryArrays, queryColumn, query }, { CACHE_SIZE: '0' })
  await generateInventory(api.service, { devices: 5_000, interfaces: 40_000 })
  const pick = async (name: string, statement: Sql) => {
    const [row] = await database.queryArrays(statement)
    ids[name] = row?.[0]
  }
  await pick('device', sql`select id from dcim_device order by id offset 2000 limit 1`)
  await pick('name', sql`select name from dcim_device order by id offset 2000 limit 1`)
  await pick('serial', sql`select serial from dcim_device where serial <> '' offset 2000 limit 1`)
  await pick('interface', sql`select id from dcim_interface order by id offset 9000 limit 1`)
  await pick('site', sql`select slug from dcim_site order by id offset 3 limit 1`)
  await pick('rack', sql`select rack_id from dcim_device where rack_id is not null limit 1`)
  await pick('address', sql`select host(address) from ipam_ipaddress order by id offset 2000 limit 1`)
  await pick('prefix', sql`select prefix::text from ipam_prefix where _children between 1 and 20 limit 1`)
  await pick('field', sql`select name from extras_customfield where type = 'integer'`)
  await pick('held', sql`select custom_field_data ->> ${ids.field}::text from dcim_device limit 1`)
  await pick('tag', sql`select slug from extras_tag order by id desc limit 1`)
})
afterAll(() => api.close())

/** Tables that the statement reads from one end to the other. */
async function tablesReadWhole(statement: Sql): Promise<readonly string[]> {
  const plan = await database.queryArrays(sql`explain ${statement}`)
  const lines = plan.map(([line]) => String(line))
  return LARGE.filter((table) => lines.some((line) => line.includes(`Seq Scan on ${table} `)))
}

const requests: readonly (readonly [name: string, path: () => string])[] = [
  ['a page of devices', () => '/api/dcim/devices/?limit=50'],
  ['a page deep within', () => '/api/dcim/devices/?limit=50&offset=1000'],
  ['a search of devices', () => `/api/dcim/devices/?q=${ids.serial}`],
  ['a search of addresses', () => `/api/ipam/ip-addresses/?q=${ids.address}`],
  ['devices by serial', () => `/api/dcim/devices/?serial=${ids.serial}`],
  ['a page from a cursor', () => '/api/dcim/devices/?limit=50&start=2000'],
  ['brief devices', () => '/api/dcim/devices/?limit=50&brief=1'],
  ['one device', () => `/api/dcim/devices/${ids.device}/`],
  ['a device by name', () => `/api/dcim/devices/?name=${ids.name}`],
  ['devices by id', () => `/api/dcim/devices/?id=${ids.device}&id=7`],
  ['devices of a site', () => `/api/dcim/devices/?limit=50&site=${ids.site}`],
  ['devices of a rack', () => `/api/dcim/devices/?limit=50&rack_id=${ids.rack}`],
  ['the newest devices', () => '/api/dcim/devices/?limit=50&ordering=-id'],
  ['a page of interfaces', () => '/api/dcim/interfaces/?limit=50'],
  ['interfaces by their names', () => '/api/dcim/interfaces/?limit=50&ordering=name'],
  ['interfaces of a device', () => `/api/dcim/interfaces/?device_id=${ids.device}`],
  ['interfaces of a device by name', () => `/api/dcim/interfaces/?device=${ids.name}`],
  ['one interface', () => `/api/dcim/interfaces/${ids.interface}/`],
  ['a page of addresses', () => '/api/ipam/ip-addresses/?limit=50'],
  ['an address', () => `/api/ipam/ip-addresses/?address=${ids.address}`],
  ['addresses in a prefix', () => `/api/ipam/ip-addresses/?limit=50&parent=${ids.address}/28`],
  ['addresses of a device', () => `/api/ipam/ip-addresses/?device_id=${ids.device}`],
  ['a page of prefixes', () => '/api/ipam/prefixes/?limit=50'],
  ['prefixes within another', () => `/api/ipam/prefixes/?within=${ids.prefix}`],
  ['prefixes around an address', () => `/api/ipam/prefixes/?contains=${ids.address}`],
  ['devices by a custom field', () => `/api/dcim/devices/?limit=50&cf_${ids.field}=${ids.held}`],
  ['racks of a site', () => `/api/dcim/racks/?limit=50&site=${ids.site}`],
]

describe('in a large inventory, no table is read completely for', () => {
  it.each(requests)('%s', async (_name, path) => {
    asked = []
    const { status, json } = await api.ask('GET', path())
    expect(status, path()).toBe(200)
    const statements = asked
    expect(statements).not.toEqual([])
    if (json.results) expect(json.results.length).toBeGreaterThan(0)
    for (const statement of statements) {
      if (WHOLE_TABLE.test(statement.text.trim())) continue
      expect(await tablesReadWhole(statement), statement.text).toEqual([])
    }
  })

  const parts: typeof requests = [
    ['of the names of devices', () => `/api/dcim/devices/?limit=50&name__ic=${ids.name}`],
    ['of the names, labels and descriptions of interfaces', () => '/api/dcim/interfaces/?q=uplink'],
    ['of the descriptions of interfaces', () => '/api/dcim/interfaces/?description__ic=uplink'],
    ['of the labels of interfaces', () => '/api/dcim/interfaces/?label__isw=uplink'],
  ]
  it.for(parts)('parts %s, where the database has an index for them', async ([, path], context) => {
    context.skip(!(await hasTrigrams(database)), 'the server has no pg_trgm')
    asked = []
    expect((await api.ask('GET', path())).status).toBe(200)
    expect(asked).not.toEqual([])
    for (const statement of asked) {
      expect(await tablesReadWhole(statement), statement.text).toEqual([])
    }
  })
})
