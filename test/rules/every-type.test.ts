import { afterAll, beforeAll, expect, it } from 'vitest'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

let api: Api
let objects: ExampleObjects
beforeAll(async () => {
  api = await startApiWithOwnModels({ API_VERSION: '4.7' })
  objects = new ExampleObjects(api)
  await objects.createAll()
})
afterAll(() => api.close())

it('rules on objects of every type can be created and evaluated, and writes of the objects go on', async () => {
  const types = collections(api.service.registry).map(({ name }) => name)
  const refused = new Set<string>()
  for (const object_type of types) {
    for (const [name, expression, severity] of [
      ['kept', 'true', 'refuse'],
      ['broken', "display = ''", 'low'],
    ]) {
      const body = { name: `${object_type} ${name}`, object_type, expression, severity, message: 'Broken' }
      const { status, json, text } = await api.ask('POST', '/api/extras/rules/', { body })
      if (status === 201) continue
      expect([status, json], text).toEqual([400, { object_type: [expect.stringMatching(/cannot/)] }])
      refused.add(object_type)
    }
  }
  const ruled = types.filter((type) => !refused.has(type))
  expect(ruled.length).toBeGreaterThan(100)

  /** Types of one's own are deleted, too. */
  const remaining = () => ruled.filter((type) => api.service.registry.models.has(type))
  const expectFindings = async () => {
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', '/api/extras/rules/?limit=0')
    const withProblem = json.results?.filter(({ problem }) => String(problem) !== '') ?? []
    const types = withProblem.map(({ object_type: type }) => String(type))
    expect(types.filter((type) => remaining().includes(type))).toEqual([])
    for (const object_type of remaining()) {
      const list = await api.ask('GET', `/api/${api.service.registry.model(object_type).path}/?limit=1`)
      const found = await api.ask('GET', `/api/extras/findings/?object_type=${object_type}&limit=1`)
      expect([object_type, found.json.count]).toEqual([object_type, list.json.count])
    }
  }
  await expectFindings()
  expect((await api.ask('GET', '/extras/findings/')).status).toBe(200)
  await objects.deleteAll()
  for (const type of remaining()) expect(() => objects.of(api.service.registry.model(type)), type).not.toThrow()
  await expectFindings()
})
