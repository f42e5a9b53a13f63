import { describe, expect, it } from 'vitest'
import { empty, identifier, isSql, join, raw, sql } from './fragment.ts'

const cases = [
  {
    name: 'values become placeholders',
    statement: sql`a = ${1} and b = ${'x'}`,
    text: 'a = $1 and b = $2',
    values: [1, 'x'],
  },
  {
    name: 'fragments nest',
    statement: sql`not (${sql`a = ${1}`})`,
    text: 'not (a = $1)',
    values: [1],
  },
  {
    name: 'lists are joined with commas',
    statement: sql`a in (${join([1, 2])})`,
    text: 'a in ($1, $2)',
    values: [1, 2],
  },
  {
    name: 'conditions are joined with words',
    statement: join([sql`a`, sql`b`], ' and '),
    text: 'a and b',
    values: [],
  },
  {
    name: 'identifiers are quoted',
    statement: identifier('site', 'a"b'),
    text: '"site"."a""b"',
    values: [],
  },
  {
    name: 'constants stand as they are',
    statement: sql`select ${raw('null')}${empty}`,
    text: 'select null',
    values: [],
  },
]

describe('sql', () => {
  it.each(cases)('$name', ({ statement, text: expected, values }) => {
    expect(statement.text).toBe(expected)
    expect(statement.values).toEqual(values)
    expect(isSql(statement)).toBe(true)
  })

  it.each(['', 'a\0b'])('refuses the identifier %j', (name) => {
    expect(() => identifier(name)).toThrow(/SQL identifier/)
  })
})
