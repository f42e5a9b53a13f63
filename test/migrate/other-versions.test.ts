import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { pendingMigration } from '../../src/db/migrate/pending.ts'
import type { MigrationStep } from '../../src/db/migrate/steps.ts'
import { foreignKey, integer, text } from '../../src/schema/field.ts'
import type { Definition } from '../../src/schema/model.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { apiOfTest } from '../support/api.ts'
import { databaseOfTest } from '../support/database.ts'
import { author, book, change, FIRST, shelf, without } from './toy.ts'

const withFields = (fields: Definition['fields']) => [shelf, change(book, { ...book.fields, ...fields })]
const withDepth = (depth: Definition['fields'][string]) => [change(shelf, { ...shelf.fields, depth }), book]

const UNIQUE: readonly Definition[] = [shelf, { ...book, unique: [{ fields: ['shelf', 'title'] }] }]

interface Change {
  readonly what: string
  readonly later: readonly Definition[]
  readonly steps?: readonly MigrationStep[]
  readonly obstacle?: string
}

const step = (script: string, rest: Partial<MigrationStep>): readonly MigrationStep[] => [
  { name: 'a step', run: (transaction) => transaction.script(script), ...rest },
]

const CHANGES: readonly Change[] = [
  { what: 'a table', later: [...FIRST, author] },
  { what: 'a nullable column', later: withFields({ isbn: text({ max: 20, nullable: true }) }) },
  { what: 'a column with a default', later: withFields({ isbn: text({ max: 20, default: '' }) }) },
  { what: 'a unique column', later: withFields({ isbn: text({ max: 20, nullable: true, unique: true }) }) },
  {
    what: 'a relation',
    later: [...withFields({ author: foreignKey('toy.author', { onDelete: 'protect', nullable: true }) }), author],
  },
  {
    what: 'a required column',
    later: withFields({ isbn: text({ max: 20 }) }),
    obstacle: 'the column toy_book.isbn is new and required',
  },
  {
    what: 'a type',
    later: withDepth(integer({ size: 'big', default: 3 })),
    obstacle: 'the column toy_shelf.depth has another type',
  },
  {
    what: 'whether a value may be missing',
    later: withDepth(integer({ size: 'small', nullable: true })),
    obstacle: 'the column toy_shelf.depth has another type',
  },
  {
    what: 'a rule of uniqueness',
    later: UNIQUE,
    obstacle: 'the constraint toy_book_shelf_title_unique is new',
  },
  {
    what: 'a name of a column',
    later: [
      shelf,
      {
        ...change(book, { name: text({ max: 20, unique: true }), ...without(book.fields, 'title') }),
        ...{ display: '{name}', order: ['name'] },
      },
    ],
    steps: step('alter table toy_book rename column title to name', { renames: { 'toy_book.title': 'toy_book.name' } }),
    obstacle: 'the column toy_book.title is removed; the column toy_book.name is new and required',
  },
  {
    what: 'fewer columns',
    later: [change(shelf, without(shelf.fields, 'depth')), book],
    steps: step('alter table toy_shelf drop column depth', { removes: ['toy_shelf.depth'] }),
    obstacle: 'the column toy_shelf.depth is removed',
  },
]

describe('a migration while another process serves', () => {
  it.each(CHANGES)('changes $what: obstacle $obstacle', async ({ later, steps = [], obstacle }) => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST), [])
    await database.subscribe({ invalidate: () => undefined, suspend: () => undefined, resume: () => undefined })
    const registry = buildRegistry(later)
    expect(await pendingMigration(database, registry, steps)).toMatchObject({
      state: 'behind',
      obstacles: obstacle?.split('; ') ?? [],
    })
    if (obstacle !== undefined) {
      await expect(migrate(database, registry, steps)).rejects.toThrow(
        `Running processes of the earlier version cannot work with the tables of this one (${obstacle}): stop them first, or start with "serve --migrate-while-served" and let their requests fail.`,
      )
    }
    await migrate(database, registry, steps, { whileServed: obstacle !== undefined })
    expect(await pendingMigration(database, registry, steps)).toEqual({ state: 'current' })
  })

  it('needs no option if no process serves', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST), [])
    await migrate(database, buildRegistry(UNIQUE), [])
  })

  it('waits for a transaction that uses the tables, without delaying other requests', async () => {
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(FIRST), [])
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
    const reading = database.transaction(async (transaction) => {
      await transaction.query(sql`select id from toy_book`)
      begin()
      await isOver
    })
    await hasBegun
    const migration = migrate(database, buildRegistry(withFields({ isbn: text({ max: 20, default: '' }) })), [])
    // Had it waited for the lock, these would have waited behind it.
    for (let round = 0; round < 20; round++) {
      await database.execute(sql`insert into toy_book (title) values (${String(round)})`)
    }
    end()
    await reading
    await migration
    expect(await database.query(sql`select distinct isbn from toy_book`)).toEqual([{ isbn: '' }])
  })
})

describe('data that only another version knows', () => {
  it('are left to that version: changes of its objects that are not indexed for the search yet', async () => {
    const { service, background, ask } = await apiOfTest()
    const { database } = service
    await database.execute(sql`
      insert into core_unindexedchange (object_type, object_ids, is_renamed, custom_fields)
      values ('later.model', '[1]', false, '{}')`)
    await background.runUntilIdle()
    expect((await ask('GET', '/api/search/?q=later')).status).toBe(200)
    const changes = sql`select count(*) from core_unindexedchange where object_type = 'later.model'`
    expect(await database.query(changes)).toEqual([{ count: 1 }])
  })
})
