import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Inventory, openInventory } from '../../../test/support/inventory.ts'
import { ApiError } from '../../base/errors.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory

beforeAll(async () => {
  inventory = await openInventory()
})
afterAll(() => inventory.close())

const named = (name: string) => ({ name, slug: name })

test('a group cannot be deleted if its tenants would become duplicates', async () => {
  const { create, remove } = inventory
  const parent = await create('tenancy.tenantgroup', named('parent'))
  const group = await create('tenancy.tenantgroup', { ...named('child'), parent })
  await create('tenancy.tenant', { ...named('twin'), group })
  const twin = await create('tenancy.tenant', named('twin'))
  for (const id of [group, parent]) {
    const refusal = await remove('tenancy.tenantgroup', id).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ApiError)
    expect(refusal).toMatchObject({ reason: { kind: 'inUse' } })
  }
  await remove('tenancy.tenant', twin)
  await remove('tenancy.tenantgroup', parent)
  expect(await inventory.query(sql`select name, group_id from tenancy_tenant`)).toEqual([
    { name: 'twin', group_id: null },
  ])
})
