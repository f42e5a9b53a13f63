import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileOrder } from '../../src/read/query/order.ts'
import { allVisible } from '../../src/read/query/row-predicate.ts'
import { sliceIds } from '../../src/read/query/slice-ids.ts'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto, table } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'
import { spyOnReads } from '../support/read-spies.ts'

const COUNT = 20_500

describe('pages deep within a list', () => {
  let api: Api
  let all: readonly unknown[]

  beforeAll(async () => {
    api = await startApi({ MAX_PAGE_SIZE: '0' })
    await api.service.database.execute(sql`
      ${insertInto('extras.tag')} (name, slug, color, description, weight, object_types)
      select 'Tag ' || (number * 7919) % 20507, 'tag-' || number, '9e9e9e', '', 1000, '{}'
      from generate_series(1, ${COUNT}::int) number`)
    const ordered = sql`select id from ${table(api.service.registry.model('extras.tag'))} order by name desc`
    all = await api.service.database.queryColumn(ordered)
    expect(all).toHaveLength(COUNT)
  })
  afterAll(() => api.close())

  const page = async (limit: number, offset: number) => {
    const path = `/api/extras/tags/?fields=id&ordering=-name&limit=${limit}&offset=${offset}`
    const { json } = await api.ask('GET', path)
    return { count: json.count, ids: (json.results ?? []).map(({ id }) => id) }
  }

  const places: readonly (readonly [name: string, limit: number, offset: number])[] = [
    ['before the first deep page', 50, 9_990],
    ['at the first deep page', 50, 10_000],
    ['in the middle of a block', 200, 15_037],
    ['across the end of a block', 100, 19_950],
    ['across the end of the list', 100, 20_450],
    ['at the beginning of a block', 50, 15_000],
    ['behind the list', 50, 30_000],
    ['in a block without rows', 50, 230_000],
  ]

  it.each(places)('%s contain the objects at their offset', async (_name, limit, offset) => {
    const { ids, count } = await page(limit, offset)
    expect(count).toBe(COUNT)
    expect(ids).toEqual(all.slice(offset, offset + limit))
    // Blocks that are smaller than the list.
    const { service } = api
    const model = service.registry.model('extras.tag')
    const order = compileOrder(service, model, '-name')
    const security = { registry: service.registry, visibleRows: allVisible }
    const inSmallBlocks = await sliceIds(service, model, { order, security, window: { limit, offset } }, 5_000)
    expect(inSmallBlocks).toEqual(all.slice(offset, offset + limit))
  })

  it('are located once for all nearby pages, until something changes', async () => {
    await page(100, 12_000)
    const reads = spyOnReads(api.service.database)
    const { ids } = await page(50, 12_050)
    expect(reads.statements()).toEqual([])
    reads.restore()
    const body = { name: 'Tag 999999', slug: 'the-first' }
    expect((await api.ask('POST', '/api/extras/tags/', { body })).status).toBe(201)
    expect((await page(50, 12_051)).ids).toEqual(ids)
  })

  it('contain only what a user may view, also in a branch and in the past', async () => {
    const ids = (headers: Readonly<Record<string, string>>, more = '') =>
      api
        .ask('GET', `/api/extras/tags/?fields=id&ordering=-name&limit=50&offset=10000${more}`, { headers })
        .then(({ json }) => (json.results ?? []).map(({ id }) => id))
    const now = new Date().toISOString()
    const expected = (await page(50, 10_000)).ids
    expect(await ids({}, `&as_of=${now}`)).toEqual(expected)
    await api.make('plugins/branching/branches', { name: 'Plan' })
    await api.background.runUntilIdle()
    const { json: branches } = await api.ask('GET', '/api/plugins/branching/branches/')
    expect(await ids({ 'X-NetBox-Branch': String(branches.results?.[0]?.schema_id) })).toEqual(expected)
    const user = await api.make('users/users', { username: 'reader', password: 'Reader-of-tags-1' })
    await api.make('users/permissions', {
      ...{ name: 'Few tags', object_types: ['extras.tag'], actions: ['view'], users: [user] },
      constraints: { id__lte: 12_000 },
    })
    const key = '89abcdef0123456789abcdef0123456789abcdef'
    await api.make('users/tokens', { user, version: 1, token: key })
    const visible = await ids({ authorization: `Token ${key}` })
    expect(visible).toHaveLength(50)
    expect(Math.max(...visible.map(Number))).toBeLessThanOrEqual(12_000)
  })
})
