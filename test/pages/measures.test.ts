import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

describe('measures along cables', () => {
  let api: Api
  let site: number
  let rack: number
  let device: (name: string) => Promise<number>
  const made = (path: string, body: object) => createdId(api, path, body)
  const end = (object_type: string, object_id: number) => [{ object_type, object_id }]
  const connect = (a: [string, number], b: [string, number], more = {}) =>
    made('dcim/cables', { a_terminations: end(...a), b_terminations: end(...b), ...more })

  beforeAll(async () => {
    api = await startApi()
    site = await made('dcim/sites', { name: 's', slug: 's' })
    rack = await made('dcim/racks', { name: 'r', site })
    const manufacturer = await made('dcim/manufacturers', { name: 'm', slug: 'm' })
    const device_type = await made('dcim/device-types', { manufacturer, model: 't', slug: 't' })
    const role = await made('dcim/device-roles', { name: 'r', slug: 'r' })
    device = (name) => made('dcim/devices', { name, site, device_type, role })
  })
  afterAll(() => api.close())

  const length = (value: number, length_unit: string) => ({ length: value, length_unit })
  it.each([
    ['12.53 km', { distance: 12.5, distance_unit: 'km' }, length(10, 'm'), length(20, 'm')],
    ['530 m', { distance: 500, distance_unit: 'm' }, length(1000, 'cm'), length(20, 'm')],
    ['30 m, and links of unknown length', {}, length(10, 'm'), length(20, 'm')],
  ])('the length of a path is %s', async (expected, distance, first, second) => {
    const id = expected.slice(0, 2)
    const provider = await made('circuits/providers', { name: id, slug: id.toLowerCase() })
    const type = await made('circuits/circuit-types', { name: id, slug: id.toLowerCase() })
    const circuit = await made('circuits/circuits', { cid: id, provider, type, ...distance })
    const termination = (term_side: string) =>
      made('circuits/circuit-terminations', {
        ...{ circuit, term_side, termination_type: 'dcim.site', termination_id: site },
      })
    const [a, z] = [await termination('A'), await termination('Z')]
    const port = async (name: string) =>
      made('dcim/interfaces', { device: await device(name), name, type: '1000base-t' })
    const [near, far] = [await port(`${id} near`), await port(`${id} far`)]
    await connect(['dcim.interface', near], ['circuits.circuittermination', a], first)
    await connect(['circuits.circuittermination', z], ['dcim.interface', far], second)
    expect(await readPage(api, `/dcim/interfaces/${near}/trace/`)).toContain(`${expected}<`)
  })

  it('power drawn behind several PDUs without values of their own is counted for the rack', async () => {
    const power_panel = await made('dcim/power-panels', { site, name: 'p' })
    const feed = await made('dcim/power-feeds', {
      power_panel,
      rack,
      name: 'f',
      voltage: 230,
      amperage: 10,
    })
    /** A PDU with an inlet and outlets; returns their ids. */
    const pdu = async (name: string, outlets: number) => {
      const own = await device(name)
      const power_port = await made('dcim/power-ports', { device: own, name: 'in' })
      const list: number[] = []
      for (let index = 0; index < outlets; index += 1) {
        list.push(await made('dcim/power-outlets', { device: own, name: `o${index}`, power_port }))
      }
      return { inlet: power_port, outlets: list }
    }
    const load = async (name: string, draw: object) =>
      made('dcim/power-ports', { device: await device(name), name: 'psu', ...draw })
    const supply = async (outlet: number | undefined, port: number) =>
      connect(['dcim.poweroutlet', outlet ?? 0], ['dcim.powerport', port])
    const [first, second, third] = [await pdu('pdu1', 2), await pdu('pdu2', 2), await pdu('pdu3', 1)]
    await connect(['dcim.powerfeed', feed], ['dcim.powerport', first.inlet])
    await supply(first.outlets[0], second.inlet)
    await supply(first.outlets[1], await load('a', { allocated_draw: 100 }))
    await supply(second.outlets[0], third.inlet)
    await supply(second.outlets[1], await load('b', { maximum_draw: 300 }))
    await supply(third.outlets[0], await load('c', { allocated_draw: 40 }))
    expect(await readPage(api, `/dcim/racks/${rack}/`)).toContain('140 of 1,840 W')
    expect(await readPage(api, `/dcim/power-feeds/${feed}/`)).toContain('140 of 1,840 W')
  })

  it('lengths and distances are never negative', async () => {
    const provider = await made('circuits/providers', { name: 'neg', slug: 'neg' })
    const type = await made('circuits/circuit-types', { name: 'neg', slug: 'neg' })
    const owner = await device('negative')
    const port = (name: string, kind: string) => made('dcim/interfaces', { device: owner, name, type: kind })
    const [a, b] = [await port('a', '1000base-t'), await port('b', '1000base-t')]
    const cable = {
      a_terminations: end('dcim.interface', a),
      b_terminations: end('dcim.interface', b),
    }
    const [interface_a, interface_b] = [await port('w1', 'ieee802.11ax'), await port('w2', 'ieee802.11ax')]
    const cases = [
      ['dcim/cables', cable, 'length', 'm'],
      ['circuits/circuits', { cid: 'neg', provider, type }, 'distance', 'km'],
      ['wireless/wireless-links', { interface_a, interface_b }, 'distance', 'km'],
      ['dcim/racks', { name: 'neg', site }, 'weight', 'kg'],
    ] as const
    for (const [path, body, name, unit] of cases) {
      const measure = (value: number) => ({ [name]: value, [`${name}_unit`]: unit })
      const refused = await api.ask('POST', `/api/${path}/`, { body: { ...body, ...measure(-1) } })
      expect([refused.status, Object.keys(refused.json)], refused.text).toEqual([400, [name]])
      const id = await made(path, { ...body, ...measure(0) })
      const change = { body: measure(-0.01) }
      expect((await api.ask('PATCH', `/api/${path}/${id}/`, change)).status).toBe(400)
      const list = { body: [{ id, ...measure(-5) }] }
      expect((await api.ask('PATCH', `/api/${path}/`, list)).status).toBe(400)
    }
  })
})
