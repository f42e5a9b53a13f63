import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { displayOf } from '../../src/read/query/display.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table, updateTable } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'

describe('displays that are computed for a page', () => {
  let api: Api

  beforeAll(async () => {
    api = await startApi({ API_VERSION: '4.7' })
    const body = { name: 'Zürich "1"', slug: 'zuerich' }
    const { json: site } = await api.ask('POST', '/api/dcim/sites/', { body })
    const path = `/api/dcim/sites/${site.id}/`
    await api.ask('PATCH', path, { body: { description: 'changed' } })
    await api.ask('DELETE', path)
    await api.ask('POST', '/api/dcim/regions/', { body: { name: 'EMEA', slug: 'emea' } })
    // Of a plugin that is no longer loaded.
    const gone = sql`${updateTable('core.objectchange')} set changed_object_type = 'gone.thing'
      where changed_object_type = 'dcim.region'`
    await api.service.database.transaction((transaction) => transaction.execute(gone))
  })
  afterAll(() => api.close())

  it('match the declaration', async () => {
    const { service } = api
    const models = [...service.registry.models.values()].filter(({ definition }) => definition.batchDisplay)
    expect(models.map(({ name }) => name)).toEqual(['core.objectchange'])
    for (const model of models) {
      const rows = await service.database.query<{ id: number; display: string }>(
        sql`select t.id, ${displayOf(model, sql`t`)} as display from ${table(model)} t order by t.id`,
      )
      const { json } = await api.ask('GET', `/api/${model.path}/?ordering=id&fields=id,display`)
      expect(rows.length).toBeGreaterThan(3)
      expect(json.results).toEqual(rows)
    }
  })
})
