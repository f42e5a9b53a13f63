import { describe, expect, it } from 'vitest'
import { receiverOfTest } from '../support/receiver.ts'
import { sceneOfTest } from './scene.ts'

type Fields = Readonly<Record<string, unknown>>

/** A service with a rule for changes of these types. `events` returns the objects of the events since the last call. */
async function rulesFor(types: readonly string[]) {
  const scene = await sceneOfTest()
  const receiver = await receiverOfTest()
  await scene.addWebhook({ payload_url: receiver.url }, { object_types: types })
  const create = async (path: string, body: unknown): Promise<Fields> => {
    const { status, text, json } = await scene.api.ask('POST', `/api/${path}/`, { body })
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
    return json
  }
  let seen = 0
  const events = async () => {
    await scene.settle()
    const fresh = receiver.received.slice(seen).map(({ body }) => JSON.parse(body))
    seen = receiver.received.length
    return fresh.map(({ event, data }) => ({ event, data }))
  }
  return { ...scene, create, events }
}

/** A device type with two interfaces, and the ids that a device needs. */
async function deviceBody(create: (path: string, body: unknown) => Promise<Fields>) {
  const { id: manufacturer } = await create('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const { id: device_type } = await create('dcim/device-types', {
    ...{ manufacturer, model: 'Switch', slug: 'switch' },
  })
  for (const name of ['eth1', 'eth2']) {
    await create('dcim/interface-templates', { device_type, name, type: '1000base-t' })
  }
  const { id: role } = await create('dcim/device-roles', { name: 'Role', slug: 'role' })
  const { id: site } = await create('dcim/sites', { name: 'Site', slug: 'site' })
  return { device_type, role, site }
}

// As in NetBox 4.6.8: an event is created when the object has been saved, before its side effects.
describe('the object in an event', () => {
  it('of a new device is counted neither with its components nor by its type', async () => {
    const { create, events } = await rulesFor(['dcim.device'])
    const body = await deviceBody(create)
    const shown = await create('dcim/devices', { ...body, name: 'sw1' })
    expect(shown).toMatchObject({ interface_count: 2, device_type: { device_count: 1 } })
    await create('dcim/devices', { ...body, name: 'sw2' })
    expect(await events()).toMatchObject([
      { data: { name: 'sw1', interface_count: 0, device_type: { device_count: 0 } } },
      { data: { name: 'sw2', interface_count: 0, device_type: { device_count: 1 } } },
    ])
  })

  it('of a later change has the true counts', async () => {
    const { api, create, events } = await rulesFor(['dcim.device'])
    const { id } = await create('dcim/devices', { ...(await deviceBody(create)), name: 'sw1' })
    await events()
    await api.ask('PATCH', `/api/dcim/devices/${id}/`, { body: { serial: '1' } })
    expect(await events()).toMatchObject([
      { event: 'updated', data: { interface_count: 2, device_type: { device_count: 1 } } },
    ])
  })

  it('of a cable shows new ends as they were before, and theirs show them with the cable', async () => {
    const { api, create, events } = await rulesFor(['dcim.cable', 'dcim.interface'])
    const body = await deviceBody(create)
    for (const name of ['sw1', 'sw2']) await create('dcim/devices', { ...body, name })
    await events()
    const list = await api.ask('GET', '/api/dcim/interfaces/?name=eth1&ordering=id')
    const [a, b] = (list.json.results ?? []).map(({ id }) => [{ object_type: 'dcim.interface', object_id: id }])
    const { id } = await create('dcim/cables', { a_terminations: a, b_terminations: b })
    const free = { object: { cable: null, _occupied: false } }
    expect(await events()).toMatchObject([
      { event: 'created', data: { id, a_terminations: [free], b_terminations: [free] } },
      { event: 'updated', data: { cable: { id }, _occupied: true } },
      { event: 'updated', data: { cable: { id }, _occupied: true } },
    ])
    await api.ask('PATCH', `/api/dcim/cables/${id}/`, { body: { label: 'x' } })
    const taken = { object: { cable: { id }, _occupied: true } }
    expect(await events()).toMatchObject([
      { event: 'updated', data: { a_terminations: [taken], b_terminations: [taken] } },
    ])
  })

  it('that is changed by two requests of one script or list has its last values', async () => {
    const { api, create, events } = await rulesFor(['dcim.site'])
    const { id } = await create('dcim/sites', { name: 'Site', slug: 'site' })
    await events()
    await api.ask('PATCH', '/api/dcim/sites/', {
      body: [
        { id, description: 'first' },
        { id, description: 'last' },
      ],
    })
    expect(await events()).toMatchObject([{ event: 'updated', data: { description: 'last' } }])
  })

  it('of a prefix shows its depth as before it was placed', async () => {
    const { create, events } = await rulesFor(['ipam.prefix'])
    await create('ipam/prefixes', { prefix: '10.0.0.0/8' })
    expect(await create('ipam/prefixes', { prefix: '10.1.0.0/16' })).toMatchObject({ _depth: 1 })
    expect(await events()).toMatchObject([
      { data: { prefix: '10.0.0.0/8', _depth: 0, children: 0 } },
      { data: { prefix: '10.1.0.0/16', _depth: 0, children: 0 } },
    ])
  })

  it('that is deleted with a region counts no sites, the region itself does', async () => {
    const { api, create, events } = await rulesFor(['dcim.region'])
    const { id } = await create('dcim/regions', { name: 'Top', slug: 'top' })
    const { id: region } = await create('dcim/regions', { name: 'Low', slug: 'low', parent: id })
    await create('dcim/sites', { name: 'Site', slug: 'site', region })
    await events()
    await api.ask('DELETE', `/api/dcim/regions/${id}/`)
    const deleted = (await events()).map(({ data }) => [data.name, data.site_count])
    expect(Object.fromEntries(deleted)).toEqual({ Top: 1, Low: 0 })
  })

  it('has no alias display_name', async () => {
    const { create, events } = await rulesFor(['ipam.ipaddress'])
    await create('dcim/devices', { ...(await deviceBody(create)), name: 'sw1' })
    const address = { address: '192.0.2.1/24', assigned_object_type: 'dcim.interface' }
    const shown = await create('ipam/ip-addresses', { ...address, assigned_object_id: 1 })
    expect(shown).toMatchObject({ assigned_object: { device: { display_name: 'sw1' } } })
    const [event] = await events()
    expect(event?.data.assigned_object.device).toEqual({
      ...{ id: 1, url: '/api/dcim/devices/1/' },
      ...{ display: 'sw1', name: 'sw1', description: '' },
    })
  })
})
