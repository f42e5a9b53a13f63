import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { columnNames } from './column-names.ts'

it.each([
  {
    text: 'select t.id from "dcim_site" t where t."name" = $1 order by t.status limit $2',
    named: ['id', 'name', 'status'],
    others: ['description', 'last_updated', 'sta'],
  },
  { text: 'select count(*) as count from "dcim_site" t', named: [], others: ['name'] },
])('a statement depends on the columns that it names: $text', ({ text, named, others }) => {
  const columns = columnNames(text)
  expect(named.filter((name) => !columns?.has(name))).toEqual([])
  expect(others.filter((name) => columns?.has(name))).toEqual([])
})

it.each([
  'select * from "dcim_site"',
  'select t.* from "dcim_site" t',
  'select t.width * 2 from t',
])('a statement with a star depends on all columns: %s', (text) => {
  expect(columnNames(text)).toBeUndefined()
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

it.each(IMPLICIT)('no statement of the source has $name', ({ pattern }) => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const matching = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
  expect(matching).toEqual([])
})
