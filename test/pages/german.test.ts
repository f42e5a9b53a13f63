import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dictionaries } from '../../src/web/texts/dictionaries.ts'
import { type Api, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  const create = async (path: string, body: object): Promise<number> =>
    Number((await api.ask('POST', `/api/${path}/`, { body })).json.id)
  const site = await create('dcim/sites', { name: 'Akron', slug: 'akron', comments: 'x' })
  const maker = await create('dcim/manufacturers', { name: 'Juniper', slug: 'juniper' })
  const type = await create('dcim/device-types', {
    manufacturer: maker,
    model: 'MX204',
    slug: 'mx204',
  })
  const role = await create('dcim/device-roles', { name: 'Router', slug: 'router' })
  const device = await create('dcim/devices', { name: 'r1', site, role, device_type: type })
  await create('dcim/interfaces', { name: 'xe-0/0/0', device, type: '10gbase-x-sfpp' })
  const location = await create('dcim/locations', { name: 'Hall 1', slug: 'hall-1', site })
  const rack = await create('dcim/racks', {
    name: 'R1',
    site,
    location,
    max_weight: 900,
    weight_unit: 'kg',
  })
  const standing = { name: 'r2', site, role, device_type: type, rack, position: 3, face: 'front' }
  await create('dcim/devices', standing)
  const user = Number((await api.ask('GET', '/api/users/users/')).json.results?.[0]?.id)
  const reserved = { rack, units: [9], user, description: 'x' }
  await create('dcim/rack-reservations', reserved)
  const rir = await create('ipam/rirs', { name: 'RIPE', slug: 'ripe' })
  await create('ipam/aggregates', { prefix: '10.0.0.0/8', rir })
  await create('ipam/prefixes', { prefix: '10.0.0.0/16', status: 'container' })
  await create('ipam/prefixes', { prefix: '10.0.1.0/24' })
  await create('ipam/ip-addresses', { address: '10.0.1.7/24' })
  await create('ipam/ip-ranges', { start_address: '10.0.1.40/24', end_address: '10.0.1.60/24' })
  const group = await create('ipam/vlan-groups', { name: 'Akron', slug: 'akron' })
  await create('ipam/vlans', { name: 'v20', vid: 20, group })
})
afterAll(() => api.close())

const { pages, labels } = dictionaries.de

/** English texts that are also German ones, or names of objects in these tests. */
const SHARED_WORDS: ReadonlySet<string> = new Set([...Object.values(pages), ...Object.values(labels)])

/** Texts without placeholders that differ between the languages, by their English. */
const ENGLISH: ReadonlySet<string> = new Set(
  Object.keys(pages).filter((text) => pages[text] !== '' && !text.includes('{') && !SHARED_WORDS.has(text)),
)

/** The texts between the tags of a page, and those of attributes that people read or hear. */
const textsOf = (page: string): readonly string[] => {
  const body = page.slice(page.indexOf('<body'))
  const attributes = [...body.matchAll(/\b(?:aria-label|placeholder|title)="([^"]*)"/g)]
  return [...body.split(/<[^>]*>/), ...attributes.map(([, text = '']) => text)].map((text) => text.trim())
}

describe('a German page has no English text', () => {
  it.each([
    '/',
    '/search/?q=akron',
    '/dcim/sites/',
    '/dcim/sites/?status=active&nonsense=1',
    '/dcim/devices/',
    '/dcim/devices/columns/',
    '/dcim/devices/filters/?status=active',
    '/dcim/devices/add/',
    '/dcim/devices/import/',
    '/dcim/devices/1/',
    '/dcim/devices/1/edit/',
    '/dcim/devices/1/delete/',
    '/dcim/devices/1/interfaces/',
    '/dcim/devices/1/changelog/',
    '/dcim/devices/1/journal/',
    '/dcim/devices/1/contacts/',
    '/dcim/devices/1/image-attachments/',
    '/dcim/devices/1/config-context/',
    '/dcim/interfaces/1/',
    '/dcim/interfaces/1/trace/',
    '/dcim/devices/1/power/',
    '/dcim/sites/1/',
    '/dcim/locations/1/',
    '/dcim/racks/1/',
    '/dcim/rack-elevations/',
    '/dcim/rack-elevations/?name=none',
    '/dcim/topology/',
    '/dcim/sites/map/',
    '/dcim/sites/map/?name=none',
    '/dcim/cables/connect/',
    '/ipam/aggregates/1/',
    '/ipam/prefixes/1/',
    '/ipam/prefixes/2/',
    '/ipam/ip-ranges/1/',
    '/ipam/vlan-groups/1/',
    '/core/events/',
    '/core/system/',
    '/core/config-revisions/',
    '/user/profile/',
    '/user/bookmarks/',
    '/user/notifications/',
    '/user/subscriptions/',
    '/user/preferences/',
    '/user/password/',
    '/user/api-tokens/',
  ])('%s', check)

  it('at a URL with an id', async () => {
    const { json } = await api.ask('GET', '/api/core/object-changes/?limit=1')
    await check(new URL(String(json.results?.[0]?.display_url)).pathname)
  })

  async function check(path: string): Promise<void> {
    const { status, text } = await api.ask('GET', path, {
      headers: { accept: 'text/html', 'accept-language': 'de' },
    })
    expect(status).toBe(200)
    expect(text).toContain('<html lang="de"')
    expect(textsOf(text).filter((each) => ENGLISH.has(each))).toEqual([])
  }
})

it('entries of the German menu begin with a capital', async () => {
  const { text } = await api.ask('GET', '/', { headers: { accept: 'text/html', 'accept-language': 'de' } })
  const [, menu = ''] = /<nav class="sidebar"[^>]*>(.*?)<\/nav>/s.exec(text) ?? []
  const entries = [...menu.matchAll(/<a href="[^"]*">([^<]+)<\/a>/g)].map(([, entry = '']) => entry)
  expect(entries).toContain('Eigene Objekttypen')
  expect(entries.filter((entry) => /^\p{Ll}/u.test(entry))).toEqual([])
})

it('labels of models, fields and choices are German, names of objects are not', async () => {
  const { text } = await api.ask('GET', '/dcim/sites/?empty_columns=shown', {
    headers: { accept: 'text/html', 'accept-language': 'de' },
  })
  expect(text).toContain('<h1>Standorte')
  expect(text).toContain('>Aktiv</span>')
  expect(text).toContain('>Mandant</a>')
  expect(text).toContain('<bdi>Akron</bdi>')
})

it('units and labels of facts are German', async () => {
  const { text } = await api.ask('GET', '/dcim/racks/1/', {
    headers: { accept: 'text/html', 'accept-language': 'de' },
  })
  expect(text).toContain('900 Kilogramm')
  expect(text).toContain('<dt>Höhe (HE)</dt>')
  expect(text).toContain('1 HE reserviert')
})

it('exports are English', async () => {
  const { text } = await api.ask('GET', '/dcim/sites/?export=table', {
    headers: { accept: 'text/html', 'accept-language': 'de' },
  })
  expect(text).toMatch(/^Name,Status,/)
})
