import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { objectNames } from '../../src/write/record/object-names.ts'
import { loadRows } from '../../src/write/rows.ts'
import { ExampleObjects } from '../registry/example-objects.ts'
import { startApi } from '../support/api.ts'
import { type Inventory, openInventory } from '../support/inventory.ts'
import { stock } from '../support/stock.ts'

describe('names in records of deletions', () => {
  let inventory: Inventory
  beforeAll(async () => {
    inventory = await openInventory()
  })
  afterAll(() => inventory.close())

  const contextOf = async (type: string, id: number) => {
    const [row] = await inventory.query<{ context: string }>(sql`
      select object_context::text as context from core_objectchange
      where changed_object_type = ${type} and changed_object_id = ${id}::bigint and action = 'delete'`)
    return JSON.parse(row?.context ?? 'null') as unknown
  }

  test('a cable is named with its ends, an interface with its device, even if all of them have been deleted', async () => {
    const { device, sibling } = await stock(inventory)
    const [near = 0, far = 0] = await Promise.all(
      [device, sibling].map((each) =>
        inventory.create('dcim.interface', { device: each, name: 'eth0', type: '1000base-t' }),
      ),
    )
    const end = (id: number) => [{ object_type: 'dcim.interface', object_id: id }]
    const cable = await inventory.create('dcim.cable', {
      label: 'C1',
      a_terminations: end(near),
      b_terminations: end(far),
    })
    const [names] = await inventory.query<{ near: string; far: string }>(sql`
      select (select name from dcim_device where id = ${device}::bigint) as near,
        (select name from dcim_device where id = ${sibling}::bigint) as far`)
    await inventory.remove('dcim.cable', cable)
    await inventory.remove('dcim.device', device, sibling)

    const endOf = (id: number, name: string | undefined) => [
      {
        object_type: 'dcim.interface',
        object_id: id,
        display: 'eth0',
        key: { device: name, name: 'eth0' },
      },
    ]
    expect(await contextOf('dcim.cable', cable)).toEqual({
      key: { display: 'C1' },
      parent: null,
      ends: { A: endOf(near, names?.near), B: endOf(far, names?.far) },
    })
    expect(await contextOf('dcim.interface', near)).toMatchObject({
      key: { device: names?.near, name: 'eth0' },
      parent: { object_type: 'dcim.device', object_id: device, display: names?.near },
    })
  })

  test('an object is named by the values that identify it, whether or not they are unique', async () => {
    const parent = await inventory.create('dcim.region', { name: 'Ohio', slug: 'ohio' })
    const child = await inventory.create('dcim.region', { name: 'North', slug: 'north', parent })
    const prefix = await inventory.create('ipam.prefix', { prefix: '10.9.0.0/24' })
    await inventory.remove('dcim.region', child)
    await inventory.remove('dcim.region', parent)
    await inventory.remove('ipam.prefix', prefix)
    expect(await contextOf('dcim.region', child)).toMatchObject({
      key: { name: 'North', parent: 'Ohio' },
    })
    expect(await contextOf('dcim.region', parent)).toMatchObject({
      key: { name: 'Ohio', parent: null },
    })
    expect(await contextOf('ipam.prefix', prefix)).toMatchObject({
      key: { prefix: '10.9.0.0/24', vrf: null },
    })
  })
})

test('names of objects of all models are the same whether built from their rows or read from the database', async () => {
  const api = await startApi()
  onTestFinished(() => api.close())
  await new ExampleObjects(api).createAll()
  const { service } = api
  const hosts = ['192.0.2.7/32', '2001:db8::7/128', '192.0.2.8/24']
  for (const address of hosts) {
    await api.ask('POST', '/api/ipam/ip-addresses/', { body: { address } })
  }
  const { registry, database } = service
  let count = 0
  for (const model of registry.models.values()) {
    if (!model.has('changeLogging')) continue
    await database.transaction(async (transaction) => {
      const all = await transaction.query<{ id: number }>(sql`select id from ${table(model)}`)
      const ids = all.map(({ id }) => id)
      const rows = await loadRows(service, transaction, model, ids)
      const objects = rows.map(({ id }) => ({ type: model.name, id }))
      const read = new Map([[model.name, new Map(rows.map((row) => [row.id, row]))]])
      const context = { service, transaction }
      const made = await objectNames(context, objects, read)
      expect(made, model.name).toEqual(await objectNames(context, objects, new Map()))
      count += made.size
    })
  }
  expect(count).toBeGreaterThan(300)
})

it('is part of a response that names it, and of no other', async () => {
  const api = await startApi()
  onTestFinished(() => api.close())
  const { json: site } = await api.ask('POST', '/api/dcim/sites/', {
    body: { name: 'Akron', slug: 'akron' },
  })
  await api.ask('DELETE', `/api/dcim/sites/${site.id}/`)
  const path = '/api/core/object-changes/?action=delete'
  const { json: plain } = await api.ask('GET', path)
  expect(plain.results?.[0]).not.toHaveProperty('object_context')
  const { json: named } = await api.ask('GET', `${path}&fields=object_repr,object_context`)
  expect(named.results?.[0]).toMatchObject({
    object_repr: 'Akron',
    object_context: { key: { name: 'Akron' } },
  })
})
