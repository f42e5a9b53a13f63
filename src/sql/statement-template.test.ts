import { expect, it } from 'vitest'
import { columnNames } from './column-names.ts'
import { identifier, join, type Sql, sql } from './fragment.ts'
import { combine, constantPart, statementTemplate, templateOfValues } from './statement-template.ts'
import { table } from './table.ts'

const site = { name: 'dcim.site', table: 'dcim_site' }

let built = 0
const named = statementTemplate((ids) => {
  built++
  return sql`select ${identifier('name')} from ${table(site, 'id')} t where kind = ${'a'} and t.id = any(${ids}::bigint[]) or t.parent = any(${ids}::bigint[])`
})
const TEXT =
  'select "name" from "dcim_site" t where kind = $1 and t.id = any($2::bigint[]) or t.parent = any($2::bigint[])'

it('builds the text once, and binds the value once', () => {
  const [one, other] = [named([1, 2]), named([3])]
  expect([one.text, other.text]).toEqual([TEXT, TEXT])
  expect([one.values, other.values]).toEqual([
    ['a', [1, 2]],
    ['a', [3]],
  ])
  expect(built).toBe(1)
})

it('tells what it reads', () => {
  const statement = named([1])
  expect(statement.reads).toEqual(['dcim.site'])
  expect(statement.tables).toEqual(['dcim_site'])
  expect([...columnNames(statement)].toSorted()).toEqual(
    [...columnNames(sql`${named([2])}`)].toSorted(),
  )
  expect(columnNames(statement)).toContain('name')
})

it('is a part of other statements', () => {
  const both = sql`select ${7} from (${named([1])}) a, (${named([2])}) b where ${8}`
  expect(both.values).toEqual([7, 'a', [1], 'a', [2], 8])
  expect(both.text).toBe(`select $1 from (${numbered(2, 3)}) a, (${numbered(4, 5)}) b where $6`)
  expect(both.reads).toEqual(['dcim.site'])
})

it('is a part of other templates', () => {
  const pair = statementTemplate((id) => sql`(${id}, ${id}, (${named([5])}))`)
  const both = sql`select ${7}, ${pair(9)}, ${pair(9)}`
  const values = ['a', [5], [5]]
  expect(both.values).toEqual([7, 9, ...values, 9, ...values])
  expect(both.text).toContain('select $1, ($2, $2, (')
  expect(both.text).toContain('), ($6, $6, (')
})

it('has several values', () => {
  const row = templateOfValues(2, ([one, other]) => sql`(${other}, ${one}, ${'x'}, ${other})`)
  const rows = sql`values ${row([1, 2])}, ${row([3, 4])}`
  expect(rows.text).toBe('values ($1, $2, $3, $1), ($4, $5, $6, $4)')
  expect(rows.values).toEqual([2, 1, 'x', 4, 3, 'x'])
  expect(row([1, 2]).values).toEqual([2, 1, 'x'])
})

it('is combined with others once, and with other values each time', () => {
  let times = 0
  const all = ([first, ...others]: readonly Sql[]): Sql => {
    times++
    return sql`with ${first}, ${join(others)} select ${'z'}`
  }
  const pair = templateOfValues(2, ([one, other]) => sql`(${other}, ${one}, ${other})`)
  const end = constantPart(sql`last`)
  const statements = [1, 5].map((value) =>
    combine(all, [pair([value, value + 1]), named([value + 2]), end]),
  )
  const texts = statements.map(({ text }) => text)
  const text = `with ($1, $2, $1), ${numbered(3, 4)}, last select $5`
  expect(texts).toEqual([text, text])
  expect(statements.map(({ values }) => values)).toEqual([
    [2, 1, 'a', [3], 'z'],
    [6, 5, 'a', [7], 'z'],
  ])
  expect(statements.map(({ reads }) => reads)).toEqual([['dcim.site'], ['dcim.site']])
  expect(times).toBe(1)
  expect(combine(all, [pair([1, 2]), end, named([3])]).text).toBe(
    `with ($1, $2, $1), last, ${numbered(3, 4)} select $5`,
  )
  expect(times).toBe(2)
})

it('is combined with what is no template too', () => {
  const both = ([one, other]: readonly Sql[]): Sql => sql`${other}, ${one}`
  for (const value of [1, 2]) {
    expect(combine(both, [named([value]), sql`${value}`]).values).toEqual([value, 'a', [value]])
  }
})

const numbered = (kind: number, ids: number): string =>
  TEXT.replaceAll('$2', `$${ids}`).replace('$1', `$${kind}`)
