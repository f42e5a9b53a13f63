import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareSearchIndex } from '../../src/read/search/compare-index.ts'
import { completeSearchIndex } from '../../src/read/search/complete-index.ts'
import { ExampleObjects } from '../registry/example-objects.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

let api: Api
let objects: ExampleObjects
beforeAll(async () => {
  api = await startApiWithOwnModels()
  objects = new ExampleObjects(api)
  await objects.createAll()
})
afterAll(() => api.close())

const differences = async () => {
  await completeSearchIndex(api.service.database, api.service.registry)
  return await compareSearchIndex(api.service.database, api.service.registry)
}

it('the index follows the creation and deletion of objects of every model', async () => {
  expect(await differences()).toEqual(new Map())
  await objects.deleteAll()
  expect(await differences()).toEqual(new Map())
})
