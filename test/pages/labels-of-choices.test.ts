import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '../../src/schema/json.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { listTableName } from '../../src/web/lists/list-preferences.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { readPage } from '../support/requests.ts'

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const { registry } = api.service
const models = collections(registry).filter((model) => choicesOf(model).size > 0)

/** Labels of the choices of each field by value, if the two differ. */
function choicesOf({ fields }: Model): ReadonlyMap<string, ReadonlyMap<unknown, string>> {
  return new Map(
    [...fields].flatMap(([name, field]) => {
      const list = 'choices' in field ? (field.choices?.list ?? []) : []
      const labels = list.filter(({ value, label }) => String(value) !== label)
      return labels.length === 0 ? [] : [[name, new Map(labels.map(({ value, label }) => [value, label]))] as const]
    }),
  )
}

beforeAll(() => new ExampleObjects(api).createAll())

/** Texts of the markup between two tags, without the spaces around them. */
const textsIn = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.trim()))

const bareValues = (value: Json | undefined): readonly Json[] =>
  [isJsonObject(value) ? (value.value ?? null) : (value ?? null)].flat()

/** Values of the object's choices, with the labels that pages have in their place. */
function choicesIn(model: Model, object: JsonObject): readonly (readonly [string, string])[] {
  return [...choicesOf(model)].flatMap(([name, labels]) =>
    bareValues(object[name]).flatMap((value) => {
      const label = labels.get(value)
      return label === undefined || typeof value === 'number' ? [] : [[String(value), label] as const]
    }),
  )
}

/** Sets each choice that the object lacks and accepts. */
async function choose(model: Model, object: JsonObject): Promise<void> {
  for (const [name, labels] of choicesOf(model)) {
    const [value] = labels.keys()
    if (bareValues(object[name]).some((each) => labels.has(each))) continue
    for (const sent of [value, [value]]) {
      await api.ask('PATCH', `/api/${model.path}/${object.id}/`, { body: { [name]: sent } })
    }
  }
}

describe.each(models.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const root = pagePathOf(model) ?? ''
  const someObjects = async (): Promise<readonly JsonObject[]> =>
    (await api.ask('GET', `/api/${model.path}/?limit=3`)).json.results ?? []

  it('shows labels instead of the values of choices', async () => {
    // With another base list, the fields that use a set of choices take any text.
    const mayChange = offers(model, 'PATCH') && model.name !== 'extras.customfieldchoiceset'
    if (mayChange) for (const object of await someObjects()) await choose(model, object)
    const objects = await someObjects()
    const columns = [...choicesOf(model).keys()].filter((name) => model.answer.includes(name))
    const tables = { [listTableName(model)]: { columns } }
    await api.ask('PATCH', '/api/users/config/', { body: { tables } })
    const pages = [textsIn(await readPage(api, `${root}?limit=3`))]
    for (const { id } of objects) pages.push(textsIn(await readPage(api, `${root}${id}/`)))
    const raw = objects
      .flatMap((object) => choicesIn(model, object))
      .filter(([value]) => pages.some((texts) => texts.has(value)))
    expect(raw).toEqual([])
  })
})
