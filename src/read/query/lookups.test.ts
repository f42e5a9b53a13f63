import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/support/database.ts'
import { places, servicePlaces } from '../../../test/support/places.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { compileFilters } from './compile-filters.ts'
import { LOOKUPS, type LookupName, lookupOf } from './lookups.ts'
import { allVisible } from './row-predicate.ts'
import { selectIds } from './slice.ts'

interface Case {
  /** Name and value of the parameter. */
  readonly query: readonly [string, string]
  readonly sql: string
  readonly values: readonly unknown[]
  /** Ids of: 1 item2, 2 item10, 3 Straße, 4 STRASSE; sizes 5, 10, null, -1. */
  readonly rows: readonly number[]
}

const ALL = [1, 2, 3, 4]
const FOLDED = 'upper(t."name" collate "und-x-icu")'
const GIVEN = 'upper($1::text collate "und-x-icu")'
const folded = (value: string, bound: string, ...rows: readonly number[]): Case => ({
  ...{ query: ['name', value], sql: `${FOLDED} like ${GIVEN}`, values: [bound], rows },
})
const text = (value: string, operator: string, ...rows: readonly number[]): Case => ({
  ...{ query: ['name', value], sql: `t."name" ${operator} $1`, values: [value], rows },
})
const size = (operator: string, ...rows: readonly number[]): Case => ({
  ...{ query: ['size', '5'], sql: `t."size" ${operator} $1::bigint`, values: [5n], rows },
})

/** A case for each comparison; its negation finds the other rows. */
const CASES: Readonly<Record<string, Case>> = {
  exact: text('STRASSE', '=', 4),
  iexact: { ...folded('straße', 'straße', 3, 4), sql: `${FOLDED} = ${GIVEN}` },
  icontains: folded('RASS', '%RASS%', 3, 4),
  istartswith: folded('IT', 'IT%', 1, 2),
  iendswith: folded('sse', '%sse', 3, 4),
  regex: text('^item\\d{2}$', '~', 2),
  iregex: text('^ITEM.$', '~*', 1),
  empty: {
    ...{ query: ['code', 'true'], sql: `(t."code" <> '') is not true`, values: [], rows: [3, 4] },
  },
  lt: size('<', 4),
  lte: size('<=', 1, 4),
  gt: size('>', 2),
  gte: size('>=', 1, 2),
}

/** Tags, which can have several values. */
const ANY: Case = {
  query: ['tag', 'prod&tag__any=lab'],
  sql: 't.id in (select t_link."object_id" from "extras_taggeditem" t_link where t_link."object_type" = $1 and t_link."tag_id" = any($2::bigint[]))',
  values: ['toy.place', [1, 2]],
  rows: [1, 2],
}

describe('lookups', () => {
  let service: Service
  beforeAll(async () => {
    service = await servicePlaces(await openTestDatabase())
  })
  afterAll(() => service.database.close())
  const model = places.model('toy.place')
  const security = { registry: places, visibleRows: allVisible }
  const compile = (query: string): Promise<Sql | undefined> =>
    compileFilters(service, model, new URLSearchParams(query), allVisible)

  // The table has no other keys.
  it.each(Object.keys(LOOKUPS) as LookupName[])('%s', async (name) => {
    const { comparison, negated } = lookupOf(name)
    const testCase = name === 'any' ? ANY : CASES[comparison]
    if (!testCase) throw new Error(`There is no case for the comparison ${comparison}`)
    const [field, value] = testCase.query
    const where = await compile(`${name === 'exact' ? field : `${field}__${name}`}=${value}`)
    expect((where ?? sql``).text).toBe(negated ? `(${testCase.sql}) is not true` : testCase.sql)
    expect(where?.values).toEqual(testCase.values)
    const rows = negated ? ALL.filter((id) => !testCase.rows.includes(id)) : testCase.rows
    expect(await selectIds(service.database, model, { where, security })).toEqual(rows)
  })
})
