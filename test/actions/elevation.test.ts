import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

describe('elevations of racks', () => {
  let api: Api
  let rack: number

  beforeAll(async () => {
    api = await startApi()
    const site = await api.make('dcim/sites', { name: 'Zürich & Söhne', slug: 's' })
    rack = await api.make('dcim/racks', { name: 'R<1>', site, u_height: 4 })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
    const role = await api.make('dcim/device-roles', {
      name: 'Role',
      slug: 'role',
      color: '00ff00',
    })
    const type = (slug: string, u_height: number, is_full_depth: boolean) =>
      api.make('dcim/device-types', { manufacturer, model: slug, slug, u_height, is_full_depth })
    const [deep, flat] = await Promise.all([type('deep', 1.5, true), type('flat', 1, false)])
    const place = { site, role, rack }
    await api.make('dcim/devices', {
      ...place,
      name: 'a"b',
      device_type: deep,
      position: 1,
      face: 'front',
    })
    await api.make('dcim/devices', {
      ...place,
      name: 'flat',
      device_type: flat,
      position: 4,
      face: 'front',
    })
    await api.make('dcim/rack-reservations', {
      rack,
      units: [3],
      user: 1,
      description: 'for later',
    })
  })
  afterAll(async () => {
    await api.close()
  })

  const ask = (query = '', token?: string) =>
    api.ask('GET', `/api/dcim/racks/${rack}/elevation/?${query}`, token === undefined ? {} : { token })
  const units = async (query = '') =>
    (await ask(query)).json.results?.map(({ name, device, occupied }) => [name, device ? device.name : null, occupied])

  it('list the half units from top to bottom, with their devices', async () => {
    expect(await units()).toEqual([
      ['U4.5', 'flat', true],
      ['U4', 'flat', true],
      ['U3.5', null, false],
      ['U3', null, false],
      ['U2.5', null, false],
      ['U2', 'a"b', true],
      ['U1.5', 'a"b', true],
      ['U1', 'a"b', true],
    ])
  })

  it('show devices of full depth at the rear too', async () => {
    expect(await units('face=rear&q=4')).toEqual([
      ['U4.5', null, false],
      ['U4', null, false],
    ])
    expect(await units('face=rear&q=1&expand_devices=false')).toEqual([
      ['U1.5', null, false],
      ['U1', 'a"b', true],
    ])
  })

  it('are divided into pages', async () => {
    const { json } = await ask('limit=3&offset=3')
    expect([json.count, json.results?.length]).toEqual([8, 3])
    expect(String(json.next)).toContain('limit=3&offset=6')
    expect(String(json.previous)).toMatch(/elevation\/\?limit=3$/)
  })

  it('can be drawn', async () => {
    const { status, headers, text } = await ask('render=svg')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    for (const part of ['R&lt;1&gt;', 'Zürich &amp; Söhne', 'a&quot;b', '#00ff00', 'Reserved by admin: for later']) {
      expect(text).toContain(part)
    }
    expect(text).not.toMatch(/NaN|undefined|<1>/)
  })

  it.each([
    ['face=side', 'face'],
    ['render=png', 'render'],
    ['unit_width=wide', 'unit_width'],
    ['unit_height=1000000', 'unit_height'],
    ['expand_devices=maybe', 'expand_devices'],
    ['exclude=x', 'exclude'],
  ])('%s is refused', async (query, parameter) => {
    const { status, json } = await ask(query)
    expect([status, Object.keys(json)]).toEqual([400, [parameter]])
  })

  it('do not reveal devices that the user may not view', async () => {
    const user = await api.make('users/users', { username: 'u', password: 'A-long-password-1' })
    await api.make('users/permissions', {
      name: 'p',
      object_types: ['dcim.rack'],
      actions: ['view'],
      users: [user],
    })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const answer = await ask('q=2', String(json.key))
    expect(answer.json.results?.map(({ device, occupied, description }) => [device, occupied, description])).toEqual([
      [null, false, null],
      [null, true, null],
    ])
    const drawn = await ask('render=svg', String(json.key))
    expect(drawn.text).not.toContain('a&quot;b')
  })
})
