import { describe, expect, it } from 'vitest'
import { valuesIn } from '../../packs/observed/entities.ts'
import { type Api, apiOfTest, type Document } from '../support/api.ts'

const ownPath = (path: string) => `/api/plugins/observed/${path}`

/** A program whose token observes, in an inventory with a site, a role and a type of devices. */
async function observer(settings: Record<string, string> = { PACKS: 'observed' }) {
  const api = await apiOfTest(settings)
  const site = await api.make('dcim/sites', { name: 'Lab', slug: 'lab' })
  const role = await api.make('dcim/device-roles', { name: 'Switch', slug: 'switch' })
  const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const device_type = await api.make('dcim/device-types', { manufacturer, model: 'M1', slug: 'm1' })
  const { json } = await api.ask('POST', '/api/users/tokens/', {
    body: { user: 1, observing: true, description: 'Nightly script' },
  })
  const token = String(json.key)
  const send = (method: string, path: string, body?: object) =>
    api.ask(method, `/api/${path}`, { token, ...(body && { body }) })
  return { api, send, site, role, device_type, sw1: { name: 'sw1', site, role, device_type, serial: 'ABC1' } }
}

const drift = async ({ ask }: Api): Promise<readonly Document[]> =>
  (await ask('GET', ownPath('drift/?limit=0'))).json.results ?? []

/** The differences in words. */
const sentences = async (api: Api) =>
  (await drift(api)).map(({ kind, observation, change, field, observed }) =>
    `${kind} ${observation?.label} ${change} ${field} ${JSON.stringify(observed)}`.replace('  ', ' '),
  )

async function acceptAll(api: Api) {
  const ids = (await drift(api)).map(({ id }) => id)
  const { status, text } = await api.ask('POST', ownPath('drift/accept/'), { body: { ids } })
  expect(status, text).toBe(200)
}

describe('the writes of a token that observes', () => {
  it('change nothing, and new objects can be named by the ids that they will have', async () => {
    const { api, send, sw1 } = await observer()
    const device = await send('POST', 'dcim/devices/', sw1)
    expect(device.status, device.text).toBe(201)
    expect(device.json).toMatchObject({ name: 'sw1', site: { name: 'Lab' }, serial: 'ABC1' })
    const port = await send('POST', 'dcim/interfaces/', {
      ...{ device: device.json.id, name: 'eth0', type: '1000base-t', mtu: 1500 },
    })
    expect(port.status, port.text).toBe(201)
    expect(port.json).toMatchObject({ device: { id: device.json.id, name: 'sw1' } })
    const changed = await send('PATCH', `dcim/interfaces/${port.json.id}/`, { description: 'Uplink' })
    expect(changed.json).toMatchObject({ id: port.json.id, mtu: 1500, description: 'Uplink' })
    const address = await send('POST', 'ipam/ip-addresses/', {
      ...{ address: '192.0.2.1/24', assigned_object_type: 'dcim.interface', assigned_object_id: port.json.id },
    })
    expect(address.status, address.text).toBe(201)

    expect((await api.ask('GET', '/api/dcim/devices/')).json.results).toEqual([])
    expect(await sentences(api)).toEqual([
      'dcim.device sw1 new "sw1"',
      'dcim.interface eth0 new "eth0"',
      'ipam.ipaddress 192.0.2.1/24 new "192.0.2.1/24"',
    ])
    await acceptAll(api)
    expect(await sentences(api)).toEqual([])
    const made = await api.ask('GET', `/api/dcim/interfaces/${port.json.id}/`)
    expect(made.json).toMatchObject({ description: 'Uplink', mtu: 1500, device: { id: device.json.id } })
    const assigned = await api.ask('GET', `/api/ipam/ip-addresses/${address.json.id}/`)
    expect(assigned.json.assigned_object?.id).toBe(port.json.id)
    // Later runs create nothing again.
    const again = await send('POST', 'dcim/devices/', { ...sw1, serial: 'ABC2' })
    expect([again.status, again.json.id, again.json.serial]).toEqual([201, device.json.id, 'ABC2'])
    expect(await sentences(api)).toEqual(['dcim.device sw1 changed serial "ABC2"'])
  })

  it('are one observation if they are repeated, before and after the acceptance', async () => {
    const { api, send, sw1 } = await observer()
    const ids = new Set<unknown>()
    for (let count = 0; count < 4; count++) {
      ids.add((await send('POST', 'dcim/devices/', sw1)).json.id)
      if (count === 1) await acceptAll(api)
    }
    expect(ids.size).toBe(1)
    expect(await sentences(api)).toEqual([])
    const { json } = await api.ask('GET', ownPath('objects/?kind=dcim.device'))
    expect(json.results).toMatchObject([{ state: 'matched', label: 'sw1' }])
    expect((await api.ask('GET', ownPath('runs/'))).json.results).toMatchObject([{ requests: 4 }])
    const sources = await api.ask('GET', ownPath('sources/'))
    expect(sources.json.results).toMatchObject([
      { name: 'Nightly script', user: { username: 'admin' }, missing_after: null },
    ])
  })

  it('of lists are answered by lists, of which some objects exist', async () => {
    const { api, send, sw1 } = await observer()
    const id = await api.make('dcim/devices', sw1)
    const { status, json } = await send('POST', 'dcim/devices/', [
      { ...sw1, description: 'Found' },
      { ...sw1, name: 'sw2', serial: 'ABC2' },
    ] as object)
    expect(status).toBe(201)
    const [one, two] = json as unknown as readonly Document[]
    expect([one?.id, one?.description, two?.name]).toEqual([id, 'Found', 'sw2'])
    const patched = await send('PATCH', 'dcim/devices/', [
      { id, comments: 'x' },
      { id: two?.id, comments: 'y' },
    ] as object)
    expect((patched.json as unknown as readonly Document[]).map(({ comments }) => comments)).toEqual(['x', 'y'])
    expect(await sentences(api)).toEqual([
      'dcim.device sw1 changed comments "x"',
      'dcim.device sw1 changed description "Found"',
      'dcim.device sw2 new "sw2"',
    ])
    await acceptAll(api)
    const devices = await api.ask('GET', '/api/dcim/devices/')
    expect(devices.json.results?.map(({ name, comments }) => [name, comments])).toEqual([
      ['sw1', 'x'],
      ['sw2', 'y'],
    ])
  })

  it('that clear a relation, name objects by attributes, or set custom fields are differences', async () => {
    const { api, send, sw1 } = await observer()
    await api.make('extras/custom-fields', { name: 'constructor', type: 'text', object_types: ['dcim.device'] })
    const tenant = await api.make('tenancy/tenants', { name: 'T', slug: 't' })
    const id = await api.make('dcim/devices', { ...sw1, tenant })
    const { status, text } = await send('PATCH', `dcim/devices/${id}/`, {
      ...{ tenant: null, site: { name: 'Lab' }, custom_fields: { constructor: 'x' } },
    })
    expect(status, text).toBe(200)
    expect(await sentences(api)).toEqual([
      'dcim.device sw1 changed custom_fields.constructor "x"',
      'dcim.device sw1 changed tenant null',
    ])
    await acceptAll(api)
    const { json } = await api.ask('GET', `/api/dcim/devices/${id}/`)
    expect(json).toMatchObject({ tenant: null, site: { name: 'Lab' }, custom_fields: { constructor: 'x' } })
  })

  it('that add tags are differences, and those that remove tags are refused', async () => {
    const { api, send, sw1 } = await observer()
    for (const name of ['a', 'b']) await api.make('extras/tags', { name, slug: name })
    const id = await api.make('dcim/devices', { ...sw1, tags: [{ name: 'a' }] })
    const path = `dcim/devices/${id}/`
    const created = await send('POST', 'extras/tags/', { name: 'c', slug: 'c' })
    // Clients that are generated for Java send all three lists.
    for (const add_tags of [[{ name: 'b' }], [created.json.id]]) {
      const added = await send('PATCH', path, { tags: [], add_tags, remove_tags: [] })
      expect([added.status, added.json.tags?.length], added.text).toEqual([200, add_tags.length])
    }
    const removed = await send('PATCH', path, { remove_tags: [{ name: 'a' }] })
    expect([removed.status, Object.keys(removed.json)], removed.text).toEqual([400, ['remove_tags']])
    await acceptAll(api)
    const { json } = await api.ask('GET', `/api/${path}`)
    expect(json.tags?.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('that delete say that an object is missing', async () => {
    const { api, send, sw1 } = await observer()
    const id = await api.make('dcim/devices', sw1)
    expect((await send('DELETE', `dcim/devices/${id}/`)).status).toBe(204)
    expect(await sentences(api)).toEqual(['dcim.device sw1 missing null'])
    await send('POST', 'dcim/devices/', sw1)
    expect(await sentences(api)).toEqual([])
    await send('DELETE', 'dcim/devices/', [{ id }] as object)
    await acceptAll(api)
    expect((await api.ask('GET', '/api/dcim/devices/')).json.results).toEqual([])
    const { json } = await send('POST', 'dcim/devices/', { ...sw1, name: 'sw2', serial: '' })
    await send('DELETE', `dcim/devices/${json.id}/`)
    expect(await sentences(api)).toEqual([])
  })

  it('are accepted completely or not at all, even if the user may not see why', async () => {
    const { api, send, sw1 } = await observer()
    const ids = [
      await api.make('dcim/devices', sw1),
      await api.make('dcim/devices', { ...sw1, name: 'sw2', serial: '' }),
    ]
    const user = await api.make('users/users', { username: 'ann', password: 'Correct-horse-1' })
    const grant = (actions: readonly string[], object_types: readonly string[], constraints: object | null) =>
      api.make('users/permissions', { name: crypto.randomUUID(), actions, object_types, users: [user], constraints })
    await grant(['view'], ['observed.driftitem', 'dcim.device'], null)
    await grant(['change', 'delete'], ['dcim.device'], { name: 'sw1' })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const accept = () => api.ask('POST', ownPath('drift/accept/?status=open'), { token: String(json.key) })
    const names = async () =>
      (await api.ask('GET', '/api/dcim/devices/')).json.results?.map(({ name, comments }) => [name, comments])
    const before = await names()
    await send('PATCH', 'dcim/devices/', ids.map((id) => ({ id, comments: 'x' })) as object)
    const changed = await accept()
    expect([changed.status, await names()], changed.text).toEqual([400, before])
    await send('DELETE', 'dcim/devices/', ids.map((id) => ({ id })) as object)
    const deleted = await accept()
    expect([deleted.status, await names()], deleted.text).toEqual([400, before])
  })

  it('of two programs about one object are accepted together, also that it is gone with its component', async () => {
    const { api, send, sw1 } = await observer()
    await api.make('extras/custom-fields', { name: 'one', type: 'text', object_types: ['dcim.device'] })
    await api.make('extras/custom-fields', { name: 'two', type: 'text', object_types: ['dcim.device'] })
    const tags = ['a', 'b', 'c']
    for (const name of tags) await api.make('extras/tags', { name, slug: name })
    const id = await api.make('dcim/devices', { ...sw1, tags: [{ name: 'a' }] })
    const port = await api.make('dcim/interfaces', { device: id, name: 'eth0', type: 'virtual' })
    const { json } = await api.ask('POST', '/api/users/tokens/', {
      body: { user: 1, observing: true, description: 'Other script' },
    })
    const other = (method: string, path: string, body: object) =>
      api.ask(method, `/api/${path}`, { token: String(json.key), body })
    const path = `dcim/devices/${id}/`
    await send('PATCH', path, { comments: 'x', custom_fields: { one: '1' }, tags: [{ name: 'b' }] })
    await other('PATCH', path, { description: 'y', custom_fields: { two: '2' }, tags: [{ name: 'c' }] })
    await acceptAll(api)
    const { json: device } = await api.ask('GET', `/api/${path}`)
    expect(device).toMatchObject({ comments: 'x', description: 'y', custom_fields: { one: '1', two: '2' } })
    expect(device.tags).toMatchObject(tags.map((name) => ({ name })))
    expect(await sentences(api)).toEqual([])

    for (const remove of [send, other]) expect((await remove('DELETE', path, {})).status).toBe(204)
    await send('DELETE', `dcim/interfaces/${port}/`)
    await acceptAll(api)
    expect((await api.ask('GET', '/api/dcim/devices/')).json.results).toEqual([])
  })

  it('are carried out at once if a rule accepts them', async () => {
    const { api, send, sw1 } = await observer()
    await api.make('plugins/observed/rules', { name: 'New', field: 'new', action: 'accept' })
    const { json } = await send('POST', 'dcim/devices/', sw1)
    expect((await send('GET', `dcim/devices/?name=sw1`)).json.results).toMatchObject([{ id: json.id }])
  })

  it('are refused as they would be, and then observe nothing', async () => {
    const { api, send, site, sw1 } = await observer()
    const incomplete = await send('POST', 'dcim/devices/', { name: 'sw1', site })
    expect([incomplete.status, Object.keys(incomplete.json)]).toEqual([400, ['device_type', 'role']])
    expect((await send('POST', 'dcim/interfaces/', { device: 4711, name: 'x', type: 'virtual' })).status).toBe(400)
    expect((await send('PATCH', 'dcim/devices/4711/', { name: 'x' })).status).toBe(404)
    expect((await send('DELETE', 'dcim/devices/4711/')).status).toBe(404)
    expect((await send('POST', 'dcim/devices/', [sw1, { name: 'x' }] as object)).status).toBe(400)
    expect((await send('POST', 'dcim/devices/', ['constructor', 7, null] as object)).status).toBe(400)
    expect(await drift(api)).toEqual([])
    expect((await api.ask('GET', ownPath('objects/'))).json.results).toEqual([])
  })

  it('of what is not part of the network are refused', async () => {
    const { api, send } = await observer()
    const made = [
      await api.make('extras/webhooks', { name: 'w', payload_url: 'http://192.0.2.1/' }),
      await api.make('plugins/custom-objects/custom-object-types', { name: 'thing', slug: 'things' }),
    ]
    const cases: readonly (readonly [string, string, object])[] = [
      ['POST', 'users/users/', { username: 'x' }],
      ['POST', 'plugins/observed/rules/', { name: 'x', action: 'accept' }],
      ['PATCH', `extras/webhooks/${made[0]}/`, { payload_url: 'http://192.0.2.2/' }],
      ['POST', 'extras/custom-fields/', { name: 'x', type: 'text', object_types: ['dcim.site'] }],
      ['POST', 'extras/event-rules/', {}],
      ['DELETE', `plugins/custom-objects/custom-object-types/${made[1]}/`, {}],
      ['POST', 'plugins/custom-objects/custom-object-type-fields/', { custom_object_type: made[1], name: 'x' }],
    ]
    for (const [method, path, body] of cases) {
      const { status, json } = await send(method, path, body)
      expect([status, json.detail], path).toEqual([
        403,
        expect.stringMatching(/not part of the network|can only observe/),
      ])
    }
    const own = await send('POST', 'plugins/custom-objects/things/', {})
    expect(own.status, own.text).toBe(201)
    expect((await send('POST', 'extras/tags/', { name: 'New', slug: 'new' })).status).toBe(201)
    expect((await drift(api)).map(({ kind }) => kind)).toEqual(['custom_objects.thing', 'extras.tag'])
  })

  it.each([
    ['POST', 'ipam/prefixes/1/available-ips/', {}],
    ['PUT', 'dcim/sites/?match=slug', { name: 'x', slug: 'x' }],
    ['POST', 'plugins/observed/drift/accept/', { ids: [1] }],
    ['PATCH', 'users/config/', { ui: { theme: 'dark' } }],
  ])('%s %s is refused', async (method, path, body) => {
    const { send } = await observer()
    const { status, json } = await send(method, path, body)
    expect([status, json.detail]).toEqual([403, 'This token can only observe, and this request cannot be observed.'])
  })

  it('are described by OPTIONS, as programs expect before they write', async () => {
    const { send } = await observer()
    const { json } = await send('OPTIONS', 'dcim/devices/')
    expect(Object.keys(json.actions ?? {})).toContain('POST')
  })

  it('do not keep the token from queries that are sent by POST', async () => {
    const { api } = await observer()
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, observing: true } })
    const { status, text } = await api.ask('POST', '/graphql/', {
      ...{ token: String(json.key), body: { query: '{ site_list { name } }' } },
    })
    expect([status, text]).toEqual([200, expect.stringContaining('Lab')])
  })

  it('are refused while the pack is off', async () => {
    const { api, send, sw1 } = await observer({})
    expect((await send('POST', 'dcim/devices/', sw1)).status).toBe(403)
    expect((await api.ask('GET', '/api/dcim/devices/')).json.results).toEqual([])
  })

  it('need the permissions of the writes', async () => {
    const { api, sw1 } = await observer()
    const user = await api.make('users/users', { username: 'ann', password: 'Correct-horse-1' })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, observing: true } })
    const token = String(json.key)
    expect((await api.ask('POST', '/api/dcim/devices/', { token, body: sw1 })).status).toBe(403)
    expect(await drift(api)).toEqual([])
  })
})

/** Sends the same request several times at once. */
const atOnce = <T>(count: number, send: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, send))

describe('the ids that a program is told', () => {
  it('name the object in every later request, before and after it is accepted', async () => {
    const { api, send, sw1 } = await observer()
    const posts = await atOnce(4, () => send('POST', 'dcim/devices/', sw1))
    expect(posts.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const ids = new Set(posts.map(({ json }) => Number(json.id)))
    // The serial number says that it is the same device.
    const renamed = await send('POST', 'dcim/devices/', { ...sw1, name: 'sw1-new' })
    ids.add(Number(renamed.json.id))
    expect(await sentences(api)).toEqual(['dcim.device sw1-new new "sw1-new"'])
    const useAll = async (name: string) => {
      for (const id of ids) {
        const read = await send('GET', `dcim/devices/${id}/`)
        expect([read.status, read.json.name], read.text).toEqual([200, 'sw1-new'])
        const changed = await send('PATCH', `dcim/devices/${id}/`, { comments: name })
        expect([changed.status, changed.json.comments], changed.text).toEqual([200, name])
        const port = await send('POST', 'dcim/interfaces/', { device: id, name: `${name} ${id}`, type: 'virtual' })
        expect(port.status, port.text).toBe(201)
        const nested = await send('PATCH', 'dcim/interfaces/', [
          { id: port.json.id, device: { id }, description: name },
        ] as object)
        expect(nested.status, nested.text).toBe(200)
      }
    }
    await useAll('before')
    await acceptAll(api)
    const devices = await api.ask('GET', '/api/dcim/devices/')
    expect(devices.json.results).toMatchObject([{ name: 'sw1-new', interface_count: ids.size }])
    await useAll('after')
    const [last] = [...ids].reverse()
    expect((await send('DELETE', `dcim/devices/${last}/`)).status).toBe(204)
    expect(await sentences(api)).toContain('dcim.device sw1-new missing null')
  })

  it('name the object that another source or a person has created meanwhile', async () => {
    const { api, send, sw1, device_type } = await observer()
    const told = await send('POST', 'dcim/devices/', sw1)
    const { json } = await api.ask('POST', '/api/users/tokens/', {
      body: { user: 1, observing: true, description: 'Other script' },
    })
    const token = String(json.key)
    const other = await api.ask('POST', '/api/dcim/devices/', { token, body: sw1 })
    const id = await api.make('dcim/devices', { ...sw1, device_type })
    expect(await sentences(api)).toEqual([])
    const port = await send('POST', 'dcim/interfaces/', { device: told.json.id, name: 'eth0', type: 'virtual' })
    expect([port.status, port.json.device?.id], port.text).toEqual([201, id])
    const path = `/api/dcim/devices/${other.json.id}/`
    const read = await api.ask('GET', path, { token })
    expect([read.status, read.json.id]).toEqual([200, id])
    expect((await api.ask('PATCH', path, { token, body: { serial: 'X' } })).json).toMatchObject({ id, serial: 'X' })
    // An object of this id was never there for others.
    expect((await api.ask('GET', path)).status).toBe(404)
  })

  it('name the one object that two sources have described in different words', async () => {
    const { api, send, sw1 } = await observer()
    const { json } = await api.ask('POST', '/api/users/tokens/', {
      body: { user: 1, observing: true, description: 'Other script' },
    })
    const body = { ...sw1, site: { name: 'Lab' }, serial: 'ABC2' }
    const other = await api.ask('POST', '/api/dcim/devices/', { token: String(json.key), body })
    const told = await send('POST', 'dcim/devices/', sw1)
    await acceptAll(api)
    const mine = await send('GET', `dcim/devices/${told.json.id}/`)
    const theirs = await api.ask('GET', `/api/dcim/devices/${other.json.id}/`, { token: String(json.key) })
    expect([mine.status, theirs.status, theirs.json.id]).toEqual([200, 200, mine.json.id])
    expect((await api.ask('GET', '/api/dcim/devices/')).json.count).toBe(1)
  })

  it('are given to new objects only once', async () => {
    const { api, send, sw1 } = await observer()
    const told = await send('POST', 'dcim/devices/', sw1)
    await acceptAll(api)
    await api.ask('DELETE', `/api/dcim/devices/${told.json.id}/`)
    expect((await send('PATCH', `dcim/devices/${told.json.id}/`, { comments: 'x' })).status).toBe(404)
    await acceptAll(api)
    const { json } = await api.ask('GET', '/api/dcim/devices/')
    expect(json.results).toMatchObject([{ name: 'sw1' }])
    expect(json.results?.[0]?.id).not.toBe(told.json.id)
  })

  it('are those of accepted objects, although the user has lost all rights', async () => {
    const { api, sw1 } = await observer()
    const user = await api.make('users/users', { username: 'ann', password: 'Correct-horse-1' })
    const object_types = ['dcim.device', 'dcim.site', 'dcim.devicerole', 'dcim.devicetype', 'dcim.manufacturer']
    await api.make('users/permissions', { name: 'p', actions: ['view', 'add'], object_types, users: [user] })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, observing: true } })
    const told = await api.ask('POST', '/api/dcim/devices/', { token: String(json.key), body: sw1 })
    expect(told.status, told.text).toBe(201)
    await api.ask('PATCH', `/api/users/users/${user}/`, { body: { is_active: false } })
    await acceptAll(api)
    expect(await sentences(api)).toEqual([])
    expect((await api.ask('GET', '/api/dcim/devices/')).json.count).toBe(1)
  })

  it('identify objects that nothing else identifies', async () => {
    const { api, send, sw1 } = await observer()
    const nameless = { ...sw1, name: null, serial: '' }
    const [one, two] = [await send('POST', 'dcim/devices/', nameless), await send('POST', 'dcim/devices/', nameless)]
    expect(await send('PATCH', `dcim/devices/${two?.json.id}/`, { serial: 'LATE' })).toMatchObject({ status: 200 })
    await acceptAll(api)
    expect(await sentences(api)).toEqual([])
    const { json } = await api.ask('GET', '/api/dcim/devices/')
    expect(json.results?.map(({ id, serial }) => [id, serial])).toEqual([
      [one?.json.id, ''],
      [two?.json.id, 'LATE'],
    ])
  })
})

describe('the conditions of a write', () => {
  it('are those of other tokens', async () => {
    const { api, send, sw1 } = await observer()
    const id = await api.make('dcim/devices', sw1)
    const headers = { 'If-Match': 'W/"2020-01-01T00:00:00+00:00"' }
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, observing: true } })
    const token = String(json.key)
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      const answer = await api.ask(method, `/api/dcim/devices/${id}/`, { token, headers, body: sw1 })
      expect(answer.status, method).toBe(412)
    }
    const incomplete = await send('PUT', `dcim/devices/${id}/`, { name: 'sw2' })
    expect([incomplete.status, Object.keys(incomplete.json)]).toEqual([400, ['device_type', 'role', 'site']])
    expect(
      (
        await send('PATCH', 'dcim/devices/', [
          { id, name: 'a' },
          { id: 4711, name: 'b' },
        ] as object)
      ).status,
    ).toBe(400)
    const form = new FormData()
    form.set('manufacturer', '1')
    form.set('model', 'M2')
    form.set('slug', 'm2')
    form.set('front_image', new Blob(['x'], { type: 'image/png' }), 'x.png')
    const image = await api.ask('POST', '/api/dcim/device-types/', { token, body: form })
    expect([image.status, Object.keys(image.json)], image.text).toEqual([400, ['front_image']])
    const cable = await send('POST', 'dcim/cables/', {
      ...{ a_terminations: [{ object_type: 'dcim.interface', object_id: 1 }], b_terminations: [] },
    })
    expect([cable.status, Object.keys(cable.json)], cable.text).toEqual([400, ['a_terminations', 'b_terminations']])
    expect(await drift(api)).toEqual([])
  })
})

describe('JSON values with any keys', () => {
  it('are observed, compared and accepted as they are', async () => {
    const { api, send, sw1 } = await observer()
    await api.make('extras/custom-fields', { name: 'data', type: 'json', object_types: ['dcim.device'] })
    await api.make('plugins/observed/rules', { name: 'All', action: 'accept' })
    const values = [
      ...[
        { ref: 'abc' },
        { kind: 'dcim.site', ref: 'abc' },
        { refs: [1] },
        { refs: null },
        { fields: null },
        { json: 1 },
      ],
      ...[{ member: 'x', value: {} }, { entries: null }, { document: null }, { type: 'x', fields: {} }],
    ]
    const bodies = values.map((value, index) => ({
      ...sw1,
      ...{ name: `sw${index}`, serial: `S${index}`, local_context_data: value, custom_fields: { data: value } },
    }))
    for (const body of bodies) {
      const { status, text } = await send('POST', 'dcim/devices/', body)
      expect(status, text).toBe(201)
    }
    const { json } = await api.ask('GET', '/api/dcim/devices/?limit=0')
    expect(json.results?.map((device) => [device.local_context_data, device.custom_fields?.data])).toEqual(
      values.map((value) => [value, value]),
    )
    await send('POST', 'dcim/devices/', bodies as object)
    expect(await drift(api)).toEqual([])
  })
})

it.each([
  { json: 1, other: 2 },
  { refs: [], other: 2 },
  { refs: [{ kind: 'dcim.site' }] },
  { refs: [1] },
  { kind: 'dcim.site', ref: 'abc', other: 2 },
])('a JSON value that was stored before such values were wrapped is still itself: %j', (value) => {
  expect(valuesIn(JSON.stringify({ value }))).toEqual({ value })
})

describe('a hostile program', () => {
  it('gets refusals, and sees nothing that is hidden from its user', async () => {
    const { api, site, role, device_type } = await observer()
    const secret = await api.make('dcim/sites', { name: 'Secret', slug: 'secret' })
    const hidden = await api.make('dcim/devices', {
      name: 'hidden',
      site: secret,
      role,
      device_type,
      serial: 'HIDDEN1',
    })
    const user = await api.make('users/users', { username: 'eve', password: 'Correct-horse-1' })
    const grant = (object_types: readonly string[], constraints: object | null = null) =>
      api.make('users/permissions', {
        ...{
          name: crypto.randomUUID(),
          actions: ['view', 'add', 'change', 'delete'],
          object_types,
          users: [user],
          constraints,
        },
      })
    await grant(['dcim.device'], { site })
    await grant(['dcim.site'], { id: site })
    await grant(['dcim.interface', 'dcim.devicerole', 'dcim.devicetype', 'dcim.manufacturer'])
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, observing: true } })
    const token = String(json.key)
    const send = (method: string, path: string, body: unknown) =>
      api.ask(method, `/api/${path}`, { token, body: body as object })
    const whole = { name: 'x', site, role, device_type }
    let deep: object = {}
    for (let level = 0; level < 5_000; level++) deep = { site: deep }
    const cases: readonly (readonly [string, string, unknown])[] = [
      ['POST', 'dcim/devices/', { ...whole, site: secret }],
      [
        'POST',
        'dcim/devices/',
        { ...whole, name: { toString: 1 }, serial: [{ toString: 1 }], role: [{ toString: 1 }] },
      ],
      ['POST', 'dcim/devices/', { ...whole, site: 1e20 }],
      ['POST', 'dcim/devices/', { ...whole, local_context_data: deep }],
      ['POST', 'ipam/ip-addresses/', { address: '192.0.2.1/24', assigned_object_type: { toString: 1 } }],
      ['POST', 'dcim/devices/', { ...whole, site: { name: 'Secret' } }],
      ['PATCH', `dcim/devices/${hidden}/`, { name: 'mine' }],
      ['DELETE', `dcim/devices/${hidden}/`, {}],
      ['POST', 'dcim/devices/', { ...whole, site: deep }],
      ['POST', 'dcim/devices/', { ...whole, site: [[[]]], role: { constructor: 1 }, device_type: 'toString' }],
      [
        'POST',
        'dcim/devices/',
        JSON.parse('{"__proto__": {"name": "x"}, "constructor": 1, "custom_fields": {"constructor": 1}}'),
      ],
      ['POST', 'dcim/devices/', { ...whole, custom_fields: 'toString', tags: 7, name: 'a\0b' }],
      [
        'POST',
        'dcim/devices/',
        { ...whole, id: 9e15, primary_ip4: 1e300, local_context_data: { member: 'x', value: 1 } },
      ],
      ['PATCH', 'dcim/devices/', [{ id: 'constructor' }, 7, null]],
      ['DELETE', 'dcim/devices/', [{ id: 1e30 }]],
      ['POST', 'dcim/devices/', Array.from({ length: 50 }, () => whole)],
    ]
    for (const [method, path, body] of cases) {
      const { status, text } = await send(method, path, body)
      expect(status, `${method} ${path}: ${text.slice(0, 200)}`).toBeLessThan(500)
      expect(text).not.toContain('hidden')
    }
    // The serial number of a hidden device is like any other.
    for (const serial of ['HIDDEN1', 'UNKNOWN1']) {
      const { status, json: made } = await send('POST', 'dcim/devices/', { ...whole, name: serial, serial })
      expect([status, made.serial]).toEqual([201, serial])
      const path = `dcim/devices/${made.id}/`
      expect(await send('PATCH', path, { comments: 'x' })).toMatchObject({ status: 200 })
      expect((await api.ask('GET', `/api/${path}`, { token })).status).toBe(200)
    }
    const { json: device } = await api.ask('GET', `/api/dcim/devices/${hidden}/`)
    expect(device).toMatchObject({ name: 'hidden', site: { id: secret } })
    for (const list of ['drift', 'objects', 'sources', 'runs']) {
      expect((await api.ask('GET', ownPath(`${list}/`), { token })).status).toBe(403)
    }
    expect((await drift(api)).filter(({ object_id: id }) => Number(id) === hidden)).toEqual([])
  })
})
