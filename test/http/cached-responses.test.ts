import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { type Api, apiOfTest } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { spyOnReads } from '../support/read-spies.ts'

describe('cached responses', () => {
  let api: Api

  beforeAll(async () => {
    api = await startApiWithOwnModels()
    await loadDemo(api.service)
    await makeGadgets()
  })
  afterAll(() => api.close())

  const first = async (path: string): Promise<number> => {
    const { json } = await api.ask('GET', `/api/${path}/?limit=1&fields=id`)
    return Number(json.results?.[0]?.id)
  }

  const OWN = 'plugins/custom-objects'

  /** Objects of models of users, with computed values, and a type that has been extended. */
  const makeGadgets = async (): Promise<void> => {
    const [site, tenant] = [await first('dcim/sites'), await first('tenancy/tenants')]
    const gadgets: number[] = []
    for (const amount of [1, 2]) {
      const body = { label: `Gadget ${amount}`, serial: amount, amount, site, tariff: 'gold', price: 2.5 }
      gadgets.push(await api.make(`${OWN}/gadgets`, body))
    }
    const [gadget] = gadgets
    const attached = { attached_type: 'dcim.site', attached_id: site }
    expect((await api.ask('PATCH', `/api/${OWN}/gadgets/${gadget}/`, { body: attached })).status).toBe(200)
    await api.make(`${OWN}/gadget-parts`, { gadget, position: 1, spares: gadgets, grade: 'gold', tenant })
  }

  /** Paths whose responses the writes below change; each is requested repeatedly. */
  const watched = async (): Promise<readonly string[]> => {
    const collections = [...api.service.registry.models.values()]
      .filter(({ path, name }) => path !== '' && name !== 'users.token')
      .map(({ path }) => `/api/${path}/?limit=20`)
    const device = await first('dcim/devices')
    return [
      ...collections,
      `/api/dcim/devices/${device}/`,
      `/api/dcim/devices/${device}/?exclude=config_context`,
      `/api/dcim/devices/?brief=1`,
      '/api/dcim/devices/?ordering=-name&limit=3',
      '/api/dcim/devices/?ordering=last_updated&limit=3',
      '/api/dcim/devices/?status=active&role=access-switch',
      '/api/dcim/devices/?q=another',
      '/api/dcim/devices/?region=emea&description__ic=new',
      '/api/dcim/devices/?tag=fresh',
      '/api/dcim/sites/?ordering=tenant,name',
      '/api/dcim/interfaces/?device_id=1&ordering=description',
      '/api/dcim/devices/?brief=1&site=ams1&q=a',
      '/api/dcim/interfaces/?cabled=true&limit=30',
      '/api/ipam/prefixes/?status=active&ordering=-prefix',
      '/api/dcim/sites/?ordering=-gadget_total&limit=3',
      `/api/${OWN}/gadgets/?site=ams1&ordering=-total`,
      `/api/${OWN}/gadgets/?part_count=1`,
      `/api/${OWN}/gadget-parts/?is_first=true&brief=1`,
    ]
  }

  // Writes as path and body; each changes the first object of its collection.
  const writes: readonly (readonly [name: string, method: string, path: string, body: object | undefined])[] = [
    ['a site is renamed', 'PATCH', 'dcim/sites', { name: 'Another name' }],
    ['a device changes its status', 'PATCH', 'dcim/devices', { status: 'failed' }],
    ['an interface gets a description', 'PATCH', 'dcim/interfaces', { description: 'new' }],
    ['a manufacturer is renamed', 'PATCH', 'dcim/manufacturers', { name: 'Another maker' }],
    ['a tenant is removed from a site', 'PATCH', 'dcim/sites', { tenant: null }],
    ['a cable is deleted', 'DELETE', 'dcim/cables', undefined],
    ['an address is deleted', 'DELETE', 'ipam/ip-addresses', undefined],
    ['a user is renamed', 'PATCH', 'users/users', { first_name: 'Ada' }],
    ['a device is described', 'PATCH', 'dcim/devices', { description: 'new' }],
    ['a device gets another name', 'PATCH', 'dcim/devices', { name: 'another-name' }],
    ['a device gets a comment', 'PATCH', 'dcim/devices', { comments: 'new' }],
    ['a region moves in its tree', 'PATCH', 'dcim/regions', { parent: null, name: 'Z' }],
    ['a role gets another color', 'PATCH', 'dcim/device-roles', { color: '112233' }],
    ['an address is described', 'PATCH', 'ipam/ip-addresses', { description: 'new' }],
    ['an address gets a host name', 'PATCH', 'ipam/ip-addresses', { dns_name: 'new.example' }],
    ['a prefix is described', 'PATCH', 'ipam/prefixes', { description: 'new' }],
    ['a prefix is added', 'POST', 'ipam/prefixes', { prefix: '10.255.0.0/24' }],
    ['a site is added', 'POST', 'dcim/sites', { name: 'AAA', slug: 'aaa' }],
    ['an interface is switched off', 'PATCH', 'dcim/interfaces', { enabled: false }],
    ['a custom object changes what is computed', 'PATCH', `${OWN}/gadgets`, { amount: 40, tariff: 'silver' }],
    ['a custom object is renamed', 'PATCH', `${OWN}/gadgets`, { label: 'A new name' }],
    ['a custom object gets another list of objects', 'PATCH', `${OWN}/gadget-parts`, { spares: [2] }],
    ['a custom object refers to no object any more', 'PATCH', `${OWN}/gadgets`, { site: null }],
    ['a custom object is deleted', 'DELETE', `${OWN}/gadget-parts`, undefined],
    ['a computed field changes', 'PATCH', 'extras/computed-fields', { expression: 'id + 1' }],
    ['a choice gets another label', 'PATCH', 'extras/custom-field-choice-sets', { extra_choices: [['gold', 'Ore']] }],
    ['a custom object type is renamed', 'PATCH', `${OWN}/custom-object-types`, { verbose_name: 'Thing' }],
  ]

  /** Bodies by path. */
  const askAll = async (paths: readonly string[]) =>
    new Map(await Promise.all(paths.map(async (path) => [path, (await api.ask('GET', path)).text] as const)))

  /** After the write, a full cache must return the same responses as an empty one. */
  const expectFreshAfter = async (write: () => Promise<{ readonly status: number }>) => {
    const paths = await watched()
    // Twice: whole responses are cached when they are requested again.
    for (let time = 0; time < 2; time++) await askAll(paths)
    expect((await write()).status).toBeLessThan(300)
    const responses = await askAll(paths)
    api.service.cache.clear()
    for (const [path, text] of await askAll(paths)) expect(responses.get(path), path).toBe(text)
  }

  it.each(writes)('are generated again when %s', async (_name, method, path, body) => {
    const target = method === 'POST' ? `/api/${path}/` : `/api/${path}/${await first(path)}/`
    await expectFreshAfter(() => api.ask(method, target, body ? { body } : {}))
  })

  it('are generated again when many objects change at once', async () => {
    const { json } = await api.ask('GET', '/api/dcim/interfaces/?fields=id')
    const body = (json.results ?? []).map(({ id }) => ({ id, description: `number ${id}` }))
    expect(body.length).toBeGreaterThan(20)
    await expectFreshAfter(() => api.ask('PATCH', '/api/dcim/interfaces/', { body }))
  })

  it('are kept if a change does not concern them', async () => {
    const path = '/api/dcim/devices/?limit=50'
    const [one, other] = (await api.ask('GET', path)).json.results ?? []
    const reads = spyOnReads(api.service.database)
    const idsOf = () =>
      reads
        .statements()
        .filter(({ text }) => text.includes('"last_updated"') && text.includes('"dcim_device"'))
        .map(({ values }) => values)
    await api.ask('PATCH', `/api/dcim/devices/${one?.id}/`, { body: { description: 'mine' } })
    reads.clear()
    const after = await api.ask('GET', path)
    // Neither ids nor counts nor the other objects are read again.
    expect(idsOf()).toEqual([[[one?.id]]])
    const texts = reads.statements().map(({ text }) => text)
    reads.restore()
    expect(texts.filter((text) => /^select (?:t\.id|count\(\*\) as count) from/.test(text))).toEqual([])
    expect(after.json.results?.[0]).toMatchObject({ id: one?.id, description: 'mine' })
    expect(after.json.results?.[1]).toEqual(other)
  })

  it('are generated again when tags and custom fields are added and removed', async () => {
    const sites = '/api/dcim/sites/?limit=1'
    const id = await first('dcim/sites')
    await api.ask('GET', sites)
    const field = { name: 'depth', type: 'integer', object_types: ['dcim.site'], default: 7 }
    const made = await api.ask('POST', '/api/extras/custom-fields/', { body: field })
    expect(made.status).toBe(201)
    await api.ask('POST', '/api/extras/tags/', { body: { name: 'Fresh', slug: 'fresh' } })
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { tags: [{ slug: 'fresh' }] } })
    const [site] = (await api.ask('GET', sites)).json.results ?? []
    expect(site?.custom_fields).toMatchObject({ depth: 7 })
    expect(site?.tags).toMatchObject([{ name: 'Fresh' }])
    await api.ask('DELETE', `/api/extras/custom-fields/${made.json.id}/`)
    const [later] = (await api.ask('GET', sites)).json.results ?? []
    expect(later?.custom_fields).not.toHaveProperty('depth')
  })

  it('are generated again when a statement changes a table without announcing it', async () => {
    const id = await first('dcim/regions')
    const path = `/api/dcim/regions/${id}/`
    await api.ask('GET', path)
    await api.service.database.execute(sql`${updateTable('dcim.region')} set description = 'quietly' where id = ${id}`)
    expect((await api.ask('GET', path)).json.description).toBe('quietly')
    await api.service.database.transaction((transaction) =>
      transaction.execute(sql`${updateTable('dcim.region')} set description = 'again' where id = ${id}`),
    )
    expect((await api.ask('GET', path)).json.description).toBe('again')
  })

  it('are never those of another user, or from before a change of permissions', async () => {
    const user = { username: 'eve', password: 'Corr3ct-Horse-Battery' }
    const made = await api.ask('POST', '/api/users/users/', { body: user })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: made.json.id } })
    const token = String(json.key)
    const sites = '/api/dcim/sites/?limit=3'
    const status = async () => (await api.ask('GET', sites, { token })).status
    expect((await api.ask('GET', sites)).status).toBe(200)
    expect(await status()).toBe(403)
    const site = `/api/dcim/sites/${await first('dcim/sites')}/`
    const statusOfSite = async () => (await api.ask('GET', site, { token })).status
    expect((await api.ask('GET', site)).status).toBe(200)
    expect(await statusOfSite()).toBe(403)
    const permission = await api.ask('POST', '/api/users/permissions/', {
      body: { name: 'see', object_types: ['dcim.site'], actions: ['view'], users: [made.json.id] },
    })
    expect([await status(), await statusOfSite()]).toEqual([200, 200])
    const constraints = { name: 'none of them' }
    const change = { constraints }
    await api.ask('PATCH', `/api/users/permissions/${permission.json.id}/`, { body: change })
    expect((await api.ask('GET', sites, { token })).json.count).toBe(0)
    expect(await statusOfSite()).toBe(404)
    expect((await api.ask('GET', sites)).json.count).toBeGreaterThan(0)
    await api.ask('DELETE', `/api/users/permissions/${permission.json.id}/`)
    expect(await status()).toBe(403)
  })

  it('support conditional requests', async () => {
    const path = `/api/dcim/sites/${await first('dcim/sites')}/`
    const ask = (etag: string) => api.ask('GET', path, { headers: { 'if-none-match': etag } })
    const etag = String((await api.ask('GET', path)).headers.get('etag'))
    expect([(await ask(etag)).status, (await ask(etag)).status]).toEqual([304, 304])
    await api.ask('PATCH', path, { body: { comments: 'since then' } })
    expect((await ask(etag)).status).toBe(200)
  })

  it('require no query', async () => {
    const path = '/api/dcim/devices/?limit=5&status=active'
    for (const _ of [1, 2]) await api.ask('GET', path)
    const reads = spyOnReads(api.service.database)
    await api.ask('GET', path)
    expect(reads.statements()).toEqual([])
    await api.ask('GET', `${path}&unknown=1`)
    expect(reads.statements()).toEqual([])
    await api.ask('GET', `${path}&name__n=nobody`)
    expect(reads.statements()).not.toEqual([])
    reads.restore()
  })

  it('are assembled without reading objects of other pages again', async () => {
    const path = '/api/dcim/devices/?limit=50'
    const [shown] = (await api.ask('GET', path)).json.results ?? []
    const reads = spyOnReads(api.service.database)
    const ask = async (address: string) => {
      reads.clear()
      const { json } = await api.ask('GET', address)
      return { json, queries: reads.statements().length }
    }
    const another = await ask(`${path}&status=active&ordering=-name`)
    expect(another.queries).toBe(1)
    expect(another.json.results?.length).toBeGreaterThan(1)
    const detail = await ask(`/api/dcim/devices/${shown?.id}/`)
    expect(detail.queries).toBe(0)
    expect(detail.json).toEqual(shown)
    reads.restore()
  })

  it('count a list once for all of its pages, and again after a change', async () => {
    const path = '/api/dcim/sites/?limit=2&name__n=nobody'
    // The second request fills the cache.
    await api.ask('GET', path)
    const { count } = (await api.ask('GET', path)).json
    const reads = spyOnReads(api.service.database)
    const page = await api.ask('GET', `${path}&offset=2`)
    const asked = reads.statements().map(({ text }) => text)
    reads.restore()
    expect(page.json.count).toBe(count)
    expect(asked).not.toEqual([])
    expect(asked.filter((statement) => statement.includes('count(*) as count'))).toEqual([])
    const body = { name: 'One more', slug: 'one-more' }
    expect((await api.ask('POST', '/api/dcim/sites/', { body })).status).toBe(201)
    expect((await api.ask('GET', `${path}&offset=2`)).json.count).toBe(Number(count) + 1)
  })

  it('serve every format of the same response', async () => {
    const path = '/api/dcim/sites/?limit=2'
    const compact = await api.ask('GET', path)
    const headers = { accept: 'application/json; indent=4' }
    const indented = await api.ask('GET', path, { headers })
    expect(indented.text).not.toBe(compact.text)
    expect(indented.json).toEqual(compact.json)
    expect((await api.ask('GET', path)).text).toBe(compact.text)
  })
})

it('responses are the same without room in the cache', async () => {
  const api = await apiOfTest({ CACHE_SIZE: '0' })
  const { status } = await api.ask('POST', '/api/dcim/sites/', { body: { name: 'A', slug: 'a' } })
  expect(status).toBe(201)
  const ask = async () => (await api.ask('GET', '/api/dcim/sites/')).text
  expect(await ask()).toBe(await ask())
})
