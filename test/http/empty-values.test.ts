import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** Clients with static types send the zero value of a type in place of a missing value. */
describe('empty values that typed clients send', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    const named = (name: string) => ({ name, slug: name })
    await post('dcim/sites', named('here'))
    await post('dcim/manufacturers', named('maker'))
    await post('dcim/device-roles', named('role'))
    await post('dcim/device-types', { manufacturer: 1, model: 'box', slug: 'box', u_height: 0 })
    await post('dcim/devices', { name: 'one', site: 1, role: 1, device_type: 1 })
    await post('dcim/interfaces', { device: 1, name: 'eth0', type: 'other' })
  })
  afterAll(() => api.close())

  const post = async (path: string, body: object) => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return json
  }

  describe('of custom fields', () => {
    const field = { object_types: ['dcim.site'] }
    it.each([
      ['related_object_type', { type: 'text', related_object_type: '' }, null],
      ['validation_minimum', { type: 'text', validation_minimum: 0 }, 0],
      ['validation_maximum', { type: 'boolean', validation_maximum: 0 }, 0],
      ['validation_maximum', { type: 'object', related_object_type: 'dcim.site', validation_maximum: 0 }, 0],
    ])('%s %j', async (name, body, expected) => {
      const created = await post('extras/custom-fields', { name: 'x', ...field, ...body })
      expect(created).toMatchObject({ [name]: expected })
      const path = `/api/extras/custom-fields/${created.id}/`
      for (const method of ['PATCH', 'PUT']) {
        const changed = await api.ask(method, path, { body: { name: 'x', ...field, ...body } })
        expect([changed.status, changed.json], changed.text).toMatchObject([200, { [name]: expected }])
      }
      expect((await api.ask('DELETE', path)).status).toBe(204)
    })

    it.each([
      [{ type: 'text', validation_minimum: 1 }],
      [{ type: 'text', validation_maximum: -1 }],
      [{ type: 'object', related_object_type: '' }],
    ])('a value that is not empty is refused if it is invalid: %j', async (body) => {
      const { status } = await api.ask('POST', '/api/extras/custom-fields/', {
        body: { name: 'x', ...field, ...body },
      })
      expect(status).toBe(400)
    })
  })

  describe('an empty type of a generic relation with an id of null or zero clears the relation', () => {
    const onInterface = { assigned_object_type: 'dcim.interface', assigned_object_id: 1 }
    // path, body without the relation, name of the relation, object that it may refer to
    const relations: readonly [string, object, string, object][] = [
      ['ipam/ip-addresses', { address: '192.0.2.1/24' }, 'assigned_object', onInterface],
      ['dcim/mac-addresses', { mac_address: '02:00:00:00:00:01' }, 'assigned_object', onInterface],
      ['ipam/prefixes', { prefix: '10.0.0.0/8' }, 'scope', { scope_type: 'dcim.site', scope_id: 1 }],
      ['ipam/vlan-groups', { name: 'g', slug: 'g' }, 'scope', { scope_type: 'dcim.site', scope_id: 1 }],
    ]
    const ids = [null, 0]
    const cases = relations.flatMap((relation) => ids.map((id) => [...relation, id] as const))

    it.each(cases)('%s', async (path, body, name, target, id) => {
      const nothing = { [`${name}_type`]: '', [`${name}_id`]: id }
      const none = { [`${name}_type`]: null, [`${name}_id`]: null, [name]: null }
      const created = await post(path, { ...body, ...nothing })
      expect(created).toMatchObject(none)
      const url = `/api/${path}/${created.id}/`
      for (const method of ['PUT', 'PATCH']) {
        const assigned = await api.ask('PATCH', url, { body: target })
        expect(assigned.json, assigned.text).toMatchObject(target)
        const emptied = await api.ask(method, url, { body: { ...body, ...nothing } })
        expect(emptied.status, emptied.text).toBe(200)
        expect(emptied.json).toMatchObject(none)
      }
      await api.ask('DELETE', url)
    })

    it('an empty type with the id of an object is refused, and so is zero with a type', async () => {
      const refusals: readonly [object, string][] = [
        [{ assigned_object_type: '', assigned_object_id: 1 }, 'assigned_object_type'],
        [{ assigned_object_type: 'dcim.interface', assigned_object_id: 0 }, 'assigned_object_id'],
      ]
      for (const [relation, key] of refusals) {
        const body = { address: '192.0.2.9/24', ...relation }
        const { status, json } = await api.ask('POST', '/api/ipam/ip-addresses/', { body })
        expect([status, Object.keys(json)]).toEqual([400, [key]])
      }
    })

    it('a relation that must not be empty is refused with an empty type', async () => {
      const body = { assigned_object_type: '', assigned_object_id: 0, comments: 'x' }
      const { status, json } = await api.ask('POST', '/api/extras/journal-entries/', { body })
      expect(status).toBe(400)
      expect(json).toHaveProperty('assigned_object_type')
    })
  })

  describe('null and an empty text clear an optional choice', () => {
    beforeAll(async () => {
      await post('dcim/interfaces', { device: 1, name: 'eth1', type: 'other' })
      const end = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
      await post('dcim/cables', { a_terminations: end(1), b_terminations: end(2) })
    })
    const cases: readonly [string, string, string | number][] = [
      ['dcim/cables/1', 'profile', 'single-1c1p'],
      ['dcim/cables/1', 'type', 'cat6'],
      ['dcim/cables/1', 'length_unit', 'm'],
      ['dcim/devices/1', 'airflow', 'front-to-rear'],
      ['dcim/interfaces/1', 'mode', 'access'],
      ['dcim/device-types/1', 'subdevice_role', 'parent'],
    ]
    it.each(cases)('%s %s', async (path, field, value) => {
      const length = field === 'length_unit' ? { length: 1 } : {}
      for (const empty of [null, '']) {
        const set = await api.ask('PATCH', `/api/${path}/`, { body: { [field]: value, ...length } })
        expect(set.status, set.text).toBe(200)
        const without = field === 'length_unit' ? { length: null } : {}
        const emptied = await api.ask('PATCH', `/api/${path}/`, { body: { [field]: empty, ...without } })
        expect([emptied.status, emptied.json[field]], emptied.text).toEqual([200, null])
      }
    })

    it('but not a required one', async () => {
      const { status, json } = await api.ask('PATCH', '/api/dcim/cables/1/', { body: { status: null } })
      expect([status, Object.keys(json)]).toEqual([400, ['status']])
    })
  })

  describe('an empty text for a nullable decimal is treated as null', () => {
    const cases: readonly [string, string, object][] = [
      ['dcim/sites/1', 'latitude', { latitude: 1.5 }],
      ['dcim/sites/1', 'longitude', { longitude: -1.5 }],
      ['dcim/devices/1', 'latitude', { latitude: 1.5 }],
      ['dcim/device-types/1', 'weight', { weight: 2, weight_unit: 'kg' }],
    ]
    it.each(cases)('%s %s', async (path, field, value) => {
      for (const empty of ['', ' ']) {
        await api.ask('PATCH', `/api/${path}/`, { body: value })
        const emptied = await api.ask('PATCH', `/api/${path}/`, { body: { [field]: empty } })
        expect([emptied.status, emptied.json[field]], emptied.text).toEqual([200, null])
      }
    })

    it('the position of a device that is not in a rack', async () => {
      const body = { name: 'two', site: 1, role: 1, device_type: 1, position: '' }
      expect((await post('dcim/devices', body)).position).toBe(null)
    })

    it('an empty required decimal is refused', async () => {
      const body = { manufacturer: 1, model: 'two', slug: 'two', u_height: '' }
      const { status, json } = await api.ask('POST', '/api/dcim/device-types/', { body })
      expect([status, Object.keys(json)]).toEqual([400, ['u_height']])
    })
  })
})
