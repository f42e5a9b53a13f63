import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createVault } from '../../src/auth/vault.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/schema/json.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { type Api, startApi } from '../support/api.ts'
import { openMemory } from '../support/database.ts'

const COLLECTION = /^\/api\/[a-z]+\/[a-z-]+\/$/

let api: Api
let paths: JsonObject
let ajv: Ajv
beforeAll(async () => {
  api = await startApi(openMemory)
  await importDataSet(api.service, 'test/data/inventory', {
    vault: createVault(
      loadSecrets(api.service.settings, () => undefined),
      false,
    ),
  })
  const document: JsonObject = JSON.parse((await api.ask('GET', '/api/schema/?format=json')).text)
  paths = objectAt(document, 'paths')
  // Formats are left to the client tests, where a library knows them all.
  ajv = new Ajv({ strict: false, validateFormats: false, logger: false })
  ajv.addSchema(Object(withNull(document)), 'document')
})
afterAll(() => api.close())

it('every answer about the inventory is as the OpenAPI document describes it', async () => {
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

/** Asks, and compares with the description of the path. Ids of the objects on the page. */
async function check(address: string, path: string, faults: string[]): Promise<readonly Json[]> {
  if (!('get' in objectAt(paths, path))) return []
  const { status, text } = await api.ask('GET', address)
  const place = [path, 'get', 'responses', String(status), 'content', 'application/json', 'schema']
  const pointer = place.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const body: Json = JSON.parse(text)
  if (status === 200 && !ajv.validate({ $ref: `document#/paths/${pointer}` }, body)) {
    faults.push(`${address} ${ajv.errorsText()}`)
  }
  const results = isJsonObject(body) ? body.results : undefined
  return Array.isArray(results) ? results.flatMap((each) => each.id ?? []) : []
}

/** OpenAPI's `nullable` in the words of JSON Schema. */
function withNull(part: Json): Json {
  if (Array.isArray(part)) return part.map(withNull)
  if (!isJsonObject(part)) return part
  const { nullable, ...rest } = part
  const schema = Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [name, withNull(each ?? null)]),
  )
  return nullable === true ? { anyOf: [{ type: 'null' }, schema] } : schema
}

function objectAt(part: JsonObject, name: string): JsonObject {
  const found = part[name]
  if (!isJsonObject(found)) throw new Error(`The document has no ${name}`)
  return found
}
