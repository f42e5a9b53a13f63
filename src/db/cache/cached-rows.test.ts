import { beforeEach, expect, it } from 'vitest'
import { sql } from '../../sql/fragment.ts'
import { rowsOf, table } from '../../sql/table.ts'
import { Cache, SMALLEST_BUDGET } from './cache.ts'
import { cachedRows, MOST_CACHED_ROWS } from './cached-rows.ts'
import { ChangeLog } from './change-log.ts'
import { noteStatement, trackDependencies, trackRow } from './read-set.ts'

const site = { name: 'dcim.site', table: 'dcim_site' }
const region = { name: 'dcim.region', table: 'dcim_region' }

let cache: Cache
/** Ids that were read, one list for each time. */
let reads: (readonly number[])[]
beforeEach(() => {
  cache = new Cache(new ChangeLog(), SMALLEST_BUDGET)
  reads = []
})

/** The values of sites; those with a region show its name. Site 99 does not exist. */
async function show(ids: readonly number[], regions: Readonly<Record<number, number>> = {}) {
  const values = await cachedRows(cache, ids, {
    model: 'dcim.site',
    keyPrefix: 'site ',
    bytes: 8,
    read: async (missing) => {
      reads.push(missing)
      noteStatement(sql`select t.id from ${rowsOf(site, missing)}`)
      noteStatement(sql`select count(*) from ${table(region)} where slug = 'x'`)
      const names = await nameRegions(Object.values(regions))
      const existing = missing.filter((id) => id !== 99)
      return new Map(
        existing.map((id) => {
          const { result, parts } = trackRow(() => `site ${id} ${names.get(regions[id] ?? 0) ?? ''}`)
          return [id, { value: result, parts }] as const
        }),
      )
    },
  })
  return ids.map((id) => values.get(id))
}

const nameRegions = (ids: readonly number[]) =>
  cachedRows(cache, ids, {
    model: 'dcim.region',
    keyPrefix: 'region ',
    bytes: 8,
    read: async (missing) => {
      noteStatement(sql`select t.id from ${rowsOf(region, missing)}`)
      return new Map(missing.map((id) => [id, { value: `region ${id}`, parts: [] }]))
    },
  })

const update = (model: string, id: number, column = 'description') =>
  cache.log.record([{ model, rows: new Set([id]), columns: new Set([column]) }])
const insert = (model: string) => cache.log.record([{ model, rows: new Set(), columns: undefined }])

it('a change of a row makes only the value of that row stale', async () => {
  await show([1, 2, 3])
  update('dcim.site', 2)
  expect(await show([1, 2, 3])).toHaveLength(3)
  expect(reads).toEqual([[1, 2, 3], [2]])
})

it('a new row makes no value stale', async () => {
  await show([1, 2])
  insert('dcim.site')
  await show([1, 2])
  expect(reads).toEqual([[1, 2]])
})

it('a new row may be the one that did not exist before', async () => {
  const track = () => trackDependencies(cache.log, () => show([1, 99]))
  const { result, dependencies } = await track()
  expect([result.length, result[1]]).toEqual([2, undefined])
  update('dcim.site', 2)
  expect(dependencies?.isFresh()).toBe(true)
  insert('dcim.site')
  expect(dependencies?.isFresh()).toBe(false)
})

it('a row that does not exist is not read again until rows are inserted', async () => {
  await show([1, 99])
  update('dcim.site', 1)
  expect(await show([99])).toEqual([undefined])
  insert('dcim.site')
  await show([99])
  expect(reads).toEqual([[1, 99], [99]])
})

it('a value that depends on the cached absence of a row also depends on insertions', async () => {
  await show([99])
  const { dependencies } = await trackDependencies(cache.log, () => show([99]))
  insert('dcim.site')
  expect(dependencies?.isFresh()).toBe(false)
})

it('a value depends only on the cached values from which it was computed', async () => {
  await show([1, 2], { 1: 10, 2: 20 })
  update('dcim.region', 10)
  await show([1, 2], { 1: 10, 2: 20 })
  expect(reads).toEqual([[1, 2], [1]])
})

it('all values depend on data that was read for all of them', async () => {
  await show([1, 2])
  update('dcim.region', 5, 'slug')
  await show([1, 2])
  expect(reads).toEqual([
    [1, 2],
    [1, 2],
  ])
})

it('a value computed from one cached row depends on that row only', async () => {
  await show([1, 2])
  const { dependencies } = await trackDependencies(cache.log, () => show([1]))
  update('dcim.site', 2)
  expect(dependencies?.isFresh()).toBe(true)
  update('dcim.site', 1)
  expect(dependencies?.isFresh()).toBe(false)
})

it('more rows than fit on a page are not cached', async () => {
  const ids = Array.from({ length: MOST_CACHED_ROWS + 1 }, (_, index) => index + 100)
  await show(ids)
  await show([101])
  expect(reads.map(({ length }) => length)).toEqual([MOST_CACHED_ROWS + 1, 1])
})

it('without room in the cache, every value is read each time', async () => {
  cache = new Cache(new ChangeLog(), 0)
  expect(await show([1])).toEqual(await show([1]))
  expect(reads).toEqual([[1], [1]])
  expect(cache.statistics()).toMatchObject({ entries: 0, misses: 0 })
})
