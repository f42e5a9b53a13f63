import { describe, expect, it } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { pruneEvents } from '../../src/changes/stream/prune-events.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

// Declares the tables that the statements use.
modelRegistry()

const LAST_YEAR = '2025-11-22T00:00:00Z'
const THIS_YEAR = new Date('2026-01-01T00:00:00Z')

/** Stores events of last year; the position of each event is its index in the list. */
async function addEvents(database: Database, kinds: readonly ('change' | 'object')[]) {
  const places = kinds.map((_, index) => index + 1)
  await database.execute(sql`
    insert into core_event (kind, change, position, created)
    select q.kind, q.position, q.position, ${LAST_YEAR}::timestamptz
    from unnest(${kinds}::text[], ${places}::bigint[]) as q(kind, position)`)
}

/** Stores events of last year that one statement has recorded, after those of `addEvents`. */
const addChanges = (database: Database, first: number, count: number) =>
  database.execute(sql`
    insert into core_event (kind, change, count, position, created)
    values ('change', ${first}, ${count}, ${first + count - 1}, ${LAST_YEAR}::timestamptz)`)

const consumeUpTo = (database: Database, position: number) =>
  database.execute(sql`
    insert into extras_eventcursor (name, position) values ('event rules', ${position})
    on conflict (name) do update set position = excluded.position`)

const positions = async (database: Database): Promise<readonly unknown[]> =>
  (await database.queryArrays(sql`select position from core_event order by position`)).flat()

describe('old events', () => {
  it('are deleted, except for the newest', async () => {
    const database = await databaseOfTest('migrated')
    await addEvents(database, ['change', 'change', 'change'])
    expect(await pruneEvents(database, THIS_YEAR)).toBe(2)
    expect(await positions(database)).toEqual([3])
  })

  it('stay as long as event rules have not processed them, with all later events', async () => {
    const database = await databaseOfTest('migrated')
    await addEvents(database, ['change', 'object', 'change', 'object', 'change'])
    expect(await pruneEvents(database, THIS_YEAR)).toBe(1)
    expect(await positions(database)).toEqual([2, 3, 4, 5])
    await consumeUpTo(database, 2)
    expect(await pruneEvents(database, THIS_YEAR)).toBe(2)
    expect(await positions(database)).toEqual([4, 5])
    await consumeUpTo(database, 5)
    expect(await pruneEvents(database, THIS_YEAR)).toBe(1)
    expect(await positions(database)).toEqual([5])
  })

  it('of one statement are deleted, except for the newest', async () => {
    const database = await databaseOfTest('migrated')
    await addEvents(database, ['change', 'object'])
    await addChanges(database, 3, 7)
    expect(await pruneEvents(database, THIS_YEAR)).toBe(1)
    await consumeUpTo(database, 2)
    expect(await pruneEvents(database, THIS_YEAR)).toBe(7)
    const rows = sql`select change, count, position from core_event`
    expect(await database.query(rows)).toEqual([{ change: 9, count: 1, position: 9 }])
    expect(await pruneEvents(database, THIS_YEAR)).toBe(0)
    await addChanges(database, 10, 2)
    expect(await pruneEvents(database, new Date(LAST_YEAR))).toBe(0)
    expect(await positions(database)).toEqual([9, 11])
  })
})
