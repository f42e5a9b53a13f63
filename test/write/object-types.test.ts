import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { raw, sql } from '../../src/sql/fragment.ts'
import { type Api, startApi } from '../support/api.ts'

let api: Api
let types: readonly { readonly name: string; readonly features: readonly string[] }[]
beforeAll(async () => {
  api = await startApi({ API_VERSION: '4.7' })
  const { json } = await api.ask('GET', '/api/core/object-types/?public=true&limit=1000')
  types = [...(json.results ?? [])].map(({ app_label, model, features }) => ({
    name: `${app_label}.${model}`,
    features: [...(features ?? [])].map(String),
  }))
})
afterAll(() => api.close())

const LISTS: readonly (readonly [path: string, feature: string, body: (n: number) => object])[] = [
  ['extras/custom-fields', 'custom_fields', (n) => ({ name: `f${n}`, type: 'text', default: 'x' })],
  ['extras/custom-links', 'custom_links', (n) => ({ name: `l${n}`, link_text: 'x', link_url: 'http://x' })],
  ['extras/export-templates', 'export_templates', (n) => ({ name: `t${n}`, template_code: 'x' })],
  ['extras/tags', 'tags', (n) => ({ name: `t${n}`, slug: `t${n}` })],
  [
    'extras/event-rules',
    'event_rules',
    (n) => ({
      ...{ name: `r${n}`, event_types: ['object_created'], action_type: 'notification' },
      ...{ action_object_type: 'extras.notificationgroup', action_object_id: 1 },
    }),
  ],
  ['core/change-policies', 'change_logging', (n) => ({ name: `p${n}` })],
]

describe.each(LISTS)('the object types of %s', (path, feature, body) => {
  it(`are those with the feature ${feature}`, async () => {
    if (path === 'extras/event-rules') await api.make('extras/notification-groups', { name: 'G' })
    const bodies = types.map(({ name }, index) => ({ ...body(index), object_types: [name] }))
    const { json } = await api.ask('POST', `/api/${path}/`, { body: bodies })
    const refused = new Set([...(json.errors ?? [])].map(({ index }) => types[Number(index)]?.name))
    const lacking = types.filter(({ features }) => !features.includes(feature)).map(({ name }) => name)
    expect([...refused]).toEqual(lacking)
    expect(lacking.length).toBeGreaterThan(path === 'core/change-policies' ? 0 : 10)
    expect(lacking.length).toBeLessThan(types.length - 10)
  })
})

describe('a custom field of an object type that lacks the feature, from an earlier version', () => {
  const make = async (name: string): Promise<string> => {
    const id = await api.make('extras/custom-fields', { name, type: 'text', object_types: ['dcim.site'] })
    const set = raw(`update extras_customfield set object_types = '{dcim.site,extras.tag,users.token}'`)
    await api.service.database.execute(sql`${set} where id = ${id}::bigint`)
    return `/api/extras/custom-fields/${id}/`
  }

  it.each<[string, string, unknown, number]>([
    ['can be renamed', 'PATCH', { name: 'renamed' }, 200],
    ['can be moved', 'PATCH', { object_types: ['dcim.rack'] }, 200],
    ['can lose those types', 'PATCH', { object_types: ['dcim.site'] }, 200],
    ['cannot keep them on purpose', 'PATCH', { object_types: ['dcim.site', 'extras.tag'] }, 400],
    ['can be deleted', 'DELETE', undefined, 204],
  ])('%s', async (name, method, body, status) => {
    const path = await make(name.replaceAll(' ', '_'))
    const answer = await api.ask(method, path, body === undefined ? {} : { body })
    expect(answer.status, answer.text).toBe(status)
  })

  it('does not disturb the objects of that type', async () => {
    await make('disturbing')
    const id = await api.make('extras/tags', { name: 'T', slug: 't' })
    expect((await api.ask('PATCH', `/api/extras/tags/${id}/`, { body: { description: 'x' } })).status).toBe(200)
    expect((await api.ask('GET', '/api/extras/tags/')).json.results?.[0]).not.toHaveProperty('custom_fields')
  })

  it('lets its set of choices lose a value', async () => {
    const choice_set = await api.make('extras/custom-field-choice-sets', {
      ...{
        name: 'S',
        extra_choices: [
          ['a', 'A'],
          ['b', 'B'],
        ],
      },
    })
    const id = await api.make('extras/custom-fields', {
      ...{ name: 'chosen', type: 'select', choice_set, object_types: ['dcim.site'] },
    })
    const set = raw(`update extras_customfield set object_types = '{dcim.site,extras.tag}'`)
    await api.service.database.execute(sql`${set} where id = ${id}::bigint`)
    const path = `/api/extras/custom-field-choice-sets/${choice_set}/`
    expect((await api.ask('PATCH', path, { body: { extra_choices: [['a', 'A']] } })).status).toBe(200)
  })
})
