import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleBody } from '../../src/schema/example-values.ts'
import { genericKeys } from '../../src/schema/generic-keys.ts'
import { isWritable } from '../../src/schema/writable.ts'
import { collections, ExampleObjects, formOf, offers } from '../registry/example-objects.ts'
import type { ApiAnswer, Document } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

const environment = { PLUGINS: './examples/maintenance.ts' }
const api = await startApiWithOwnModels(environment)
afterAll(() => api.close())
const { registry } = api.service

/** Every generic relation that a body can set. */
const relations = collections(registry).flatMap((model) =>
  [...model.fields].flatMap(([name, field]) =>
    field.kind === 'genericForeignKey' && isWritable(field) && offers(model, 'POST')
      ? [{ label: `${model.name}.${name}`, model, field, keys: genericKeys(name, field) }]
      : [],
  ),
)

/** Models whose objects the user may view. */
const visible = new Set(relations.map(({ model }) => model.name))

/** Larger than the id of any object. */
const MISSING = 999_999

describe('an object that a user may not view', () => {
  let objects: ExampleObjects
  let token: string
  let user: number
  const make = async (path: string, body: unknown): Promise<Document> => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return json
  }
  const ask = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
    api.ask(method, path, { token, body })

  beforeAll(async () => {
    objects = new ExampleObjects(api)
    await objects.createAll()
    const account = { username: 'bob', password: 'Corr3ct-Horse-Battery' }
    user = Number((await make('users/users', account)).id)
    token = String((await make('users/tokens', { user })).key)
    await make('users/permissions', {
      ...{
        name: 'relations',
        object_types: [...visible],
        actions: ['view', 'add', 'change'],
      },
      ...{ users: [user] },
    })
  })

  it.each(relations)('cannot be told from a missing one: $label', async ({ model, field, keys }) => {
    const stored = (name: string) => Number(objects.of(registry.model(name))[1]?.id)
    const { body: unused } = exampleBody(registry, model, 7, stored, { whole: false })
    const example = unused ?? objects.body(model, 2) ?? objects.body(model, 1)
    const type = registry.targets(field).find((each) => !visible.has(each.name) && objects.of(each).length > 0)
    if (example === undefined || type === undefined) throw new Error('There is no example.')
    const target = Number(objects.of(type)[1]?.id)
    const body = {
      ...example,
      ...('name' in example && { name: 'new' }),
      ...('user' in example && { user }),
      [keys.type]: type.name,
    }
    const refusal = async (method: string, path: string, id: number): Promise<string> => {
      const sent = { ...body, [keys.id]: id }
      const isForm = Object.values<unknown>(sent).some((value) => value instanceof Blob)
      const { json, text } = await ask(method, path, isForm ? formOf(sent) : sent)
      expect(text).toMatch(/not found|There is no/)
      return `${json.status} ${text.replaceAll(/\b\d+\b/g, '…')}`
    }
    const list = `/api/${model.path}/`
    const requests = [
      ['POST', list],
      ['POST', `${list}?dry_run=true`],
      // Objects that belong to hidden objects are hidden too.
      ...(model.definition.visibleWith ? [] : [['PATCH', `${list}${objects.of(model)[0]?.id}/`]]),
    ] as const
    for (const [method = '', path = ''] of requests) {
      expect(await refusal(method, path, target)).toBe(await refusal(method, path, MISSING))
    }
  })

  it.each(['bookmarks', 'subscriptions', 'notifications'])(
    'is missing from the user’s %s, and appears again with the permission',
    async (marks) => {
      const site = await make('dcim/sites', { name: `Secret ${marks}`, slug: `secret-${marks}` })
      const body = {
        object_type: 'dcim.site',
        object_id: site.id,
        user,
        event_type: 'object_updated',
      }
      const { id } = await make(`extras/${marks}`, body)
      const answers = async () => ({
        list: (await ask('GET', `/api/extras/${marks}/?limit=0`)).text,
        detail: (await ask('GET', `/api/extras/${marks}/${id}/`)).text,
        graphql: (
          await ask('POST', '/graphql/', {
            query: '{ subscription_list { display } notification_list { display } }',
          })
        ).text,
      })
      const hidden = await answers()
      expect(JSON.stringify(hidden)).not.toContain('ecret')
      expect(hidden.detail).toContain('matches the given query')
      const allowed = await make('users/permissions', {
        ...{ name: 'sites', object_types: ['dcim.site'], actions: ['view'], users: [user] },
      })
      const shown = await answers()
      expect(shown.list).toContain(`Secret ${marks}`)
      expect(shown.detail).toContain(`Secret ${marks}`)
      if (marks !== 'bookmarks') expect(shown.graphql).not.toBe(hidden.graphql)
      await api.ask('DELETE', `/api/users/permissions/${allowed.id}/`)
    },
  )

  it('is still named by the notification of its deletion', async () => {
    const site = await make('dcim/sites', { name: 'Gone', slug: 'gone' })
    const constraints = { slug: 'gone' }
    await make('users/permissions', {
      ...{ name: 'gone', object_types: ['dcim.site'], actions: ['view'], constraints },
      ...{ users: [user] },
    })
    const body = { object_type: 'dcim.site', object_id: site.id, user }
    expect((await ask('POST', '/api/extras/subscriptions/', body)).status).toBe(201)
    await api.ask('DELETE', `/api/dcim/sites/${site.id}/`)
    const { json } = await ask('GET', '/api/extras/notifications/')
    expect(json.results?.map(({ display }) => display)).toEqual(['Gone'])
  })
})
