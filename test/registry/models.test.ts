import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parameter, parametersOf } from '../../src/read/query/parameters.ts'
import { defaultFields } from '../../src/schema/default-fields.ts'
import type { Model } from '../../src/schema/registry.ts'
import { isWritable } from '../../src/schema/writable.ts'
import type { Document } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { collections, ExampleObjects, offers } from './example-objects.ts'
import { filterValue, isAlwaysRefused, type Stored } from './filter-values.ts'

/**
 * The behaviour that every model has because of its declaration. A new model is tested as soon as it is in the
 * registry: example objects are created from its fields (`example` in schema/field.ts declares what cannot be derived),
 * read, filtered, changed and deleted. The models of plugins, and
 * those that users define, are tested in the same way.
 */
const environment = { PLUGINS: './examples/maintenance.ts' }
const api = await startApiWithOwnModels({ ...environment, API_VERSION: '4.7' })
const names = collections(api.service.registry).map(({ name }) => name)
/** The model as it is now: the example of a computed field is one of sites. */
const modelOf = (name: string): Model => api.service.registry.model(name)
const objects = new ExampleObjects(api)
beforeAll(() => objects.createAll())
afterAll(() => api.close())

const get = async (path: string): Promise<Document> => {
  const { status, text, json } = await api.ask('GET', `/api/${path}`)
  expect(status, text).toBe(200)
  return json
}

describe.each(names)('%s', (name) => {
  const model = modelOf(name)
  const { path, definition } = model

  it('creates objects from the examples of its fields', () => {
    const created = objects.of(model)
    if (offers(model, 'POST')) expect(created.length).toBeGreaterThan(0)
    for (const object of created)
      expect(defaultFields(modelOf(name))).toEqual(expect.arrayContaining(Object.keys(object)))
  })

  it('shows objects in lists and details, complete and brief', async () => {
    const list = await get(`${path}/?limit=2`)
    const brief = await get(`${path}/?limit=2&brief=1`)
    expect(list.count).toBeGreaterThanOrEqual(objects.of(model).length)
    const pairs = (list.results ?? []).map((object, index) => [object, brief.results?.[index]])
    for (const [object, short] of pairs) {
      expect(Object.keys(object ?? {})).toEqual(defaultFields(modelOf(name)))
      expect(Object.keys(short ?? {})).toEqual(definition.brief)
      expect(await get(`${path}/${object?.id}/`)).toEqual(object)
      expect(await get(`${path}/${object?.id}/?brief=1`)).toEqual(short)
    }
  })

  it('describes its fields', async () => {
    const { status, json } = await api.ask('OPTIONS', `/api/${path}/`)
    expect(status).toBe(200)
    const described = Object.keys(json.actions?.POST ?? {})
    if (offers(model, 'POST')) expect(described).toEqual(expect.arrayContaining([...defaultFields(model)]))
  })

  it('supports each of its filters', async () => {
    const stored = await storedValues()
    const queryOf = (parameter: Parameter) => `${parameter.name}=${encodeURIComponent(filterValue(parameter, stored))}`
    const queries = [...parametersOf(api.service.registry, model).values()]
      .filter((parameter) => !isAlwaysRefused(model, parameter))
      .map(queryOf)
    expect(await refusedQueries(model, queries)).toEqual([])
  })

  it('changes objects one by one and in bulk, partly and completely', async () => {
    // The service itself creates some objects, such as findings.
    if (!offers(model, 'PATCH') || (!offers(model, 'POST') && objects.of(model).length === 0)) return
    const url = `/api/${path}/`
    const ids = objects.of(model).map(({ id }) => Number(id))
    const bodies = ids.map((_, index) => ({ ...objects.body(model, index + 1) }))
    const isForm = bodies.some((body) => Object.values(body).some((each) => each instanceof Blob))
    const named = ids.map((id, index) => ({ id, ...bodies[index] }))
    const part = partOf(model, bodies[0])
    const requests: readonly (readonly [string, string, unknown])[] = [
      ['PATCH', `${url}${ids[0]}/`, part],
      ['PATCH', url, ids.map((id) => ({ id }))],
      // A whole body with a file is a form.
      ...(isForm
        ? []
        : ([
            ['PUT', `${url}${ids[0]}/`, bodies[0]],
            ['PUT', url, named],
          ] as const)),
    ]
    for (const [method, to, body] of requests) {
      const { status, text } = await api.ask(method, to, { body })
      expect(status, `${method} ${to} ${text}`).toBe(200)
    }
  })
})

describe('at the end', () => {
  beforeAll(() => objects.deleteAll())

  it.each(names)('%s deletes objects, one by one and together', (name) => {
    const model = modelOf(name)
    if (offers(model, 'DELETE')) expect(objects.of(model)).toEqual([])
  })
})

/** Values that filters accept. */
async function storedValues(): Promise<Stored> {
  const types = await get('core/object-types/?limit=1')
  return {
    field: (name, field) => objects.field(name, field),
    objectTypeId: String(types.results?.[0]?.id),
  }
}

/** Queries that do not get 200, with the response: all are sent at once, and in halves if that fails. */
async function refusedQueries(model: Model, queries: readonly string[]): Promise<readonly string[]> {
  const { status, text } = await api.ask('GET', `/api/${model.path}/?limit=1&${queries.join('&')}`)
  if (status === 200) return []
  if (queries.length === 1) return [`${queries[0]}: ${status} ${text}`]
  const middle = Math.ceil(queries.length / 2)
  return [
    ...(await refusedQueries(model, queries.slice(0, middle))),
    ...(await refusedQueries(model, queries.slice(middle))),
  ]
}

/** One optional field of the model with its example value; an empty body if no field has one. */
function partOf(model: Model, body: Readonly<Record<string, unknown>> = {}): object {
  const [name] = Object.keys(body).filter((each) => {
    const field = model.fields.get(each)
    return field && isWritable(field) && field.kind === 'text'
  })
  return name === undefined ? {} : { [name]: body[name] }
}
