import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, createdIds, readPage } from '../support/requests.ts'

describe('the first page of a device', () => {
  let api: Api
  const shared: Record<string, number> = {}
  let rack: number
  const made = (path: string, body: object) => createdId(api, path, body)
  const device = (name: string, more = {}) => made('dcim/devices', { name, ...shared, ...more })
  let users = 0
  /** A token of a new user who may view objects of these types. */
  async function tokenFor(object_types: readonly string[]): Promise<string> {
    users += 1
    const user = await made('users/users', { username: `user${users}`, password: 'Guest-2026-x!' })
    await made('users/permissions', { name: `p${users}`, users: [user], object_types, actions: ['view'] })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    return String(json.token ?? json.key)
  }
  /** The drawn ports, as `1 eth1: Connected`. */
  const portsIn = (text: string): readonly string[] =>
    [...text.matchAll(/<li><a class="port[^>]*><span aria-hidden="true">([^<]*)<\/span><span[^>]*>([^<]*)</g)].map(
      ([, short, label]) => `${short} ${label}`,
    )

  beforeAll(async () => {
    api = await startApi()
    const named = (name: string) => ({ name, slug: name })
    const manufacturer = await made('dcim/manufacturers', named('maker'))
    shared.role = await made('dcim/device-roles', named('switch'))
    shared.site = await made('dcim/sites', named('site'))
    shared.device_type = await made('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    rack = await made('dcim/racks', { name: 'R1', site: shared.site, u_height: 4 })
  })
  afterAll(() => api.close())

  it('shows its ports with their state, in the order of their list, and leads to their tab', async () => {
    const id = await device('one')
    const interfaces = ['eth10', 'eth2', 'eth1', 'mgmt0'].map((name) => ({ device: id, name, type: '1000base-t' }))
    const [, , first] = await createdIds(api, 'dcim/interfaces', interfaces)
    await made('dcim/interfaces', { device: id, name: 'eth3', type: '1000base-t', enabled: false })
    await made('dcim/interfaces', { device: id, name: 'vlan4', type: 'virtual' })
    await made('dcim/front-ports', { device: id, name: 'Front 7', type: '8p8c', mark_connected: true })
    const far = await made('dcim/interfaces', { device: await device('far'), name: 'e', type: '1000base-t' })
    await made('dcim/cables', {
      a_terminations: [{ object_type: 'dcim.interface', object_id: first }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: far }],
    })
    const text = await readPage(api, `/dcim/devices/${id}/`)
    expect(portsIn(text)).toEqual([
      '1 eth1: Connected',
      '2 eth2: Free',
      '3 eth3: Disabled',
      '10 eth10: Free',
      'mgmt0 mgmt0: Free',
      'Front 7 Front 7: Connected',
    ])
    expect(text).toContain(`<a href="/dcim/devices/${id}/interfaces/">Interfaces</a> <span class="muted">4 of 5 ports`)
    expect(text).toContain(`<a href="/dcim/devices/${id}/panel/">Panel</a> <span class="muted">0 of 1 ports free`)
    const seen = await readPage(api, `/dcim/devices/${id}/`, await tokenFor(['dcim.device', 'dcim.frontport']))
    expect(portsIn(seen)).toEqual(['Front 7 Front 7: Connected'])
  })

  it('shows the face of its rack with the device marked, and leads to the rack', async () => {
    const id = await device('mounted', { rack, position: 2, face: 'rear' })
    await device('front', { rack, position: 4, face: 'front' })
    const text = await readPage(api, `/dcim/devices/${id}/`)
    const [, href, picture = '', caption] =
      /rack-picture"><h2>Rack<\/h2><a href="([^"]*)">(.*?)<span>([^<]*)<\/span><\/a><\/section>/s.exec(text) ?? []
    expect([href, caption]).toEqual([`/dcim/racks/${rack}/`, 'R1 · U2, rear'])
    expect(picture.match(/<tr>/g)).toHaveLength(1 + 4)
    expect([...picture.matchAll(/class="device here"[^>]*data-device="(\d+)"/g)].map(([, each]) => each)).toEqual([
      String(id),
    ])
    expect(picture).not.toContain('<a ')
    expect(await readPage(api, `/dcim/devices/${id}/`, await tokenFor(['dcim.device']))).not.toContain('rack-picture')
  })

  it('has no pictures of a device without ports and without a place in a rack', async () => {
    const id = await device('plain', { rack })
    expect(await readPage(api, `/dcim/devices/${id}/`)).not.toMatch(/class="face"|rack-picture/)
  })
})
