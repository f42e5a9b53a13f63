import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '../../src/schema/json.ts'
import type { Model } from '../../src/schema/registry.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { collections, ExampleObjects, offers } from './example-objects.ts'

/** Image attachments need a file, which JSON cannot contain. */
const WITHOUT_EXAMPLE = ['extras.imageattachment', 'netbox_attachments.netboxattachment']

/** Their examples name interfaces of particular types, and which ids those have depends on the other objects. */
const OF_INTERFACE_TYPES = ['circuits.virtualcircuittermination', 'wireless.wirelesslink']

let api: Api
beforeAll(async () => {
  api = await startApiWithOwnModels({ API_VERSION: '4.7' })
})
afterAll(() => api.close())

const documentIn = async (version: string): Promise<JsonObject> =>
  JSON.parse((await api.ask('GET', `/api/schema/?format=json&version=${version}`)).text)

const at = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((part, name) => (isJsonObject(part) ? part[name] : undefined), value)

const bodyAt = (document: JsonObject, path: string, method: string): Json | undefined =>
  at(document, 'paths', path, method, 'requestBody', 'content', 'application/json')

const exampleAt = (document: JsonObject, path: string, method: string): JsonObject | undefined => {
  const example = at(bodyAt(document, path, method), 'example')
  return isJsonObject(example) ? example : undefined
}

describe.each(['4.6', '4.7'])('the OpenAPI document of %s', (version) => {
  it('gives each operation a unique name, since generated clients have a function for each', async () => {
    const document = await documentIn(version)
    const ids = Object.values(isJsonObject(document.paths) ? document.paths : {}).flatMap((methods) =>
      Object.values(isJsonObject(methods) ? methods : {}).flatMap((operation) => at(operation, 'operationId') ?? []),
    )
    expect(ids.length).toBeGreaterThan(1_000)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('has an example for every body of a resource, which its schema accepts', async () => {
    const document = await documentIn(version)
    const ajv = new Ajv({ strict: false, validateFormats: false, logger: false })
    ajv.addSchema(Object(withNull(document)), 'document')
    const registry = api.service.registry.inVersion(version === '4.6' ? '4.6' : '4.7')
    const faults: string[] = []
    for (const { name, path } of collections(registry)) {
      for (const place of [`/api/${path}/`, `/api/${path}/{id}/`]) {
        // A POST to an object is an action.
        for (const method of place.endsWith('{id}/') ? ['put', 'patch'] : ['post', 'put', 'patch']) {
          const body = bodyAt(document, place, method)
          if (body === undefined || WITHOUT_EXAMPLE.includes(name)) continue
          const example = at(body, 'example')
          const names = ['paths', place, method, 'requestBody', 'content', 'application/json', 'schema']
          const $ref = `document#/${names.map((each) => each.replaceAll('/', '~1')).join('/')}`
          if (example === undefined) faults.push(`${method} ${place} has no example`)
          else if (!ajv.validate({ $ref }, example)) faults.push(`${method} ${place}: ${ajv.errorsText()}`)
        }
      }
    }
    expect(faults).toEqual([])
  })
})

// parameter of prefixes → the value that its description names
it.each([
  ['within', '10.0.0.0/8'],
  ['created__gte', '2026-01-31T12:00:00Z'],
  ['scope_type', 'tenancy.contact'],
  ['description__regex', '^[a-z]+-[0-9]+$'],
  ['ordering', 'name,-id'],
])('the description of the parameter %s mentions %s, which a list accepts', async (name, value) => {
  const parameters = at(await documentIn('4.7'), 'paths', '/api/ipam/prefixes/', 'get', 'parameters')
  const parameter = Array.isArray(parameters) ? parameters.find((each) => at(each, 'name') === name) : undefined
  expect(at(parameter, 'description')).toContain(value)
  const { status, text } = await api.ask('GET', `/api/ipam/prefixes/?${name}=${encodeURIComponent(value)}`)
  expect(status, text).toBe(200)
})

it('every example of a body can be sent, once what it refers to exists', async () => {
  const document = await documentIn('4.7')
  const objects = new ExampleObjects(api, ({ name, path }) =>
    OF_INTERFACE_TYPES.includes(name) ? undefined : exampleAt(document, `/api/${path}/`, 'post'),
  )
  await objects.createAll()
  const faults: string[] = []
  for (const model of collections(api.service.registry)) {
    try {
      const id = objects.of(model)[0]?.id
      if (id !== undefined) faults.push(...(await refusedChanges(document, model, Number(id))))
    } catch (error) {
      faults.push(String(error))
    }
  }
  expect(faults).toEqual([])
}, 120_000)

/** Why the examples of PUT and PATCH would be refused for the object. */
async function refusedChanges(document: JsonObject, model: Model, id: number): Promise<readonly string[]> {
  const faults: string[] = []
  for (const method of ['PUT', 'PATCH'] as const) {
    const body = exampleAt(document, `/api/${model.path}/{id}/`, method.toLowerCase())
    if (!offers(model, method) || body === undefined) continue
    const { status, text } = await api.ask(method, `/api/${model.path}/${id}/?dry_run=true`, { body })
    if (status !== 200) faults.push(`${method} ${model.name}: ${status} ${text}`)
  }
  return faults
}

/** OpenAPI's `nullable` as JSON Schema. */
function withNull(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNull)
  if (!isJsonObject(value)) return value
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'example' ? part : withNull(part)]),
  )
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}
