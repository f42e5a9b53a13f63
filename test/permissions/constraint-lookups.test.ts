import { afterAll, beforeAll, expect, it } from 'vitest'
import { raw, sql } from '../../src/sql/fragment.ts'
import { type Api, startApi } from '../support/api.ts'

let api: Api
let permission: number
let token: string

beforeAll(async () => {
  api = await startApi()
  for (const address of ['10.0.0.1/24', '10.0.0.2/32', '10.0.1.1/25', '2001:db8::1/64']) {
    await api.make('ipam/ip-addresses', { address })
  }
  for (const prefix of ['10.0.0.0/8', '10.0.0.0/24', '2001:db8::/32']) await api.make('ipam/prefixes', { prefix })
  const times = { a: '2024-02-29T23:30:15.5Z', b: '2025-07-01T00:10:00Z', c: '2026-12-31T12:00:59Z' }
  for (const [slug, time] of Object.entries(times)) {
    const id = await api.make('dcim/sites', { name: slug, slug })
    await api.service.database.execute(sql`${raw('update dcim_site set created =')} ${time} where id = ${id}::bigint`)
    const body = { cid: slug, provider: { name: 'P' }, type: { name: 'T' }, install_date: time.slice(0, 10) }
    if (slug === 'a') {
      await api.make('circuits/providers', { name: 'P', slug: 'p' })
      await api.make('circuits/circuit-types', { name: 'T', slug: 't' })
    }
    await api.make('circuits/circuits', body)
  }
  const user = await api.make('users/users', { username: 'reader', password: 'Corr3ct-Horse-Battery' })
  permission = await api.make('users/permissions', {
    ...{ name: 'constrained', object_types: ['dcim.site'], actions: ['view'], users: [user] },
  })
  token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
})
afterAll(() => api.close())

const ALL = ['10.0.0.1/24', '10.0.0.2/32', '10.0.1.1/25', '2001:db8::1/64']

it.each<[string, string, object, readonly string[]]>([
  ['ipam.ipaddress', 'address', { address__family: 4 }, ALL.slice(0, 3)],
  ['ipam.ipaddress', 'address', { address__family: '6' }, ALL.slice(3)],
  ['ipam.ipaddress', 'address', { address__family__in: [4, 6] }, ALL],
  ['ipam.ipaddress', 'address', { address__net_mask_length: 24 }, ['10.0.0.1/24']],
  ['ipam.ipaddress', 'address', { address__net_mask_length__gte: 32 }, ['10.0.0.2/32', '2001:db8::1/64']],
  ['ipam.ipaddress', 'address', { address__net_mask_length__range: [24, 31] }, ['10.0.0.1/24', '10.0.1.1/25']],
  ['ipam.ipaddress', 'address', { address__net_in: ['10.0.0.1', '10.0.1.1/25'] }, ['10.0.0.1/24', '10.0.1.1/25']],
  ['ipam.ipaddress', 'address', { address__net_in: ['10.0.0.1/32', '2001:db8::1'] }, ['2001:db8::1/64']],
  ['ipam.ipaddress', 'address', { address__net_in: [] }, []],
  ['ipam.ipaddress', 'address', { address__host: '10.0.0.2' }, ['10.0.0.2/32']],
  ['ipam.ipaddress', 'address', { address__family: 'four' }, []],
  ['ipam.ipaddress', 'address', { address__family__year: 4 }, []],
  ['ipam.ipaddress', 'address', { address__net_in: '10.0.0.1' }, []],
  ['ipam.prefix', 'prefix', { prefix__family: 6 }, ['2001:db8::/32']],
  ['ipam.prefix', 'prefix', { prefix__net_mask_length__lte: 24, prefix__family: 4 }, ['10.0.0.0/8', '10.0.0.0/24']],
  ['ipam.prefix', 'prefix', { prefix__net_in: ['10.0.0.0/24'] }, ['10.0.0.0/24']],
  ['dcim.site', 'slug', { created__year: 2025 }, ['b']],
  ['dcim.site', 'slug', { created__year__gte: 2025 }, ['b', 'c']],
  ['dcim.site', 'slug', { created__year__in: ['2024', 2026] }, ['a', 'c']],
  ['dcim.site', 'slug', { created__month: 12 }, ['c']],
  ['dcim.site', 'slug', { created__month: '02' }, ['a']],
  ['dcim.site', 'slug', { created__day__gt: 28 }, ['a', 'c']],
  ['dcim.site', 'slug', { created__quarter: 3 }, ['b']],
  ['dcim.site', 'slug', { created__week: 53, created__iso_year: 2026 }, ['c']],
  // A Thursday, a Tuesday and a Thursday.
  ['dcim.site', 'slug', { created__week_day: 5 }, ['a', 'c']],
  ['dcim.site', 'slug', { created__iso_week_day: 2 }, ['b']],
  ['dcim.site', 'slug', { created__hour: 23 }, ['a']],
  ['dcim.site', 'slug', { created__minute__lt: 15 }, ['b', 'c']],
  ['dcim.site', 'slug', { created__second: 15 }, ['a']],
  ['dcim.site', 'slug', { created__date: '2024-02-29' }, ['a']],
  ['dcim.site', 'slug', { created__date__range: ['2024-03-01', '2026-01-01'] }, ['b']],
  ['dcim.site', 'slug', { created__time__lt: '12:00:30' }, ['b']],
  ['dcim.site', 'slug', { created__time: '00:10' }, ['b']],
  ['dcim.site', 'slug', { created__family: 4 }, []],
  ['dcim.site', 'slug', { created__time: '25:00' }, []],
  ['circuits.circuit', 'cid', { install_date__year: 2024 }, ['a']],
  ['circuits.circuit', 'cid', { install_date__month__gte: 7 }, ['b', 'c']],
  ['circuits.circuit', 'cid', { install_date__hour: 0 }, []],
  ['circuits.circuit', 'cid', { provider__created__year__gt: 2020, install_date__day: 1 }, ['b']],
])('of objects of %s, by %s: the constraint %j selects %j', async (type, field, constraints, expected) => {
  const body = { object_types: [type], constraints }
  expect((await api.ask('PATCH', `/api/users/permissions/${permission}/`, { body })).status).toBe(200)
  const path = { 'ipam.ipaddress': 'ipam/ip-addresses', 'ipam.prefix': 'ipam/prefixes', 'dcim.site': 'dcim/sites' }[
    type
  ]
  const { status, json, text } = await api.ask('GET', `/api/${path ?? 'circuits/circuits'}/`, { token })
  expect(status, text).toBe(200)
  expect([...(json.results ?? [])].map((object) => object[field])).toEqual(expected)
})
