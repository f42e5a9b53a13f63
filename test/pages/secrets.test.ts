import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadApplication, modelRegistry } from '../../src/app/core.ts'
import { readSettings } from '../../src/config/settings.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { isSecret } from '../../src/schema/writable.ts'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import { type Api, startApi } from '../support/api.ts'
import { readPage } from '../support/requests.ts'

const registry = modelRegistry(await loadApplication(readSettings({})))
const secretsOf = ({ fields }: Model): readonly string[] =>
  [...fields].filter(([, field]) => isSecret(field)).map(([name]) => name)
const models = collections(registry).filter((model) => secretsOf(model).length > 0)

let api: Api
beforeAll(async () => {
  api = await startApi()
  await new ExampleObjects(api).createAll()
})
afterAll(() => api.close())

const SECRET = 'Open-Sesame-42'

it('there are models with secrets', () => {
  expect(models.length).toBeGreaterThan(3)
})

describe.each(models.map((model) => [model.name, model] as const))('secrets of %s', (_name, model) => {
  const root = pagePathOf(model) ?? ''
  let id: unknown
  beforeAll(async () => {
    id = (await api.ask('GET', `/api/${model.path}/?limit=1`)).json.results?.[0]?.id
    const body = Object.fromEntries(secretsOf(model).map((name) => [name, SECRET]))
    const { status, text } = await api.ask('PATCH', `/api/${model.path}/${id}/`, { body })
    expect(status, text).toBe(200)
  })

  it('are shown only on request on the page of an object and in its changes', async () => {
    for (const path of ['', 'changelog/']) {
      const text = await readPage(api, `${root}${id}/${path}`)
      expect(text).toContain(`<code>${SECRET}</code></details>`)
      expect(text.replaceAll(`<code>${SECRET}</code></details>`, '')).not.toContain(SECRET)
    }
  })

  it.each(['', '?export', '?export=table', '?export=json', '?export=yaml'])(
    'are neither in the list nor in an export: %s',
    async (query) => {
      const { status, text } = await api.ask('GET', `${root}${query}`, {
        headers: { accept: 'text/html' },
      })
      expect(status).toBe(200)
      expect(text).not.toContain(SECRET)
      for (const name of secretsOf(model)) expect(text).not.toContain(`${name}:`)
    },
  )

  it('are not offered as columns', async () => {
    const text = await readPage(api, `${root}columns/`)
    for (const name of secretsOf(model)) expect(text).not.toContain(`value="${name}"`)
  })
})
