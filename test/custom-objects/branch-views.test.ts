import { expect, it, onTestFinished } from 'vitest'
import { migrateWithin } from '../../src/db/migrate/migrate.ts'
import { volatile } from '../../src/sql/fragment.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

const BASE = '/api/plugins/custom-objects'

it('changes of types leave the views and functions of branches as if all had been created anew', async () => {
  const api = await startApiWithOwnModels()
  onTestFinished(() => api.close())
  const { database } = api.service
  const definitions = async () =>
    await database.query(volatile`
      select c.relname::text as name, pg_get_viewdef(c.oid) as text from pg_class c
      where c.relnamespace = 'branch'::regnamespace and c.relkind = 'v'
      union all select p.oid::regprocedure::text, pg_get_functiondef(p.oid) from pg_proc p
      where p.pronamespace = 'branch'::regnamespace order by 1`)
  const field = async (name: string): Promise<string> => {
    const { json } = await api.ask('GET', `${BASE}/custom-object-type-fields/?name=${name}`)
    return `${BASE}/custom-object-type-fields/${json.results?.[0]?.id}/`
  }
  const gadget = { custom_object_type: { slug: 'gadgets' } }
  const fields = `${BASE}/custom-object-type-fields/`
  const changes: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', fields, { ...gadget, name: 'rack', type: 'object', related_object_type: 'dcim.rack', required: false }],
    ['POST', fields, { ...gadget, name: 'devices', type: 'multiobject', related_object_type: 'dcim.device' }],
    ['PATCH', await field('serial'), { name: 'number' }],
    ['PATCH', await field('serial'), { type: 'decimal' }],
    ['PATCH', await field('site'), { on_delete_behavior: 'cascade' }],
    ['DELETE', await field('racks')],
    ['POST', `${BASE}/custom-object-types/`, { name: 'sensor', slug: 'sensors', extends: 'dcim.device' }],
    ['POST', fields, { custom_object_type: { slug: 'sensors' }, name: 'unit', type: 'text' }],
    ['DELETE', `${BASE}/custom-object-types/3/`],
    ['DELETE', `${BASE}/removed/`],
  ]
  for (const [method, path, body] of changes) {
    const { status, text } = await api.ask(method, path, { body })
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300)
  }
  const changed = await definitions()
  await database.execute(volatile`update cadastre_schema set schema = (schema::jsonb - 'views')::text`)
  await database.transaction(async (transaction) => {
    await migrateWithin(transaction, api.service.registry, [], { whileServed: true })
  })
  expect(await definitions()).toEqual(changed)
  expect(changed.length).toBeGreaterThan(100)
})
