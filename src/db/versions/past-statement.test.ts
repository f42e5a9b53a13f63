import { expect, it } from 'vitest'
import { toyRegistry } from '../../../test/write/toy.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { rowsOf, table } from '../../sql/table.ts'
import { pastStatement } from './past-statement.ts'

const registry = toyRegistry()
const committed = { below: 100, others: [] }
const past = (statement: Sql): string => pastStatement(registry, committed, statement).text

/** Columns of sites that a statement may name, besides the key. */
const COLUMNS = ['name', 'slug', 'status', 'facility', 'latitude', 'device_count']

it.each([
  {
    name: 'columns that it names as identifiers',
    statement: sql`select ${identifier('t', 'name')} from ${rowsOf('toy.site', [1])}`,
    read: ['name'],
  },
  {
    name: 'columns that it declares where it names the table',
    statement: sql`select t.id from ${table('toy.site')} t where t.slug = ${'a'}`,
    read: ['slug'],
  },
  {
    name: 'counters',
    statement: sql`select ${identifier('t', 'device_count')} from ${table('toy.site')} t`,
    read: ['device_count'],
  },
  {
    name: 'no columns whose names are part of others',
    statement: sql`select ${identifier('t', 'facility')}, ${identifier('status_name')} from ${table('toy.site')} t`,
    read: ['facility'],
  },
  {
    name: 'all columns where it does not declare them',
    statement: sql`select t.* from ${table('toy.site')} t`,
    read: COLUMNS,
  },
  {
    name: 'columns that its text names',
    statement: sql`select t.name from ${table('toy.site')} t`,
    read: ['name'],
  },
])('a statement as of a point in time reads $name', ({ statement, read }) => {
  const [definition = ''] = past(statement).split(/ where \("?v"?/)
  expect(COLUMNS.filter((name) => definition.includes(`"${name}"`))).toEqual(read)
})

it('counters of rows that are read by id take one query for all rows', () => {
  const counter = identifier('t', 'device_count')
  const byIds = past(sql`select ${counter} from ${rowsOf('toy.site', [1, 2])}`)
  expect(byIds).toMatch(/as materialized \(\s*select "c"."site_id" as id, count\(\*\).* group by 1/s)
  expect(byIds).not.toContain('= v.id and')
  // For any other rows, its estimate would be far too high.
  const filtered = past(sql`select ${counter} from ${table('toy.site')} t where ${counter} > 5`)
  expect(filtered).toMatch(/\(select count\(\*\) from .* where "c"."site_id" = v.id and/s)
})

it('tables without history are read as they are', () => {
  const statement = sql`select t.id from ${table('toy.asn')} t`
  expect(past(statement)).toBe(statement.text)
})
