import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { selectIds } from '../../src/read/query/slice.ts'
import { projectionOf } from '../../src/read/serialise/projection.ts'
import { readObjects } from '../../src/read/serialise/read-objects.ts'
import { committedData } from '../../src/read/serialise/read-source.ts'
import { SYSTEM } from '../../src/schema/system-models.ts'
import { type Sql, sql } from '../../src/sql/fragment.ts'
import type { Queryable } from '../../src/sql/queryable.ts'
import { openTestDatabase } from '../support/database.ts'
import { type Inventory, openInventoryIn } from '../support/inventory.ts'

/**
 * Numbers of objects, without the count of one, which needs no order and therefore one statement less. Definitions that
 * are cached are read before statements are counted.
 */
const SIZES = [2, 10, 1_000] as const

let inventory: Inventory
let statements = 0
/** Statements that insert change records, in parts of five hundred; they are not counted with the others. */
let recordParts = 0
/** Rows of the sites' table, and entries of its indexes, that the last transaction read. */
let sitesRead = 0
const ids: Record<string, number> = {}

const count =
  <A extends [Sql, ...unknown[]], R>(ask: (...given: A) => R) =>
  (...given: A): R => {
    const [{ writes }] = given
    if (writes.includes(SYSTEM.objectChange)) recordParts += 1
    else statements += 1
    return ask(...given)
  }

/** The same, with each statement counted. */
function counted<Q extends Queryable>(source: Q): Q {
  const { query, queryArrays, queryColumn, execute } = source
  return {
    ...source,
    query: count(query),
    queryArrays: count(queryArrays),
    queryColumn: count(queryColumn),
    execute: count(execute),
  }
}

const countingDatabase = async (): Promise<Database> => {
  const database = await openTestDatabase('migrated')
  return {
    ...counted(database),
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const result = await work({
          ...counted(transaction),
          send: count(transaction.send),
        })
        const [row] = await transaction.queryArrays(
          sql`select sum(pg_stat_get_xact_tuples_returned(scanned)) from (
            select to_regclass('dcim_site')::oid union all
            select indexrelid from pg_index where indrelid = to_regclass('dcim_site')) s(scanned)`,
        )
        sitesRead = Number(row?.[0] ?? 0)
        return result
      }),
  }
}

beforeAll(async () => {
  inventory = await openInventoryIn(await countingDatabase())
  const { create, createAll } = inventory
  const named = (name: string) => ({ name, slug: name.toLowerCase() })
  ids.maker = await create('dcim.manufacturer', named('Maker'))
  ids.type = await create('dcim.devicetype', { manufacturer: ids.maker, model: 'T', slug: 't' })
  ids.role = await create('dcim.devicerole', named('Role'))
  ids.site = await create('dcim.site', named('Site'))
  await createAll(
    'dcim.interfacetemplate',
    ['a', 'b'].map((name) => ({ device_type: ids.type, name, type: 'virtual' })),
  )
  ids.hub = await create('dcim.device', device('hub'))
  const ports = Array.from({ length: 4_000 }, (_, index) => ({
    device: ids.hub,
    name: `port ${index}`,
    type: '1000base-t',
  }))
  ;[ids.port = 0] = await createAll('dcim.interface', ports)
})
afterAll(() => inventory.close())

const device = (name: string) => ({
  name,
  device_type: ids.type,
  role: ids.role,
  site: ids.site,
})

interface Case {
  readonly name: string
  readonly model: string
  readonly body: (index: number) => Readonly<Record<string, unknown>>
  readonly change: Readonly<Record<string, unknown>>
}

const cases: readonly Case[] = [
  {
    name: 'sites',
    model: 'dcim.site',
    body: (index) => ({ name: `S${index}`, slug: `s${index}` }),
    change: { description: 'changed' },
  },
  {
    name: 'devices with components',
    model: 'dcim.device',
    body: (index) => device(`D${index}`),
    change: { status: 'planned' },
  },
  {
    name: 'addresses',
    model: 'ipam.ipaddress',
    body: (index) => ({ address: `10.0.${index >> 8}.${index & 255}/16` }),
    change: { description: 'changed' },
  },
  {
    name: 'cables',
    model: 'dcim.cable',
    body: (index) => ({
      a_terminations: [{ object_type: 'dcim.interface', object_id: (ids.port ?? 0) + 2 * index }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: (ids.port ?? 0) + 2 * index + 1 }],
    }),
    change: { label: 'changed' },
  },
]

const countOf = async <T>(work: () => Promise<T>): Promise<{ result: T; count: number }> => {
  const before = statements
  const result = await work()
  return { result, count: statements - before }
}

describe.each(cases)('batches of $name', ({ model, body, change }) => {
  it('need as many statements whatever their size', async () => {
    const counts: { size: number; created: number; changed: number; deleted: number }[] = []
    for (const size of [10, ...SIZES]) {
      recordParts = 0
      const bodies = Array.from({ length: size }, (_, index) => body(index))
      const created = await countOf(() => inventory.createAll(model, bodies))
      const all = created.result
      const changed = await countOf(() =>
        inventory.changeAll(
          model,
          all.map((id) => ({ id, body: change })),
        ),
      )
      const deleted = await countOf(() => inventory.remove(model, ...all))
      counts.push({ size, created: created.count, changed: changed.count, deleted: deleted.count })
    }
    const [, two, ten, thousand] = counts
    expect({ ...ten, size: 0 }).toEqual({ ...two, size: 0 })
    expect({ ...thousand, size: 0 }).toEqual({ ...two, size: 0 })
    // Of the thousand: at most 11,000 records, of three models, in three requests.
    expect(recordParts).toBeLessThanOrEqual(11_000 / 200 + 9)
  })
})

it('a creation reads no more rows after a table has grown since its statements were prepared', async () => {
  await inventory.create('extras.customfield', {
    ...{ name: 'grown', type: 'integer', object_types: ['dcim.site'], unique: true },
  })
  const site = (index: number) => ({
    ...{ name: `Grown ${index}`, slug: `grown-${index}`, custom_fields: { grown: index } },
  })
  await inventory.service.database.script('analyze dcim_site')
  for (let index = 0; index < 5; index++) await inventory.create('dcim.site', site(index))
  const many = Array.from({ length: 2_000 }, (_, index) => site(10 + index))
  await inventory.createAll('dcim.site', many)
  // Otherwise the next transaction's numbers include what this one has read.
  await inventory.service.database.script('select pg_stat_force_next_flush()')
  await inventory.create('dcim.site', site(5_000))
  expect(sitesRead).toBeLessThan(10)
})

// Rows, the rows that belong to them, a query for each function that computes a field, and one for each model of nested
// objects, whose cached texts contain the requested URL. Those of one level share a message.
const pages: readonly { readonly model: string; readonly most: number }[] = [
  { model: 'dcim.site', most: 9 },
  { model: 'dcim.device', most: 13 },
  { model: 'dcim.interface', most: 15 },
]

describe.each(pages)('pages of $model', ({ model, most }) => {
  it(`need at most ${most} statements, whatever their size`, async () => {
    const { service } = inventory
    const shown = service.registry.model(model)
    const projection = projectionOf(service, shown, { brief: false, excludeContext: false })
    const security = { registry: service.registry, visibleRows: () => 'all' as const }
    if (model !== 'dcim.interface') {
      const makes = cases.find((each) => each.model === model)
      const bodies = Array.from({ length: 20 }, (_, index) => makes?.body(index) ?? {})
      await inventory.createAll(model, bodies)
    }
    const all = await selectIds(service.database, shown, { security })
    const read = (size: number, base: string) =>
      countOf(() => readObjects(committedData(service), all.slice(0, size), projection, base))
    await read(20, 'the first time')
    const counts = [(await read(1, 'one')).count, (await read(20, 'twenty')).count]
    expect(counts[0]).toBe(counts[1])
    expect(counts[0]).toBeLessThanOrEqual(most)
    expect((await read(20, 'twenty')).count).toBe(0)
  })
})
