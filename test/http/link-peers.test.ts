import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

describe('the objects that a cable connects', () => {
  let api: Api
  let device: number

  beforeAll(async () => {
    api = await startApi()
    const site = await create('dcim/sites', { name: 'A', slug: 'a' })
    const role = await create('dcim/device-roles', { name: 'Switch', slug: 'switch' })
    const manufacturer = await create('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const type = await create('dcim/device-types', { manufacturer, model: 'M', slug: 'm' })
    device = await create('dcim/devices', { name: 'sw1', site, role, device_type: type })
  })
  afterAll(() => api.close())

  const create = async (path: string, body: object): Promise<number> => {
    const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  const interfaces = (...names: string[]): Promise<number[]> =>
    Promise.all(names.map((name) => create('dcim/interfaces', { device, name, type: '100gbase-x-qsfp28' })))
  const ends = (ids: readonly number[]) => ids.map((id) => ({ object_type: 'dcim.interface', object_id: id }))
  const connect = (a: readonly number[], b: readonly number[], more: object = {}) =>
    create('dcim/cables', { a_terminations: ends(a), b_terminations: ends(b), ...more })
  const get = async (path: string) => (await api.ask('GET', `/api/${path}/`)).json
  const idsIn = (list: unknown) => (list as { id: number }[] | null)?.map(({ id }) => id) // a list of this API
  const peersOf = async (id: number) => idsIn((await get(`dcim/interfaces/${id}`)).link_peers)
  const endsOf = async (id: number) => idsIn((await get(`dcim/interfaces/${id}`)).connected_endpoints)

  describe('without a profile', () => {
    it('are all objects at the other end, in order', async () => {
      const [a = 0, b = 0, c = 0] = await interfaces('p1', 'p2', 'p3')
      const cable = await connect([a], [c, b])
      expect(await peersOf(a)).toEqual([c, b])
      expect([await peersOf(b), await endsOf(c)]).toEqual([[a], [a]])
      expect((await get(`dcim/cables/${cable}`)).b_terminations).toMatchObject(ends([c, b]))
    })
  })

  describe('with a profile', () => {
    it('are those to which the position leads', async () => {
      const [a = 0, b = 0, c = 0, d = 0] = await interfaces('t1', 't2', 't3', 't4')
      await connect([a, b], [c, d], { profile: 'trunk-2c1p' })
      expect([await peersOf(a), await peersOf(b), await peersOf(d)]).toEqual([[c], [d], [b]])
    })

    it('are the objects of all branches for the port that is split', async () => {
      const [trunk = 0, ...parts] = await interfaces('b1', 'b2', 'b3', 'b4', 'b5')
      await connect([trunk], parts, { profile: 'breakout-1c4p-4c1p' })
      expect(await peersOf(trunk)).toEqual(parts)
      expect(await peersOf(parts[2] ?? 0)).toEqual([trunk])
    })
  })

  it('are not reachable over a planned cable', async () => {
    const [a = 0, b = 0] = await interfaces('r1', 'r2')
    await connect([a], [b], { status: 'planned' })
    const { connected_endpoints_reachable, connected_endpoints_type, link_peers_type } = await get(
      `dcim/interfaces/${a}`,
    )
    expect({ connected_endpoints_reachable, connected_endpoints_type, link_peers_type }).toEqual({
      connected_endpoints_reachable: false,
      connected_endpoints_type: 'dcim.interface',
      link_peers_type: 'dcim.interface',
    })
  })

  it('are null and empty without a cable', async () => {
    const [a = 0] = await interfaces('n1')
    expect([await peersOf(a), await endsOf(a)]).toEqual([[], undefined])
  })
})
