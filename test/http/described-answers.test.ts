import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadSecrets } from '../../src/config/secrets.ts'
import { createVault } from '../../src/identity/vault.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/schema/json.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { type Api, startApi } from '../support/api.ts'

const COLLECTION = /^\/api\/[a-z]+\/[a-z-]+\/$/

let api: Api
let paths: JsonObject
let ajv: Ajv
beforeAll(async () => {
  api = await startApi()
  await importDataSet(api.service, 'test/data/inventory', {
    vault: createVault(
      loadSecrets(api.service.settings, () => undefined),
      false,
    ),
  })
  const document: JsonObject = JSON.parse((await api.ask('GET', '/api/schema/?format=json')).text)
  paths = objectAt(document, 'paths')
  // Formats are checked by the client tests, with a library that supports all of them.
  ajv = new Ajv({ strict: false, validateFormats: false, logger: false })
  ajv.addSchema(Object(withNull(document)), 'document')
})
afterAll(() => api.close())

it('every response matches the OpenAPI document', async () => {
  const collections = Object.keys(paths).filter((path) => COLLECTION.test(path))
  expect(collections.length).toBeGreaterThan(100)
  const faults: string[] = []
  for (const path of collections) {
    const ids = await check(`${path}?limit=0`, path, faults)
    const [id] = ids
    if (id !== undefined && `${path}{id}/` in paths) {
      await check(`${path}${id}/`, `${path}{id}/`, faults)
    }
  }
  expect(faults).toEqual([])
})

// path and body → the response is one object, or a list
it.each([
  ['one', {}],
  ['several', [{}, {}]],
])('%s allocated from free space match the OpenAPI document', async (_name, body) => {
  const prefix = await api.ask('POST', '/api/ipam/prefixes/', {
    body: { prefix: `203.0.${Array.isArray(body) ? 114 : 115}.0/24` },
  })
  const { status, text } = await api.ask('POST', `/api/ipam/prefixes/${prefix.json.id}/available-ips/`, { body })
  expect(status).toBe(201)
  expect(faultOf('/api/ipam/prefixes/{id}/available-ips/', 'post', 201, JSON.parse(text))).toBe('')
})

/**
 * Sends a request and compares the response with the document's schema for the path. Returns the ids of the objects
 * on the page.
 */
async function check(address: string, path: string, faults: string[]): Promise<readonly Json[]> {
  if (!('get' in objectAt(paths, path))) return []
  const { status, text } = await api.ask('GET', address)
  const body: Json = JSON.parse(text)
  const fault = status === 200 ? faultOf(path, 'get', status, body) : ''
  if (fault !== '') faults.push(`${address} ${fault}`)
  const results = isJsonObject(body) ? body.results : undefined
  return Array.isArray(results) ? results.flatMap((each) => each.id ?? []) : []
}

/** Error of a response; empty if it matches its schema. */
function faultOf(path: string, method: string, status: number, body: Json): string {
  const content = ['content', 'application/json', 'schema']
  const place = [path, method, 'responses', String(status), ...content]
  const pointer = place.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  return ajv.validate({ $ref: `document#/paths/${pointer}` }, body) ? '' : ajv.errorsText()
}

/** OpenAPI's `nullable` as JSON Schema. */
function withNull(part: Json): Json {
  if (Array.isArray(part)) return part.map(withNull)
  if (!isJsonObject(part)) return part
  const { nullable, ...rest } = part
  const schema = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, withNull(each ?? null)]))
  return nullable === true ? { anyOf: [{ type: 'null' }, schema] } : schema
}

function objectAt(part: JsonObject, name: string): JsonObject {
  const found = part[name]
  if (!isJsonObject(found)) throw new Error(`The document has no ${name}`)
  return found
}
