import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forEachStorage } from '../../../test/support/database.ts'
import { places, servicePlaces } from '../../../test/support/places.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { compileFilters } from './compile-filters.ts'
import { LOOKUPS, type LookupName } from './lookups.ts'
import { selectIds } from './page.ts'
import { allVisible } from './row-predicate.ts'

interface Case {
  readonly query: string
  readonly sql: string
  readonly values: readonly unknown[]
  /** Ids of: 1 item2, 2 item10, 3 Straße, 4 STRASSE; sizes 5, 10, null, -1. */
  readonly rows: readonly number[]
}

const FOLDED = 'upper(t."name" collate "und-x-icu")'
const GIVEN = 'upper($1::text collate "und-x-icu")'

// The compiler asks for a case of each lookup.
const cases: Readonly<Record<LookupName, Case>> = {
  exact: {
    query: 'name=STRASSE',
    sql: 't."name" = $1',
    values: ['STRASSE'],
    rows: [4],
  },
  n: {
    query: 'name__n=STRASSE',
    sql: '(t."name" = $1) is not true',
    values: ['STRASSE'],
    rows: [1, 2, 3],
  },
  ie: {
    query: 'name__ie=straße',
    sql: `${FOLDED} = ${GIVEN}`,
    values: ['straße'],
    rows: [3, 4],
  },
  nie: {
    query: 'name__nie=straße',
    sql: `(${FOLDED} = ${GIVEN}) is not true`,
    values: ['straße'],
    rows: [1, 2],
  },
  ic: {
    query: 'name__ic=RASS',
    sql: `${FOLDED} like ${GIVEN}`,
    values: ['%RASS%'],
    rows: [3, 4],
  },
  nic: {
    query: 'name__nic=tem',
    sql: `(${FOLDED} like ${GIVEN}) is not true`,
    values: ['%tem%'],
    rows: [3, 4],
  },
  isw: {
    query: 'name__isw=IT',
    sql: `${FOLDED} like ${GIVEN}`,
    values: ['IT%'],
    rows: [1, 2],
  },
  nisw: {
    query: 'name__nisw=item1',
    sql: `(${FOLDED} like ${GIVEN}) is not true`,
    values: ['item1%'],
    rows: [1, 3, 4],
  },
  iew: {
    query: 'name__iew=sse',
    sql: `${FOLDED} like ${GIVEN}`,
    values: ['%sse'],
    rows: [3, 4],
  },
  niew: {
    query: 'name__niew=2',
    sql: `(${FOLDED} like ${GIVEN}) is not true`,
    values: ['%2'],
    rows: [2, 3, 4],
  },
  regex: {
    query: 'name__regex=^item\\d{2}$',
    sql: 't."name" ~ $1',
    values: ['^item\\d{2}$'],
    rows: [2],
  },
  iregex: {
    query: 'name__iregex=^ITEM.$',
    sql: 't."name" ~* $1',
    values: ['^ITEM.$'],
    rows: [1],
  },
  empty: {
    query: 'code__empty=true',
    sql: `(t."code" <> '') is not true`,
    values: [],
    rows: [3, 4],
  },
  lt: { query: 'size__lt=5', sql: 't."size" < $1::bigint', values: [5n], rows: [4] },
  lte: { query: 'size__lte=5', sql: 't."size" <= $1::bigint', values: [5n], rows: [1, 4] },
  gt: { query: 'size__gt=5', sql: 't."size" > $1::bigint', values: [5n], rows: [2] },
  gte: { query: 'size__gte=5', sql: 't."size" >= $1::bigint', values: [5n], rows: [1, 2] },
  any: {
    query: 'tag__any=prod&tag__any=lab',
    sql: 't.id in (select t_link."object_id" from "extras_taggeditem" t_link where t_link."object_type" = $1 and t_link."tag_id" = any($2::bigint[]))',
    values: ['toy.place', [1, 2]],
    rows: [1, 2],
  },
}

forEachStorage('lookups', (open) => {
  let service: Service
  beforeAll(async () => {
    service = await servicePlaces(await open())
  })
  afterAll(() => service.database.close())
  const model = places.model('toy.place')
  const security = { registry: places, visibleRows: allVisible }
  const compile = (query: string): Promise<Sql | undefined> =>
    compileFilters(service, model, new URLSearchParams(query), allVisible)

  it.each(Object.entries(cases))('%s', async (_, { query, sql: expected, values, rows }) => {
    const where = await compile(query)
    expect((where ?? sql``).text).toBe(expected)
    expect(where?.values).toEqual(values)
    expect(await selectIds(service.database, model, { where, security })).toEqual(rows)
  })
})

describe('the table of lookups', () => {
  it('names a comparison for each', () => {
    expect(Object.keys(LOOKUPS).sort()).toEqual(Object.keys(cases).sort())
  })
})
