import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { created, createdId } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

let api: Api
const ids: Record<string, number> = {}
beforeAll(async () => {
  api = await startApi()
  ids.site = await createdId(api, 'dcim/sites', { name: 'MDF', slug: 'mdf' })
  ids.role = await createdId(api, 'dcim/device-roles', { name: 'Server', slug: 'server' })
  ids.manufacturer = await createdId(api, 'dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  ids.type = await createdId(api, 'dcim/device-types', { manufacturer: ids.manufacturer, model: 'Box', slug: 'box' })
  const device = { name: 'srv-trial-1', site: ids.site, role: ids.role, device_type: ids.type, asset_tag: 'A1' }
  ids.device = await createdId(api, 'dcim/devices', device)
  ids.rack = await createdId(api, 'dcim/racks', { name: 'R1', site: ids.site, u_height: 12 })
  const mounted = { ...{ name: 'high', site: ids.site, role: ids.role, face: 'front' }, rack: ids.rack, position: 4 }
  const tall = { manufacturer: ids.manufacturer, model: 'Tall', slug: 'tall', u_height: 3 }
  ids.tall = await createdId(api, 'dcim/device-types', tall)
  ids.mounted = await createdId(api, 'dcim/devices', { ...mounted, device_type: ids.tall })
  ids.port = await createdId(api, 'dcim/interfaces', { device: ids.device, name: 'eth0', type: 'virtual' })
})
afterAll(() => api.close())

const html = { accept: 'text/html' }
const send = async (
  path: string,
  changes: Readonly<Record<string, readonly string[]>>,
  token?: string,
): Promise<ApiAnswer> => {
  const headers = { headers: html, ...(token !== undefined && { token }) }
  const { values } = readForm((await api.ask('GET', path, headers)).text)
  return await api.ask('POST', path, { body: formData(new Map([...values, ...Object.entries(changes)])), ...headers })
}
const text = (key: string): string => String(ids[key])
/** The text and the links of the error at a field. */
const errorAt = ({ text: page }: ApiAnswer, name: string) => {
  const error = readForm(page).errors.get(name) ?? ''
  return {
    text: error.replaceAll(/<[^>]*>/g, ''),
    links: [...error.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
  }
}

/** Token of a user who may do this with devices. */
async function userWith(
  username: string,
  actions: readonly string[],
  constraints: object | null = null,
): Promise<string> {
  const user = await createdId(api, 'users/users', { username, password: 'Long-enough-Passw0rd' })
  const object_types = ['dcim.device', 'dcim.site', 'dcim.devicerole', 'dcim.devicetype']
  await createdId(api, 'users/permissions', { name: username, users: [user], actions, object_types, constraints })
  return String((await created(api, 'users/tokens', { user, version: 1 })).key)
}

describe('a value that another object has', () => {
  it.each([
    {
      title: 'the name of a device in a site',
      path: '/dcim/devices/add/',
      body: () => ({ name: ['SRV-trial-1'], site: [text('site')], role: [text('role')], device_type: [text('type')] }),
      at: 'name',
      says: 'MDF already has a device called srv-trial-1 (A1).',
      to: () => `/dcim/devices/${ids.device}/`,
    },
    {
      title: 'the name of a port of a device',
      path: '/dcim/interfaces/add/',
      body: () => ({ name: ['eth0'], device: [text('device')], type: ['virtual'] }),
      at: 'name',
      says: 'srv-trial-1 (A1) already has an interface called eth0.',
      to: () => `/dcim/interfaces/${ids.port}/`,
    },
    {
      title: 'the name of a site',
      path: '/dcim/sites/add/',
      body: () => ({ name: ['MDF'], slug: ['other'] }),
      at: 'name',
      says: 'There is already a site called MDF.',
      to: () => `/dcim/sites/${ids.site}/`,
    },
    {
      title: 'an asset tag',
      path: '/dcim/devices/add/',
      body: () => ({
        ...{ name: ['x'], site: [text('site')], role: [text('role')], device_type: [text('type')] },
        asset_tag: ['A1'],
      }),
      at: 'asset_tag',
      says: 'srv-trial-1 (A1) already has this value.',
      to: () => `/dcim/devices/${ids.device}/`,
    },
  ])('is refused at the field, with a link to that object: $title', async ({ path, body, at, says, to }) => {
    const refused = await send(path, body())
    expect(refused.status).toBe(400)
    expect(errorAt(refused, at)).toEqual({ text: says, links: [to()] })
  })

  it('is refused for a stored object too, but not for its own value', async () => {
    const device = { name: 'two', site: ids.site, role: ids.role, device_type: ids.type }
    const id = await createdId(api, 'dcim/devices', device)
    const refused = await send(`/dcim/devices/${id}/edit/`, { name: ['srv-trial-1'] })
    expect(errorAt(refused, 'name').links).toEqual([`/dcim/devices/${ids.device}/`])
    expect((await send(`/dcim/devices/${id}/edit/`, { name: ['Two'] })).status).toBe(303)
  })

  it('does not name an object that one may not view', async () => {
    const token = await userWith('blind', ['add', 'view'], { site__name: 'elsewhere' })
    const body = { name: ['srv-trial-1'], site: [text('site')], role: [text('role')], device_type: [text('type')] }
    const { text: page } = await send('/dcim/devices/add/', body, token)
    expect(page).not.toContain(`/dcim/devices/${ids.device}/`)
  })

  it('is refused by the API in its own words', async () => {
    const body = { name: 'MDF', slug: 'other' }
    const { json } = await api.ask('POST', '/api/dcim/sites/', { body })
    expect(json).toEqual({ name: ['site with this name already exists.'] })
  })
})

describe('a place in a rack that another device has', () => {
  const placed = (position: string, face = 'front') => ({
    ...{ name: ['new'], site: [text('site')], role: [text('role')], device_type: [text('tall')] },
    ...{ rack: [text('rack')], position: [position], face: [face] },
  })

  it.each([
    { position: '5', says: 'U5 is taken by high.' },
    { position: '3', says: 'U4 is taken by high.' },
    { position: '3', face: 'rear', says: 'U4 is taken by high.' },
  ])('is refused with a link to the device: U$position $face', async ({ position, face, says }) => {
    const refused = await send('/dcim/devices/add/', placed(position, face))
    expect(errorAt(refused, 'position')).toEqual({ text: says, links: [`/dcim/devices/${ids.mounted}/`] })
  })

  it('is refused without a name if the rack ends, or the user may not view the device', async () => {
    const sentence = 'U11 does not fit: the rack has the units 1 to 12, and the device needs 3 of them.'
    expect(errorAt(await send('/dcim/devices/add/', placed('11')), 'position').text).toBe(sentence)
    const token = await userWith('hidden', ['add', 'view'], { name: 'elsewhere' })
    const { text: page } = await send('/dcim/devices/add/', placed('5'), token)
    expect(page).not.toContain('is taken by')
  })
})

it.each([
  [
    'a number above its range',
    '/ipam/vlans/add/',
    { vid: ['4095'], name: ['v'] },
    'vid',
    'Enter a number from 1 to 4094.',
  ],
  [
    'a number below its range',
    '/ipam/vlans/add/',
    { vid: ['0'], name: ['v'] },
    'vid',
    'Enter a number from 1 to 4094.',
  ],
  ['another range', '/dcim/interfaces/add/', { mtu: ['70000'] }, 'mtu', 'Enter a number from 1 to 65536.'],
  ['a missing value', '/dcim/sites/add/', {}, 'name', 'Required.'],
] as const)('%s is explained at the field', async (_, path, changes, at, says) => {
  expect(errorAt(await send(path, changes), at).text).toBe(says)
})

it('an edit of several objects explains errors at the field', async () => {
  const body = formData(
    new Map([
      ['id', [text('port')]],
      ['mtu', ['70000']],
      ['do', ['apply']],
    ]),
  )
  const refused = await api.ask('POST', '/dcim/interfaces/edit/', { body, headers: html })
  expect(errorAt(refused, 'mtu').text).toBe('Enter a number from 1 to 65536.')
})

it.each([
  ['/dcim/devices/?status=nonsense', 'Status: “nonsense” is not a valid value. Choose: Offline, Active, Planned'],
  [
    '/ipam/prefixes/?status=active&status=nonsense',
    'Status: “nonsense” is not a valid value. Choose: Container, Active',
  ],
  ['/dcim/devices/?site=nowhere', 'Site: nothing is called “nowhere”.'],
])('the list at %s names the filter and its values', async (path, says) => {
  const { status, text: page } = await api.ask('GET', path, { headers: html })
  expect(status).toBe(400)
  expect(page).toContain(says)
})

it('a missing object is named by its number', async () => {
  const { status, text: page } = await api.ask('GET', '/dcim/devices/999999/', { headers: html })
  expect(status).toBe(404)
  expect(page).toContain('There is no device 999999. It may have been deleted, or you may not view it.')
})

it.each([
  ['/dcim/devices/add/', 'add'],
  ['/dcim/devices/1/edit/', 'change'],
  ['/dcim/devices/1/delete/', 'delete'],
])('the page %s names the permission that it needs', async (path, action) => {
  const token = await userWith(`viewer-${action}`, ['view'])
  const { status, text: page } = await api.ask('GET', path, { headers: html, token })
  expect(status).toBe(403)
  expect(page).toContain(`Ask an administrator for the permission “${action}” on devices.`)
})
