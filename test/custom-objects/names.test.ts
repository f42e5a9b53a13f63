import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_FILTERS } from '../../src/web/lists/list-query.ts'
import { type Api, startApi } from '../support/api.ts'

const BASE = '/api/plugins/custom-objects'
const FIELDS = `${BASE}/custom-object-type-fields/`
let api: Api
let custom_object_type: number
beforeAll(async () => {
  api = await startApi()
  custom_object_type = await api.make('plugins/custom-objects/custom-object-types', { name: 'thing', slug: 'things' })
})
afterAll(() => api.close())

const addField = async (body: object) =>
  await api.ask('POST', FIELDS, { body: { custom_object_type, type: 'text', ...body } })
const related = (model: string, more: object = {}) => ({ type: 'object', app_label: 'dcim', model, ...more })
const several = { is_polymorphic: true, related_object_types_input: [{ app_label: 'dcim', model: 'site' }] }

describe('names of fields', () => {
  it('cannot be parameters of requests for the objects', async () => {
    const { json } = await api.ask('GET', '/api/schema/?format=json')
    const parameters = [...(json.paths?.[`${BASE}/things/`]?.get?.parameters ?? [])]
      .filter((parameter) => String(parameter.in) === 'query')
      .map(({ name }) => String(name))
    const names = [...new Set([...parameters, ...NO_FILTERS, 'sort', 'page', 'per_page', 'indent'])]
    expect(names).toEqual(expect.arrayContaining(['count', 'ordering', 'group_by', 'tag', 'view_id', 'as_of']))
    const accepted: string[] = []
    for (const name of names.filter((word) => !word.includes('__'))) {
      const { status, text } = await addField({ name })
      if (status !== 400 || !text.includes('"name"')) accepted.push(`${name}: ${status} ${text}`)
    }
    expect(accepted).toEqual([])
  })

  it.each([
    ['a filter by ids', { name: 'a_site', ...related('site') }, 'a_site_id'],
    ['a filter by ids of a list', { name: 'b_sites', ...related('site', { type: 'multiobject' }) }, 'b_sites_id'],
    ['the type of an object', { name: 'c_object', type: 'object', ...several }, 'c_object_type'],
    ['the ids of objects of one type', { name: 'd_object', type: 'object', ...several }, 'd_object_dcim_site'],
    ['a filter by ids of one list', { name: 'e_list', type: 'multiobject', ...several }, 'e_list_dcim_site_id'],
    ['the title of a link', { name: 'f_link', type: 'url' }, 'f_link_title'],
    ['a part of coordinates', { name: 'g_spot', type: 'coordinates' }, 'g_spot_latitude'],
    [
      'a filter by the group of a tenant',
      { name: 'tenant', ...related('tenant', { app_label: 'tenancy' }) },
      'tenant_group',
    ],
  ])('cannot be that of %s of another field, in either order', async (_kind, field, name) => {
    const first = await addField(field)
    expect(first.status, first.text).toBe(201)
    const refused = await addField({ name })
    expect([refused.status, Object.keys(refused.json)], refused.text).toEqual([400, ['name']])
    expect((await api.ask('DELETE', `${FIELDS}${first.json.id}/`)).status).toBe(204)
    const second = await addField({ name })
    expect(second.status, second.text).toBe(201)
    const again = await addField(field)
    expect([again.status, Object.keys(again.json)], again.text).toEqual([400, ['name']])
  })

  it.each(['prototype', 'class', 'order', 'select', 'valueof'])('can be %s in every request', async (name) => {
    const { status, text, json } = await addField({ name })
    expect(status, text).toBe(201)
    const made = await api.ask('POST', `${BASE}/things/`, { body: { [name]: 'v' } })
    expect([made.status, made.json[name]], made.text).toEqual([201, 'v'])
    const bare = await api.ask('POST', `${BASE}/things/`, { body: {} })
    expect([bare.status, bare.json[name]], bare.text).toEqual([201, null])
    const path = `${BASE}/things/${made.json.id}/`
    const changed = await api.ask('PATCH', path, { body: { [name]: 'w' } })
    expect([changed.status, changed.json[name]], changed.text).toEqual([200, 'w'])
    const countOf = async (query: string) => Number((await api.ask('GET', `${BASE}/things/?${query}`)).json.count)
    expect([await countOf(`${name}=w`), await countOf(`${name}__ic=W`), await countOf(`${name}=x`)]).toEqual([1, 1, 0])
    expect((await api.ask('GET', `${BASE}/things/?fields=id,${name}&ordering=${name}`)).json.results?.[0]).toEqual(
      expect.objectContaining({ [name]: 'w' }),
    )
    for (const page of ['', 'add/', 'import/', `${made.json.id}/`, `${made.json.id}/edit/`, `?${name}=w`]) {
      expect((await api.ask('GET', `/plugins/custom-objects/things/${page}`)).status, page).toBe(200)
    }
    expect((await api.ask('DELETE', `${FIELDS}${json.id}/`)).status).toBe(204)
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'a__b', '_a', 'valueOf'])(
    'cannot be %s',
    async (name) => {
      const body = `{"custom_object_type": ${custom_object_type}, "type": "text", "name": "${name}"}`
      const { status, json } = await api.ask('POST', FIELDS, {
        body,
        headers: { 'Content-Type': 'application/json' },
      })
      expect([status, Object.keys(json)]).toEqual([400, ['name']])
    },
  )
})
