import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { naturalKeys } from '../../src/schema/natural-key.ts'
import type { Model } from '../../src/schema/registry.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { collections, ExampleObjects, offers } from './example-objects.ts'

type Bodies = readonly Readonly<Record<string, unknown>>[]

/** Example objects are created by upserts if bodies have the values of a key; the same bodies then change nothing. */
describe('an upsert', () => {
  let api: Api
  let objects: ExampleObjects
  let models: readonly Model[]
  /** By the name of the model: models are replaced when a type is defined. */
  const sent = new Map<string, Bodies>()
  const upserted = new Set<string>()
  beforeAll(async () => {
    api = await startApiWithOwnModels({ API_VERSION: '4.7' })
    models = collections(api.service.registry)
    objects = new ExampleObjects({ ...api, ask: upserting(api, sent, upserted) })
    await objects.createAll()
  })
  afterAll(() => api.close())

  it('creates objects of every model with a key', () => {
    for (const model of models) {
      if (offers(model, 'POST')) expect(objects.of(model).length).toBeGreaterThan(0)
    }
    expect(upserted.size).toBeGreaterThan(80)
  })

  it('writes nothing if objects have the values already', async () => {
    const changed: string[] = []
    for (const [name, bodies] of sent) {
      const model = api.service.registry.model(name)
      const body = objects.of(model).map(({ id }, index) => ({ ...bodies[index], id }))
      const before = await changeCount(api)
      const answer = await api.ask('PUT', `/api/${model.path}/?match=id`, { body })
      const isQuiet = (await changeCount(api)) === before
      const outcomes = answer.status === 200 ? [...answer.json].map(({ outcome }) => outcome) : []
      const isSame = outcomes.length > 0 && outcomes.every((each) => String(each) === 'unchanged')
      if (!isQuiet || !isSame) changed.push(`${model.name} ${answer.text.slice(0, 300)}`)
    }
    expect(changed).toEqual([])
    expect(sent.size).toBeGreaterThan(100)
  })
})

const changeCount = async (api: Api): Promise<number> =>
  Number((await api.ask('GET', '/api/core/object-changes/?limit=1')).json.count)

/**
 * As `ask`; creations are upserts by a key whose values all bodies have. Then adds the name of the model to `upserted` and its
 * bodies to `sent`, in the order of the objects and without secrets: only digests of secrets are stored, so they always
 * count as changed.
 */
const upserting =
  (api: Api, sent: Map<string, Bodies>, upserted: Set<string>): Api['ask'] =>
  async (method, path, options) => {
    const model = [...api.service.registry.models.values()].find(
      (each) => each.path !== '' && `/api/${each.path}/` === path,
    )
    const body = options?.body
    if (method !== 'POST' || !model || body instanceof FormData || !offers(model, 'PUT')) {
      return await api.ask(method, path, options)
    }
    const bodies = (Array.isArray(body) ? body : [body]) as Bodies // made by ExampleObjects
    const match = matchOf(model, bodies)
    const answer =
      match === undefined
        ? await api.ask(method, path, options)
        : await api.ask('PUT', `${path}?match=${match}`, options)
    if (answer.status >= 300) return answer
    sent.set(model.name, [...(sent.get(model.name) ?? []), ...bodies.map((each) => withoutSecrets(model, each))])
    if (match === undefined) return answer
    upserted.add(model.name)
    const { json } = answer
    const list = Array.isArray(json) ? [...json] : [json]
    expect(list.map(({ outcome }) => outcome)).toEqual(list.map(() => 'created'))
    const shown = list.map(({ object }) => object)
    return { ...answer, status: 201, text: JSON.stringify(Array.isArray(json) ? shown : shown[0]) }
  }

/** Names of the first key of which all bodies have all values. */
const matchOf = (model: Model, bodies: Bodies): string | undefined =>
  naturalKeys(model)
    .find(({ fields }) => bodies.every((body) => fields.every((name) => (body[name] ?? null) !== null)))
    ?.fields.join(',')

const withoutSecrets = ({ fields }: Model, body: Bodies[number]): Bodies[number] =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => {
      const field = fields.get(name)
      return !(field && 'writeOnly' in field && field.writeOnly)
    }),
  )
