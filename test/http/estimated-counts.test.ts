import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'

/** Enough rows that the planner considers counting them expensive. */
const COUNT = 300_000
const TAGS = '/api/extras/tags/?fields=id'

describe('the number of objects in a list', () => {
  let api: Api

  beforeAll(async () => {
    api = await startApi()
    const { database } = api.service
    await database.execute(sql`
      ${insertInto('extras.tag')} (name, slug, color, description, weight, object_types)
      select 'Tag ' || number, 'tag-' || number, case when number % 3 = 0 then 'aa1409' else '9e9e9e' end, '', 1000, '{}'
      from generate_series(1, ${COUNT}::int) number`)
    await database.script('analyze extras_tag')
  })
  afterAll(() => api.close())

  const counted: readonly (readonly [name: string, query: string, count: number])[] = [
    ['is exact', 'limit=1', COUNT],
    ['is exact if the request says so', 'limit=1&count=exact', COUNT],
    ['is exact if few objects match', 'slug=tag-7&slug=tag-8&limit=1&count=estimated', 2],
    ['is exact on the last page', `limit=50&offset=${COUNT - 20}&count=estimated`, COUNT],
    ['is exact if none match', 'slug=none&count=estimated', 0],
  ]
  it.each(counted)('%s', async (_name, query, count) => {
    const { json } = await api.ask('GET', `${TAGS}&${query}`)
    expect(json.count).toBe(count)
  })

  const estimated: readonly (readonly [query: string, count: number])[] = [
    ['limit=2', COUNT],
    ['limit=2&color=aa1409', COUNT / 3],
    [`limit=2&offset=${COUNT + 20}`, COUNT],
  ]
  describe('is an estimate on request', () => {
    it.each(estimated)('%s', async (query, count) => {
      const { json } = await api.ask('GET', `${TAGS}&${query}&count=estimated`)
      expect(json.count).toBeGreaterThan(count * 0.9)
      expect(json.count).toBeLessThan(count * 1.1)
    })

    it('also on the next page', async () => {
      const { json } = await api.ask('GET', `${TAGS}&limit=2&count=estimated`)
      expect(json.next).toContain('count=estimated')
      expect(json.results).toHaveLength(2)
    })
  })

  it('is refused if the request asks for something else', async () => {
    const { status, json } = await api.ask('GET', `${TAGS}&count=rough`)
    expect(status).toBe(400)
    expect(json.count).toEqual(["'rough' is neither exact nor estimated."])
  })
})
