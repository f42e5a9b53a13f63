import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/support/database.ts'
import { places, servicePlaces } from '../../../test/support/places.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { compileOrder } from './order.ts'
import { allVisible, type VisibleRows } from './row-predicate.ts'
import { selectIds, sliceStatement } from './slice.ts'

// Requested order → ids. Boxes: 1 red and 2 blue in item2, 3 red in item10.
const cases = [
  { name: 'natural by default', model: 'toy.place', ordering: undefined, rows: [1, 2, 4, 3] },
  { name: 'descending', model: 'toy.place', ordering: '-name', rows: [3, 4, 2, 1] },
  { name: 'nulls last', model: 'toy.place', ordering: 'size', rows: [4, 1, 2, 3] },
  {
    name: 'nulls first when descending',
    model: 'toy.place',
    ordering: '-size',
    rows: [3, 2, 1, 4],
  },
  { name: 'two fields', model: 'toy.place', ordering: 'status,-name', rows: [3, 1, 4, 2] },
  { name: 'ties in the order of ids', model: 'toy.place', ordering: '-status', rows: [2, 4, 1, 3] },
  {
    name: 'unknown names left out',
    model: 'toy.place',
    ordering: 'nonsense,-id',
    rows: [4, 3, 2, 1],
  },
  { name: 'only unknown ones', model: 'toy.place', ordering: '-nonsense', rows: [1, 2, 4, 3] },
  { name: 'a number of related rows', model: 'toy.place', ordering: '-boxes', rows: [1, 2, 3, 4] },
  { name: 'many to many', model: 'toy.place', ordering: 'keepers', rows: [1, 2, 3, 4] },
  { name: 'tags', model: 'toy.place', ordering: '-tags', rows: [3, 4, 1, 2] },
  { name: 'a relation to a tree', model: 'toy.place', ordering: '-area', rows: [3, 4, 2, 1] },
  { name: 'pk', model: 'toy.place', ordering: '-pk', rows: [4, 3, 2, 1] },
  {
    name: "a relation's own order by default",
    model: 'toy.box',
    ordering: undefined,
    rows: [1, 2, 3],
  },
  { name: 'a relation', model: 'toy.box', ordering: '-place', rows: [3, 1, 2] },
  { name: 'a tree', model: 'toy.area', ordering: undefined, rows: [1, 2, 3] },
  { name: 'depth, which API version 4.7 ignores', model: 'toy.area', ordering: '-level', rows: [1, 2, 3] },
]

describe('orders of a list', () => {
  let service: Service
  beforeAll(async () => {
    service = await servicePlaces(await openTestDatabase())
  })
  afterAll(() => service.database.close())
  const security = { registry: places, visibleRows: allVisible }

  it.each(cases)('$name', async ({ model: name, ordering, rows }) => {
    const model = places.model(name)
    const order = compileOrder(service, model, ordering)
    expect(await selectIds(service.database, model, { security, order })).toEqual(rows)
  })

  it('by the depth of a tree, in API version 4.6', async () => {
    const registry = places.inVersion('4.6')
    const model = registry.model('toy.area')
    const order = compileOrder({ registry }, model, '-level')
    expect(await selectIds(service.database, model, { security: { ...security, registry }, order })).toEqual([2, 3, 1])
  })

  it('end with the first id', () => {
    const order = compileOrder(service, places.model('toy.place'), 'id,name')
    expect(order.terms.text).toBe('t."id"')
  })

  it('are kept from page to page', async () => {
    const model = places.model('toy.box')
    const visibleRows: VisibleRows = ({ name }) => (name === 'toy.box' ? sql`t.label <> 'green'` : 'all')
    const order = compileOrder(service, model, '-place,label', visibleRows)
    const slice = (offset: number, start?: number) =>
      service.database.queryArrays(
        sliceStatement(model, {
          security: { registry: places, visibleRows },
          order,
          window: { limit: 2, offset, ...(start === undefined ? {} : { start }) },
        }),
      )
    expect(await slice(0)).toEqual([[3], [2]])
    expect(await slice(2)).toEqual([[1]])
    expect(await slice(0, 2)).toEqual([[2], [3]])
  })
})
