import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readYamlDocuments } from '../../src/schema/yaml-documents.ts'
import { type Api, startApi } from '../support/api.ts'

const directory = join(import.meta.dirname, '../../examples/rules')
const documents = readdirSync(directory).toSorted()

let api: Api
beforeAll(async () => {
  api = await startApi({ API_VERSION: '4.7' })
})
afterAll(() => api.close())

it.each(documents)('%s can be applied, and changes nothing the second time', async (name) => {
  const [document] = readYamlDocuments(readFileSync(join(directory, name), 'utf8'))
  const apply = async () => await api.ask('POST', '/api/apply/?fields=counts', { body: document })
  const first = await apply()
  expect(first.status, first.text).toBe(200)
  expect((await apply()).json).toMatchObject({ created: 0, updated: 0 })
  await api.background.runUntilIdle()
  const { json } = await api.ask('GET', '/api/extras/rules/?limit=0')
  expect(json.results?.filter(({ problem }) => String(problem) !== '')).toEqual([])
})
