import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Sql } from '../../src/sql/fragment.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { spyOnReads } from '../support/read-spies.ts'

const LIST = '/api/dcim/sites/?limit=10'

let url: string
let writer: Api
let reader: Api
let ids: readonly number[]

beforeAll(async () => {
  url = await createTestDatabase('migrated')
  const open = () => openPostgres({ url, poolSize: 4, statementTimeout: 0 })
  writer = await startApiOver(open())
  reader = await startApiOver(open())
  const body = ['a', 'b', 'c'].map((slug) => ({ name: slug, slug }))
  const { json } = await writer.ask('POST', '/api/dcim/sites/', { body })
  ids = json.map(({ id }) => Number(id))
})
afterAll(async () => {
  await reader.close()
  await writer.close()
  await dropTestDatabase(url)
})

const sitesOf = async (node: Api) => (await node.ask('GET', LIST)).json.results ?? []

/** Fills the caches of the reading node, including whole responses, which are cached at the second request. */
const fillCaches = () =>
  eventually(async () => {
    await sitesOf(reader)
    const statements = await statementsOf(() => sitesOf(reader))
    expect([(await sitesOf(reader)).length, statements]).toEqual([(await sitesOf(writer)).length, []])
  })

/** Statements that the reading node executes meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly Sql[]> {
  const { database } = reader.service
  const reads = spyOnReads(database)
  try {
    await work()
    return reads.statements()
  } finally {
    reads.restore()
  }
}

it('an update on one node is shown by another, which reads only the changed row', async () => {
  await fillCaches()
  const [id] = ids
  const statements = await statementsOf(async () => {
    const { status } = await writer.ask('PATCH', `/api/dcim/sites/${id}/`, {
      body: { description: 'changed' },
    })
    expect(status).toBe(200)
    await eventually(async () => {
      const shown = (await sitesOf(reader)).map(({ description }) => description)
      expect(shown).toEqual(['changed', '', ''])
    })
  })
  const rows = statements.flatMap(({ statement }) => statement.uses.rowReads)
  expect(rows).toMatchObject([{ model: 'dcim.site', ids: [id] }])
  // Neither the ids of the page nor the count are read again.
  const texts = statements.map(({ text }) => text)
  expect(texts.filter((text) => /^select (?:t\.id|count\(\*\) as count) from/.test(text))).toEqual([])
})

it('a new row on one node is shown in the lists of another', async () => {
  await fillCaches()
  const body = { name: 'd', slug: 'd' }
  const { json } = await writer.ask('POST', '/api/dcim/sites/', { body })
  ids = [...ids, Number(json.id)]
  await eventually(async () => expect((await sitesOf(reader)).map((site) => Number(site.id))).toEqual(ids))
})

it('a change of another model does not affect what a node has cached', async () => {
  await fillCaches()
  const body = { name: 'Region', slug: 'region' }
  const { json: region } = await writer.ask('POST', '/api/dcim/regions/', { body })
  await eventually(async () => expect((await reader.ask('GET', '/api/dcim/regions/')).json.count).toBe(1))
  expect(await statementsOf(() => sitesOf(reader))).toEqual([])
  await writer.ask('PATCH', `/api/dcim/sites/${ids[1]}/`, { body: { region: region.id } })
  await eventually(async () => expect((await sitesOf(reader))[1]?.region?.name).toBe('Region'))
  // The name of the region is part of the site's text.
  await writer.ask('PATCH', `/api/dcim/regions/${region.id}/`, { body: { name: 'Renamed' } })
  await eventually(async () => expect((await sitesOf(reader))[1]?.region?.name).toBe('Renamed'))
})
