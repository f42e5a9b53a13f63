import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const createdBy = async (api: Api, path: string, body: unknown): Promise<Document> => {
  const answer = await api.ask('POST', `/api/${path}/`, { body })
  expect(answer.status, answer.text).toBe(201)
  return answer.json
}

const tried = async (api: Api, method: string, path: string, body?: unknown, token?: string) => {
  const answer = await api.ask(method, `/api/${path}?dry_run=true`, {
    ...(body !== undefined && { body }),
    ...(token !== undefined && { token }),
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

const pairs = (list: Document | undefined): readonly unknown[] =>
  [...(list ?? [])].map(({ object_type, display, fields }) =>
    [object_type, display, fields].filter((each) => each !== undefined),
  )

/** A user with these permissions, by the names of models; returns the key of a token. */
async function userWith(
  api: Api,
  permissions: readonly (readonly [string, readonly string[], unknown])[],
): Promise<string> {
  const { id } = await createdBy(api, 'users/users', { username: 'u1', password: 'Nemo-dat-14!' })
  for (const [type, actions, constraints] of permissions) {
    await createdBy(api, 'users/permissions', {
      ...{ name: `${type} ${actions}`, object_types: [type], actions, constraints, users: [id] },
    })
  }
  const token = await createdBy(api, 'users/tokens', { user: id, version: 1 })
  return String(token.key)
}

describe('a dry run', () => {
  it('shows which objects a deletion would delete or change too', async () => {
    const api = await apiOfTest()
    const site = await createdBy(api, 'dcim/sites', { name: 'S', slug: 's' })
    await createdBy(api, 'dcim/locations', { name: 'L', slug: 'l', site: site.id })
    const tenant = await createdBy(api, 'tenancy/tenants', { name: 'T', slug: 't' })
    const group = await createdBy(api, 'tenancy/tenant-groups', { name: 'G', slug: 'g' })
    await api.ask('PATCH', `/api/tenancy/tenants/${tenant.id}/`, { body: { group: group.id } })

    const gone = await tried(api, 'DELETE', `dcim/sites/${site.id}/`)
    expect(gone).toMatchObject({ dry_run: true, status: 204, result: null })
    expect(pairs(gone.deleted)).toEqual([
      ['dcim.location', 'L'],
      ['dcim.site', 'S'],
    ])
    const emptied = await tried(api, 'DELETE', `tenancy/tenant-groups/${group.id}/`)
    expect(pairs(emptied.changed)).toEqual([['tenancy.tenant', 'T', ['group']]])
    expect([...(emptied.changes ?? [])].map(({ action, object_repr }) => [action?.value, object_repr])).toEqual([
      ['update', 'T'],
      ['delete', 'G'],
    ])
    expect((await api.ask('GET', '/api/dcim/locations/')).json.count).toBe(1)
  })

  it('gets the same refusal as the write', async () => {
    const api = await apiOfTest()
    const body = { name: 'S', slug: 's' }
    await createdBy(api, 'dcim/sites', body)
    const refused = await tried(api, 'POST', 'dcim/sites/', body)
    const real = await api.ask('POST', '/api/dcim/sites/', { body })
    expect(refused).toMatchObject({ status: 400, result: real.json, created: [], changes: [] })
    expect(await tried(api, 'DELETE', 'dcim/sites/99/')).toMatchObject({ status: 404 })
  })

  it('names the event rules that apply, and sends nothing', async () => {
    const api = await apiOfTest()
    const webhook = await createdBy(api, 'extras/webhooks', {
      name: 'W',
      payload_url: 'http://192.0.2.1/',
    })
    const rule = (name: string, conditions: unknown) =>
      createdBy(api, 'extras/event-rules', {
        ...{ name, conditions, object_types: ['dcim.site'], event_types: ['object_created'] },
        ...{
          action_type: 'webhook',
          action_object_type: 'extras.webhook',
          action_object_id: webhook.id,
        },
      })
    await rule('all', null)
    await rule('others', { attr: 'name', value: 'T' })
    const { deliveries } = await tried(api, 'POST', 'dcim/sites/', { name: 'S', slug: 's' })
    expect(deliveries).toMatchObject([
      {
        event_rule: { name: 'all' },
        event_type: 'object_created',
        action_object_type: 'extras.webhook',
        action_object_id: webhook.id,
        object_type: 'dcim.site',
        object_id: 1,
      },
    ])
    await api.background.runUntilIdle()
    expect((await api.ask('GET', '/api/extras/webhook-deliveries/')).json.count).toBe(0)
  })

  it('shows only effects that the user may view', async () => {
    const api = await apiOfTest()
    const site = await createdBy(api, 'dcim/sites', { name: 'S', slug: 's' })
    for (const name of ['A', 'B']) {
      await createdBy(api, 'dcim/locations', { name, slug: name.toLowerCase(), site: site.id })
    }
    const token = await userWith(api, [
      ['dcim.site', ['view', 'delete'], null],
      ['dcim.location', ['view'], { name: 'A' }],
      ['core.objectchange', ['view'], { object_repr__in: ['S', 'B'] }],
    ])
    const { deleted, changes, counts } = await tried(api, 'DELETE', `dcim/sites/${site.id}/`, undefined, token)
    expect(pairs(deleted)).toEqual([
      ['dcim.location', 'A'],
      ['dcim.site', 'S'],
    ])
    expect([...(changes ?? [])].map(({ object_repr }) => object_repr)).toEqual(['S'])
    expect(counts).toMatchObject({ deleted: 2, changes: 1 })
    const forbidden = await tried(api, 'POST', 'dcim/sites/', { name: 'T', slug: 't' }, token)
    expect(forbidden.status).toBe(403)
  })

  it('allocates what the next request gets', async () => {
    const api = await apiOfTest()
    const prefix = await createdBy(api, 'ipam/prefixes', { prefix: '192.0.2.0/29' })
    const path = `ipam/prefixes/${prefix.id}/available-ips/`
    const { result } = await tried(api, 'POST', path, {})
    const { json } = await api.ask('POST', `/api/${path}`, { body: {} })
    expect([result?.id, result?.address]).toEqual([json.id, json.address])
  })

  it('stores no file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cadastre-dry-run-'))
    const api = await apiOfTest({ DATA_DIR: directory })
    const site = await createdBy(api, 'dcim/sites', { name: 'S', slug: 's' })
    const form = new FormData()
    form.set('object_type', 'dcim.site')
    form.set('object_id', String(site.id))
    form.set('image', new Blob([PIXEL]), 'pixel.gif')
    const files = () => readdirSync(directory, { recursive: true, encoding: 'utf8' })
    const before = files()
    expect(await tried(api, 'POST', 'extras/image-attachments/', form)).toMatchObject({
      status: 201,
    })
    expect(files().filter((name) => !before.includes(name))).toEqual([])
  })

  it('does not affect cached values', async () => {
    const api = await apiOfTest()
    const site = await createdBy(api, 'dcim/sites', { name: 'S', slug: 's' })
    const list = () => api.ask('GET', '/api/dcim/sites/')
    const before = [(await list()).text, (await list()).text, (await list()).text]
    const { version } = api.service.cache.log
    await tried(api, 'PATCH', `dcim/sites/${site.id}/`, { name: 'T' })
    expect(api.service.cache.log.version).toBe(version)
    expect([(await list()).text]).toEqual([...new Set(before)])
  })
})

const REFUSED = [
  { name: 'a value that is neither yes nor no', path: 'dcim/sites/?dry_run=perhaps', status: 400 },
  { name: 'a background job', path: 'dcim/sites/?dry_run=true&background=true', status: 200 },
  {
    name: 'an endpoint without a dry run',
    path: 'users/tokens/provision/?dry_run=true',
    status: 400,
  },
]

describe('a request that does not support dry runs', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  it.each(REFUSED)('is refused and not carried out: $name', async ({ path, status }) => {
    const body = { name: 'S', slug: 's', username: 'admin', password: 'admin' }
    const answer = await api.ask('POST', `/api/${path}`, { body })
    expect(answer.status, answer.text).toBe(status)
    if (status === 200) expect(answer.json.status).toBe(400)
    expect((await api.ask('GET', '/api/dcim/sites/')).json.count).toBe(0)
    expect((await api.ask('GET', '/api/core/jobs/?name__ic=POST')).json.count).toBe(0)
    expect((await api.ask('GET', '/api/users/tokens/')).json.count).toBe(1)
  })
})
