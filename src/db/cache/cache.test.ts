import { beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { Cache, SMALLEST_BUDGET } from './cache.ts'
import { ChangeLog } from './change-log.ts'
import { type ModelChange, wholeModel } from './model-change.ts'
import { markUncacheable, noteStatement, trackDependencies } from './read-set.ts'

const MEGABYTE = 1_000_000

let log: ChangeLog
let cache: Cache
beforeEach(() => {
  log = new ChangeLog()
  cache = new Cache(log, SMALLEST_BUDGET)
})

/** Number of times that the value had to be loaded, when it is requested now. */
function counter(key: string, read: () => unknown, of = (): Cache => cache, isEssential = false) {
  let loads = 0
  const load = async () => {
    await read()
    loads += 1
    return loads
  }
  return () => of().get(key, load, { bytes: 8, isEssential })
}

const readSites = () => noteStatement(sql`select * from ${table(site)}`)

describe('the budget', () => {
  const keep = (key: string, bytes = MEGABYTE) => cache.get(key, async () => key, { bytes })
  const cached = (keys: string) => [...keys].filter((key) => cache.find(key) !== undefined).join('')

  it('drops the values that have not been used for the longest time', async () => {
    for (const key of 'abcdefgh') await keep(key)
    expect(cached('abcdefgh')).toBe('abcdefgh')
    cache.find('a')
    await keep('i')
    expect(cached('abcdefghi')).toBe('acdefghi')
    expect(cache.statistics().bytes).toBeLessThanOrEqual(SMALLEST_BUDGET)
  })

  it('is not spent on a value that would take more than an eighth of it', async () => {
    await keep('large', SMALLEST_BUDGET / 8)
    expect(cached('large')).toBe('')
  })

  it('includes the key and the entry itself', async () => {
    await keep('k', 0)
    expect(cache.statistics().bytes).toBeGreaterThan(0)
  })

  it('is the same for values whose size becomes known only when they are loaded', async () => {
    await cache.get('text', async () => 'x'.repeat(500), { bytes: (text) => text.length })
    expect(cache.statistics().bytes).toBeGreaterThan(500)
  })
})

describe('a cache without room', () => {
  it('caches only essential values', async () => {
    cache = new Cache(log, SMALLEST_BUDGET - 1)
    const page = counter('page', readSites)
    const token = counter('token', readSites, () => cache, true)
    expect([await page(), await page(), await token(), await token()]).toEqual([1, 2, 1, 1])
  })

  it('does not look for other values or track them', async () => {
    cache = new Cache(log, 0)
    const page = counter('page', readSites)
    expect([await page(), await page()]).toEqual([1, 2])
    expect(cache.statistics()).toEqual({ entries: 0, bytes: 0, hits: 0, misses: 0 })
  })

  it('passes the dependencies of other values on to those computed from them', async () => {
    cache = new Cache(log, 0)
    const page = counter('page', readSites)
    const token = counter('token', page, () => cache, true)
    expect([await token(), await token()]).toEqual([1, 1])
    log.record([wholeModel('dcim.site')])
    expect(await token()).toBe(2)
  })
})

// Reads, and the changes that make the value stale.
const site = { name: 'dcim.site', table: 'dcim_site' }
const rack = { name: 'dcim.rack', table: 'dcim_rack' }
const change = (more: Partial<ModelChange>): ModelChange => ({
  ...{ model: 'dcim.site', rows: new Set([1]), columns: new Set(['name']) },
  ...more,
})
const list = () => noteStatement(sql`select t.id from ${table(site)} t order by t.name`)
const cases = [
  { name: 'another model', read: list, change: change({ model: 'dcim.rack' }), isStale: false },
  {
    name: 'a column that is not read',
    read: list,
    change: change({ columns: new Set(['status']) }),
    isStale: false,
  },
  { name: 'a column that is read', read: list, change: change({}), isStale: true },
  { name: 'unknown columns', read: list, change: change({ columns: undefined }), isStale: true },
  { name: 'unknown rows', read: list, change: wholeModel('dcim.site'), isStale: true },
  {
    name: 'a column of a table that is read as a whole',
    read: () => noteStatement(sql`select * from ${table(site)}`),
    change: change({ columns: new Set(['status']) }),
    isStale: true,
  },
  {
    name: 'a value that it was made of',
    read: () => cache.get('part', async () => list() ?? 1, { bytes: 8 }),
    change: change({}),
    isStale: true,
  },
  {
    name: 'what a value that was cached before was made of',
    read: async () => {
      await trackDependencies(log, () => cache.get('part', async () => list() ?? 1, { bytes: 8 }))
      cache.find('part')
    },
    change: change({}),
    isStale: true,
  },
]

describe('a value', () => {
  it.each(cases)('after a change of $name: stale $isStale', async ({ read, change: made, isStale }) => {
    const value = counter('value', read)
    expect([await value(), await value()]).toEqual([1, 1])
    log.record([made])
    expect(await value()).toBe(isStale ? 2 : 1)
  })

  it('stays stale, and is fresh again once it is loaded again', async () => {
    const value = counter('value', list)
    await value()
    log.record([change({})])
    expect(cache.find('value')).toBeUndefined()
    expect([await value(), await value()]).toEqual([2, 2])
  })

  it('is not cached if its data changed while it was being computed', async () => {
    const value = counter('value', () => {
      list()
      log.record([change({})])
    })
    expect([await value(), await value()]).toEqual([1, 2])
  })

  it('is cached if only other data changed while it was being computed', async () => {
    const value = counter('value', () => {
      list()
      log.record([change({ model: 'dcim.rack' })])
    })
    expect([await value(), await value()]).toEqual([1, 1])
  })

  it('from many commits ago is stale once its model has changed in any way', async () => {
    const [sites, racks] = [
      counter('sites', list),
      counter('racks', () => noteStatement(sql`select * from ${table(rack)}`)),
    ]
    await sites()
    await racks()
    // So many that the details of the first ones are dropped.
    for (let commits = 0; commits < 600; commits += 1) {
      log.record([change({ columns: new Set(['status']) })])
    }
    expect([await sites(), await racks()]).toEqual([2, 1])
  })

  it('that depends on uncommitted changes is neither found nor cached', async () => {
    const value = counter('value', list)
    await value()
    const without = new Map([['dcim.site', 1]])
    expect(cache.find('value', without)).toBeUndefined()
    expect(cache.find('value', new Map([['dcim.rack', 1]]))).toBe(1)
    await cache.get('own', async () => list() ?? 1, { bytes: 8, without })
    expect(cache.find('own')).toBeUndefined()
  })

  it('computed from the current time, or by a failing query, is not cached', async () => {
    const value = counter('value', markUncacheable)
    expect([await value(), await value()]).toEqual([1, 2])
    let attempts = 0
    const failing = () =>
      cache.get(
        'failing',
        async () => {
          attempts += 1
          throw new Error(`attempt ${attempts}`)
        },
        { bytes: 8 },
      )
    await expect(failing()).rejects.toThrow('attempt 1')
    await expect(failing()).rejects.toThrow('attempt 2')
  })

  it('that is being loaded is awaited by other requests for it', async () => {
    const value = counter('value', list)
    expect(await Promise.all([value(), value(), value()])).toEqual([1, 1, 1])
  })

  it('that became stale while it was being loaded is loaded again for those who waited for it', async () => {
    const value = counter('value', () => {
      list()
      log.record([change({})])
    })
    expect(await Promise.all([value(), value()])).toEqual([1, 2])
  })

  it('that is being loaded within a transaction is not awaited by other requests', async () => {
    const without = new Map([['dcim.site', 1]])
    const { promise: end, resolve } = Promise.withResolvers<number>()
    const loading = cache.get('value', async () => list() ?? (await end), { bytes: 8, without })
    expect(await counter('value', list)()).toBe(1)
    resolve(7)
    expect(await loading).toBe(7)
  })

  it('is not cached while changes may be missed, and all values are stale afterwards', async () => {
    const value = counter('value', list)
    await value()
    log.suspend()
    expect([await value(), await value()]).toEqual([2, 3])
    log.resume()
    expect([await value(), await value()]).toEqual([4, 4])
  })

  it('is no longer cached after everything has been dropped', async () => {
    const value = counter('value', list)
    await value()
    cache.clear()
    expect(await value()).toBe(2)
  })
})

it('counts hits and misses', async () => {
  const value = counter('value', list)
  await value()
  await value()
  expect(cache.statistics()).toMatchObject({ entries: 1, hits: 1, misses: 1 })
})
