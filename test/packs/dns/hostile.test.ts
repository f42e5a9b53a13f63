import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Dns, startDns } from './dns.ts'

let dns: Dns
let zone: number
beforeAll(async () => {
  dns = await startDns()
  zone = await dns.zone('example.com')
})
afterAll(() => dns.api.close())

const DEEP = JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`)
const TEXTS = [
  '\u0000',
  'constructor',
  '__proto__',
  '\ud800',
  '\u{1F4A9}'.repeat(300),
  '.',
  '..',
  '\\',
  '\\300',
  'a'.repeat(70_000),
  '-1',
  '1e400',
  '"',
  '(',
  ';',
]
const VALUES = [
  ...TEXTS,
  null,
  true,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  [null],
  DEEP,
  {},
  { constructor: 1 },
  { id: 'x' },
  { id: 1e20 },
]

const FIELDS: readonly (readonly [string, string, object])[] = [
  ...['name', 'value', 'type', 'ttl', 'status', 'expiration_date', 'zone', 'disable_ptr', 'managed'].map(
    (name) => ['records/', name, { zone, name: 'x', type: 'TXT', value: 'x' }] as const,
  ),
  ...[
    'name',
    'view',
    'template',
    'soa_rname',
    'soa_serial',
    'soa_ttl',
    'rfc2317_prefix',
    'nameservers',
    'parental_agents',
  ].map(
    (name) =>
      [
        'zones/',
        name,
        { name: 'a.example', soa_mname: 1, soa_rname: 'h.example', soa_serial_auto: false, soa_serial: 1 },
      ] as const,
  ),
  ...['name', 'ip_address_filter', 'prefixes', 'default_view'].map((name) => ['views/', name, { name: 'v' }] as const),
  ...['record_name', 'value', 'ttl'].map(
    (name) => ['recordtemplates/', name, { name: 't', record_name: 'x', type: 'A', value: '192.0.2.1' }] as const,
  ),
  ['nameservers/', 'name', {}],
]

it.each(FIELDS)(
  '%s with odd values of %s are accepted or refused, never an error of the service',
  async (path, name, body) => {
    for (const value of VALUES) {
      const { status, text, json } = await dns.ask('POST', path, { zone, ...body, [name]: value })
      expect([201, 400], `${JSON.stringify(value)?.slice(0, 80)}: ${text.slice(0, 300)}`).toContain(status)
      if (status === 201) await dns.ask('DELETE', `${path}${json.id}/`)
    }
  },
)

it.each(TEXTS)('filters, imports and texts with %j are answered', async (value) => {
  const query = encodeURIComponent(value.toWellFormed().slice(0, 500))
  for (const [path, filter] of [
    ...[
      'ip_address',
      'ptr_record_id',
      'ipam_ip_address_id',
      'address_record_id',
      'fqdn',
      'type',
      'expired',
      'ttl',
      'view',
    ].map((name) => ['records', name]),
    ...[
      'arpa_network',
      'rfc2317_prefix',
      'rfc2317_parent_zone',
      'rfc2317_parent_zone_id',
      'active',
      'expiration_date_after',
      'name',
    ].map((name) => ['zones', name]),
    ['views', 'prefix'],
    ['prefixes', 'prefix'],
  ]) {
    const { status, text } = await dns.ask('GET', `${path}/?${filter}=${query}`)
    expect([200, 400], `${path} ${filter}: ${text.slice(0, 300)}`).toContain(status)
  }
  for (const text of [
    value,
    `x TXT ${value}`,
    `${value} A 192.0.2.1`,
    `$TTL ${value}`,
    `$ORIGIN ${value}\nx A 192.0.2.1`,
    `x ${value} A 192.0.2.1`,
  ]) {
    const { status, text: answer } = await dns.ask('POST', `zones/${zone}/import/`, { text })
    expect([200, 400], `${text.slice(0, 80)}: ${answer.slice(0, 300)}`).toContain(status)
  }
  expect((await dns.ask('GET', `zones/${zone}/text/`)).status).toBe(200)
  expect(
    (await dns.ask('GET', `zones/${encodeURIComponent(value.toWellFormed().slice(0, 50))}/text/`)).status,
  ).toBeLessThan(500)
})

it('a name of an address in any form is derived or left out', async () => {
  const prefix = await dns.api.make('ipam/prefixes', { prefix: '192.0.2.0/24' })
  const { json } = await dns.ask('GET', 'views/?default_view=true')
  await dns.ask('PATCH', `views/${json.results?.[0]?.id}/`, { prefixes: [prefix] })
  const fields = ['ipaddress_dns_record_ttl', 'ipaddress_dns_disabled', 'ipaddress_dns_record_disable_ptr']
  for (const name of fields)
    await dns.api.make('extras/custom-fields', { name, type: 'json', object_types: ['ipam.ipaddress'] })
  let host = 0
  for (const value of [...VALUES, 1e30, -5, 0.5, 2 ** 31]) {
    const custom_fields = Object.fromEntries(fields.map((name) => [name, value]))
    const dns_name = typeof value === 'string' ? `${value.slice(0, 100)}.example.com` : `h${host}.example.com`
    const body = { address: `192.0.2.${++host}/24`, dns_name, custom_fields }
    const { status, text } = await dns.api.ask('POST', '/api/ipam/ip-addresses/', { body })
    expect([201, 400], `${JSON.stringify(value)?.slice(0, 80)}: ${text.slice(0, 300)}`).toContain(status)
  }
})
