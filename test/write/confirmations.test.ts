import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { join, sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { collections, ExampleObjects, offers } from '../registry/example-objects.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { createdId, createdIds, readPage } from '../support/requests.ts'

/** Rows that the service keeps for others, which no user made. */
const DERIVED: ReadonlySet<string> = new Set(['core.jobtask', 'dcim.cablepath'])

const api = await startApiWithOwnModels({ API_VERSION: '4.7' })
const objects = new ExampleObjects(api)
beforeAll(() => objects.createAll())
afterAll(() => api.close())

type Counts = Readonly<Record<string, number>>

/** Numbers of rows by model. */
async function rowCounts({ service }: Api): Promise<Counts> {
  const models = [...service.registry.models.values()].filter(({ name }) => !DERIVED.has(name))
  const counts = models.map(
    (model) => sql`select ${model.name}::text as name, count(*)::int as count from ${table(model)}`,
  )
  const rows = await service.database.query<{ name: string; count: number }>(join(counts, ' union all '))
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const positive = (counts: Counts): Counts => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

/** Numbers of objects that depend on the deleted ones, as a page lists them, by title: `3 Interfaces`. */
function listedIn(page: string): readonly string[] {
  const effects = /<h2>What happens<\/h2>(.*?)<\/section>/s.exec(page)?.[1] ?? ''
  const list = /will be deleted too:<\/p><ul>(.*?)<\/ul>/s.exec(effects)?.[1] ?? ''
  return [...list.matchAll(/<li>([^<]*)<\/li>/g)].map(([, text = '']) => text.toLowerCase()).toSorted()
}

async function bulkPage(model: Model, id: number): Promise<string | undefined> {
  const body = new FormData()
  body.append('ids', String(id))
  const page = `${pagePathOf(model)}delete/`
  const { status, text } = await api.ask('POST', page, { body, headers: { accept: 'text/html' } })
  return status === 200 ? text : undefined
}

describe('what a confirmation says equals what a deletion removes', () => {
  const names = collections(api.service.registry)
    .filter((model) => offers(model, 'DELETE'))
    .map(({ name }) => name)

  it.each(names)('%s', async (name) => {
    const model = api.service.registry.model(name)
    const [object] = objects.of(model)
    const id = Number(object?.id)
    const path = `/api/${model.path}/${id}/`
    const trial = await api.ask('DELETE', `${path}?dry_run=true`)
    expect(trial.status, trial.text).toBe(200)
    // Protected by another object.
    if (Number(trial.json.status) !== 204) return
    const page = pagePathOf(model) === undefined ? undefined : await readPage(api, `${pagePathOf(model)}${id}/delete/`)
    const pageOfSeveral = page === undefined ? undefined : await bulkPage(model, id)
    const before = await rowCounts(api)
    const { status, text, headers } = await api.ask('DELETE', path)
    expect(status, text).toBe(204)
    const after = await rowCounts(api)
    const removed = positive(
      Object.fromEntries(Object.entries(before).map(([key, count]) => [key, count - (after[key] ?? count)])),
    )
    const reported = Object.fromEntries(
      [...Map.groupBy(trial.json.deleted ?? [], ({ object_type }) => String(object_type))].map(([type, list]) => [
        type,
        list.length,
      ]),
    )
    expect(reported).toEqual(removed)
    const dependents = Object.entries(removed).flatMap(([key, count]) => {
      const dependent = api.service.registry.model(key)
      const others = key === name ? count - 1 : count
      const [one, many] = dependent.definition.labels
      return others > 0 && pagePathOf(dependent) !== undefined ? [`${others} ${others === 1 ? one : many}`] : []
    })
    const listed = dependents.map((text) => text.toLowerCase()).toSorted()
    if (page !== undefined) expect(listedIn(page)).toEqual(listed)
    if (pageOfSeveral !== undefined) expect(listedIn(pageOfSeveral)).toEqual(listed)
    await api.ask('POST', `/api/core/requests/${headers.get('x-request-id')}/undo/`, { body: {} })
  })
})

describe('a deletion that takes more than 100 objects along', () => {
  let device = 0
  let few = 0
  beforeAll(async () => {
    const [site, role] = await Promise.all([
      createdId(api, 'dcim/sites', { name: 'Typed', slug: 'typed' }),
      createdId(api, 'dcim/device-roles', { name: 'Typed', slug: 'typed', color: 'aa0000' }),
    ])
    const manufacturer = await createdId(api, 'dcim/manufacturers', { name: 'Typed', slug: 'typed' })
    const device_type = await createdId(api, 'dcim/device-types', { manufacturer, model: 'Typed', slug: 'typed' })
    const body = { site, role, device_type }
    ;[device = 0, few = 0] = await createdIds(api, 'dcim/devices', [
      { ...body, name: 'core  sw1' },
      { ...body, name: 'sw2' },
    ])
    const ports = (of: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ device: of, name: `e${index}`, type: '1000base-t' }))
    await createdIds(api, 'dcim/interfaces', [...ports(device, 101), ...ports(few, 100)])
  })

  const send = async (path: string, fields: Readonly<Record<string, string>>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return await api.ask('POST', path, { body, headers: { accept: 'text/html' } })
  }
  const exists = async (id: number) => (await api.ask('GET', `/api/dcim/devices/${id}/`)).status === 200

  it('asks for the name of the object', async () => {
    expect(await readPage(api, `/dcim/devices/${device}/delete/`)).toContain('To confirm, type: core  sw1')
    expect(await readPage(api, `/dcim/devices/${few}/delete/`)).not.toContain('To confirm, type')
  })

  it.each(['', 'sw2', 'core'])('is refused with the text “%s”', async (confirmation) => {
    const { status, text } = await send(`/dcim/devices/${device}/delete/`, { confirmation })
    expect(status).toBe(400)
    expect(text).toContain('Nothing was deleted: the text is not “core  sw1”.')
    expect(await exists(device)).toBe(true)
  })

  it('asks for the number if several objects are deleted together', async () => {
    const ids = `${device},${few}`
    expect((await send('/dcim/devices/delete/', { ids })).text).toContain('To confirm, type: 2')
    const refused = await send('/dcim/devices/delete/', { ids, do: 'apply', confirmation: '3' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Nothing was deleted: the text is not “2”.')
    expect(await exists(few)).toBe(true)
  })

  it('is carried out with the name, and by the API without it', async () => {
    expect((await send(`/dcim/devices/${device}/delete/`, { confirmation: ' core sw1 ' })).status).toBe(303)
    expect(await exists(device)).toBe(false)
    await createdIds(
      api,
      'dcim/interfaces',
      [1, 2].map((index) => ({ device: few, name: `x${index}`, type: '1000base-t' })),
    )
    expect((await api.ask('DELETE', `/api/dcim/devices/${few}/`)).status).toBe(204)
  })
})
