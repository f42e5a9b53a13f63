import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { isImportable } from '../../src/web/components/offered-methods.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const models = collections(api.service.registry)

let objects: ExampleObjects
beforeAll(async () => {
  objects = new ExampleObjects(api)
  await objects.createAll()
})

/** Texts and numbers that a page shows as they are. */
const isShownText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && !/[\n[{]|^[0-9a-f]{6}$/.test(value)
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** The value as pages show it: the label of a choice of which the API shows the value alone. */
function shownText({ fields }: Model, name: string, value: unknown): string {
  const field = fields.get(name)
  return (field?.kind === 'choice' && field.choices.labels.get(String(value))) || String(value)
}

describe.each(models.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const root = pagePathOf(model) ?? ''
  const page = async (path: string): Promise<string> => {
    const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
    expect(status, text).toBe(200)
    return text
  }

  it('has a list of its objects with links to their pages', async () => {
    expect(await page(root)).toContain('<h1>')
  })

  it('has a page for each object', async () => {
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=3`)
    for (const { id, display } of json.results ?? []) {
      expect(await page(`${root}${id}/`), String(display)).toContain('<h1>')
    }
  })

  it('shows on its page what its form sets', async () => {
    const view = api.service.registry.view(model)
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=1`)
    const object = json.results?.[0]
    if (!view.form || !object) return
    const text = await page(`${root}${object.id}/`)
    const labels = view.form
      .flatMap(({ fields }) => fields)
      .filter((name) => isShownText(object[name]) && !name.endsWith('_unit') && name !== 'slug')
      // Pages show the name of a type, not the key that a form sends.
      .filter((name) => !['file', 'objectType'].includes(model.fields.get(name)?.kind ?? ''))
      .filter((name) => !text.includes(escaped(shownText(model, name, object[name]))))
    expect(labels).toEqual([])
  })

  it('has forms to add and edit exactly what the API can write', async () => {
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=1`)
    const id = json.results?.[0]?.id ?? 0
    for (const [method, path] of [
      ['POST', 'add/'],
      ['PATCH', `${id}/edit/`],
    ] as const) {
      if (id === 0 && method !== 'POST') continue
      const headers = { accept: 'text/html' }
      const { status } = await api.ask('GET', `${root}${path}`, { headers })
      // Scripts are uploaded.
      const isUpload = model.name === 'extras.script' && method === 'POST'
      expect([method, status]).toEqual([method, isUpload || offers(model, method) ? 200 : 404])
    }
  })

  it.runIf(isImportable(model))('has a page to import objects', async () => {
    expect(await page(`${root}import/`)).toContain('name="data"')
  })
})
