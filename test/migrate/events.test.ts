import { describe, expect, it } from 'vitest'
import { givePositions } from '../../src/changes/stream/sequencer.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { event } from '../../src/models/core/event.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { sql } from '../../src/sql/fragment.ts'
import { databaseOfTest } from '../support/database.ts'

describe('events from before an event could cover several rows', () => {
  it('keep their positions, and later events follow', async () => {
    const { count: _added, ...fields } = event.fields
    const before = MODELS.map((each) => (each.name === event.name ? { ...each, fields } : each))
    const database = await databaseOfTest()
    await migrate(database, buildRegistry(before, BEHAVIOURS))
    await database.execute(sql`
      insert into core_event (kind, change, position, created)
      values ('change', 7, 1, now()), ('change', 8, 2, now()), ('change', 9, null, now())`)
    const registry = buildRegistry(MODELS, BEHAVIOURS)
    await migrate(database, registry)
    expect(await givePositions({ database, registry })).toEqual({ last: 3, count: 1 })
    const rows = sql`select position, change, count from core_event order by position`
    expect(await database.queryArrays(rows)).toEqual([
      [1, 7, 1],
      [2, 8, 1],
      [3, 9, 1],
    ])
  })
})
