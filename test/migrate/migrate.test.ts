import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { pendingMigration } from '../../src/db/migrate/pending.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { constraintNames } from '../../src/schema/constraint-names.ts'
import { foreignKey, integer, json, text } from '../../src/schema/field.ts'
import type { Definition } from '../../src/schema/model.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'
import { author, book, change, FIRST, shelf, without } from './toy.ts'

const columns = async (database: Database, table: string): Promise<readonly string[]> => {
  const rows = await database.query<{ line: string }>(sql`
    select column_name || ' ' || data_type || ' ' || is_nullable as line
    from information_schema.columns where table_name = ${table} order by ordinal_position`)
  return rows.map(({ line }) => line)
}

describe('migration', () => {
  it('creates tables that enforce the declarations', async () => {
    const database = await databaseOfTest()
    const registry = buildRegistry(FIRST)
    expect(await migrate(database, registry)).toMatchObject({ isNew: true })
    await database.execute(sql`insert into toy_shelf (name) values ('b 10'), ('b 9'), ('B 1')`)
    const names = await database.query(sql`select name, depth from toy_shelf order by name`)
    expect(names).toEqual([
      { name: 'B 1', depth: 3 },
      { name: 'b 9', depth: 3 },
      { name: 'b 10', depth: 3 },
    ])
    await expect(database.execute(sql`insert into toy_shelf (name) values ('B 9')`)).rejects.toMatchObject({
      code: '23505',
      constraint: 'toy_shelf_name_unique',
    })
    await expect(database.execute(sql`insert into toy_book (title, shelf_id) values ('x', 99)`)).rejects.toMatchObject({
      code: '23503',
    })
    expect([...constraintNames(registry.model('toy.book')).keys()]).toEqual(['toy_book_title_unique'])
  })

  it('lets rows refer to each other within a transaction, in any order', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST))
    await database.transaction(async (transaction) => {
      await transaction.execute(sql`insert into toy_book (title, shelf_id) values ('x', 7)`)
      await transaction.execute(sql`insert into toy_shelf (id, name) values (7, 'late')`)
    })
    expect(await database.query(sql`select count(*) from toy_book`)).toEqual([{ count: 1 }])
  })

  it('changes nothing the second time', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST))
    expect(await migrate(database, buildRegistry(FIRST))).toEqual({
      isNew: false,
      changes: 0,
      absent: [],
    })
  })

  it('adds columns, tables, constraints and indexes of a later version, and keeps the rows', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST))
    await database.execute(sql`insert into toy_book (title) values ('kept')`)
    const later = change(book, {
      ...book.fields,
      pages: integer({ default: 100 }),
      code: text({ max: 5, nullable: true, unique: true }),
      author: foreignKey('toy.author', { onDelete: 'protect', nullable: true }),
    })
    await migrate(database, buildRegistry([shelf, later, author]))
    expect(await database.query(sql`select title, pages, code from toy_book`)).toEqual([
      { title: 'kept', pages: 100, code: null },
    ])
    expect(await columns(database, 'toy_book')).toContain('author_id bigint YES')
  })

  it('widens a number and drops not null', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST))
    const later = change(shelf, {
      ...shelf.fields,
      depth: integer({ size: 'big', nullable: true, default: 3 }),
    })
    await migrate(database, buildRegistry([later, book]))
    expect(await columns(database, 'toy_shelf')).toContain('depth bigint YES')
  })

  it('keeps JSON exactly as written once a column is declared verbatim', async () => {
    const database = await databaseOfTest()
    const withNotes = (verbatim: boolean) =>
      buildRegistry([shelf, change(book, { ...book.fields, notes: json({ nullable: true, verbatim }) })])
    await migrate(database, withNotes(false))
    await database.execute(sql`insert into toy_book (title, notes) values ('a', '{"b": 1}')`)
    await migrate(database, withNotes(true))
    await database.execute(sql`insert into toy_book (title, notes) values ('b', '{"b":1,  "a":2}')`)
    expect(await database.query(sql`select notes from toy_book order by title`)).toEqual([
      { notes: '{"b": 1}' },
      { notes: '{"b":1,  "a":2}' },
    ])
  })

  it('refuses to drop a column, and leaves the database unchanged', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST))
    const before = await columns(database, 'toy_book')
    const later = change(book, {
      ...without(book.fields, 'title'),
      name: text({ max: 20, default: '' }),
    })
    await expect(
      migrate(database, buildRegistry([shelf, { ...later, order: ['shelf'], display: '{id}' }])),
    ).rejects.toThrow('the column toy_book.title is not declared any more')
    expect(await columns(database, 'toy_book')).toEqual(before)
  })

  it('refuses a required column if existing rows have no value for it', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST))
    const later = change(book, { ...book.fields, code: text({ max: 5 }) })
    await database.execute(sql`insert into toy_book (title) values ('x')`)
    await expect(migrate(database, buildRegistry([shelf, later]))).rejects.toThrow('toy_book.code')
    await database.execute(sql`delete from toy_book`)
    await migrate(database, buildRegistry([shelf, later]))
    expect(await columns(database, 'toy_book')).toContain('code text NO')
  })

  it('runs a step once, in which columns may be renamed and dropped', async () => {
    const database = await databaseOfTest()
    const runs: string[] = []
    const steps = [
      {
        name: 'titles are names',
        run: async (transaction: { script(text: string): Promise<void> }) => {
          runs.push('run')
          await transaction.script(`alter table toy_book rename column title to name;
            alter table toy_shelf drop column depth`)
        },
        removes: ['toy_shelf.depth'],
        renames: { 'toy_book.title': 'toy_book.name' },
      },
    ]
    await migrate(database, buildRegistry(FIRST), [])
    await database.execute(sql`insert into toy_book (title) values ('kept')`)
    const named: Definition = {
      ...change(book, { name: text({ max: 20, unique: true }), ...without(book.fields, 'title') }),
      order: ['shelf', 'name'],
      display: '{name}',
    }
    const registry = buildRegistry([change(shelf, without(shelf.fields, 'depth')), named])
    await migrate(database, registry, steps)
    expect(await migrate(database, registry, steps)).toEqual({
      isNew: false,
      changes: 0,
      absent: [],
    })
    expect(runs).toEqual(['run'])
    expect(await database.query(sql`select name from toy_book`)).toEqual([{ name: 'kept' }])
    await expect(database.execute(sql`insert into toy_book (name) values ('kept')`)).rejects.toMatchObject({
      constraint: 'toy_book_name_unique',
    })
  })
})

describe('tables of a plugin', () => {
  const plugin = {
    ...{ name: 'more', label: 'More', version: '', description: '', author: '', authorEmail: '' },
    models: [{ ...book, name: 'more.book' }],
    behaviours: [],
  }
  const loaded = buildRegistry(FIRST, [], [plugin])
  const notLoaded = buildRegistry(FIRST)
  const tables = ['more_book', 'more_book_also_on']

  it('are kept with their rows and constraints while it is not loaded', async () => {
    const database = await databaseOfTest()
    await migrate(database, notLoaded)
    await migrate(database, loaded)
    const before = await columns(database, 'more_book')
    await database.execute(sql`insert into more_book (title) values ('one')`)
    const absent = [{ name: 'more', tables, relations: [] }]
    expect(await migrate(database, notLoaded)).toEqual({ isNew: false, changes: 0, absent })
    expect(await pendingMigration(database, notLoaded)).toEqual({ state: 'current' })
    expect(await columns(database, 'more_book')).toEqual(before)
    await expect(database.execute(sql`insert into more_book (title) values ('one')`)).rejects.toMatchObject({
      constraint: 'more_book_title_unique',
    })
    expect(await migrate(database, loaded)).toEqual({ isNew: false, changes: 0, absent: [] })
    expect(await database.query(sql`select title from more_book`)).toEqual([{ title: 'one' }])
  })

  it('are declared by it as long as it is loaded', async () => {
    const database = await databaseOfTest()
    await migrate(database, loaded)
    const without = buildRegistry(FIRST, [], [{ ...plugin, models: [] }])
    await expect(migrate(database, without)).rejects.toThrow('more_book is not declared any more')
  })

  it('are changed by its steps, once, and not when they are new', async () => {
    const database = await databaseOfTest()
    const runs: string[] = []
    const step = (name: string) => ({
      ...{ name, plugin: 'more' },
      run: async () => void runs.push(name),
    })
    const early = [step('early')]
    await migrate(database, notLoaded, [])
    await migrate(database, loaded, early)
    expect(runs).toEqual([])
    const steps = [...early, step('late')]
    await migrate(database, loaded, steps)
    expect(runs).toEqual(['late'])
    await migrate(database, notLoaded, [])
    await migrate(database, loaded, steps)
    expect(runs).toEqual(['late'])
  })
})

describe('all models', () => {
  it('have tables and numbers that never change', async () => {
    const database = await databaseOfTest()
    const registry = buildRegistry(MODELS, BEHAVIOURS)
    await migrate(database, registry)
    const types = sql`select id, app_label || '.' || model as name from core_objecttype order by id`
    const before = await database.query(types)
    const offered = [...registry.models.values()].filter(({ definition }) => !definition.internal)
    expect(before.map(({ name }) => name)).toEqual(offered.map(({ name }) => name))
    expect(await migrate(database, registry)).toEqual({ isNew: false, changes: 0, absent: [] })
    expect(await database.query(types)).toEqual(before)
  })
})

describe('names of constraints', () => {
  it('are unique in the whole database and short enough', () => {
    const registry = buildRegistry(MODELS, BEHAVIOURS)
    const names = [...registry.models.values()].flatMap((each) => [...constraintNames(each).keys()])
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => Buffer.byteLength(name) > 63)).toEqual([])
  })
})
