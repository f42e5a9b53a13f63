import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { tableName } from '../../src/sql/table.ts'
import { type Inventory, openInventory, refusedAt } from '../support/inventory.ts'

let inventory: Inventory

beforeAll(async () => {
  inventory = await openInventory()
})
afterAll(() => inventory.close())

test.each([
  { model: 'dcim.region', table: 'dcim_region' },
  { model: 'tenancy.contactgroup', table: 'tenancy_contactgroup' },
  { model: 'wireless.wirelesslangroup', table: 'wireless_wirelesslangroup' },
])('a change of a node that is below itself is refused, and ends: $model', async ({ model, table }) => {
  const create = (name: string, parent?: number) =>
    inventory.create(model, { name, slug: name, ...(parent !== undefined && { parent }) })
  const upper = await create('upper')
  const lower = await create('lower', upper)
  const leaf = await create('leaf', lower)
  // As two transactions would leave it that each move one of the nodes below the other.
  const rows = tableName(table)
  await inventory.query(sql`update ${rows} set parent_id = ${lower}::bigint where id = ${upper}::bigint`)

  expect(await refusedAt(inventory.change(model, upper, { name: 'renamed' }))).toEqual(['parent'])
  await inventory.change(model, upper, { parent: null })
  expect(await inventory.query(sql`select id, _ancestors as path from ${rows} order by id`)).toEqual([
    { id: upper, path: [upper] },
    { id: lower, path: [upper, lower] },
    { id: leaf, path: [upper, lower, leaf] },
  ])
})

test('nodes may take the place of their descendants in one request', async () => {
  const create = (name: string, parent?: number) =>
    inventory.create('dcim.region', { name, slug: name, ...(parent !== undefined && { parent }) })
  const top = await create('top')
  const middle = await create('middle', top)
  const bottom = await create('bottom', middle)
  await inventory.changeAll('dcim.region', [
    { id: bottom, body: { parent: null } },
    { id: top, body: { parent: bottom } },
  ])
  const paths = await inventory.query(sql`
    select id, _ancestors as path from ${tableName('dcim_region')} where id in (${top}, ${middle}, ${bottom}) order by id`)
  expect(paths).toEqual([
    { id: top, path: [bottom, top] },
    { id: middle, path: [bottom, top, middle] },
    { id: bottom, path: [bottom] },
  ])
})
