import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'

const EVENTS = '/api/core/events/'

/** The events of a response, in short: `3 object_created dcim.site Ams`. */
const inShort = ({ results }: Document): readonly string[] =>
  (results ?? []).map(
    ({ position, event, object_type, object_repr }) => `${position} ${event} ${object_type} ${object_repr}`,
  )

async function write(api: Api, method: string, path: string, body?: unknown): Promise<Document> {
  const answer = await api.ask(method, path, { body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.status === 204 ? ([] as unknown as Document) : answer.json
}

const site = (name: string) => ({ name, slug: name.toLowerCase() })

describe('the stream of events', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    const ams = await write(api, 'POST', '/api/dcim/sites/', site('Ams'))
    await write(api, 'PATCH', `/api/dcim/sites/${ams.id}/`, { description: 'changed' })
    await write(api, 'POST', '/api/dcim/sites/', [site('Ber'), site('Cdg')])
    await write(api, 'DELETE', `/api/dcim/sites/${ams.id}/`)
    await api.background.runUntilIdle()
  })
  afterAll(() => api.close())

  const all = [
    '1 object_created dcim.site Ams',
    '2 object_updated dcim.site Ams',
    '3 object_created dcim.site Ber',
    '4 object_created dcim.site Cdg',
    '5 object_deleted dcim.site Ams',
  ]
  const read = async (query = '') => (await api.ask('GET', EVENTS + query)).json

  it('has every change in the order of the commits', async () => {
    expect(inShort(await read())).toEqual(all)
  })

  it.each([0, 1, 2, 3, 4, 5])('can be read on from position %i', async (position) => {
    const answer = await read(`?after=${position}`)
    expect(inShort(answer)).toEqual(all.slice(position))
    expect(answer.position).toBe(5)
  })

  it('is read page by page through `next`', async () => {
    const pages: (readonly string[])[] = []
    let path = `${EVENTS}?limit=2`
    for (let page = await read('?limit=2'); inShort(page).length > 0; ) {
      pages.push(inShort(page))
      path = String(page.next).slice(api.url.length)
      page = (await api.ask('GET', path)).json
    }
    expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)])
    expect(path).toBe(`${EVENTS}?limit=2&after=5`)
  })

  it('starts at its end with `after=now`', async () => {
    expect(await read('?after=now')).toMatchObject({ position: 5, results: [] })
  })

  it('describes a change with the data before and after it', async () => {
    const [created, updated, , , deleted] = [...((await read()).results ?? [])]
    expect(updated).toMatchObject({
      user_name: 'admin',
      object_url: `${api.url}/api/dcim/sites/${created?.object_id}/`,
      prechange_data: { name: 'Ams', description: '' },
      postchange_data: { name: 'Ams', description: 'changed' },
    })
    expect([created?.prechange_data, deleted?.postchange_data]).toEqual([null, null])
    expect(deleted).toMatchObject({ object_url: null, prechange_data: { slug: 'ams' } })
    const change = await api.ask('GET', `/api/core/object-changes/${updated?.change_id}/`)
    expect(change.json.request_id).toBe(updated?.request_id)
  })

  it.each([
    ['?after=6', { after: ['The stream has no position 6: it ends at 5.'] }],
    ['?after=-1', { after: ['Enter a position of the stream: a whole number, or now.'] }],
    ['?after=x', { after: ['Enter a position of the stream: a whole number, or now.'] }],
    ['?wait=61', { wait: ['Enter a number of seconds from 0 to 60.'] }],
    ['?wait=soon', { wait: ['Enter a number of seconds from 0 to 60.'] }],
    ['?object_type=dcim.nothing', choice('object_type', 'dcim.nothing')],
    ['?object_type=dcim.site&event=object_moved', choice('event', 'object_moved')],
    ['?tag=none', choice('tag', 'none')],
    ['?site=none', choice('site', 'none')],
    ['?tenant_id=99', choice('tenant_id', '99')],
    ['?user=nobody', choice('user', 'nobody')],
    ['?request_id=1', { request_id: ['Enter a valid UUID.'] }],
  ])('refuses %s', async (query, messages) => {
    const { status, json } = await api.ask('GET', EVENTS + query)
    expect([status, json]).toEqual([400, messages])
  })

  function choice(name: string, value: string) {
    return { [name]: [`Select a valid choice. ${value} is not one of the available choices.`] }
  }

  it('is described in the OpenAPI document', async () => {
    const { json } = await api.ask('GET', '/api/schema/?format=json')
    const content = json.paths?.[EVENTS]?.get?.responses?.['200']?.content
    expect(Object.keys(content ?? {})).toEqual(['application/json', 'text/event-stream'])
  })
})

describe('the stream of events', () => {
  it('contains no event of a refused request', async () => {
    const api = await apiOfTest()
    const { status } = await api.ask('POST', '/api/dcim/sites/', {
      body: [site('One'), site('Two'), site('One')],
    })
    expect(status).toBe(400)
    await write(api, 'POST', '/api/dcim/sites/', site('Three'))
    await api.background.runUntilIdle()
    expect(inShort((await api.ask('GET', EVENTS)).json)).toEqual(['1 object_created dcim.site Three'])
  })

  describe('filters', () => {
    let api: Api
    const ids: Record<string, unknown> = {}
    let requestOfTenant = ''
    beforeAll(async () => {
      api = await startApi()
      const make = async (path: string, body: unknown) => (await write(api, 'POST', `/api/${path}/`, body)).id
      ids.manufacturer = await make('dcim/manufacturers', site('Maker'))
      const { manufacturer } = ids
      ids.type = await make('dcim/device-types', { manufacturer, model: 'Box', slug: 'box' })
      ids.role = await make('dcim/device-roles', site('Role'))
      ids.tag = await make('extras/tags', site('Core'))
      const tenant = await api.ask('POST', '/api/tenancy/tenants/', { body: site('Acme') })
      requestOfTenant = tenant.headers.get('x-request-id') ?? ''
      ids.tenant = tenant.json.id
      ids.ams = await make('dcim/sites', { ...site('Ams'), tags: [{ name: 'Core' }] })
      ids.ber = await make('dcim/sites', site('Ber'))
      ids.device = await make('dcim/devices', {
        ...{ name: 'rtr1', site: ids.ams, device_type: ids.type, role: ids.role },
      })
      await make('dcim/interfaces', { device: ids.device, name: 'eth0', type: 'virtual' })
      await make('ipam/prefixes', {
        ...{ prefix: '10.0.0.0/24', scope_type: 'dcim.site', scope_id: ids.ams },
      })
      await write(api, 'PATCH', `/api/dcim/sites/${ids.ber}/`, { tenant: ids.tenant })
      await write(api, 'PATCH', `/api/dcim/devices/${ids.device}/`, { site: ids.ber })
      await write(api, 'DELETE', `/api/dcim/devices/${ids.device}/`)
      await api.background.runUntilIdle()
    })
    afterAll(() => api.close())

    const cases: readonly (readonly [query: string, events: readonly string[]])[] = [
      ['object_type=tenancy.tenant', ['created Acme']],
      ['object_type=tenancy.tenant&object_type=extras.tag', ['created Core', 'created Acme']],
      ['event=object_deleted', ['deleted eth0', 'deleted rtr1']],
      ['event=object_updated&object_type=dcim.site', ['updated Ber']],
      ['tag=core', ['created Ams']],
      ['tenant=acme', ['created Acme', 'updated Ber']],
      // Including the device that has left the site, and the prefix whose scope is the site.
      ['site=ams', ['created Ams', 'created rtr1', 'created 10.0.0.0/24', 'updated rtr1']],
      ['site=ber', ['created Ber', 'updated Ber', 'updated rtr1', 'deleted rtr1']],
      ['user=admin&object_type=dcim.interface', ['created eth0', 'deleted eth0']],
    ]
    it.each(cases)('by %s', async (query, events) => {
      const { json } = await api.ask('GET', `${EVENTS}?${query}`)
      const found = (json.results ?? []).map(
        ({ event, object_repr }) => `${String(event).replace('object_', '')} ${object_repr}`,
      )
      expect(found).toEqual(events)
    })

    it('by the request', async () => {
      const { json } = await api.ask('GET', `${EVENTS}?request_id=${requestOfTenant}`)
      expect(inShort(json)).toEqual([expect.stringContaining('tenancy.tenant Acme')])
    })

    it('by the site of the device to which a component belongs', async () => {
      const device = await write(api, 'POST', '/api/dcim/devices/', {
        ...{ name: 'rtr2', site: ids.ams, device_type: ids.type, role: ids.role },
      })
      const body = { device: device.id, name: 'eth9', type: 'virtual' }
      await write(api, 'POST', '/api/dcim/interfaces/', body)
      await api.background.runUntilIdle()
      const { json } = await api.ask('GET', `${EVENTS}?site=ams&object_type=dcim.interface`)
      expect(inShort(json)).toEqual([expect.stringContaining('dcim.interface eth9')])
    })

    it('advance the position past the events that they exclude', async () => {
      const { json } = await api.ask('GET', `${EVENTS}?event=object_deleted&after=now`)
      await write(api, 'POST', '/api/dcim/sites/', site('Late'))
      await api.background.runUntilIdle()
      const later = await api.ask('GET', `${EVENTS}?event=object_deleted&after=${json.position}`)
      expect(later.json).toMatchObject({ results: [], position: Number(json.position) + 1 })
    })
  })
})
