import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { created, lastChange } from '../support/requests.ts'

/** May do everything with racks and sites whose names begin with "open". */
const TOKEN = 'fedcba9876543210fedcba9876543210fedcba98'

describe('undo and history with restricted permissions', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    const user = await create('users/users', { username: 'ann', password: 'Long-enough-1' })
    await create('users/tokens', { user: user.id, key: TOKEN, version: 1, token: TOKEN })
    const permission = (name: string, body: object) => create('users/permissions', { name, users: [user.id], ...body })
    await permission('racks', {
      object_types: ['dcim.rack', 'dcim.site'],
      actions: ['view', 'add', 'change', 'delete'],
      constraints: { name__startswith: 'open' },
    })
    await permission('changes', { object_types: ['core.objectchange'], actions: ['view'] })
    await permission('tenants', { object_types: ['tenancy.tenant'], actions: ['view'] })
  })
  afterAll(() => api.close())

  const create = (path: string, body: unknown) => created(api, path, body)
  const asAnn = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
    api.ask(method, `/api/${path}`, { token: TOKEN, body })
  const changeOf = (type: string, id: unknown) => lastChange(api, type, id)

  test('changes of hidden objects have no history and no undo', async () => {
    const site = await create('dcim/sites', { name: 'closed 1', slug: 'closed-1' })
    const change = await changeOf('dcim.site', site.id)
    expect((await asAnn('GET', `dcim/sites/${site.id}/history/`)).status).toBe(404)
    expect((await asAnn('POST', `core/object-changes/${change.id}/undo/`, {})).status).toBe(404)
    expect((await asAnn('POST', `core/requests/${change.request_id}/undo/`, {})).status).toBe(404)
  })

  test('a request with a hidden change is refused without mentioning the change', async () => {
    const sites = await create('dcim/sites', [
      { name: 'open 2', slug: 'open-2' },
      { name: 'closed 2', slug: 'closed-2' },
    ])
    const change = await changeOf('dcim.site', sites[0]?.id)
    const { status, text } = await asAnn('POST', `core/requests/${change.request_id}/undo/`, {})
    expect(status).toBe(403)
    expect(text).not.toContain('closed')
    expect((await asAnn('POST', `core/object-changes/${change.id}/undo/`, {})).status).toBe(200)
  })

  test('an object that has left the permissions shows only the part that was visible, and cannot be undone', async () => {
    const site = await create('dcim/sites', { name: 'open 3', slug: 'open-3' })
    await api.ask('PATCH', `/api/dcim/sites/${site.id}/`, { body: { name: 'closed 3' } })
    const change = await changeOf('dcim.site', site.id)
    const { status, text, json } = await asAnn('GET', `dcim/sites/${site.id}/history/`)
    expect(status).toBe(200)
    expect(json.results).toHaveLength(2)
    expect(text).not.toContain('closed')
    expect((await asAnn('POST', `core/object-changes/${change.id}/undo/`, {})).status).toBe(403)
  })

  test('a conflict with a hidden object names neither the object nor its change', async () => {
    const site = await create('dcim/sites', { name: 'open 4', slug: 'open-4' })
    const change = await changeOf('dcim.site', site.id)
    await create('dcim/racks', { name: 'closed rack', site: site.id })
    const { status, text, json } = await asAnn('POST', `core/object-changes/${change.id}/undo/`, {})
    expect(status).toBe(409)
    expect(json.conflicts).toMatchObject([{ reason: 'referenced', other: null, change: null }])
    expect(text).not.toContain('closed')
  })

  test('a name that a hidden object has taken is not confirmed', async () => {
    const site = await create('dcim/sites', { name: 'open 5', slug: 'five' })
    await asAnn('DELETE', `dcim/sites/${site.id}/`)
    await create('dcim/sites', { name: 'closed 5', slug: 'five' })
    const change = await changeOf('dcim.site', site.id)
    const { status, text } = await asAnn('POST', `core/object-changes/${change.id}/undo/`, {})
    expect(status).toBe(409)
    expect(text).not.toMatch(/closed|already exists/)
  })

  test('undoing a change requires the permission for the inverse write', async () => {
    const tenant = await create('tenancy/tenants', { name: 'T', slug: 't' })
    const change = await changeOf('tenancy.tenant', tenant.id)
    expect((await asAnn('GET', `tenancy/tenants/${tenant.id}/history/`)).status).toBe(200)
    expect((await asAnn('POST', `core/object-changes/${change.id}/undo/`, {})).status).toBe(403)
    expect((await asAnn('GET', `tenancy/tenants/${tenant.id}/`)).status).toBe(200)
  })

  test('counts leave out changes of hidden objects', async () => {
    const query = 'changed_object_type=dcim.rack'
    const { status, json } = await asAnn('GET', `core/object-changes/counts/?${query}`)
    expect([status, json.count]).toEqual([200, 0])
  })
})
