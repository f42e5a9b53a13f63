import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { embeddedAutovacuum } from '../../src/automation/jobs/autovacuum.ts'
import { createBackground } from '../../src/changes/background/background.ts'
import type { Database } from '../../src/db/database.ts'
import type { Service } from '../../src/service.ts'
import { raw, sql, volatile } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { openServerDatabase } from '../support/database.ts'
import { type Inventory, openInventory } from '../support/inventory.ts'
import { TestClock } from '../support/test-clock.ts'

const MINUTE = 60_000
const SITES = 300

/** The autovacuum of a service, with a clock and an idle time that the test sets. */
function autovacuumOf(service: Service) {
  const clock = new TestClock()
  const state = { idleTime: 0 }
  const vacuumed: unknown[] = []
  const log = { info: ({ table }: Readonly<Record<string, unknown>>) => vacuumed.push(table) }
  const work = embeddedAutovacuum({ ...service, clock }, { idleTime: () => state.idleTime }, log)
  const background = createBackground(work, service.cache.log, { error: () => undefined })
  return {
    state,
    work,
    /** Names of the tables that are vacuumed within that time. */
    after: async (milliseconds: number) => {
      clock.advance(milliseconds)
      await background.runUntilIdle()
      return vacuumed.splice(0)
    },
  }
}

describe('the autovacuum of the embedded database', () => {
  let inventory: Inventory
  let database: Database
  let autovacuum: ReturnType<typeof autovacuumOf>

  beforeAll(async () => {
    inventory = await openInventory()
    database = inventory.service.database
    const sites = Array.from({ length: SITES }, (_, index) => ({
      ...{ name: `Site ${index}`, slug: `site-${index}` },
    }))
    await inventory.createAll('dcim.site', sites)
  })
  afterAll(() => inventory.close())
  beforeEach(async () => {
    autovacuum = autovacuumOf(inventory.service)
    await autovacuum.after(MINUTE)
    // The first vacuums have changed the statistics.
    await autovacuum.after(MINUTE)
  })

  const number = async (expression: string): Promise<number> =>
    Number((await database.queryArrays(sql`select ${raw(expression)}`))[0]?.[0])
  const changeSites = (count: number, text: string) =>
    database.execute(sql`
      ${updateTable('dcim.site')} set description = ${text}, name = name || 'x' where id <= ${count}`)

  it('collects statistics of a table that was filled', async () => {
    const rows = `(select reltuples from pg_class where oid = 'public.dcim_site'::regclass)`
    expect(await number(rows)).toBe(SITES)
    const columns = `(select count(*) from pg_stats where schemaname = 'public' and tablename = 'dcim_site')`
    expect(await number(columns)).toBeGreaterThan(10)
  })

  it('reclaims dead rows, so that a table that is changed again and again does not grow', async () => {
    const size = `pg_table_size('dcim_site')`
    const before = await number(size)
    for (let round = 0; round < 10; round++) {
      await changeSites(SITES, `round ${round}`)
      expect(await autovacuum.after(MINUTE)).toContain('dcim_site')
    }
    expect(await number(size)).toBeLessThan(3 * before)
    expect(await number(`pg_stat_get_dead_tuples('dcim_site'::regclass)`)).toBe(0)
  })

  it.each([
    { changed: 110, isVacuumed: false },
    { changed: 111, isVacuumed: true },
  ])('vacuums after $changed of 300 rows: $isVacuumed', async ({ changed, isVacuumed }) => {
    await changeSites(changed, `of ${changed}`)
    expect((await autovacuum.after(MINUTE)).includes('dcim_site')).toBe(isVacuumed)
    await changeSites(SITES, 'all')
    await autovacuum.after(2 * MINUTE)
  })

  it('vacuums nothing that has not changed, and nothing within a minute of the start', async () => {
    expect(await autovacuum.after(MINUTE)).toEqual([])
    const started = autovacuumOf(inventory.service)
    await changeSites(SITES, 'again')
    expect(await started.after(MINUTE - 5_000)).toEqual([])
    expect(await started.after(5_000)).toContain('dcim_site')
  })

  it.each([
    { found: 'has grown', before: '' },
    { found: 'has never been vacuumed', before: 'analyze filled' },
  ])('finds a table that $found when a restart has lost the counts', async ({ before }) => {
    await database.script('create table filled as select id from generate_series(1, 9000) id')
    await database.script(before)
    await database.query(volatile`select pg_stat_reset()`)
    const restarted = autovacuumOf(inventory.service)
    expect(await restarted.after(MINUTE)).toContain('filled')
    expect(await restarted.after(MINUTE)).not.toContain('filled')
    await database.script('drop table filled')
  })

  it('vacuums a large table only after some seconds without requests, or after ten minutes', async () => {
    await database.script(`
      create table large as select id, repeat('x', 1000) as text from generate_series(1, 9000) id`)
    expect(await autovacuum.after(MINUTE)).not.toContain('large')
    autovacuum.state.idleTime = 3_000
    expect(await autovacuum.after(MINUTE)).toContain('large')
    await database.script('delete from large where id % 2 = 0')
    autovacuum.state.idleTime = 2_999
    expect(await autovacuum.after(MINUTE)).not.toContain('large')
    expect(await autovacuum.after(9 * MINUTE)).not.toContain('large')
    expect(await autovacuum.after(MINUTE)).toContain('large')
  })
})

it('a server vacuums its tables itself', async () => {
  const inventory = await openInventory({}, openServerDatabase)
  onTestFinished(() => inventory.close())
  expect(autovacuumOf(inventory.service).work).toEqual([])
})
