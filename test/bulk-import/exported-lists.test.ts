import papaparse from 'papaparse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { isWritable } from '../../src/schema/writable.ts'
import { isImportable } from '../../src/web/components/offered-methods.ts'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'

/** Models with values that an import cannot read from an export, and the reasons. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'extras.imageattachment': 'a file is not a text',
  'ipam.service': 'the list shows the parent without its type',
  'vpn.tunneltermination': 'the list shows the interface without its device',
}

type Table = readonly (readonly string[])[]

describe('an exported list', () => {
  let api: Api
  let objects: ExampleObjects

  const pages = (): readonly { readonly model: Model; readonly page: string }[] =>
    collections(api.service.registry).flatMap((model) => {
      const page = pagePathOf(model)
      const isTable = !api.service.registry.view(model).importComponents
      return page !== undefined && isTable && isImportable(model) && objects.of(model).length > 0
        ? [{ model, page }]
        : []
    })
  const tableOf = async (page: string): Promise<Table> => {
    const { text, status } = await api.ask('GET', `${page}?export`)
    expect(status, text).toBe(200)
    return papaparse.parse<string[]>(text, { skipEmptyLines: true }).data
  }
  const send = async (page: string, table: Table, step?: 'preview') => {
    const form = new FormData()
    form.set('data', papaparse.unparse(table.map((cells) => [...cells])))
    if (step) form.set('step', step)
    return await api.ask('POST', `${page}import/`, { body: form })
  }
  /** The values of all objects in responses, as JSON, by id and field; terminations repeat the values of their cable. */
  const valuesOf = async (model: Model): Promise<ReadonlyMap<string, string>> => {
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=100`)
    const fields = (json.results ?? []).flatMap((object) =>
      Object.entries(object).map(([name, value]) => [`${object.id} ${name}`, JSON.stringify(value)] as const),
    )
    return new Map(fields.filter(([name]) => !/ (last_updated|[ab]_terminations)$/.test(name)))
  }
  const changeCount = async (): Promise<number> =>
    Number((await api.ask('GET', '/api/core/object-changes/?limit=1')).json.count)

  /** The columns that the second step of the page assigns to the headings. */
  const assigned = async (page: string, table: Table): Promise<ReadonlyMap<string, string>> => {
    const { text } = await send(page, table, 'preview')
    const controls = text.matchAll(/<select[^>]* name="map\.([^"]*)".*?<\/select>/gs)
    return new Map(
      [...controls].map(([control, heading = '']) => [heading, /value="([^"]*)" selected/.exec(control)?.[1] ?? '']),
    )
  }

  beforeAll(async () => {
    api = await startApiWithOwnModels({ API_VERSION: '4.7' })
    objects = new ExampleObjects(api)
    await objects.createAll()
  })
  afterAll(() => api.close())

  it('changes nothing when it is imported unchanged', async () => {
    const problems: string[] = []
    for (const { model, page } of pages()) {
      const before = await changeCount()
      const { status, text } = await send(page, await tableOf(page))
      if (status !== 303 || (await changeCount()) !== before) problems.push(`${model.name} ${status} ${errorsIn(text)}`)
    }
    expect(problems).toEqual([])
    expect(pages().length).toBeGreaterThan(90)
  })

  it('changes only the edited cell', async () => {
    const problems: string[] = []
    let edited = 0
    for (const { model, page } of pages()) {
      const [headings = [], ...lines] = await tableOf(page)
      const position = headings.indexOf('Description')
      const id = lines[0]?.[headings.indexOf('ID')]
      const description = model.fields.get('description')
      if (position < 0 || !description || !isWritable(description)) continue
      const before = await valuesOf(model)
      const { status, text } = await send(page, [
        headings,
        ...lines.map((line, index) => (index ? line : line.with(position, 'edited'))),
      ])
      const after = await valuesOf(model)
      const changed = [...after].filter(
        // A description may name the object.
        ([value, content]) => before.get(value) !== content && value !== `${id} display`,
      )
      if (status !== 303 || JSON.stringify(changed) !== JSON.stringify([[`${id} description`, '"edited"']])) {
        problems.push(`${model.name} ${status} ${JSON.stringify(changed)} ${errorsIn(text)}`)
      } else edited += 1
    }
    expect(problems).toEqual([])
    expect(edited).toBeGreaterThan(60)
  })

  it('has values that an import reads', async () => {
    const problems: string[] = []
    for (const { model, page } of pages()) {
      if (model.name in UNREADABLE) continue
      const table = await tableOf(page)
      const columns = await assigned(page, table)
      const [headings = []] = table
      const positions = headings
        .keys()
        .filter((position) => columns.get(headings[position] ?? ''))
        .toArray()
      // With the names of columns as headings, no cell is compared with the export, so all are read.
      const [, ...lines] = table.map((cells) => positions.map((position) => cells[position] ?? ''))
      const names = positions.map((position) => columns.get(headings[position] ?? '') ?? '')
      const { text } = await send(page, [names, ...lines], 'preview')
      if (!text.includes(`0 to create, 0 to change, ${lines.length} without a change, 0 refused`)) {
        problems.push(`${model.name} ${errorsIn(text)}`)
      }
    }
    expect(problems).toEqual([])
  })

  it.each([
    ['/dcim/devices/', 'Type', 'device_type'],
    ['/dcim/devices/', 'Manufacturer', 'manufacturer'],
    ['/dcim/devices/', 'Rack face', 'face'],
    ['/dcim/devices/', 'Parent device', 'parent'],
    ['/dcim/devices/', 'Console ports', ''],
    ['/dcim/racks/', 'Type', 'rack_type'],
    ['/ipam/prefixes/', 'Pool', 'is_pool'],
  ])('of %s with the heading %s is assigned to %j', async (page, heading, column) => {
    const table = await tableOf(page)
    expect(table[0]).toContain(heading)
    expect((await assigned(page, table)).get(heading)).toBe(column)
  })

  it('creates objects from rows without an id, with displays, labels and custom fields', async () => {
    const field = { name: 'circuit', label: 'Patch label', type: 'text', object_types: ['ipam.vlan', 'ipam.prefix'] }
    expect((await api.ask('POST', '/api/extras/custom-fields/', { body: field })).status).toBe(201)
    const vlans: Table = [
      ['Name', 'VID', 'Status', 'Patch label'],
      ['corp', '100', 'Reserved', 'P1'],
      ['corp', '200', 'Active', ''],
    ]
    const prefixes: Table = [
      ['Prefix', 'Status', 'VLAN', 'Pool', 'Patch label', 'Last updated'],
      ['10.9.0.0/24', 'Container', 'corp (200)', 'True', 'P2', 'ignored'],
    ]
    expect((await send('/ipam/vlans/', vlans)).status).toBe(303)
    const answer = await send('/ipam/prefixes/', prefixes)
    expect(answer.status, errorsIn(answer.text)).toBe(303)
    const { json } = await api.ask('GET', '/api/ipam/prefixes/?prefix=10.9.0.0/24')
    expect(json.results?.[0]).toMatchObject({
      status: { value: 'container' },
      vlan: { vid: 200 },
      is_pool: true,
      custom_fields: { circuit: 'P2' },
    })
  })

  it('distinguishes custom fields from fields with the same label or name', async () => {
    const types = { type: 'text', object_types: ['ipam.rir'] }
    for (const field of [{ name: 'slug' }, { name: 'one', label: 'Name' }, { name: 'two', label: 'Name' }]) {
      expect((await api.ask('POST', '/api/extras/custom-fields/', { body: { ...field, ...types } })).status).toBe(201)
    }
    const [headings = [], first = []] = await tableOf('/ipam/rirs/')
    expect(headings.slice(-3).toSorted()).toEqual(['cf_one', 'cf_slug', 'cf_two'])
    const position = headings.indexOf('cf_two')
    expect((await send('/ipam/rirs/', [headings, first.with(position, 'edited')])).status).toBe(303)
    const { json } = await api.ask('GET', `/api/ipam/rirs/${first[headings.indexOf('ID')]}/`)
    expect(json).toMatchObject({ name: first[headings.indexOf('Name')], custom_fields: { two: 'edited', slug: null } })
    const named = [
      ['id', 'slug'],
      [first[headings.indexOf('ID')] ?? '', 'changed'],
    ]
    expect((await send('/ipam/rirs/', named)).status).toBe(303)
    expect((await api.ask('GET', '/api/ipam/rirs/?slug=changed')).json.count).toBe(1)
  })

  it('is refused if it has a heading that no export has', async () => {
    const { status, text } = await send('/dcim/sites/', [
      ['Name', 'Slug', 'Nonsense'],
      ['A', 'a', 'x'],
    ])
    expect(status).toBe(400)
    expect(text).toContain('There is no column Nonsense here.')
  })
})

const errorsIn = (text: string): string =>
  [...text.matchAll(/class="(?:cell-error|notice bad)[^>]*>(.*?)<\/(?:strong|div)>/gs)]
    .map(([, words]) => words)
    .join(' | ')
    .slice(0, 300)
