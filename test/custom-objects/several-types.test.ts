import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { currentService } from '../../src/service.ts'
import { exportDataSet } from '../../src/transfer/export-directory.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { formData, readForm } from '../pages/read-form.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

const BASE = '/api/plugins/custom-objects'
const FIELDS = `${BASE}/custom-object-type-fields/`
const LIST = `${BASE}/notes/`
const PAGE = '/plugins/custom-objects/notes/'

let api: Api
const ids = { type: 0, field: 0, site: 0, rack: 0, spare: 0, deviceType: 0, hidden: 0, rackType: 0 }

const TARGETS = [
  { app_label: 'dcim', model: 'rack' },
  { app_label: 'dcim', model: 'devicetype' },
  { app_label: 'custom-objects', model: 'notes' },
]

beforeAll(async () => {
  api = await startApi()
  ids.type = await api.make('plugins/custom-objects/custom-object-types', { name: 'note', slug: 'notes' })
  const field = { custom_object_type: ids.type }
  await api.make('plugins/custom-objects/custom-object-type-fields', {
    ...{ ...field, name: 'title', type: 'text', primary: true },
  })
  ids.field = await api.make('plugins/custom-objects/custom-object-type-fields', {
    ...{ ...field, name: 'about', type: 'multiobject', is_polymorphic: true, related_object_types_input: TARGETS },
    ...{ related_name: 'notes', label: 'About', is_cloneable: true },
  })
  await api.make('plugins/custom-objects/custom-object-type-fields', {
    ...{ ...field, name: 'attached', type: 'object', is_polymorphic: true },
    related_object_types_input: TARGETS.slice(0, 1),
  })
  ids.site = await api.make('dcim/sites', { name: 'Site', slug: 'site' })
  ids.spare = await api.make('dcim/racks', { name: 'Spare', site: ids.site })
  ids.rack = await api.make('dcim/racks', { name: 'Rack', site: ids.site })
  ids.hidden = await api.make('dcim/racks', { name: 'Hidden', site: ids.site })
  const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  ids.deviceType = await api.make('dcim/device-types', { manufacturer, model: 'Model', slug: 'model' })
  const types = await api.ask('GET', '/api/core/object-types/?app_label=dcim&model=rack')
  ids.rackType = Number(types.json.results?.[0]?.id)
})
afterAll(() => api.close())

const rack = (id: number) => ({ app_label: 'dcim', model: 'rack', id })
const deviceType = (id: number) => ({ app_label: 'dcim', model: 'devicetype', id })

let count = 0
/** Creates a note about a rack and a device type. */
const note = async (about: readonly object[] = [deviceType(ids.deviceType), rack(ids.rack)]) => {
  const title = `Note ${++count}`
  const id = await api.make('plugins/custom-objects/notes', { title, about })
  return { id, title, path: `${LIST}${id}/` }
}
/** The types and ids of the objects in a response. */
const keysOf = ({ about }: Document) =>
  [...(about ?? [])].map(({ app_label, model, id }) => `${app_label}.${model} ${id}`)
const about = async (path: string, query = '') => keysOf((await api.ask('GET', `${path}${query}`)).json)
const BOTH = () => [`dcim.rack ${ids.rack}`, `dcim.devicetype ${ids.deviceType}`]
const undo = async (headers: Headers) => {
  const path = `/api/core/requests/${headers.get('x-request-id')}/undo/`
  const { status, text } = await api.ask('POST', path, { body: {} })
  expect(status, text).toBe(200)
}

describe('a field for several objects of several types', () => {
  it('shows one list, in the order of the types, that can be sent back', async () => {
    const { path } = await note()
    const { json } = await api.ask('GET', path)
    expect(json.about).toMatchObject([
      { app_label: 'dcim', model: 'rack', id: ids.rack, object: { display: 'Rack' } },
      { app_label: 'dcim', model: 'devicetype', id: ids.deviceType, object: { model: 'Model' } },
    ])
    expect(Object.keys(json).filter((name) => name.startsWith('about'))).toEqual(['about'])
    const changes = async () => (await api.ask('GET', '/api/core/object-changes/?limit=1')).json.count
    const before = await changes()
    const again = await api.ask('PUT', path, { body: json })
    expect([again.status, keysOf(again.json)], again.text).toEqual([200, BOTH()])
    expect(await changes()).toBe(before)
  })

  it.each([
    ['by app_label, model and id', () => [rack(ids.spare)], () => [`dcim.rack ${ids.spare}`]],
    [
      'by object_id',
      () => [{ app_label: 'dcim', model: 'rack', object_id: ids.spare }],
      () => [`dcim.rack ${ids.spare}`],
    ],
    ['by content_type_id', () => [{ content_type_id: ids.rackType, id: ids.spare }], () => [`dcim.rack ${ids.spare}`]],
    [
      'by object_type and attributes',
      () => [{ object_type: 'dcim.devicetype', object_id: { slug: 'model' } }],
      () => [`dcim.devicetype ${ids.deviceType}`],
    ],
    ['each once', () => [rack(ids.rack), rack(ids.rack)], () => [`dcim.rack ${ids.rack}`]],
    ['none', () => [], () => []],
    ['none by null', () => null, () => []],
  ])('is replaced by objects that are named %s', async (_name, list, expected) => {
    const { path } = await note()
    const { status, json, text } = await api.ask('PATCH', path, { body: { about: list() } })
    expect([status, keysOf(json)], text).toEqual([200, expected()])
    expect(await about(path)).toEqual(expected())
  })

  it('keeps its objects if a body does not contain it', async () => {
    const { path, title } = await note()
    expect((await api.ask('PATCH', path, { body: { title: `${title}!` } })).status).toBe(200)
    expect(await about(path)).toEqual(BOTH())
  })

  it('is set by an upsert', async () => {
    const { path, title } = await note()
    const body = { title, about: [{ content_type_id: ids.rackType, id: ids.spare }] }
    const { status, text } = await api.ask('PUT', `${LIST}?match=title`, { body })
    expect([status, await about(path)], text).toEqual([200, [`dcim.rack ${ids.spare}`]])
  })

  it('has a list for each type, which requests can read and write by name', async () => {
    const { path } = await note()
    const one = await api.ask('PATCH', path, { body: { about_dcim_rack: [{ name: 'Spare' }] } })
    expect(keysOf(one.json), one.text).toEqual([`dcim.rack ${ids.spare}`, `dcim.devicetype ${ids.deviceType}`])
    const { json } = await api.ask('GET', `${path}?fields=about_dcim_rack`)
    expect(json).toMatchObject({ about_dcim_rack: [{ id: ids.spare, name: 'Spare' }] })
    const both = await api.ask('PATCH', path, { body: { about_dcim_rack: [ids.rack], about: [rack(ids.spare)] } })
    expect(keysOf(both.json), both.text).toEqual([`dcim.rack ${ids.rack}`])
  })

  it.each([
    ['a type that is not allowed', () => [{ app_label: 'dcim', model: 'site', id: 1 }], 'dcim.site cannot be chosen'],
    ['an object that does not exist', () => [rack(99_999)], 'not found'],
    ['an unknown content type', () => [{ content_type_id: 99_999, id: 1 }], 'Name each object'],
    ['an object without a type', () => [{ id: ids.rack }], 'Name each object'],
    ['a bare id', () => [ids.rack], 'Name each object'],
    ['an object without an id', () => [{ app_label: 'dcim', model: 'rack' }], 'numeric id'],
    ['a value that is not a list', () => rack(ids.rack), 'Expected a list'],
  ])('refuses %s', async (_name, list, message) => {
    const { status, json } = await api.ask('POST', LIST, { body: { title: 'x', about: list() } })
    expect(status).toBe(400)
    expect(json).toEqual({ about: [expect.stringContaining(message)] })
  })

  it.each([
    ['about_dcim_rack', () => ids.spare, 1],
    ['about_dcim_rack_id', () => ids.spare, 1],
    ['about_dcim_rack__n', () => ids.spare, 0],
    ['about_dcim_devicetype', () => ids.deviceType, 1],
    ['about_dcim_devicetype', () => 99_999, undefined],
    ['about_custom_objects_note', () => 0, undefined],
  ])('is filtered by %s', async (parameter, value, expected) => {
    const { id } = await note([rack(ids.spare), deviceType(ids.deviceType)])
    const { status, json } = await api.ask('GET', `${LIST}?id=${id}&${parameter}=${value()}`)
    expect([status, json.count]).toEqual(expected === undefined ? [400, undefined] : [200, expected])
  })

  it('loses a deleted object, and gets it back by an undo', async () => {
    const gone = await api.make('dcim/racks', { name: 'Gone', site: ids.site })
    const { path } = await note([rack(gone), rack(ids.rack)])
    const { headers } = await api.ask('DELETE', `/api/dcim/racks/${gone}/`)
    expect(await about(path)).toEqual([`dcim.rack ${ids.rack}`])
    await undo(headers)
    expect(new Set(await about(path))).toEqual(new Set([`dcim.rack ${ids.rack}`, `dcim.rack ${gone}`]))
  })

  it.each([
    ['PATCH', { about: [] }, []],
    ['DELETE', undefined, undefined],
  ] as const)('comes back when a %s is undone, and is shown as of an earlier time', async (method, body, after) => {
    const { path } = await note()
    // The time in between has milliseconds.
    await setTimeout(20)
    const changed = await api.ask(method, path, { ...(body && { body }) })
    if (after) expect(keysOf(changed.json)).toEqual(after)
    const { json } = await api.ask('GET', `/api/core/object-changes/?request_id=${changed.headers.get('x-request-id')}`)
    const change = json.results?.[0] as Document
    expect(change.prechange_data).toMatchObject({
      ...{ about_dcim_rack: [ids.rack], about_dcim_devicetype: [ids.deviceType] },
    })
    const earlier = new Date(Date.parse(String(change.time)) - 1).toISOString()
    expect(await about(path, `?as_of=${earlier}`)).toEqual(BOTH())
    await undo(changed.headers)
    expect(await about(path)).toEqual(BOTH())
  })

  it('changes in a branch, and in main when that is merged', async () => {
    const { path } = await note()
    const { json: branch } = await api.ask('POST', '/api/core/branches/', { body: { name: 'Branch' } })
    const headers = { 'X-NetBox-Branch': String(branch.schema_id) }
    const { json } = await api.ask('PATCH', path, { headers, body: { about: [rack(ids.rack), rack(ids.spare)] } })
    const inBranch = [`dcim.rack ${ids.rack}`, `dcim.rack ${ids.spare}`]
    expect([keysOf(json), await about(path)]).toEqual([inBranch, BOTH()])
    await api.ask('PATCH', path, { body: { about_custom_objects_note: [Number(path.split('/').at(-2))] } })
    const merge = await api.ask('POST', `/api/core/branches/${branch.id}/merge/`, { body: {} })
    expect(merge.status, merge.text).toBe(200)
    expect(await about(path)).toEqual([...inBranch, `custom_objects.note ${path.split('/').at(-2)}`])
  })

  it('is refused in a dry run as in a write, which changes nothing', async () => {
    const { path } = await note()
    const dry = await api.ask('PATCH', `${path}?dry_run=true`, { body: { about: [] } })
    expect(dry.status, dry.text).toBe(200)
    expect(await about(path)).toEqual(BOTH())
  })

  it('is required of all writes if it is declared so', async () => {
    const patch = (required: boolean) =>
      api.ask('PATCH', `${FIELDS}${ids.field}/`, { body: { required, description: 'What it is about' } })
    expect((await patch(true)).status).toBe(200)
    const { status, json } = await api.ask('POST', LIST, { body: { title: 'x' } })
    expect((await patch(false)).status).toBe(200)
    expect([status, json]).toEqual([400, { about: ['This field is required.'] }])
  })

  it('is part of GraphQL as a list of a union, of OPTIONS and of OpenAPI', async () => {
    const { id } = await note()
    const query = `{ custom_objects_notes(id: ${id}) {
      about { __typename ... on RackType { name } ... on DeviceTypeType { model } }
      about_dcim_rack { name } } }`
    const { json, text } = await api.ask('POST', '/graphql/', { body: { query } })
    expect(json.data, text).toEqual({
      custom_objects_notes: {
        about: [
          { __typename: 'RackType', name: 'Rack' },
          { __typename: 'DeviceTypeType', model: 'Model' },
        ],
        about_dcim_rack: [{ name: 'Rack' }],
      },
    })
    const options = await api.ask('OPTIONS', LIST)
    expect(options.json.actions?.POST?.about).toMatchObject({ read_only: false, label: 'About' })
    const schema = await api.ask('GET', '/api/schema/?format=json')
    const properties = schema.json.components?.schemas?.CustomObjectsNote?.properties
    expect(properties).toMatchObject({ about: { type: 'array', items: { required: ['app_label', 'model', 'id'] } } })
    expect(properties).not.toHaveProperty('about_dcim_rack')
  })

  it('is listed by what refers to an object, and by the page of that object', async () => {
    const only = await api.make('dcim/racks', { name: 'Only', site: ids.site })
    const { title } = await note([rack(only)])
    const linked = await api.ask('GET', `${BASE}/linked-objects/?object_type=dcim.rack&object_id=${only}`)
    expect(linked.json.results).toMatchObject([{ field_name: 'about', object: { display: title } }])
    expect((await api.ask('GET', `/dcim/racks/${only}/`)).text).toContain(title)
  })

  it('is a list on pages, and one control for each type in forms', async () => {
    const { id, title } = await note()
    for (const path of [`${PAGE}?q=${encodeURIComponent(title)}`, `${PAGE}${id}/`]) {
      const { text } = await api.ask('GET', path)
      expect(text, path).toContain(`/dcim/racks/${ids.rack}/"><bdi>Rack`)
      expect(text, path).toContain(`/dcim/device-types/${ids.deviceType}/"><bdi>Model`)
    }
    const page = await api.ask('GET', `${PAGE}${id}/edit/`)
    const form = readForm(page.text)
    expect(page.text).toContain('About: racks')
    expect([...form.values].filter(([name]) => name.startsWith('about'))).toEqual([
      ['about_dcim_rack', [String(ids.rack)]],
      ['about_dcim_devicetype', [String(ids.deviceType)]],
    ])
    const values = new Map(form.values).set('about_dcim_rack', [String(ids.spare)])
    const saved = await api.ask('POST', `${PAGE}${id}/edit/`, { body: formData(values) })
    expect(saved.status, saved.text).toBe(303)
    expect(await about(`${LIST}${id}/`)).toEqual([`dcim.rack ${ids.spare}`, `dcim.devicetype ${ids.deviceType}`])
    expect((await api.ask('GET', `${PAGE}${id}/changelog/`)).text).toContain('About: racks')
  })

  it('is imported from tables by columns for the types', async () => {
    const form = new FormData()
    form.set('data', 'title,about_dcim_rack,about_dcim_devicetype\nImported,"Rack,Spare",Model\n')
    const { status, text } = await api.ask('POST', `${PAGE}import/`, { body: form })
    expect(status, text).toBe(303)
    const { json } = await api.ask('GET', `${LIST}?title=Imported`)
    expect(keysOf(json.results?.[0] as Document)).toEqual([BOTH()[0], `dcim.rack ${ids.spare}`, BOTH()[1]])
    const exported = (await api.ask('GET', `${PAGE}?export&q=Imported`)).text
    expect(exported).toContain('"Rack, Spare, Model"')
  })

  it('is part of data sets and of documents', async () => {
    const { path: deleted, title } = await note()
    const directory = mkdtempSync(join(tmpdir(), 'cadastre-lists-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const service = currentService(api.service)
    await exportDataSet(service, join(directory, 'set'))
    expect((await api.ask('DELETE', deleted)).status).toBe(204)
    await importDataSet(service, join(directory, 'set'))
    // Change records name the old id, so the object gets another one.
    const list = deleted.replace(/\d+\/$/, '')
    const [copy] = (await api.ask('GET', `${list}?title=${encodeURIComponent(title)}`)).json.results ?? []
    const path = `${list}${copy?.id}/`
    expect(await about(path)).toEqual(BOTH())
    const rackName = { name: 'Rack', site: { slug: 'site' } }
    const document = (list: object) => ({ objects: { 'custom_objects.note': [{ title, ...list }] } })
    const bodies = [
      { about: [{ object_type: 'dcim.rack', object_id: { name: 'Spare', site: { slug: 'site' } } }] },
      { about_dcim_rack: [rackName], about_dcim_devicetype: [{ slug: 'model' }] },
    ]
    for (const [index, body] of bodies.entries()) {
      const applied = await api.ask('POST', '/api/apply/', { body: document(body) })
      expect(applied.json, applied.text).toMatchObject({ updated: 1 })
      const again = await api.ask('POST', '/api/apply/', { body: document(body) })
      expect(again.json, again.text).toMatchObject({ updated: 0, unchanged: 1 })
      expect(await about(path)).toEqual(index === 0 ? [`dcim.rack ${ids.spare}`] : BOTH())
    }
  })
})

describe('a user who may not view some of the objects', () => {
  it('can keep them, but not add them', async () => {
    const { path } = await note([rack(ids.rack), rack(ids.hidden)])
    const user = await api.make('users/users', { username: 'pat', password: 'Long-enough-2026!' })
    for (const [name, object_types, constraints] of [
      ['notes', ['custom_objects.note'], null],
      ['racks', ['dcim.rack'], { name: 'Rack' }],
    ] as const) {
      const actions = ['view', 'add', 'change']
      await api.make('users/permissions', { name, object_types, actions, users: [user], constraints })
    }
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    const token = String(json.token ?? json.key)
    const { json: seen } = await api.ask('GET', path, { token })
    const same = await api.ask('PATCH', path, { token, body: { about: seen.about } })
    expect([same.status, keysOf(same.json)], same.text).toEqual([200, keysOf(seen)])
    // An object is shown with everything that it refers to, but GraphQL leads only to objects that the user may view.
    const id = path.split('/').at(-2)
    const query = `{ custom_objects_notes(id: ${id}) { about { ... on RackType { name } } } }`
    const listed = await api.ask('POST', '/graphql/', { token, body: { query } })
    expect(listed.json.data, listed.text).toEqual({ custom_objects_notes: { about: [{ name: 'Rack' }] } })
    const refusals = await Promise.all(
      [rack(ids.hidden), { ...rack(0), id: undefined, object_id: { name: 'Hidden' } }, rack(99_999)].map((item) =>
        api.ask('POST', LIST, { token, body: { title: 'x', about: [item] } }),
      ),
    )
    expect(refusals.map(({ status, json: refused }) => [status, Object.keys(refused)])).toEqual(
      refusals.map(() => [400, ['about']]),
    )
    // The list of one type shows as much of its objects.
    const parts = { title: 'x', about_dcim_rack: [ids.hidden] }
    const { path: mine } = await note([rack(ids.rack)])
    const id2 = Number(mine.split('/').at(-2))
    const writes: readonly (readonly [string, string, unknown])[] = [
      ['POST', LIST, parts],
      ['POST', LIST, [parts]],
      ['PATCH', mine, { about_dcim_rack: [ids.rack, ids.hidden] }],
      ['PUT', mine, parts],
      ['PATCH', LIST, [{ id: id2, about_dcim_rack: [ids.hidden] }]],
      ['PUT', LIST, [{ id: id2, ...parts }]],
      ['PUT', `${LIST}?match=title`, { ...parts, title: 'Another' }],
    ]
    for (const [method, to, body] of writes) {
      const { status, text } = await api.ask(method, to, { token, body })
      expect([status, text.includes('about_dcim_rack')], `${method} ${text}`).toEqual([400, true])
    }
    expect(await about(mine)).toEqual([`dcim.rack ${ids.rack}`])
    const kept = await api.ask('PATCH', path, { token, body: { about_dcim_rack: [ids.hidden] } })
    expect(kept.status, kept.text).toBe(200)
    const visible = await api.ask('PATCH', mine, { token, body: { about_dcim_rack: [ids.rack] } })
    expect(visible.status, visible.text).toBe(200)
  })
})

describe('the definition of such a field', () => {
  it.each([
    ['another kind', { is_polymorphic: false }, 'is_polymorphic'],
    ['fewer types', { related_object_types_input: TARGETS.slice(0, 1) }, 'related_object_type'],
    ['another name', { name: 'subjects' }, 'name'],
    ['a unique value', { unique: true }, 'unique'],
    ['a name for objects', { primary: true }, 'primary'],
  ])('refuses %s', async (_name, body, field) => {
    const { status, json } = await api.ask('PATCH', `${FIELDS}${ids.field}/`, { body })
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it.each(['about_dcim_rack', 'about_custom_objects_note'])('reserves the name %s', async (name) => {
    const { status, json } = await api.ask('POST', FIELDS, {
      body: { custom_object_type: ids.type, name, type: 'text' },
    })
    expect([status, json]).toEqual([
      400,
      {
        name: [`Another field of the type, or a filter by it, has the name ${name}. Choose another.`],
      },
    ])
  })

  it('accepts further types, and is removed and restored with its values', async () => {
    const { path } = await note()
    const more = await api.ask('PATCH', `${FIELDS}${ids.field}/`, {
      body: { related_object_types_input: [{ app_label: 'dcim', model: 'site' }, ...TARGETS.toReversed()] },
    })
    expect(more.status, more.text).toBe(200)
    const site = { app_label: 'dcim', model: 'site', id: ids.site }
    const { json } = await api.ask('PATCH', path, { body: { about: [rack(ids.rack), site] } })
    expect(keysOf(json)).toEqual([`dcim.site ${ids.site}`, `dcim.rack ${ids.rack}`])
    const { headers } = await api.ask('DELETE', `${FIELDS}${ids.field}/`)
    expect((await api.ask('GET', path)).json).not.toHaveProperty('about')
    const next = await api.ask('POST', FIELDS, { body: { custom_object_type: ids.type, name: 'next', type: 'text' } })
    expect(next.json, next.text).toMatchObject({ schema_id: 4 })
    await undo(headers)
    expect(await about(path)).toEqual(keysOf(json))
  })

  it('travels by the portable schema', async () => {
    const schema = {
      schema_version: '1',
      types: [
        {
          ...{ name: 'plan', slug: 'plans' },
          fields: [
            { id: 1, name: 'title', type: 'text', primary: true },
            {
              ...{ id: 2, name: 'scope', type: 'multiobject', is_polymorphic: true },
              related_object_types: ['dcim/site', 'custom-objects/notes'],
            },
          ],
        },
      ],
    }
    const applied = await api.ask('POST', `${BASE}/schema/apply/`, { body: { schema } })
    expect(applied.status, applied.text).toBe(200)
    const preview = await api.ask('POST', `${BASE}/schema/preview/`, { body: schema })
    expect(preview.json.diffs).toMatchObject([{ has_changes: false }])
    const { id } = await note()
    const scope = [{ app_label: 'custom_objects', model: 'note', id }]
    const plan = await api.ask('POST', `${BASE}/plans/`, { body: { title: 'P', scope } })
    expect(plan.json, plan.text).toMatchObject({ scope })
  })
})

describe('a field for one object of several types', () => {
  it('takes its object by content_type_id', async () => {
    const body = { title: 'One', attached: { content_type_id: ids.rackType, object_id: ids.rack } }
    const { status, json, text } = await api.ask('POST', LIST, { body })
    expect(status, text).toBe(201)
    expect(json).toMatchObject({ attached_type: 'dcim.rack', attached_id: ids.rack, attached: { display: 'Rack' } })
  })
})
