import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const models = collections(api.service.registry)

let objects: ExampleObjects
beforeAll(async () => {
  objects = new ExampleObjects(api)
  await objects.createAll()
})

const page = async (path: string): Promise<string> => {
  const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  expect(status, `${path}\n${text.slice(-1500)}`).toBe(200)
  return text
}

/** Addresses of an object's tabs, as its page links to them. */
const tabsIn = (text: string): readonly string[] => {
  const bar = /<nav class="tabs".*?<\/nav>/s.exec(text)?.[0] ?? ''
  return [...bar.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
}

const firstOf = async (model: Model): Promise<number | undefined> => {
  const { json } = await api.ask('GET', `/api/${model.path}/?limit=1`)
  const id: unknown = json.results?.[0]?.id
  return typeof id === 'number' ? id : undefined
}

describe.each(models.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  it('has all tabs for its features, each with the heading of the object', async () => {
    const id = await firstOf(model)
    if (id === undefined) return
    const root = `${pagePathOf(model)}${id}/`
    const main = await page(root)
    const heading = /<h1>.*?<\/h1>/s.exec(main)?.[0]
    const tabs = tabsIn(main)
    for (const tab of tabs) expect(await page(tab), tab).toContain(heading)
    const expected = [
      ['journaling', 'journal'],
      ['changeLogging', 'changelog'],
      ['contacts', 'contacts'],
      ['imageAttachments', 'image-attachments'],
      ['jobs', 'jobs'],
    ] as const
    for (const [feature, path] of expected) {
      expect(tabs.includes(`${root}${path}/`), path).toBe(model.has(feature))
    }
  })

  it('lists its tabs of children, including empty ones', async () => {
    const id = await firstOf(model)
    if (id === undefined) return
    for (const { path } of api.service.registry.view(model).tabs ?? []) {
      expect(await page(`${pagePathOf(model)}${id}/${path}/`)).toContain('<h1>')
    }
  })
})
