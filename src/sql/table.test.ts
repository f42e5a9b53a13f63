import { describe, expect, it } from 'vitest'
import { identifier, join, NOW, raw, type Sql, sql, volatile } from './fragment.ts'
import { deleteFrom, insertInto, systemTable, table, tableOfTypes, updateTable } from './table.ts'
import { declareTables } from './table-names.ts'

declareTables([
  ['toy.box', { table: 'toy_box', model: 'toy.box' }],
  ['toy.box.lids', { table: 'toy_box_lids', model: 'toy.box' }],
  ['toy.script', { table: 'toy_file', model: 'toy.script' }],
])

const shelf = { name: 'toy.shelf', table: 'toy_shelf' }
const lids = { table: 'toy_box_lids', model: 'toy.box' }
const columns = join([identifier('a'), sql`(select max(b) from ${table(shelf)})`])

const cases: readonly {
  readonly name: string
  readonly statement: Sql
  readonly text: string
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  readonly tables?: readonly string[]
  readonly isVolatile?: boolean
}[] = [
  {
    name: 'a table is quoted and its model is read',
    statement: sql`select from ${table(shelf)} where id = ${1}`,
    text: 'select from "toy_shelf" where id = $1',
    reads: ['toy.shelf'],
    tables: ['toy_shelf'],
  },
  {
    name: 'a name stands for the table that is declared for it',
    statement: sql`select from ${table('toy.script')}`,
    text: 'select from "toy_file"',
    reads: ['toy.script'],
    tables: ['toy_file'],
  },
  {
    name: 'a join table belongs to the model that declares the relation',
    statement: sql`select from ${table('toy.box.lids')}, ${table(lids)}`,
    text: 'select from "toy_box_lids", "toy_box_lids"',
    reads: ['toy.box'],
    tables: ['toy_box_lids'],
  },
  {
    name: 'tables of nested fragments count, each once',
    statement: sql`select ${columns}, ${columns} from ${table('toy.box')} where ${sql`exists (select from ${table(shelf)})`}`,
    text: 'select "a", (select max(b) from "toy_shelf"), "a", (select max(b) from "toy_shelf") from "toy_box" where exists (select from "toy_shelf")',
    reads: ['toy.shelf', 'toy.box'],
    tables: ['toy_shelf', 'toy_box'],
  },
  {
    name: 'a table whose columns are declared is not read as a whole',
    statement: sql`select t.a from ${table(shelf)} t, ${table('toy.box')}`,
    text: 'select t.a from "toy_shelf" t, "toy_box"',
    reads: ['toy.shelf', 'toy.box'],
    tables: ['toy_shelf', 'toy_box'],
  },
  {
    name: 'an insert writes',
    statement: sql`${insertInto('toy.box')} (id) select id from ${table(shelf)}`,
    text: 'insert into "toy_box" (id) select id from "toy_shelf"',
    reads: ['toy.shelf'],
    writes: ['toy.box'],
    tables: ['toy_shelf'],
  },
  {
    name: 'an update writes, also in a common table expression',
    statement: sql`with u as (${updateTable('toy.script')} set id = ${1}) select 1`,
    text: 'with u as (update "toy_file" set id = $1) select 1',
    writes: ['toy.script'],
  },
  {
    name: 'a deletion writes',
    statement: deleteFrom(lids),
    text: 'delete from "toy_box_lids"',
    writes: ['toy.box'],
  },
  {
    name: 'the time of the transaction is volatile',
    statement: sql`select ${sql`a < ${NOW}`}`,
    text: 'select a < now()',
    isVolatile: true,
  },
  {
    name: 'what is marked as volatile makes the whole statement volatile',
    statement: join([sql`a`, volatile`random() < ${0.5}`], ' and '),
    text: 'a and random() < $1',
    isVolatile: true,
  },
  {
    name: 'a table behind which there is no model is volatile',
    statement: sql`select from ${systemTable('pg_class')}`,
    text: 'select from "pg_class"',
    isVolatile: true,
  },
  {
    name: 'other text reads nothing',
    statement: sql`${raw('select')} ${1} + ${2}`,
    text: 'select $1 + $2',
  },
]

describe('a statement', () => {
  it.each(cases)('$name', ({ statement, text, ...expected }) => {
    const { reads = [], writes = [], tables = [], isVolatile = false } = expected
    // The second statement is built from the cached text of its parts.
    for (const variant of [statement, sql`${statement}`, sql`${statement}`]) {
      expect(variant.text).toBe(text)
      expect([variant.reads, variant.writes, variant.tables]).toEqual([reads, writes, tables])
      expect(variant.isVolatile).toBe(isVolatile)
    }
  })

  it('reports the object types for which rows of a generic relation are read', () => {
    const boxes = sql`select from ${tableOfTypes('toy.box', 'about_type', ['toy.shelf'])}`
    for (const { statement } of [boxes, sql`${boxes}`, sql`${boxes}`]) {
      const { tables, untypedReads, typedReads } = statement.uses
      expect([tables, untypedReads]).toEqual([['toy_box'], []])
      expect(typedReads).toMatchObject([{ table: 'toy_box', column: 'about_type', types: ['toy.shelf'] }])
    }
    const { untypedReads } = sql`${boxes} union ${table('toy.box')}`.statement.uses
    expect(untypedReads).toEqual(['toy_box'])
  })

  it('numbers the values of a repeated fragment at each occurrence', () => {
    const fragment = sql`a = ${1}`
    const statement = sql`${fragment} or ${fragment} or ${fragment}`
    expect(statement.text).toBe('a = $1 or a = $2 or a = $3')
    expect(statement.values).toEqual([1, 1, 1])
  })

  it('names the model without a table in the error message', () => {
    expect(() => sql`select from ${table('toy.ghost')}`.text).toThrow('toy.ghost')
  })

  it('refuses a constructor of fragments as a value', () => {
    expect(() => sql`select from ${table}`.text).toThrow('table')
  })

  it('refuses the name of a table as a column', () => {
    expect(() => sql`select from ${identifier('toy_box')}`.text).toThrow('toy_box')
  })

  it('refuses a second table with the same name', () => {
    const second = [['toy.box', { table: 'toy_case', model: 'toy.box' }]] as const
    expect(() => declareTables(second)).toThrow('toy_case')
  })
})
