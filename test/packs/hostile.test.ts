import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const NAME = { name: { kind: 'text', max: 50 } }

/** A pack with one model, which differs from a valid one by `model`. */
const packOf = (model: object, pack: object = {}) => ({
  name: 'hostile',
  models: [{ name: 'thing', path: 'things', labels: ['thing', 'things'], fields: NAME, ...model }],
  ...pack,
})

const field = (declaration: unknown) => packOf({ fields: { ...NAME, x: declaration } })

it.each([
  ['nothing', null],
  ['a list', []],
  ['a text', 'name: hostile'],
  ['no name', { models: [] }],
  ['a name with capitals', packOf({}, { name: 'Hostile' })],
  ['a name that leads elsewhere', packOf({}, { name: '../dcim' })],
  ['the app of the program', packOf({}, { app: 'dcim' })],
  ['the address of a part of the program', packOf({}, { name: 'custom-objects' })],
  ['the address of clients', packOf({}, { name: 'branching' })],
  ['a property that does not exist', packOf({}, { modules: [] })],
  ['the name constructor', packOf({ fields: { ...NAME, constructor: { kind: 'text' } } })],
  ['the name __proto__', JSON.parse('{"name":"hostile","__proto__":{"models":[]},"models":[{"name":"__proto__"}]}')],
  ['a field id', packOf({ fields: { ...NAME, id: { kind: 'integer' } } })],
  ['a field url', packOf({ fields: { ...NAME, url: { kind: 'url' } } })],
  ['a field display', packOf({ fields: { ...NAME, display: { kind: 'text' } } })],
  ['a name of a field with a quote', packOf({ fields: { ...NAME, 'x" text': { kind: 'text' } } })],
  ['a long name of a field', packOf({ fields: { ...NAME, ['x'.repeat(80)]: { kind: 'text' } } })],
  ['an unknown kind', field({ kind: 'sql' })],
  ['a kind that objects inherit', field({ kind: 'constructor' })],
  ['an option of another kind', field({ kind: 'boolean', max: 5 })],
  ['a default of another type', field({ kind: 'integer', default: 'many' })],
  ['a default beyond the range', field({ kind: 'integer', range: [0, 5], default: 7 })],
  ['a default that is no choice', field({ kind: 'choice', choices: { a: 'A' }, default: 'b' })],
  ['no choices', field({ kind: 'choice', choices: {} })],
  [
    'a choice twice',
    field({
      kind: 'choice',
      choices: [
        ['a', 'A'],
        ['a', 'B'],
      ],
    }),
  ],
  ['an unknown target', field({ kind: 'object', to: 'dcim.nothing' })],
  ['an internal target', field({ kind: 'object', to: 'core.jobtask' })],
  ['a pattern that is none', field({ kind: 'text', pattern: '(' })],
  ['a taken way back', field({ kind: 'object', to: 'dcim.device', related: 'interfaces' })],
  [
    'two fields with one column',
    packOf({
      fields: {
        site_id: { kind: 'integer' },
        site: { kind: 'object', to: 'dcim.site' },
        site__id: { kind: 'integer' },
      },
    }),
  ],
  ['an expression that is none', field({ kind: 'computed', expression: 'upper(' })],
  ['an expression over nothing', field({ kind: 'computed', expression: 'nothing + 1' })],
  ['a count of nothing', field({ kind: 'count', of: 'dcim.device', via: 'nothing' })],
  [
    'a display that leads to itself',
    packOf({ display: '{x}', fields: { ...NAME, x: { kind: 'object', to: 'hostile.thing', optional: true } } }),
  ],
  ['a display over nothing', packOf({ display: '{nothing}' })],
  ['a display with open brackets', packOf({ display: '[{name}' })],
  ['an order by nothing', packOf({ order: ['nothing'] })],
  ['a unique constraint over nothing', packOf({ unique: [['nothing']] })],
  ['a rule that is no condition', packOf({ rules: [{ expression: 'name', message: 'No' }] })],
  ['a rule about nothing', packOf({ rules: [{ expression: 'true', message: 'No', field: 'nothing' }] })],
  ['a filter over nothing', packOf({ filters: { odd: { path: 'nothing', kind: 'text' } } })],
  ['a filter to nothing', packOf({ filters: { odd: { path: 'name', kind: 'object', to: 'dcim.nothing' } } })],
  ['a brief form with nothing', packOf({ brief: ['nothing'] })],
  ['columns of nothing', packOf({ columns: ['nothing'] })],
  ['two models with one name', { ...packOf({}), models: [packOf({}).models[0], packOf({}).models[0]] }],
  [
    'two models with one path',
    { ...packOf({}), models: [packOf({}).models[0], { ...packOf({}).models[0], name: 'other' }] },
  ],
  ['a path that leads elsewhere', packOf({ path: '../../dcim/sites' })],
  ['an alias of its own path', packOf({ aliases: ['things'] })],
  ['a parent that is no relation to itself', packOf({ parent: 'name' })],
  ['a parent that does not exist', packOf({ parent: 'nothing' })],
  ['a GraphQL name that exists', packOf({ graphql: { root: 'device' } })],
  ['a GraphQL type that exists', packOf({ graphql: { type: 'DeviceType' } })],
  [
    'too many models',
    {
      name: 'hostile',
      models: Array.from({ length: 201 }, (_, n) => ({ ...packOf({}).models[0], name: `t${n}`, path: `t${n}` })),
    },
  ],
])('a document with %s is refused, and changes nothing', async (_what, document) => {
  const body = { name: 'hostile', document, enabled: true }
  const { status, text, json } = await api.ask('POST', '/api/core/packs/', { body })
  if (status === 201) await api.ask('DELETE', `/api/core/packs/${json.id}/`)
  expect(status, text).toBe(400)
  expect(text).not.toMatch(/stack|undefined|Cannot read/)
  expect((await api.ask('GET', '/api/core/packs/?source=own')).json.count).toBe(0)
  expect((await api.ask('GET', '/api/plugins/')).json.hostile).toBeUndefined()
  expect(
    (await api.ask('POST', '/graphql/', { body: { query: '{ device_list { id } }' } })).json.errors,
  ).toBeUndefined()
})

it('a field may have the name of a parameter of lists, which keeps its meaning', async () => {
  const fields = {
    ...NAME,
    limit: { kind: 'integer' },
    q: { kind: 'text', default: '' },
    fields: { kind: 'boolean', default: false },
  }
  const id = await api.make('core/packs', { document: packOf({ fields }), enabled: true })
  for (const limit of [7, 8]) await api.make('plugins/hostile/things', { name: `thing ${limit}`, limit, fields: true })
  const { json } = await api.ask('GET', '/api/plugins/hostile/things/?limit=1&q=thing&fields=name,limit')
  expect([json.count, json.results]).toEqual([2, [{ name: 'thing 7', limit: 7 }]])
  await api.ask('DELETE', `/api/core/packs/${id}/`)
})
