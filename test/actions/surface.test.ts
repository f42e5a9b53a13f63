import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/schema/json.ts'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'

describe('endpoints beyond the collections', () => {
  let api: Api
  let token: string
  beforeAll(async () => {
    api = await startApi()
    const body = { username: 'u', password: 'A-long-password-1' }
    const user = (await api.ask('POST', '/api/users/users/', { body })).json.id
    const made = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    token = String(made.json.key)
  })
  afterAll(() => api.close())

  it('the OpenAPI document describes every operation', async () => {
    const { paths } = (await api.ask('GET', '/api/schema/?format=json')).json
    const undescribed = Object.entries(paths as Record<string, Record<string, JsonObject>>).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, description }]) =>
        operationId === undefined || description ? [] : [`${method} ${path}`],
      ),
    )
    expect(undescribed).toEqual([])
  })

  it('a user’s dashboard contains what the user has stored', async () => {
    const path = '/api/extras/dashboard/'
    expect((await api.ask('GET', path)).json).toEqual({ layout: null, config: null })
    const layout = [{ id: 'a', w: 4, h: 3, x: 0, y: 0 }]
    expect((await api.ask('PATCH', path, { body: { layout } })).json).toEqual({
      layout,
      config: {},
    })
    const config = { a: { class: 'extras.NoteWidget' } }
    expect((await api.ask('PUT', path, { body: { config } })).json).toEqual({ layout, config })
    expect((await api.ask('PUT', path, { body: { layout: 'x', config: [] } })).json).toEqual({
      layout: [expect.any(String)],
      config: [expect.any(String)],
    })
    expect((await api.ask('GET', path, { token })).status).toBe(403)
    expect((await api.ask('DELETE', path)).status).toBe(204)
    expect((await api.ask('DELETE', path)).status).toBe(404)
  })

  it('only superusers see queues, workers and tasks', async () => {
    for (const [name, count] of Object.entries({ queues: 3, workers: 0, tasks: 0 })) {
      const path = `/api/core/background-${name}/`
      const { json } = await api.ask('GET', path)
      expect(json).toMatchObject({ count, next: null, previous: null })
      expect((await api.ask('GET', path, { token })).status).toBe(403)
      expect((await api.ask('GET', `${path}nothing/`)).status).toBe(404)
      expect((await api.ask('GET', '/api/core/')).json[`background-${name}`]).toBe(api.url + path)
    }
    expect((await api.ask('POST', '/api/core/background-tasks/x/stop/')).status).toBe(404)
  })

  it('the content of a data file is copied to its object exactly', async () => {
    const source = await api.ask('POST', '/api/core/data-sources/', {
      body: { name: 's', type: 'local', source_url: '/nowhere' },
    })
    const { database } = api.service
    const file = async (path: string, text: string) => {
      const [row] = await database.query<{ id: number }>(sql`
        ${insertInto('core.datafile')} (source_id, path, size, hash, last_updated, created, data)
        values (${Number(source.json.id)}::bigint, ${path}, 1, '', now(), now(),
          ${Buffer.from(text).toString('base64')}) returning id`)
      return row?.id
    }
    const make = async (path: string, body: unknown) => {
      const { status, json, text } = await api.ask('POST', `/api/extras/${path}/`, { body })
      expect(status, text).toBe(201)
      return `/api/extras/${path}/${json.id}/`
    }
    const template = await make('config-templates', {
      name: 't',
      template_code: 'old',
      data_file: await file('t.j2', 'hostname x\n'),
    })
    const synced = await api.ask('POST', `${template}sync/`)
    expect([synced.status, synced.json.template_code]).toEqual([200, 'hostname x\n'])
    expect(synced.json.data_synced).toEqual(expect.any(String))
    const changes = await api.ask('GET', '/api/core/object-changes/?action=update')
    expect(changes.json.results?.[0]?.postchange_data?.template_code).toBe('hostname x\n')

    const context = (name: string, data_file: unknown) =>
      make('config-contexts', { name, data: { old: true }, data_file })
    const good = await context('c', await file('c.yaml', 'ntp:\n  - 10.0.0.1\n'))
    expect((await api.ask('POST', `${good}sync/`)).json.data).toEqual({ ntp: ['10.0.0.1'] })
    for (const text of ['- a list', '{"open":']) {
      const bad = await context(text, await file(text, text))
      const refused = await api.ask('POST', `${bad}sync/`)
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['data']])
    }

    const without = await make('export-templates', {
      name: 'e',
      object_types: ['dcim.site'],
      template_code: 'kept',
    })
    expect((await api.ask('POST', `${without}sync/`)).json.template_code).toBe('kept')
    expect((await api.ask('POST', `${without}sync/`, { token })).status).toBe(403)
  })

  it('the choices of a set are listed, published ones before its own', async () => {
    const choices = async (body: object, query = '') => {
      const made = await api.ask('POST', '/api/extras/custom-field-choice-sets/', { body })
      expect(made.status, made.text).toBe(201)
      const path = `/api/extras/custom-field-choice-sets/${made.json.id}/choices/?${query}`
      const { json } = await api.ask('GET', path)
      return [json.count, json.results?.map(({ id, display }) => [id, display])]
    }
    const own = {
      extra_choices: [
        ['b', 'Second'],
        ['a', 'First'],
      ],
    }
    expect(await choices({ name: '1', ...own })).toEqual([
      2,
      [
        ['b', 'Second'],
        ['a', 'First'],
      ],
    ])
    const sorted = { name: '2', ...own, order_alphabetically: true }
    expect(await choices(sorted)).toEqual([
      2,
      [
        ['a', 'First'],
        ['b', 'Second'],
      ],
    ])
    const countries = { name: '3', base_choices: 'ISO_3166', extra_choices: [['XX', 'Nowhere']] }
    expect(await choices(countries, 'limit=1')).toEqual([250, [['AD', 'AD (Andorra)']]])
    const airports = { name: '4', base_choices: 'IATA', extra_choices: [] }
    expect(await choices(airports, 'q=zrh')).toEqual([1, [['ZRH', expect.stringContaining('CH')]]])
  })

  it('a file of scripts that cannot be loaded is refused, and missing scripts cannot be run', async () => {
    const upload = '/api/extras/scripts/upload/'
    expect((await api.ask('POST', upload, { body: {} })).json).toEqual({
      file: [expect.any(String)],
    })
    const form = new FormData()
    form.set('file', new Blob(['x']), 'x.py')
    expect((await api.ask('POST', upload, { body: form })).status).toBe(400)
    expect((await api.ask('POST', '/api/extras/scripts/9/', { body: {} })).status).toBe(404)
    expect((await api.ask('POST', '/api/extras/scripts/', { body: {} })).status).toBe(405)
  })

  it('the OpenAPI document contains every action', async () => {
    const { json } = await api.ask('GET', '/api/schema/?format=json')
    const paths = Object.keys(json.paths ?? {})
    expect(paths).toEqual(
      expect.arrayContaining([
        '/api/ipam/prefixes/{id}/available-ips/',
        '/api/core/background-queues/{name}/',
        '/api/users/config/',
      ]),
    )
    const script = json.paths?.['/api/extras/scripts/{id}/']
    expect([script?.get?.operationId, script?.post?.operationId]).toEqual([
      'extras_scripts_retrieve',
      'extras_scripts_run',
    ])
  })
})
