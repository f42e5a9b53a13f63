import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'

const EVENTS = '/api/core/events/'
/** More than one query of the stream covers. */
const MANY = 4_500
const LAST = MANY + 4

const sites = (...names: string[]) => names.map((name) => ({ name, slug: name.toLowerCase() }))

const write = async (api: Api, body: unknown): Promise<void> => {
  const { status, text } = await api.ask('POST', '/api/dcim/sites/', { body })
  expect(status, text).toBe(201)
}

const numbers = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('events of large requests', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    await write(api, sites('Ams', 'Ber', 'Cdg'))
    // As a statement of the write pipeline leaves it.
    await api.service.database.execute(sql`
      with recorded as (
        insert into core_objectchange (time, user_name, request_id, action, changed_object_type, changed_object_id, object_repr, message)
        select now(), 'many', gen_random_uuid(), case when i % 1000 = 0 then 'delete' else 'update' end, 'dcim.site', 2, 'Ber ' || i, ''
        from generate_series(1, ${MANY}) i order by i returning id)
      insert into core_event (kind, change, count, created) select 'change', min(id), count(*), now() from recorded`)
    await write(api, sites('Dus'))
    await api.background.runUntilIdle()
  })
  afterAll(() => api.close())

  const read = async (query: string): Promise<Document> => (await api.ask('GET', EVENTS + query)).json
  const positions = ({ results }: Document) => results?.map(({ position }) => position)

  it('are read page by page without a gap', async () => {
    const found: Document[] = []
    for (let page = await read('?limit=1000'); page.results?.length; ) {
      found.push(...page.results)
      page = await read(`?limit=1000&after=${page.position}`)
    }
    expect(found.map(({ position }) => position)).toEqual(numbers(1, LAST))
    const names = numbers(1, MANY).map((number) => `Ber ${number}`)
    expect(found.map((event) => event.object_repr)).toEqual(['Ams', 'Ber', 'Cdg', ...names, 'Dus'])
  })

  it.each([1, 3, 4, 2_500, MANY + 1, MANY + 3])('are read on from a position between them: %i', async (position) => {
    const answer = await read(`?after=${position}&limit=2`)
    expect(positions(answer)).toEqual(numbers(position + 1, Math.min(position + 2, LAST)))
  })

  it('are found by filters', async () => {
    const found = await read('?event=object_deleted')
    const rest = await read(`?event=object_deleted&after=${found.position}`)
    const last = await read(`?event=object_deleted&after=${rest.position}`)
    expect([found, rest, last].flatMap(positions)).toEqual([1_003, 2_003, 3_003, 4_003])
    expect(last.position).toBe(LAST)
  })

  it('used as a point in time show the state at the commit of their request', async () => {
    const namesAt = async (position: number) => {
      const { json } = await api.ask('GET', `/api/dcim/sites/?as_of=${position}&fields=name`)
      return (json.results ?? []).map(({ name }) => name)
    }
    expect(await namesAt(1)).toEqual(['Ams', 'Ber', 'Cdg'])
    expect(await namesAt(2)).toEqual(['Ams', 'Ber', 'Cdg'])
    expect(await namesAt(LAST)).toEqual(['Ams', 'Ber', 'Cdg', 'Dus'])
  })

  it('occur once even if other requests have taken ids between those of their records', async () => {
    const other = await apiOfTest()
    await other.service.database.execute(sql`alter table core_objectchange alter column id set increment by 2`)
    await write(other, sites('Ams', 'Ber', 'Cdg'))
    await other.background.runUntilIdle()
    const { json } = await other.ask('GET', EVENTS)
    expect(json.results?.map(({ position, object_repr: name }) => `${position} ${name}`)).toEqual([
      '1 Ams',
      '2 Ber',
      '3 Cdg',
    ])
  })
})
