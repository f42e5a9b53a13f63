import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveAll } from '../../../packs/dns/derive.ts'
import { sql } from '../../../src/sql/fragment.ts'
import { updateTable } from '../../../src/sql/table.ts'
import { apiOfTest } from '../../support/api.ts'
import { type Dns, startDns } from './dns.ts'

let dns: Dns
let view: number
let zone: number
let reverse: number
beforeAll(async () => {
  dns = await startDns()
  zone = await dns.zone('example.com')
  reverse = await dns.zone('2.0.192.in-addr.arpa')
  await dns.zone('8.b.d.0.1.0.0.2.ip6.arpa')
  view = Number((await dns.ask('GET', 'views/')).json.results?.[0]?.id)
  const prefixes = [await dns.api.make('ipam/prefixes', { prefix: '192.0.2.0/24' })]
  prefixes.push(await dns.api.make('ipam/prefixes', { prefix: '2001:db8::/64' }))
  await dns.ask('PATCH', `views/${view}/`, { prefixes })
})
afterAll(() => dns.api.close())

const address = async (body: object) => await dns.api.make('ipam/ip-addresses', body)
const change = async (id: number, body: object) => await dns.api.ask('PATCH', `/api/ipam/ip-addresses/${id}/`, { body })

describe('records of addresses', () => {
  it('follow their names, statuses and places', async () => {
    const id = await address({ address: '192.0.2.10/24', dns_name: 'web.example.com' })
    const both = () => Promise.all([dns.records(`ip_address=192.0.2.10&type=A`), dns.records('type=PTR&name=10')])
    expect(await both()).toEqual([['web A 192.0.2.10'], ['10 PTR web.example.com.']])
    await change(id, { dns_name: 'shop.example.com' })
    expect(await both()).toEqual([['shop A 192.0.2.10'], ['10 PTR shop.example.com.']])
    await change(id, { status: 'reserved' })
    expect(await both()).toEqual([['shop A 192.0.2.10'], []])
    expect(await dns.records('active=false&type=A')).toEqual(['shop A 192.0.2.10'])
    await change(id, { status: 'dhcp', dns_name: 'example.com' })
    expect(await both()).toEqual([['@ A 192.0.2.10'], ['10 PTR example.com.']])
    await change(id, { dns_name: 'shop.example.org' })
    expect(await both()).toEqual([[], []])
    await change(id, { dns_name: 'back.example.com' })
    await dns.api.ask('DELETE', `/api/ipam/ip-addresses/${id}/`)
    expect(await both()).toEqual([[], []])
  })

  it('lie in the longest zone, also in one that is created later', async () => {
    await address({ address: '192.0.2.11/24', dns_name: 'a.lab.example.com' })
    expect(await dns.records('zone=example.com&ip_address=192.0.2.11')).toEqual(['a.lab A 192.0.2.11'])
    const lab = await dns.zone('lab.example.com')
    expect(await dns.records('zone=lab.example.com&ip_address=192.0.2.11')).toEqual(['a A 192.0.2.11'])
    expect(await dns.records('zone=example.com&ip_address=192.0.2.11')).toEqual([])
    await dns.ask('PATCH', `zones/${lab}/`, { status: 'parked' })
    expect(await dns.records('ip_address=192.0.2.11')).toEqual(['a.lab A 192.0.2.11'])
    expect((await dns.ask('DELETE', `zones/${lab}/`)).status).toBe(204)
    expect(await dns.records('ip_address=192.0.2.11')).toEqual(['a.lab A 192.0.2.11'])
  })

  it('of IPv6 have names in ip6.arpa', async () => {
    await address({ address: '2001:db8::a/64', dns_name: 'six.example.com' })
    const name = 'a.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0'
    expect(await dns.records('zone=8.b.d.0.1.0.0.2.ip6.arpa&type=PTR')).toEqual([`${name} PTR six.example.com.`])
  })

  it('obey custom fields', async () => {
    for (const [name, type] of [
      ['ipaddress_dns_disabled', 'boolean'],
      ['ipaddress_dns_record_ttl', 'integer'],
      ['ipaddress_dns_record_disable_ptr', 'boolean'],
    ] as const) {
      await dns.api.make('extras/custom-fields', { name, type, object_types: ['ipam.ipaddress'] })
    }
    const body = { address: '192.0.2.12/24', dns_name: 'cf.example.com' }
    const id = await address({
      ...body,
      custom_fields: { ipaddress_dns_record_ttl: 77, ipaddress_dns_record_disable_ptr: true },
    })
    const { json } = await dns.ask('GET', 'records/?ip_address=192.0.2.12')
    expect(json.results?.map(({ ttl, disable_ptr, ptr_record }) => [ttl, disable_ptr, ptr_record])).toEqual([
      [77, true, null],
    ])
    expect(json.results?.[0]?.ipam_ip_address?.id).toBe(id)
    await change(id, { custom_fields: { ipaddress_dns_disabled: true } })
    expect(await dns.records('ip_address=192.0.2.12')).toEqual([])
  })

  it('refuse the save of an address that is in conflict with a record made by hand', async () => {
    await dns.make('records', { zone, name: 'taken', type: 'CNAME', value: 'other' })
    const body = { address: '192.0.2.13/24', dns_name: 'taken.example.com' }
    const { status, json } = await dns.api.ask('POST', '/api/ipam/ip-addresses/', { body })
    expect([status, Object.keys(json)]).toEqual([400, ['dns_name']])
    const named = await address({ ...body, dns_name: 'free.example.com' })
    const { status: refused } = await dns.ask('POST', 'records/', { zone, name: 'free', type: 'CNAME', value: 'x' })
    expect(refused).toBe(400)
    expect((await change(named, { dns_name: 'taken.example.com' })).status).toBe(400)
  })

  it('belong to the views of the longest prefix with views, in its VRF, and to those that let them pass', async () => {
    const inside = await dns.make('views', { name: 'inside', ip_address_filter: { status: 'active' } })
    await dns.zone('example.com', { view: inside })
    const prefix = await dns.api.make('ipam/prefixes', { prefix: '192.0.2.128/25' })
    const id = await address({ address: '192.0.2.200/24', dns_name: 'deep.example.com' })
    const views = async () =>
      (await dns.ask('GET', 'records/?ip_address=192.0.2.200')).json.results?.map((record) => record.zone?.view?.name)
    expect(await views()).toEqual(['_default_'])
    await dns.ask('PATCH', `views/${inside}/`, { prefixes: [prefix] })
    expect(await views()).toEqual(['inside'])
    await change(id, { status: 'deprecated' })
    expect(await views()).toEqual([])
    await dns.ask('PATCH', `views/${inside}/`, { ip_address_filter: null })
    expect(await views()).toEqual(['inside'])
    const vrf = await dns.api.make('ipam/vrfs', { name: 'blue' })
    await dns.api.ask('PATCH', `/api/ipam/prefixes/${prefix}/`, { body: { vrf } })
    expect(await views()).toEqual(['_default_'])
    await dns.api.ask('PATCH', `/api/ipam/prefixes/${prefix}/`, { body: { vrf: null } })
    expect((await dns.api.ask('DELETE', `/api/ipam/prefixes/${prefix}/`)).status).toBe(204)
    expect(await views()).toEqual(['_default_'])
  })
})

describe('PTR records', () => {
  it('go with the zone of the address record that follows from an address, also if it is undone', async () => {
    await address({ address: '192.0.2.40/24', dns_name: 'gone.example.net' })
    const body = { name: 'example.net', soa_mname: 1, soa_rname: 'h.example' }
    const made = await dns.api.ask('POST', '/api/plugins/netbox-dns/zones/', { body })
    expect(await dns.records('type=PTR&name=40')).toEqual(['40 PTR gone.example.net.'])
    const request = made.headers.get('x-request-id')
    expect((await dns.api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })).status).toBe(200)
    expect(await dns.records('type=PTR&name=40')).toEqual([])
    const id = await dns.make('zones', body)
    expect(await dns.records('type=PTR&name=40')).toEqual(['40 PTR gone.example.net.'])
    expect((await dns.ask('DELETE', `zones/${id}/`)).status).toBe(204)
    expect(await dns.records('type=PTR&name=40')).toEqual([])
  })

  it('are shared by records with one name, and go with the last of them', async () => {
    const [one, other] = [await dns.zone('one.example'), await dns.zone('other.example')]
    const first = await dns.make('records', { zone: one, name: 'h', type: 'A', value: '192.0.2.30' })
    const second = await dns.make('records', { zone: other, name: 'h', type: 'A', value: '192.0.2.30' })
    expect(await dns.records('type=PTR&name=30')).toEqual(['30 PTR h.one.example.', '30 PTR h.other.example.'])
    const { json } = await dns.ask('GET', `records/${first}/`)
    const { json: pointer } = await dns.ask('GET', `records/${json.ptr_record?.id}/`)
    expect(pointer.address_records?.map(({ id }) => id)).toEqual([first])
    await dns.ask('PATCH', `records/${second}/`, { disable_ptr: true })
    expect(await dns.records('type=PTR&name=30')).toEqual(['30 PTR h.one.example.'])
    await dns.ask('DELETE', `records/${first}/`)
    expect(await dns.records('type=PTR&name=30')).toEqual([])
  })

  it('lie in the longest reverse zone that is served', async () => {
    await dns.make('records', { zone, name: 'r', type: 'A', value: '192.0.2.31' })
    const wide = await dns.zone('192.in-addr.arpa')
    expect(await dns.records('zone=192.in-addr.arpa&type=PTR')).toEqual([])
    await dns.ask('PATCH', `zones/${reverse}/`, { status: 'external' })
    expect(await dns.records('zone=192.in-addr.arpa&type=PTR&value=r.example.com.')).toEqual([
      '31.2.0 PTR r.example.com.',
    ])
    await dns.ask('PATCH', `zones/${reverse}/`, { status: 'active' })
    expect(await dns.records('type=PTR&value=r.example.com.')).toEqual(['31 PTR r.example.com.'])
    expect((await dns.ask('DELETE', `zones/${wide}/`)).status).toBe(204)
  })

  it('of classless zones have CNAME records in the parent zone', async () => {
    await dns.make('records', { zone, name: 'c', type: 'A', value: '192.0.2.66' })
    const body = { rfc2317_prefix: '192.0.2.64/27', rfc2317_parent_managed: true }
    const child = await dns.zone('64-27.2.0.192.in-addr.arpa', body)
    const { json } = await dns.ask('GET', `zones/${child}/`)
    expect(json.rfc2317_parent_zone?.id).toBe(reverse)
    expect((await dns.ask('GET', `zones/${reverse}/`)).json.rfc2317_child_zones?.map(({ id }) => id)).toEqual([child])
    expect(await dns.records(`zone_id=${child}&type=PTR`)).toEqual(['66 PTR c.example.com.'])
    const aliases = () => dns.records(`zone_id=${reverse}&type=CNAME`)
    expect(await aliases()).toEqual(['66 CNAME 66.64-27.2.0.192.in-addr.arpa.'])
    await dns.ask('PATCH', `zones/${child}/`, { rfc2317_parent_managed: false })
    expect(await aliases()).toEqual([])
  })
})

describe('serials', () => {
  it('advance once for each write that changes the zone, and not for others', async () => {
    const id = await dns.zone('serial.example')
    const serial = async () => (await dns.ask('GET', `zones/${id}/`)).json.soa_serial
    const soa = async () => String((await dns.records(`zone_id=${id}&type=SOA`))[0]).split(' ')[4]
    const first = Number(await serial())
    const bodies = Array.from({ length: 20 }, (_, n) => ({
      zone: id,
      name: `h${n}`,
      type: 'A',
      value: `203.0.113.${n}`,
    }))
    expect((await dns.ask('POST', 'records/', bodies)).status).toBe(201)
    const second = Number(await serial())
    expect(second).toBeGreaterThan(first)
    await dns.ask('PATCH', `zones/${id}/`, { description: 'Nothing that clients see' })
    expect([await serial(), await soa()]).toEqual([second, String(second)])
    await dns.ask('PATCH', `zones/${id}/`, { soa_refresh: 'PT2H' })
    expect(Number(await serial())).toBeGreaterThan(second)
    await dns.ask('PATCH', `zones/${id}/`, { soa_serial_auto: false, soa_serial: 3_000_000_000 })
    await dns.ask(
      'DELETE',
      `records/`,
      (await dns.ask('GET', `records/?zone_id=${id}&type=A`)).json.results?.map(({ id: record }) => ({ id: record })),
    )
    expect([await serial(), await soa()]).toEqual([3_000_000_000, '3000000000'])
    await dns.ask('PATCH', `zones/${id}/`, { soa_serial_auto: true, soa_ttl: 60 })
    expect(await serial()).toBe(3_000_000_001)
  })

  it('advance when a name server gets another name', async () => {
    const server = await dns.make('nameservers', { name: 'old.example.net' })
    const id = await dns.zone('renamed.example', { nameservers: [server] })
    await dns.ask('PATCH', `nameservers/${server}/`, { name: 'new.example.net' })
    expect(await dns.records(`zone_id=${id}&type=NS`)).toEqual(['@ NS new.example.net.'])
  })
})

describe('a full derivation', () => {
  it('completes records that an import has stored, and keeps the serials', async () => {
    const id = await dns.zone('imported.example')
    await dns.make('records', { zone: id, name: 'Bücher', type: 'A', value: '192.0.2.99' })
    const { database } = dns.api.service
    const state = async () => [
      (await dns.ask('GET', `zones/${id}/`)).json.soa_serial,
      (await dns.ask('GET', `records/?zone_id=${id}&ip_address=192.0.2.99`)).json.results?.map((record) => record.fqdn),
      await dns.records('type=PTR&name=99'),
    ]
    const before = await state()
    await database.execute(
      sql`${updateTable('netbox_dns.record')} set fqdn = '', _shown = '', _key = '', _address = null, _ptr = null
        where zone_id = ${id}::bigint`,
    )
    await database.transaction((transaction) => deriveAll(transaction))
    expect(await state()).toEqual(before)
    expect(before[2]).toEqual(['99 PTR xn--bcher-kva.imported.example.'])
  })

  it('runs when the pack is switched on again', async () => {
    const api = await apiOfTest()
    const switchTo = async (enabled: boolean) => {
      const { json } = await api.ask('GET', '/api/core/packs/?name=dns')
      const { status, text } = await api.ask('PATCH', `/api/core/packs/${json.results?.[0]?.id}/`, {
        body: { enabled },
      })
      expect(status, text).toBe(200)
    }
    await switchTo(true)
    const server = await api.make('plugins/netbox-dns/nameservers', { name: 'ns1.example.net' })
    await api.make('plugins/netbox-dns/zones', { name: 'example.com', soa_mname: server, soa_rname: 'h.example.net' })
    const prefix = await api.make('ipam/prefixes', { prefix: '192.0.2.0/24' })
    await api.make('plugins/netbox-dns/views', { name: 'inside', prefixes: [] })
    const { json: views } = await api.ask('GET', '/api/plugins/netbox-dns/views/?default_view=true')
    await api.ask('PATCH', `/api/plugins/netbox-dns/views/${views.results?.[0]?.id}/`, { body: { prefixes: [prefix] } })
    await switchTo(false)
    await api.make('ipam/ip-addresses', { address: '192.0.2.1/24', dns_name: 'late.example.com' })
    await switchTo(true)
    const { json } = await api.ask('GET', '/api/plugins/netbox-dns/records/?type=A')
    expect(json.results?.map(({ fqdn }) => fqdn)).toEqual(['late.example.com.'])
  })
})
