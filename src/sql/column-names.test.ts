import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { columnNames } from './column-names.ts'
import { identifier, sql } from './fragment.ts'
import { table } from './table.ts'
import { declareTables } from './table-names.ts'

declareTables([['toy.case', { table: 'toy_case', model: 'toy.case' }]])

it.each([
  {
    name: 'those of identifiers',
    statement: sql`select t.id from ${table('toy.case', 'id')} t where ${identifier('t', 'name')} = ${1}`,
    named: ['id', 't', 'name'],
  },
  {
    name: 'those that are declared where the table is named',
    statement: sql`select count(*) from ${table('toy.case', 'size')} t where t.size = ${1}`,
    named: ['size'],
  },
  {
    name: 'those of nested statements',
    statement: sql`select ${sql`(select max(size) from ${table('toy.case', 'size')})`}, ${identifier('a')}`,
    named: ['size', 'a'],
  },
])('the columns of a statement are $name', ({ statement, named }) => {
  expect([...columnNames(statement)]).toEqual(named)
  expect(columnNames(sql`${statement}`)).toBe(columnNames(statement))
})

// A statement would depend on columns that it does not name.
const IMPLICIT = [
  { name: 'a natural join', pattern: /\bnatural\s+(?:join|left|right|inner|full)\b/i },
  { name: 'a view', pattern: /\bcreate\s+(?:or\s+replace\s+)?(?:materialized\s+)?view\b/i },
  { name: 'a function', pattern: /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\b/i },
  { name: 'a column that follows from others', pattern: /\bgenerated\s+always\s+as\s*\(/i },
  { name: 'a trigger', pattern: /\bcreate\s+(?:constraint\s+)?trigger\b/i },
  {
    name: 'a row as a value',
    pattern: /\b(?:row_to_json|to_jsonb?|array_agg|jsonb?_agg)\((?:t|\w)\)/,
  },
]

/** Its triggers write past versions and numbers of transactions, which no model declares, and read nothing else. */
const HISTORY = 'migrate/history.ts'

it.each(IMPLICIT)('no statement of the source has $name', ({ pattern }) => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const matching = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
  expect(matching.filter((file) => file !== HISTORY)).toEqual([])
})
