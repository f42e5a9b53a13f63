import papaparse from 'papaparse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const LIST = '/api/plugins/custom-objects/links/'
const PAGE = '/plugins/custom-objects/links/'

describe('an import of objects that refer to an object of one of several types', () => {
  let api: Api
  const ids = { site: 0, vrf: 0, prefix: 0 }
  beforeAll(async () => {
    api = await startApi()
    const custom_object_type = await api.make('plugins/custom-objects/custom-object-types', {
      ...{ name: 'link', slug: 'links' },
    })
    const fields = 'plugins/custom-objects/custom-object-type-fields'
    await api.make(fields, { custom_object_type, name: 'nm', type: 'text', primary: true })
    const targets = [
      { app_label: 'dcim', model: 'site' },
      { app_label: 'ipam', model: 'vrf' },
      { app_label: 'ipam', model: 'prefix' },
    ]
    const several = { type: 'object', is_polymorphic: true, related_object_types_input: targets }
    await api.make(fields, { custom_object_type, name: 'po', ...several })
    ids.site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    ids.vrf = await api.make('ipam/vrfs', { name: 'corp', rd: '65000:1' })
    ids.prefix = await api.make('ipam/prefixes', { prefix: '10.0.0.0/24' })
  })
  afterAll(() => api.close())

  const send = async (data: string) => {
    const form = new FormData()
    form.set('data', data)
    return await api.ask('POST', `${PAGE}import/`, { body: form })
  }
  const referenceOf = async (nm: string) => {
    const { json } = await api.ask('GET', `${LIST}?nm=${nm}`)
    const [object] = json.results ?? []
    return [json.count, object?.po_type, object?.po_id]
  }

  it('documents both columns', async () => {
    const { text } = await api.ask('GET', `${PAGE}import/`)
    for (const column of ['po', 'po_type']) expect(text).toMatch(new RegExp(`>${column}<`))
  })

  it.each<[string, string, string, () => number]>([
    ['its name', 'po_type,po', 'dcim.site,Amsterdam', () => ids.site],
    ['another attribute', 'po_type,po.slug', 'dcim.site,ams', () => ids.site],
    ['its id', 'po_type,po.id', 'ipam.prefix,ID', () => ids.prefix],
    ['a name that differs from the display', 'po_type,po', 'ipam.vrf,corp', () => ids.vrf],
    ['its display', 'po_type,po', 'ipam.vrf,corp (65000:1)', () => ids.vrf],
    ['the display of an object without a name', 'po_type,po', 'ipam.prefix,10.0.0.0/24', () => ids.prefix],
  ])('reads the object by %s', async (name, header, cells, id) => {
    const { status, text } = await send(`nm,${header}\n${name},${cells.replace('ID', String(id()))}`)
    expect(status, text).toBe(303)
    expect(await referenceOf(encodeURIComponent(name))).toEqual([1, cells.split(',')[0], id()])
  })

  it.each([
    ['without its type', 'nm,po\nbad,Amsterdam'],
    ['of another type', 'nm,po_type,po\nbad,dcim.rack,R1'],
    ['of an unknown type', 'nm,po_type,po\nbad,dcim.nothing,R1'],
    ['that does not exist', 'nm,po_type,po\nbad,dcim.site,Nowhere'],
    ['of which only the type is named', 'nm,po_type,po\nbad,dcim.site,'],
  ])('refuses an object %s', async (_case, data) => {
    expect((await send(data)).status).not.toBe(303)
    expect((await referenceOf('bad'))[0]).toBe(0)
  })

  it('restores what an export contains', async () => {
    for (const [nm, po_type, po_id] of [
      ['x-site', 'dcim.site', ids.site],
      ['x-vrf', 'ipam.vrf', ids.vrf],
      ['x-prefix', 'ipam.prefix', ids.prefix],
      ['x-none', null, null],
    ]) {
      await api.make('plugins/custom-objects/links', { nm, ...(po_type !== null && { po_type, po_id }) })
    }
    const { text } = await api.ask('GET', `${PAGE}?export&nm__isw=x-`)
    const unchanged = await send(text)
    expect(unchanged.status, unchanged.text).toBe(303)
    const { data } = papaparse.parse<string[]>(text, { skipEmptyLines: true })
    const [headings = [], ...lines] = data
    const { json } = await api.ask('GET', `${LIST}?nm__isw=x-`)
    for (const { id } of json.results ?? []) await api.ask('DELETE', `${LIST}${id}/`)
    const id = headings.indexOf('ID')
    const again = await send(papaparse.unparse([headings, ...lines.map((line) => line.with(id, ''))]))
    expect(again.status, again.text).toBe(303)
    expect(await referenceOf('x-site')).toEqual([1, 'dcim.site', ids.site])
    expect(await referenceOf('x-vrf')).toEqual([1, 'ipam.vrf', ids.vrf])
    expect(await referenceOf('x-prefix')).toEqual([1, 'ipam.prefix', ids.prefix])
    expect(await referenceOf('x-none')).toEqual([1, null, null])
  })

  it('changes and clears the object of an existing row', async () => {
    const object = await api.make('plugins/custom-objects/links', { nm: 'own', po_type: 'dcim.site', po_id: ids.site })
    expect((await send(`id,po_type,po\n${object},ipam.vrf,corp`)).status).toBe(303)
    expect(await referenceOf('own')).toEqual([1, 'ipam.vrf', ids.vrf])
    const cleared = await send(`id,po_type,po\n${object},,`)
    expect(cleared.status, cleared.text).toBe(303)
    expect(await referenceOf('own')).toEqual([1, null, null])
  })
})

describe('an import of event rules', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    await api.make('extras/webhooks', { name: 'Hook', payload_url: 'http://192.0.2.1/' })
    await api.make('extras/notification-groups', { name: 'Team' })
  })
  afterAll(() => api.close())

  it.each([
    ['webhook', 'Hook', 'extras.webhook'],
    ['notification', 'Team', 'extras.notificationgroup'],
    ['email', 'Team', 'extras.notificationgroup'],
  ])('finds the object of the action %s', async (action, object, type) => {
    const form = new FormData()
    form.set(
      'data',
      `name,object_types,event_types,action_type,action_object\n${action},dcim.site,object_created,${action},${object}`,
    )
    const { status, text } = await api.ask('POST', '/extras/event-rules/import/', { body: form })
    expect(status, text).toBe(303)
    const { json } = await api.ask('GET', `/api/extras/event-rules/?name=${action}`)
    expect(json.results).toMatchObject([{ action_type: { value: action }, action_object_type: type }])
  })
})
