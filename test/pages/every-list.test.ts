import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import { isSecret } from '../../src/schema/writable.ts'
import { hasBulkDelete, hasBulkEdit, renamedFields } from '../../src/web/lists/bulk-actions.ts'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const { registry } = api.service
const models = collections(registry)

/** Fields of the reference's forms that the API does not write. */
const UNWRITTEN: Readonly<Record<string, readonly string[]>> = {
  'extras.tag': ['owner'],
  'users.user': ['is_superuser'],
}

beforeAll(() => new ExampleObjects(api).createAll())

describe.each(models.map((model) => [model.name, model] as const))('%s', (_name, model) => {
  const root = pagePathOf(model) ?? ''
  const page = async (path: string): Promise<string> => {
    const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
    expect(status, text).toBe(200)
    return text
  }

  it('has a form field for each filter of its view', async () => {
    // Without a query, the list of packs is a catalogue.
    const text = await page(`${root}?limit=50`)
    const names = (registry.view(model).filters ?? []).flatMap(({ fields }) => fields)
    expect(names.filter((name) => !text.includes(`name="${name}"`))).toEqual([])
  })

  it('offers every field of its responses as a column, those of its view first', async () => {
    const text = await page(`${root}columns/`)
    const offered = [...text.matchAll(/name="column" value="([^"]+)"/g)].map(([, name]) => name)
    const { columns } = registry.view(model)
    const defaults = offered.slice(0, columns.length + 1)
    const open = columns.filter((name) => !isSecret(model.fields.get(name)))
    expect(open.filter((name) => !defaults.includes(name))).toEqual([])
    const addresses = ['url', 'display', 'display_url', 'custom_fields']
    const fields = model.answer.filter((name) => !addresses.includes(name) && !isSecret(model.fields.get(name)))
    expect(fields.filter((name) => !offered.includes(name))).toEqual([])
  })

  it('has a page for its saved filters', async () => {
    expect(await page(`${root}filters/`)).toContain('Saved filters of')
  })

  /** The page of an action on all objects of the list; undefined if the list is empty. */
  const bulkPage = async (path: string): Promise<string | undefined> => {
    const body = new FormData()
    body.append('scope', 'all')
    const { status, text } = await api.ask('POST', `${root}${path}`, {
      body,
      headers: { accept: 'text/html' },
    })
    if (status === 303) return undefined
    expect([200, 409], text).toContain(status)
    return text
  }

  it('has a form field for each field that its view changes for many objects', async () => {
    const declared = (registry.view(model).bulkEdit ?? []).flatMap(({ fields }) => fields)
    const text = hasBulkEdit(registry, model) ? await bulkPage('edit/') : undefined
    const missing = declared.filter((name) => text !== undefined && !text.includes(`"${name}"`))
    expect(missing).toEqual(text === undefined ? [] : (UNWRITTEN[model.name] ?? []))
  })

  it('has a page for deleting many objects, if they can be deleted', async () => {
    if (!hasBulkDelete(model)) return
    expect((await bulkPage('delete/')) ?? 'Delete').toContain('Delete')
  })

  it('has a page for renaming many objects, if they have names', async () => {
    if (renamedFields(model).length === 0) return
    expect((await bulkPage('rename/')) ?? 'Rename').toContain('Rename')
  })
})
