import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, type ApiAnswer, type Document, startApi } from '../support/api.ts'
import { created, lastChange } from '../support/requests.ts'

describe('undo', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  const send = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
    api.ask(method, `/api/${path}`, { body })
  const create = (path: string, body: unknown) => created(api, path, body)
  const changeOf = (type: string, id: unknown) => lastChange(api, type, id)
  const undo = async (change: Document | undefined, body: object = {}): Promise<ApiAnswer> =>
    send('POST', `core/object-changes/${change?.id}/undo/`, body)
  const undoRequest = async (change: Document | undefined, body: object = {}): Promise<ApiAnswer> =>
    send('POST', `core/requests/${change?.request_id}/undo/`, body)

  test('an update is reverted, keeps later changes of other fields, and is restored by undoing the undo', async () => {
    const site = await create('dcim/sites', { name: 'U1', slug: 'u1', facility: 'old' })
    const path = `dcim/sites/${site.id}/`
    await send('PATCH', path, { facility: 'new', description: 'first' })
    const change = await changeOf('dcim.site', site.id)
    await send('PATCH', path, { comments: 'later' })

    const { status, json } = await undo(change, { changelog_message: 'A mistake' })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      dry_run: false,
      changes: [
        {
          action: 'update',
          object_type: 'dcim.site',
          message: 'A mistake',
          changes: { facility: { before: 'new', after: 'old' } },
        },
      ],
    })
    expect((await send('GET', path)).json).toMatchObject({
      facility: 'old',
      description: '',
      comments: 'later',
    })
    await undo(await changeOf('dcim.site', site.id))
    expect((await send('GET', path)).json).toMatchObject({ facility: 'new', description: 'first' })
  })

  test('a dry run shows what would change, and changes nothing', async () => {
    const site = await create('dcim/sites', { name: 'U2', slug: 'u2' })
    const change = await changeOf('dcim.site', site.id)
    const { status, json } = await undo(change, { dry_run: true })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      dry_run: true,
      request_id: null,
      changes: [{ action: 'delete', object_type: 'dcim.site', object_repr: 'U2' }],
    })
    expect((await send('GET', `dcim/sites/${site.id}/`)).status).toBe(200)
    expect((await changeOf('dcim.site', site.id)).id).toBe(change.id)
  })

  test('a field that has changed since is reported as a conflict with the later change', async () => {
    const site = await create('dcim/sites', { name: 'U3', slug: 'u3' })
    const path = `dcim/sites/${site.id}/`
    await send('PATCH', path, { facility: 'one' })
    const change = await changeOf('dcim.site', site.id)
    await send('PATCH', path, { facility: 'two' })
    const later = await changeOf('dcim.site', site.id)
    const { status, json } = await undo(change)
    expect(status).toBe(409)
    expect(json.conflicts).toMatchObject([
      {
        reason: 'changed',
        object_type: 'dcim.site',
        object_id: site.id,
        field: 'facility',
        change: { id: later.id },
      },
    ])
    expect((await send('GET', path)).json.facility).toBe('two')
  })

  test('a name that another object has taken is a conflict', async () => {
    const tenant = await create('tenancy/tenants', { name: 'T1', slug: 't1' })
    await send('DELETE', `tenancy/tenants/${tenant.id}/`)
    const change = await changeOf('tenancy.tenant', tenant.id)
    const other = await create('tenancy/tenants', { name: 'T1', slug: 't1-again' })
    const { status, json } = await undo(change)
    expect(status).toBe(409)
    expect(json.conflicts).toMatchObject([
      {
        reason: 'duplicate',
        other: { object_id: other.id, display: 'T1' },
        change: { action: 'create' },
      },
    ])
  })

  test('objects that refer to the object to be deleted are conflicts', async () => {
    const site = await create('dcim/sites', { name: 'U4', slug: 'u4' })
    const change = await changeOf('dcim.site', site.id)
    const rack = await create('dcim/racks', { name: 'R', site: site.id })
    const { status, json } = await undo(change)
    expect(status).toBe(409)
    expect(json.conflicts).toMatchObject([
      {
        reason: 'referenced',
        other: { object_type: 'dcim.rack', object_id: rack.id, display: 'R' },
        change: { id: (await changeOf('dcim.rack', rack.id)).id },
      },
    ])
  })

  test('a change that is undone already, or whose object has been deleted, is a conflict', async () => {
    const site = await create('dcim/sites', { name: 'U5', slug: 'u5' })
    await send('DELETE', `dcim/sites/${site.id}/`)
    const deletion = await changeOf('dcim.site', site.id)
    expect((await undo(deletion)).status).toBe(200)
    const again = await undo(deletion)
    expect(again.status).toBe(409)
    expect(again.json.conflicts).toMatchObject([{ reason: 'exists' }])
  })

  test('for an object whose site is also deleted, the deletion of the site is reported', async () => {
    const site = await create('dcim/sites', { name: 'U6', slug: 'u6' })
    const rack = await create('dcim/racks', { name: 'R', site: site.id })
    await send('DELETE', `dcim/racks/${rack.id}/`)
    await send('DELETE', `dcim/sites/${site.id}/`)
    const { status, json } = await undo(await changeOf('dcim.rack', rack.id))
    expect(status).toBe(409)
    const cause = await changeOf('dcim.site', site.id)
    expect(json.conflicts).toMatchObject([{ reason: 'missing', change: { id: cause.id } }])
    await undo(cause)
    expect((await undo(await changeOf('dcim.rack', rack.id))).status).toBe(200)
    expect((await send('GET', `dcim/racks/${rack.id}/`)).json.site).toMatchObject({ id: site.id })
  })

  test('a deleted device is restored by undoing one change or its request, with components, cables, paths and tags', async () => {
    const tag = await create('extras/tags', { name: 'keep', slug: 'keep' })
    const site = await create('dcim/sites', { name: 'U7', slug: 'u7' })
    const maker = await create('dcim/manufacturers', { name: 'M', slug: 'm' })
    const type = await create('dcim/device-types', {
      manufacturer: maker.id,
      model: 'D',
      slug: 'd',
    })
    await create('dcim/interface-templates', {
      device_type: type.id,
      name: 'eth0',
      type: '1000base-t',
    })
    const role = await create('dcim/device-roles', { name: 'Role', slug: 'role', color: 'ff0000' })
    const device = (name: string) =>
      create('dcim/devices', {
        name,
        site: site.id,
        device_type: type.id,
        role: role.id,
        tags: [tag.id],
      })
    const [near, far] = [await device('near'), await device('far')]
    const port = async ({ id }: Document) =>
      (await send('GET', `dcim/interfaces/?device_id=${id}`)).json.results?.[0] as Document
    const [a, b] = [await port(near), await port(far)]
    const end = ({ id }: Document) => [{ object_type: 'dcim.interface', object_id: id }]
    await create('dcim/cables', { a_terminations: end(a), b_terminations: end(b) })
    const address = await create('ipam/ip-addresses', {
      address: '192.0.2.1/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: a.id,
    })
    await send('PATCH', `dcim/devices/${near.id}/`, { primary_ip4: address.id })
    const state = async () => ({
      device: (await send('GET', `dcim/devices/${near.id}/`)).json,
      port: (await send('GET', `dcim/interfaces/${a.id}/`)).json,
      other: (await send('GET', `dcim/interfaces/${b.id}/`)).json,
      address: (await send('GET', `ipam/ip-addresses/${address.id}/`)).json,
      trace: (await send('GET', `dcim/interfaces/${b.id}/trace/`)).json,
    })
    const before = await state()
    for (const way of [undo, undoRequest]) {
      expect((await send('DELETE', `dcim/devices/${near.id}/`)).status).toBe(204)
      const { status, text } = await way(await changeOf('dcim.device', near.id))
      expect(status, text).toBe(200)
      expect(await state()).toEqual(before)
    }
  })

  test('a whole request is undone in one transaction', async () => {
    const sites = await create('dcim/sites', [
      { name: 'B1', slug: 'b1' },
      { name: 'B2', slug: 'b2' },
    ])
    const change = await changeOf('dcim.site', sites[0]?.id)
    await create('dcim/racks', { name: 'R', site: sites[1]?.id })
    expect((await undoRequest(change)).status).toBe(409)
    expect((await send('GET', `dcim/sites/${sites[0]?.id}/`)).status).toBe(200)
  })

  test('an unknown change cannot be undone, and dry_run accepts only true and false', async () => {
    expect((await send('POST', 'core/object-changes/99999999/undo/', {})).status).toBe(404)
    expect((await send('POST', 'core/requests/nothing/undo/', {})).status).toBe(404)
    const site = await create('dcim/sites', { name: 'U8', slug: 'u8' })
    const change = await changeOf('dcim.site', site.id)
    expect((await undo(change, { dry_run: 'perhaps' })).status).toBe(400)
    expect((await send('GET', `dcim/sites/${site.id}/`)).status).toBe(200)
  })

  test('the history of an object shows who has set a field, even after the deletion', async () => {
    const site = await create('dcim/sites', { name: 'H1', slug: 'h1', facility: 'a' })
    const path = `dcim/sites/${site.id}/`
    await send('PATCH', path, { facility: 'b', changelog_message: 'moved' })
    await send('PATCH', path, { comments: 'c' })
    await send('DELETE', path)
    const all = (await send('GET', `${path}history/`)).json
    expect(all.results?.map(({ action }) => action)).toEqual(['delete', 'update', 'update', 'create'])
    expect(all.results?.[1]?.changes).toEqual({ comments: { before: '', after: 'c' } })
    const ofField = (await send('GET', `${path}history/?field=facility`)).json
    expect(ofField.results?.map(({ changes }) => changes)).toEqual([
      { facility: { before: 'b', after: null } },
      { facility: { before: 'a', after: 'b' } },
      { facility: { before: null, after: 'a' } },
    ])
    expect(ofField.results?.[1]).toMatchObject({ message: 'moved', user_name: 'admin' })
    expect((await send('GET', `${path}history/?field=nothing`)).status).toBe(400)
    expect((await send('GET', 'dcim/sites/99999999/history/')).status).toBe(404)
  })

  test('changes are counted by day and user, with the filters of their list', async () => {
    const { json } = await send('GET', 'core/object-changes/counts/?changed_object_type=tenancy.tenant')
    expect(json.results).toMatchObject([{ user_name: 'admin', count: 3, created: 2, updated: 0, deleted: 1 }])
    expect((await send('GET', 'core/object-changes/counts/?action=nonsense')).status).toBe(400)
  })
})
