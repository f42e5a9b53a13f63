import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import { makePlaces } from './places.ts'

/** The names of the objects of a trace, step by step: `a:1 > b:1`. */
const stepsOf = (trace: Document): string[] =>
  trace.map(([near, , far]: Document) =>
    [near, far].map((ends) => (ends ?? []).map((end: Document) => end.display).join('+')).join(' > '),
  )

describe('channels of interfaces', () => {
  let api: Api
  let device: number
  let peer: number
  beforeAll(async () => {
    api = await startApi({ API_VERSION: '4.7' })
    const places = await makePlaces(api)
    device = await places.device('near')
    peer = await places.device('far')
  })
  afterAll(() => api.close())

  const port = (of: number, name: string, more: object = {}) =>
    api.make('dcim/interfaces', { device: of, name, type: '100gbase-x-qsfp28', ...more })
  const channel = (of: number, parent: number, name: string, id: number) =>
    port(of, name, { type: 'channel', parent, channel_id: id })
  const cable = (a: readonly number[], b: readonly number[], profile?: string) => {
    const ends = (ids: readonly number[]) => ids.map((object_id) => ({ object_type: 'dcim.interface', object_id }))
    return api.make('dcim/cables', { a_terminations: ends(a), b_terminations: ends(b), ...(profile && { profile }) })
  }
  const get = async (path: string) => (await api.ask('GET', `/api/dcim/${path}`)).json
  const change = (method: string, path: string, body?: object) =>
    api.ask(method, `/api/dcim/${path}`, body ? { body } : {})
  const trace = async (id: number) => stepsOf(await get(`interfaces/${id}/trace/`))
  const ends = async (id: number) =>
    ((await get(`interfaces/${id}/`)).connected_endpoints ?? null)?.map((end: Document) => end.display) ?? null

  it('share the cable of their parent, and have paths of their own', async () => {
    const [a, b] = [await port(device, 'a', { channels: 4 }), await port(peer, 'b', { channels: 4 })]
    const [a1, a2] = [await channel(device, a, 'a:1', 1), await channel(device, a, 'a:2', 2)]
    const b1 = await channel(peer, b, 'b:1', 1)
    const line = await cable([a], [b], 'single-1c4p')

    expect(await get(`interfaces/${a1}/`)).toMatchObject({
      ...{ cable: { id: line }, cable_end: 'A', _occupied: true, connected_endpoints_reachable: true },
      link_peers: [{ id: b }],
      connected_endpoints: [{ id: b1 }],
    })
    expect(await get(`interfaces/${a}/`)).toMatchObject({ cable: { id: line }, connected_endpoints: null })
    expect(await trace(a)).toEqual([])
    expect(await trace(a1)).toEqual(['a:1 > b:1'])
    expect(await trace(b1)).toEqual(['b:1 > a:1'])
    expect(await trace(a2)).toEqual(['a:2 > '])

    const b2 = await channel(peer, b, 'b:2', 2)
    expect([await ends(a2), await ends(b2)]).toEqual([['b:2'], ['a:2']])

    expect((await change('PATCH', `interfaces/${b2}/`, { channel_id: 3, description: 'moved' })).status).toBe(200)
    expect([await ends(a2), await ends(b2)]).toEqual([null, null])

    expect((await change('PATCH', `interfaces/${a2}/`, { channel_id: 3 })).status).toBe(200)
    expect([await ends(a2), await ends(b2)]).toEqual([['b:2'], ['a:2']])

    expect((await change('DELETE', `interfaces/${b2}/`)).status).toBe(204)
    expect([await ends(a2), await trace(a2)]).toEqual([null, ['a:2 > ']])

    const cabled = await get(`interfaces/?device_id=${device}&cabled=true`)
    expect(cabled.results?.map(({ display }: Document) => display)).toEqual(['a', 'a:1', 'a:2'])

    expect((await change('DELETE', `cables/${line}/`)).status).toBe(204)
    expect(await get(`interfaces/${a1}/`)).toMatchObject({ cable: null, connected_endpoints: null, _occupied: false })
    expect(await trace(a1)).toEqual([])
  })

  it.each([
    ['a breakout cable', 'breakout-1c4p-4c1p', [['d1'], ['d2']], ['c:1']],
    ['a cable without a profile', undefined, [null, null], ['c']],
  ])('lead over %s', async (_, profile, expected, back) => {
    const c = await port(device, 'c', { channels: 4 })
    const channels = [await channel(device, c, 'c:1', 1), await channel(device, c, 'c:2', 2)]
    const plain = await Promise.all(['d1', 'd2', 'd3', 'd4'].map((name) => port(peer, name)))
    const line = await cable([c], plain, profile)
    expect(await Promise.all(channels.map(ends))).toEqual(expected)
    expect(await ends(plain[0] ?? 0)).toEqual(back)
    for (const path of [`cables/${line}/`, ...[...channels, c, ...plain].map((id) => `interfaces/${id}/`)]) {
      expect((await change('DELETE', path)).status).toBe(204)
    }
  })

  it('lose the cable when they are moved to a parent without one, and get the cable of a parent with one', async () => {
    const [e, f, g] = [
      await port(device, 'e', { channels: 4 }),
      await port(device, 'f', { channels: 4 }),
      await port(peer, 'g', { channels: 4 }),
    ]
    const [child, g1] = [await channel(device, e, 'child', 1), await channel(peer, g, 'g:1', 1)]
    const line = await cable([f], [g], 'single-1c4p')
    expect(await ends(g1)).toBeNull()
    expect((await change('PATCH', `interfaces/${child}/`, { parent: f })).json).toMatchObject({ cable: { id: line } })
    expect(await ends(g1)).toEqual(['child'])
    expect((await change('PATCH', `interfaces/${child}/`, { parent: e })).json).toMatchObject({ cable: null })
    expect(await ends(g1)).toBeNull()
  })

  it('pass through panels on the position of their channel', async () => {
    const [h, i] = [await port(device, 'h', { channels: 2 }), await port(peer, 'i', { channels: 2 })]
    const [h2, i2] = [await channel(device, h, 'h:2', 2), await channel(peer, i, 'i:2', 2)]
    const rears = await Promise.all(
      [device, peer].map((of) => api.make('dcim/rear-ports', { device: of, name: 'r', type: 'mpo', positions: 2 })),
    )
    const fronts = await Promise.all(
      rears.map((rear_port, at) =>
        api.make('dcim/front-ports', {
          ...{ device: [device, peer][at], name: 'f', type: 'mpo', positions: 2 },
          rear_ports: [1, 2].map((position) => ({ position, rear_port, rear_port_position: position })),
        }),
      ),
    )
    const wire = (a: object, b: object, profile?: string) =>
      api.make('dcim/cables', { a_terminations: [a], b_terminations: [b], ...(profile && { profile }) })
    const end = (object_type: string, object_id: number | undefined) => ({ object_type, object_id })
    await wire(end('dcim.interface', h), end('dcim.frontport', fronts[0]), 'single-1c2p')
    await wire(end('dcim.rearport', rears[0]), end('dcim.rearport', rears[1]))
    await wire(end('dcim.frontport', fronts[1]), end('dcim.interface', i), 'single-1c2p')
    expect(await ends(h2)).toEqual(['i:2'])
    expect(await ends(i2)).toEqual(['h:2'])
    expect(await ends(h)).toBeNull()
  })

  it('cannot have a cable of their own', async () => {
    const k = await port(device, 'k', { channels: 2 })
    const k1 = await port(device, 'k:1', { parent: k, channel_id: 1 })
    const l = await port(peer, 'l')
    const body = {
      a_terminations: [{ object_type: 'dcim.interface', object_id: k1 }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: l }],
    }
    const refused = await change('POST', 'cables/', body)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('is a channel')
    await cable([k], [l])
    expect((await change('PATCH', `interfaces/${l}/`, { parent: k, channel_id: 2 })).status).toBe(400)
    expect((await change('PATCH', `interfaces/${k1}/`, { description: 'still writable' })).status).toBe(200)
  })

  it.each<[string, object, string]>([
    ['a number beyond those of the parent', { type: 'channel', channel_id: 3 }, 'channel_id'],
    ['a number that is taken', { type: 'channel', channel_id: 1 }, '__all__'],
    ['no number', { type: 'channel' }, 'channel_id'],
    ['channels of its own', { type: '10gbase-t', channel_id: 2, channels: 2 }, 'channel_id'],
    ['a virtual type', { type: 'virtual', channel_id: 2 }, 'type'],
  ])('are refused with %s', async (_, more, key) => {
    const name = `refused ${key} ${JSON.stringify(more).length}`
    const parent = await port(device, name, { channels: 2 })
    await channel(device, parent, `${name}:1`, 1)
    const refused = await change('POST', 'interfaces/', { device, name: 'no', parent, ...more })
    expect([refused.status, Object.keys(refused.json)]).toEqual([400, [key]])
  })

  it('cannot be fewer than those in use', async () => {
    const m = await port(device, 'm', { channels: 2 })
    await channel(device, m, 'm:2', 2)
    expect((await change('PATCH', `interfaces/${m}/`, { channels: 1 })).json).toHaveProperty('channels')
    expect((await change('PATCH', `interfaces/${m}/`, { channels: null })).json).toHaveProperty('channels')
    expect((await change('PATCH', `interfaces/${m}/`, { channels: 3 })).status).toBe(200)
  })

  describe('get a new name with their parent', () => {
    it('in devices', async () => {
      const n = await port(device, 'n', { channels: 4 })
      const ids = [
        await channel(device, n, 'n:1', 1),
        await channel(device, n, 'own', 2),
        await channel(device, n, 'n:3', 3),
      ]
      await port(device, 'o:3')
      expect((await change('PATCH', `interfaces/${n}/`, { name: 'o' })).status).toBe(200)
      const names = await Promise.all(ids.map(async (id) => (await get(`interfaces/${id}/`)).name))
      expect(names).toEqual(['o:1', 'own', 'n:3'])
    })

    it('in types, whose devices get them with their parent', async () => {
      const places = await makePlaces(api)
      const type = places.deviceType
      const p = await api.make('dcim/interface-templates', {
        ...{ device_type: type, name: 'p', type: '100gbase-x-qsfp28', channels: 2 },
      })
      await api.make('dcim/interface-templates', {
        ...{ device_type: type, name: 'p:1', type: 'channel', parent: p, channel_id: 1 },
      })
      expect((await change('PATCH', `interface-templates/${p}/`, { name: 'q' })).status).toBe(200)
      const listed = await get(`interface-templates/?device_type_id=${type}`)
      expect(listed.results?.map(({ name }: Document) => name)).toEqual(['q', 'q:1'])
      const made = await get(`interfaces/?device_id=${await places.device('made')}`)
      expect(
        made.results?.map(({ name, parent, channels, channel_id }: Document) => [
          ...[name, parent?.name ?? null, channels, channel_id],
        ]),
      ).toEqual([
        ['q', null, 2, null],
        ['q:1', 'q', null, 1],
      ])
    })
  })
})
