import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { created, createdId, createdIds, readPage } from '../support/requests.ts'

let api: Api
let site: number
let role: number
let manufacturer: number
beforeAll(async () => {
  api = await startApi()
  site = await createdId(api, 'dcim/sites', { name: 'Akron', slug: 'akron' })
  role = await createdId(api, 'dcim/device-roles', { name: 'Switch', slug: 'switch' })
  manufacturer = await createdId(api, 'dcim/manufacturers', { name: 'Maker', slug: 'maker' })
})
afterAll(() => api.close())

const typeOf = (model: string, more: object = {}): Promise<number> =>
  createdId(api, 'dcim/device-types', { manufacturer, model, slug: model.toLowerCase(), ...more })

/** Token of a new user who may view these types. */
async function viewer(username: string, object_types: readonly string[]): Promise<string> {
  const user = await createdId(api, 'users/users', { username, password: 'Long-enough-Passw0rd' })
  await createdId(api, 'users/permissions', { name: username, users: [user], actions: ['view'], object_types })
  return String((await created(api, 'users/tokens', { user, version: 1 })).key)
}

describe('a port whose cable one may not view', () => {
  it.each([
    ['interfaces', 'dcim/interfaces', 'dcim.interface', {}],
    ['front-ports', 'dcim/front-ports', 'dcim.frontport', {}],
  ])('is in use: %s', async (name, path, type) => {
    const device_type = await typeOf(`Box-${name}`)
    const [a = 0, b = 0] = await createdIds(api, 'dcim/devices', [
      { name: `a-${name}`, site, role, device_type },
      { name: `b-${name}`, site, role, device_type },
    ])
    const port = (device: number, label: string) => ({
      device,
      name: label,
      type: name === 'interfaces' ? '1000base-t' : '8p8c',
    })
    const bodies = [port(a, '1'), port(a, '2'), port(b, '1'), port(b, '2')]
    const ids = await createdIds(api, path, bodies)
    const end = (id: unknown) => [{ object_type: type, object_id: id }]
    await createdId(api, 'dcim/cables', { a_terminations: end(ids[0]), b_terminations: end(ids[2]) })
    await createdIds(api, path, { ...port(a, '3'), mark_connected: true })
    const all = ['dcim.device', 'dcim.interface', 'dcim.frontport']
    for (const token of [undefined, await viewer(`of-${name}`, all)]) {
      const page = await readPage(api, `/dcim/devices/${a}/`, token)
      expect(page).toContain('1 of 3 ports free')
      expect(page).toContain('>1: Connected<')
      expect(page).toContain('>2: Free<')
    }
  })
})

it('the space of a site is that of its racks, without types that do not count and counting a unit once', async () => {
  const place = await createdId(api, 'dcim/sites', { name: 'Scranton', slug: 'scranton' })
  const rack = await createdId(api, 'dcim/racks', { name: 'R1', site: place, u_height: 10 })
  const half = await typeOf('Half', { u_height: 2, is_full_depth: false })
  const uncounted = await typeOf('Shelf', { u_height: 4, exclude_from_utilization: true })
  await createdIds(api, 'dcim/devices', [
    { name: 'front', site: place, role, device_type: half, rack, position: 1, face: 'front' },
    { name: 'rear', site: place, role, device_type: half, rack, position: 1, face: 'rear' },
    { name: 'shelf', site: place, role, device_type: uncounted, rack, position: 5, face: 'front' },
  ])
  const bar = /Scranton<\/bdi>.*?class="num">([^<]*)</s.exec(await readPage(api, '/'))?.[1]
  expect(bar).toBe('20 %')
  expect(await readPage(api, `/dcim/racks/${rack}/`)).toContain('20 %')
})

it('only circuits that end within a year end soon', async () => {
  const provider = await createdId(api, 'circuits/providers', { name: 'Carrier', slug: 'carrier' })
  const type = await createdId(api, 'circuits/circuit-types', { name: 'Line', slug: 'line' })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await createdIds(
    api,
    'circuits/circuits',
    [10, 400].map((days) => ({ cid: `ends-in-${days}`, provider, type, termination_date: inDays(days) })),
  )
  const names = (await readPage(api, '/')).match(/ends-in-\d+ · Carrier/g)
  expect(names).toEqual(['ends-in-10 · Carrier'])
})

describe('the page that deletes an object', () => {
  it.each([
    ['dcim/sites', () => site, 'device'],
    ['dcim/manufacturers', () => manufacturer, 'device type'],
    ['dcim/device-roles', () => role, 'device'],
  ])('offers no deletion that would be refused: %s', async (path, id, blocking) => {
    const page = await readPage(api, `/${path}/${id()}/delete/`)
    const main = /<main.*<\/main>/s.exec(page)?.[0] ?? ''
    expect(main).toMatch(new RegExp(`Unable to delete: .*<li>[^:]*${blocking}`))
    expect(main.match(/Unable to delete/g)).toHaveLength(1)
    expect(main).not.toMatch(/<button class="danger"/)
  })

  it('offers one that would be carried out', async () => {
    const id = await createdId(api, 'dcim/sites', { name: 'Empty', slug: 'empty' })
    expect(await readPage(api, `/dcim/sites/${id}/delete/`)).toMatch(/<button class="danger">/)
  })
})
