import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readYamlDocuments } from '../../src/schema/yaml-documents.ts'
import { apiOfTest } from '../support/api.ts'

const DAY = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
const inHours = (hours: number): string => new Date(Date.now() + (hours * DAY) / 24).toISOString()

/** What the objects of a document refer to. */
const INVENTORY = {
  'dcim.site': [{ name: 'Site', slug: 'site' }],
  'dcim.manufacturer': [{ name: 'Maker', slug: 'maker' }],
  'dcim.devicerole': [{ name: 'Router', slug: 'router' }],
  'dcim.devicetype': [{ manufacturer: { slug: 'maker' }, model: 'M1', slug: 'm1' }],
  'dcim.device': [
    { name: 'r1', site: { slug: 'site' }, role: { slug: 'router' }, device_type: { slug: 'm1' }, status: 'active' },
  ],
}

interface Example {
  /** Objects of the types of the document, as a document too. */
  readonly objects: Readonly<Record<string, readonly object[]>>
  /** Slug of the type whose object is read. */
  readonly slug: string
  /** Stored and computed values of the object. */
  readonly expected: object
  /** Slug of a saved filter, and how many objects it contains. */
  readonly views: Readonly<Record<string, number>>
}

/** For each document of examples/models: objects, and what can be read of them. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  'certificates.yaml': {
    objects: {
      'custom_objects.certificate': [
        {
          common_name: 'www.example.com',
          issuer: 'CA',
          serial: '0a:1b',
          expires: inDays(7),
          devices: [{ name: 'r1' }],
        },
      ],
    },
    slug: 'certificates',
    expected: { display: 'www.example.com', renewal: { value: 'manual' }, days_left: 7, has_expired: false },
    views: { 'certificates-expiring': 1, 'certificates-expired': 0 },
  },
  'maintenance-windows.yaml': {
    objects: {
      'custom_objects.maintenancewindow': [
        { ticket: 'CHG-1', summary: 'Upgrade', starts: inHours(-1), ends: inHours(1), sites: [{ slug: 'site' }] },
      ],
    },
    slug: 'maintenance-windows',
    expected: { display: 'CHG-1', status: { value: 'planned' }, is_running: true, sites: [{ slug: 'site' }] },
    views: { 'maintenance-running': 1 },
  },
}

const files = globSync('examples/models/*.yaml').toSorted()

describe('the documents that ship', () => {
  it('are all tested', () => {
    expect(files.map((file) => basename(file))).toEqual(Object.keys(EXAMPLES).toSorted())
  })

  it.each(files)('%s defines types in an empty database, once', async (file) => {
    const [document] = readYamlDocuments(readFileSync(file, 'utf8'))
    const example = EXAMPLES[basename(file)]
    const api = await apiOfTest()
    const apply = async (body: unknown) => {
      const { status, json, text } = await api.ask('POST', '/api/apply/?fields=counts', { body })
      expect(status, text).toBe(200)
      return json
    }
    await apply(document)
    expect(await apply(document)).toMatchObject({ created: 0, updated: 0 })
    await apply({ objects: { ...INVENTORY, ...example?.objects } })

    const list = `plugins/custom-objects/${example?.slug}/`
    const { json } = await api.ask('GET', `/api/${list}`)
    expect(json).toMatchObject({ count: 1, results: [example?.expected] })
    for (const page of [list, `${list}1/`, `${list}add/`, `${list}1/edit/`, `${list}import/`]) {
      const { status } = await api.ask('GET', `/${page}`)
      expect(status, page).toBe(200)
    }
    const filters = (await api.ask('GET', '/api/extras/saved-filters/')).json.results ?? []
    for (const { slug, object_types: types } of filters) {
      const count = example?.views[String(slug)]
      if (count === undefined) continue
      const [, model] = String(types?.[0]).split('.')
      const kinds = await api.ask('GET', `/api/plugins/custom-objects/custom-object-types/`)
      const kind = [...(kinds.json.results ?? [])].find(({ table_model_name: name }) => String(name) === model)
      const members = await api.ask('GET', `/api/plugins/custom-objects/${kind?.slug}/?filter=${slug}`)
      expect([String(slug), members.json.count], members.text).toEqual([String(slug), count])
    }
    const rules = (await api.ask('GET', '/api/extras/event-rules/')).json.results ?? []
    for (const { id } of rules) {
      const due = await api.ask('GET', `/api/extras/event-rules/${id}/due/`)
      expect(due.status, due.text).toBe(200)
    }
  })
})
