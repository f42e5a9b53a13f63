import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  await furnish()
})
afterAll(() => api.close())

const made = (path: string, body: object) => createdId(api, path, body)
const page = (path: string, token?: string) => readPage(api, path, token)

const ids = { whole: 0, middle: 0, leaf: 0, red: 0, aggregate: 0, range: 0, address: 0 }

/** 10.1.0.0/16 with a container and a network within it, another VRF's prefix, addresses and a range. */
async function furnish(): Promise<void> {
  const rir = await made('ipam/rirs', { name: 'RFC 1918', slug: 'rfc-1918' })
  ids.aggregate = await made('ipam/aggregates', { prefix: '10.0.0.0/8', rir })
  ids.whole = await made('ipam/prefixes', { prefix: '10.1.0.0/16', status: 'container' })
  ids.middle = await made('ipam/prefixes', { prefix: '10.1.0.0/17', status: 'container' })
  ids.leaf = await made('ipam/prefixes', { prefix: '10.1.0.0/24', description: 'Servers' })
  ids.red = await made('ipam/vrfs', { name: 'Red' })
  await made('ipam/prefixes', { prefix: '10.1.128.0/24', vrf: ids.red, description: 'Red one' })
  ids.address = await made('ipam/ip-addresses', { address: '10.1.0.5/24', dns_name: 'five.test' })
  await made('ipam/ip-addresses', { address: '10.1.0.9/24', dns_name: 'nine.test' })
  ids.range = await made('ipam/ip-ranges', {
    ...{ start_address: '10.1.0.100/24', end_address: '10.1.0.150/24', mark_populated: true },
  })
}

let guests = 0
async function guestToken(object_types: readonly string[], constraints?: object): Promise<string> {
  guests += 1
  const user = await made('users/users', { username: `guest${guests}`, password: 'Guest-2026-x!' })
  await made('users/permissions', {
    ...{ name: `guest ${guests}`, users: [user], object_types, actions: ['view'] },
    ...(constraints && { constraints }),
  })
  const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
  return String(json.token ?? json.key)
}

/** The rows of a table of space: depth, prefix, and whether it is free. */
const rowsIn = (text: string) =>
  [...text.matchAll(/<tr( class="free-space")? data-depth="(\d)"[^>]*><th[^>]*>(?:<a[^>]*>)?([^<]+)/g)].map(
    ([, free, depth, prefix]) => `${depth} ${prefix}${free ? ' free' : ''}`,
  )

/** What the links to forms for such objects fill in, apart from the address and the page to return to. */
const presetsOf = (text: string, collection: string): readonly Readonly<Record<string, string>>[] =>
  [...text.matchAll(new RegExp(`href="/ipam/${collection}/add/\\?([^"]+)"`, 'g'))].map(([, query = '']) => {
    const {
      address: _,
      prefix: _prefix,
      return_url: _return,
      ...presets
    } = Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&')))
    return presets
  })

it('a new prefix gets tenant, role, scope and VRF from the prefix around it', async () => {
  const slugged = { name: 'North', slug: 'north' }
  const [tenant, role, site] = [
    await made('tenancy/tenants', slugged),
    await made('ipam/roles', slugged),
    await made('dcim/sites', slugged),
  ]
  const vrf = await made('ipam/vrfs', { name: 'Of the north' })
  const scope = { scope_type: 'dcim.site', scope_id: site }
  const around = { prefix: '10.9.0.0/16', tenant, role, vrf, ...scope }
  const id = await made('ipam/prefixes', around)
  const text = await page(`/ipam/prefixes/${id}/`)
  const form = text.slice(text.indexOf('class="allocate"'))
  const { prefix: _, ...inherited } = around
  for (const [name, value] of Object.entries(inherited)) {
    expect(form).toContain(`<input type="hidden" name="${name}" value="${value}">`)
  }
  const [ofAddress, ofPrefix] = [{ vrf, tenant }, inherited].map((values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  )
  const links = presetsOf(text, 'ip-addresses')
  expect(links.length).toBeGreaterThan(1)
  expect(links).toEqual(links.map(() => ofAddress))
  await made('ipam/prefixes', { prefix: '10.9.4.0/24', vrf })
  expect(presetsOf(await page(`/ipam/prefixes/${id}/`), 'prefixes')).toContainEqual(ofPrefix)
  const bounds = { start_address: '10.10.0.1/24', end_address: '10.10.0.9/24' }
  const range = await made('ipam/ip-ranges', { ...bounds, tenant, vrf })
  expect(presetsOf(await page(`/ipam/ip-ranges/${range}/`), 'ip-addresses')).toContainEqual(ofAddress)
})

describe("a prefix's page", () => {
  it('has prefixes of all levels with the free space between them', async () => {
    expect(rowsIn(await page(`/ipam/prefixes/${ids.whole}/`)).slice(0, 6)).toEqual([
      '0 10.1.0.0/17',
      '1 10.1.0.0/24',
      '1 10.1.1.0/24 free',
      '1 10.1.2.0/23 free',
      '1 10.1.4.0/22 free',
      '1 10.1.8.0/21 free',
    ])
  })

  it('links free space to a form with the space filled in', async () => {
    const text = await page(`/ipam/prefixes/${ids.whole}/`)
    const [, href = ''] = /href="([^"]+)" aria-label="Use 10\.1\.2\.0\/23"/.exec(text) ?? []
    expect(await page(href.replaceAll('&amp;', '&'))).toMatch(/name="prefix"[^>]*value="10\.1\.2\.0\/23"/)
  })

  it('offers the next free prefix of each size', async () => {
    const text = await page(`/ipam/prefixes/${ids.middle}/`)
    expect(text).toContain('<option value="10.1.1.0/26" data-length="26" selected>')
    expect(text).toContain('<option value="10.1.64.0/18" data-length="18">')
    expect(text).not.toContain('data-length="17"')
  })

  it('switches to another VRF', async () => {
    const text = await page(`/ipam/prefixes/${ids.whole}/?vrf=${ids.red}`)
    expect(rowsIn(text)).toContain('0 10.1.128.0/24')
    expect(rowsIn(text)).toContain('0 10.1.0.0/17 free')
    expect(text).toMatch(/aria-current="true">Red/)
  })

  it('shows the upper levels if there are very many prefixes, with the space that lower levels cover', async () => {
    const vrf = await made('ipam/vrfs', { name: 'Deep' })
    const within = { vrf, status: 'container' }
    const whole = await made('ipam/prefixes', { ...within, prefix: '172.16.0.0/12' })
    await made('ipam/prefixes', { ...within, prefix: '172.16.0.0/13' })
    const networks = Array.from({ length: 520 }, (_, index) => ({
      prefix: `172.${16 + Math.floor(index / 256)}.${index % 256}.0/24`,
      vrf,
    }))
    const { status } = await api.ask('POST', '/api/ipam/prefixes/', { body: networks })
    expect(status).toBe(201)
    const text = await page(`/ipam/prefixes/${whole}/`)
    expect(rowsIn(text)).toEqual(['0 172.16.0.0/13', '0 172.24.0.0/13 free'])
    expect(text).toContain('Only the upper levels are listed.')
    expect(text).toContain('aria-label="Utilization of 172.16.0.0/13: 25 %"')
  })

  it('shows how much is in use, by prefixes in a container and by addresses in a network', async () => {
    expect(await page(`/ipam/prefixes/${ids.whole}/`)).toContain('<strong>50 %</strong> in 1 prefix')
    expect(await page(`/ipam/prefixes/${ids.leaf}/`)).toContain('<strong>1 %</strong> 2 of 254')
  })

  it('lists addresses with the free ones between them, each a link to a form', async () => {
    const text = await page(`/ipam/prefixes/${ids.leaf}/`)
    const rows = [...text.matchAll(/<tr[^>]*><th scope="row">(?:<a[^>]*>)?(10\.1[^<]+)/g)]
    expect(rows.map(([, name]) => name)).toEqual([
      ...['10.1.0.1 – 10.1.0.4', '10.1.0.5', '10.1.0.6 – 10.1.0.8', '10.1.0.9'],
      ...['10.1.0.10 – 10.1.0.99', '10.1.0.100 – 10.1.0.150', '10.1.0.151 – 10.1.0.254'],
    ])
    const [, href = ''] = /href="([^"]+)" title="10\.1\.0\.7, free"/.exec(text) ?? []
    expect(await page(href.replaceAll('&amp;', '&'))).toMatch(/value="10\.1\.0\.7\/24"/)
    expect(await page(`/ipam/prefixes/${ids.leaf}/?from=10.1.0.8`)).not.toContain('five.test')
  })

  it('offers hidden prefixes neither by name nor as free space', async () => {
    const token = await guestToken(['ipam.prefix'], { id__in: [ids.whole, ids.middle] })
    const text = await page(`/ipam/prefixes/${ids.whole}/`, token)
    expect(text).not.toContain('Servers')
    expect(rowsIn(text).slice(0, 2)).toEqual(['0 10.1.0.0/17', '1 10.1.1.0/24 free'])
    expect(text).not.toContain('>Red<')
    expect(text).not.toContain('/ipam/prefixes/add/')
  })

  it('shows hidden addresses only as not free', async () => {
    const token = await guestToken(['ipam.prefix'])
    const text = await page(`/ipam/prefixes/${ids.leaf}/`, token)
    expect(text).not.toMatch(/five\.test|nine\.test/)
    expect(text).not.toContain(`/ipam/ip-addresses/${ids.address}/`)
    expect(text).toContain('title="10.1.0.5, in use"')
  })
})

describe('the page of', () => {
  it('an aggregate has the prefixes of all VRFs', async () => {
    const rows = rowsIn(await page(`/ipam/aggregates/${ids.aggregate}/`))
    expect(rows).toContain('1 10.1.128.0/24')
    expect(rows).toContain('0 10.128.0.0/9 free')
    const global = rowsIn(await page(`/ipam/aggregates/${ids.aggregate}/?vrf=null`))
    expect(global).not.toContain('1 10.1.128.0/24')
  })

  it('a range has its addresses and the free ones', async () => {
    const text = await page(`/ipam/ip-ranges/${ids.range}/`)
    expect(text).toContain('10.1.0.100 – 10.1.0.150')
  })
})

describe("a VLAN group's page", () => {
  it('has the numbers in use and the free ones between them, without the names of hidden VLANs', async () => {
    const group = await made('ipam/vlan-groups', {
      ...{ name: 'Campus', slug: 'campus', vid_ranges: [[10, 19]] },
    })
    await made('ipam/vlans', { name: 'Voice', vid: 12, group })
    const text = await page(`/ipam/vlan-groups/${group}/`)
    const rows = [...text.matchAll(/<tr[^>]*><th scope="row">([^<]+)/g)].map(([, ids]) => ids)
    expect(rows).toEqual(['10 – 11', '12', '13 – 19'])
    expect(text).toContain('<strong>10 %</strong> 1 of 10')
    const [, href = ''] = /href="([^"]+)">Add VLAN 13</.exec(text) ?? []
    expect(await page(href.replaceAll('&amp;', '&'))).toMatch(/name="vid"[^>]*value="13"/)
    const restricted = await page(`/ipam/vlan-groups/${group}/`, await guestToken(['ipam.vlangroup']))
    expect(restricted).not.toContain('Voice')
    expect(restricted).toContain('<th scope="row">13 – 19</th>')
  })
})

describe('the parents of addresses', () => {
  /** Addresses of the links in the panel, in order. */
  const parentsOn = async (path: string, token?: string): Promise<readonly string[]> => {
    const panel = /<ul class="parents">(.*?)<\/ul>/s.exec(await page(path, token))?.[1] ?? ''
    return [...panel.matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) => href)
  }
  const above = () => ({
    aggregate: `/ipam/aggregates/${ids.aggregate}/`,
    whole: `/ipam/prefixes/${ids.whole}/`,
    middle: `/ipam/prefixes/${ids.middle}/`,
    leaf: `/ipam/prefixes/${ids.leaf}/`,
  })

  it.each([
    ['a prefix', () => `/ipam/prefixes/${ids.leaf}/`, ['aggregate', 'whole', 'middle']],
    ['the largest prefix', () => `/ipam/prefixes/${ids.whole}/`, ['aggregate']],
    ['an address', () => `/ipam/ip-addresses/${ids.address}/`, ['aggregate', 'whole', 'middle', 'leaf']],
    ['a range', () => `/ipam/ip-ranges/${ids.range}/`, ['aggregate', 'whole', 'middle', 'leaf']],
  ] as const)('are linked from the page of %s, the largest first', async (_what, path, names) => {
    expect(await parentsOn(path())).toEqual(names.map((name) => above()[name]))
  })

  it('of a VRF are its own prefixes, and containers of the global table', async () => {
    const inside = await made('ipam/prefixes', { prefix: '10.1.128.0/25', vrf: ids.red })
    const plain = await made('ipam/prefixes', { prefix: '10.1.128.0/23' })
    const parents = await parentsOn(`/ipam/prefixes/${inside}/`)
    expect(parents).toHaveLength(3)
    expect(parents.slice(0, 2)).toEqual([above().aggregate, above().whole])
    expect(parents).not.toContain(`/ipam/prefixes/${plain}/`)
  })

  it('that a user may not view are not named', async () => {
    const token = await guestToken(['ipam.prefix'], { prefix__in: ['10.1.0.0/17', '10.1.0.0/24'] })
    expect(await parentsOn(`/ipam/prefixes/${ids.leaf}/`, token)).toEqual([above().middle])
  })
})
