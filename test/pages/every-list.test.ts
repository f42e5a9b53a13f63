import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadApplication, modelRegistry } from '../../src/app.ts'
import { readSettings } from '../../src/config/settings.ts'
import { pagePathOf } from '../../src/schema/page-path.ts'
import { collections } from '../registry/example-objects.ts'
import { type Api, startApi } from '../support/api.ts'
import { openMemory } from '../support/database.ts'

const application = await loadApplication(readSettings({ DATA_DIR: 'memory://' }))
const registry = modelRegistry(application)
const models = collections(registry)

let api: Api
beforeAll(async () => {
  api = await startApi(openMemory)
})
afterAll(() => api.close())

describe.each(models.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const root = pagePathOf(model) ?? ''
  const page = async (path: string): Promise<string> => {
    const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
    expect(status, text).toBe(200)
    return text
  }

  it('has a form field for each filter of its view', async () => {
    const text = await page(root)
    const names = (registry.view(model).filters ?? []).flatMap(({ fields }) => fields)
    expect(names.filter((name) => !text.includes(`name="${name}"`))).toEqual([])
  })

  it('offers every field of its answers as a column, those of its view first', async () => {
    const text = await page(`${root}columns/`)
    const offered = [...text.matchAll(/name="column" value="([^"]+)"/g)].map(([, name]) => name)
    const { columns } = registry.view(model)
    const defaults = offered.slice(0, columns.length + 1)
    expect(columns.filter((name) => !defaults.includes(name))).toEqual([])
    const addresses = ['url', 'display', 'display_url', 'custom_fields']
    const fields = model.answer.filter((name) => !addresses.includes(name))
    expect(fields.filter((name) => !offered.includes(name))).toEqual([])
  })

  it('has a page of its saved filters', async () => {
    expect(await page(`${root}filters/`)).toContain('Saved Filters of')
  })
})
