import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dns, startDns } from './dns.ts'

let dns: Dns
let zone: number
beforeAll(async () => {
  dns = await startDns()
  zone = await dns.zone('example.com')
  await dns.zone('sub.example.com')
  for (const record of [
    { name: 'www', type: 'A', value: '192.0.2.1', ttl: 300 },
    { name: 'alias', type: 'CNAME', value: 'www' },
    { name: 'text', type: 'TXT', value: '"One" "two"' },
    { name: 'sub', type: 'NS', value: 'ns.sub' },
  ]) {
    await dns.make('records', { zone, ...record })
  }
})
afterAll(() => dns.api.close())

const record = (body: object) => dns.ask('POST', 'records/', { zone, type: 'A', value: '192.0.2.9', ...body })

describe('records', () => {
  it.each([
    ['the same again', { name: 'www', value: '192.0.2.1' }, 'value', /already an active record/],
    ['the same in other letters', { name: 'TEXT', type: 'TXT', value: '"\\079ne" "two"' }, 'value', /already/],
    ['another TTL than the set', { name: 'www', value: '192.0.2.2', ttl: 600 }, 'ttl', /TTL 300/],
    ['an address beside a CNAME', { name: 'alias' }, 'type', /CNAME/],
    ['a CNAME beside an address', { name: 'www', type: 'CNAME', value: 'x' }, 'type', /CNAME/],
    ['a second CNAME', { name: 'alias', type: 'CNAME', value: 'x' }, 'type', /only one/],
    ['an SOA record', { name: '@', type: 'SOA', value: 'a. b. 1 1 1 1 1' }, 'type', /SOA/],
    ['a name below a zone cut', { name: 'host.sub' }, 'name', /belongs to the zone sub\.example\.com/],
    ['a name outside of the zone', { name: 'www.example.org.' }, 'name', /not within/],
    ['an underscore in a host', { name: 'a_b' }, 'name', /letters, digits and hyphens/],
    ['hyphens in the third place', { name: 'ab--c' }, 'name', /xn--/],
    ['an empty label', { name: 'a..b' }, 'name', /empty label/],
    ['a long label', { name: 'a'.repeat(64) }, 'name', /63/],
    ['a long name', { name: `${'abcdefghi.'.repeat(25)}abcd` }, 'name', /253/],
    ['an address of the other family', { name: 'x', value: '2001:db8::1' }, 'value', /IPv4/],
    ['an unknown escape', { name: 'x', type: 'TXT', value: '"\\999"' }, 'value', /TXT/],
    ['an open quote', { name: 'x', type: 'TXT', value: '"open' }, 'value', /quotes/],
    ['a long text', { name: 'x', type: 'TXT', value: `"${'a'.repeat(256)}"` }, 'value', /255/],
    ['a number above its range', { name: 'x', type: 'MX', value: '70000 mail' }, 'value', /65535/],
    ['a missing part', { name: 'x', type: 'SRV', value: '1 2 3' }, 'value', /missing/],
    ['too many parts', { name: 'x', type: 'CNAME', value: 'a b' }, 'value', /more/],
    ['a type without a text form', { name: 'x', type: 'A6', value: '192.0.2.1' }, 'value', /\\#/],
    ['a managed record', { name: 'x', managed: true }, 'managed', /cannot be created/],
    ['a duration of weeks', { name: 'x', ttl: 'P1W' }, 'ttl', /ISO 8601/],
    ['a type that objects inherit', { name: 'x', type: 'constructor' }, 'type', /not a valid choice/],
    ['a negative TTL', { name: 'x', ttl: -1 }, 'ttl', /greater/],
    ['a TTL beyond its range', { name: 'x', ttl: 2 ** 31 }, 'ttl', /less/],
    ['an emoji that is no name', { name: '\u{1F4A9}\u200d\u{1F4A9}\u0301..' }, 'name', /ASCII/],
    ['a zero byte', { name: 'x\u0000' }, 'name', /./],
    ['a name that is too long in any alphabet', { name: 'ü'.repeat(255) }, 'name', /./],
  ])('with %s are refused', async (_what, body, field, message) => {
    const { status, json, text } = await record(body)
    expect([status, Object.keys(json)], text).toEqual([400, [field]])
    expect(String(json[field])).toMatch(message)
  })

  it.each([
    ['a TTL as a duration', { name: 'd', ttl: 'PT1H30M' }, { ttl: 5400 }],
    ['the TTL of their set', { name: 'www', value: '192.0.2.77' }, { ttl: 300 }],
    ['an absolute name', { name: 'abs.example.com.' }, { name: 'abs', fqdn: 'abs.example.com.' }],
    [
      'the name of the zone',
      { name: 'example.com.', type: 'MX', value: '10 mail' },
      { name: '@', absolute_value: '10 mail.example.com.' },
    ],
    ['a wildcard', { name: '*.dev' }, { ptr_record: null }],
    ['the name constructor', { name: 'constructor', type: 'TXT', value: '__proto__' }, { name: 'constructor' }],
    ['another alphabet', { name: 'münchen' }, { name: 'xn--mnchen-3ya', display: 'münchen.example.com [A]' }],
    ['a value as it is written', { name: 'v6', type: 'AAAA', value: '2001:DB8::0001' }, { value: '2001:DB8::0001' }],
    [
      'a service',
      { name: '_sip._tcp', type: 'SRV', value: '1 2 5060 sip' },
      { absolute_value: '1 2 5060 sip.example.com.' },
    ],
    ['an address of a name server below a cut', { name: 'ns.sub' }, { name: 'ns.sub' }],
    ['bytes of an unknown type', { name: 'a6', type: 'A6', value: '\\# 2 abcd' }, { value: '\\# 2 abcd' }],
    ['a past expiration date', { name: 'old', expiration_date: '2020-01-01' }, { status: 'expired', active: false }],
    [
      'no PTR record, unless they are addresses',
      { name: 't2', type: 'TXT', value: 'x', disable_ptr: true },
      { disable_ptr: false },
    ],
  ])('have %s', async (_what, body, expected) => {
    const { status, json, text } = await record(body)
    expect(status, text).toBe(201)
    expect(json).toMatchObject(expected)
  })

  it('are refused together with others of the same request', async () => {
    const both = { zone, name: 'twin', type: 'A', value: '192.0.2.5' }
    expect((await dns.ask('POST', 'records/', [both, both])).status).toBe(400)
    expect((await dns.ask('POST', 'records/', [both, { ...both, value: '192.0.2.6', ttl: 60 }])).status).toBe(400)
    expect((await dns.ask('POST', 'records/', [both, { ...both, type: 'CNAME', value: 'x' }])).status).toBe(400)
    expect(await dns.records('name=twin')).toEqual([])
  })

  it('of a set get a changed TTL together', async () => {
    const [one, two] = [
      await dns.make('records', { zone, name: 'set', type: 'A', value: '192.0.2.1' }),
      await dns.make('records', { zone, name: 'set', type: 'A', value: '192.0.2.2' }),
    ]
    expect((await dns.ask('PATCH', `records/${one}/`, { ttl: 60 })).json.ttl).toBe(60)
    expect((await dns.ask('GET', `records/${two}/`)).json.ttl).toBe(60)
  })

  it('that are managed cannot be changed or deleted', async () => {
    const [{ id } = { id: 0 }] = [
      ...((await dns.ask('GET', `records/?type=NS&managed=true&zone_id=${zone}`)).json.results ?? []),
    ]
    expect((await dns.ask('PATCH', `records/${id}/`, { description: 'x' })).status).toBe(400)
    expect((await dns.ask('DELETE', `records/${id}/`)).status).toBe(400)
    expect((await dns.ask('DELETE', 'records/', [{ id }])).status).toBe(400)
  })
})

describe('zones', () => {
  it.each([
    ['a name that is taken in other letters', { name: 'EXAMPLE.com' }, '__all__'],
    ['no name server of the SOA', { name: 'a.example', soa_mname: null }, 'soa_mname'],
    ['no mailbox', { name: 'a.example', soa_rname: '' }, 'soa_rname'],
    ['a wrong name', { name: 'a_.example' }, 'name'],
    ['no serial of its own', { name: 'a.example', soa_serial_auto: false }, 'soa_serial'],
    ['a serial beyond its range', { name: 'a.example', soa_serial: 2 ** 32 }, 'soa_serial'],
    [
      'a short classless prefix',
      { name: '0-0.2.0.192.in-addr.arpa', rfc2317_prefix: '192.0.2.0/24' },
      'rfc2317_prefix',
    ],
    ['a classless prefix elsewhere', { name: 'a.example', rfc2317_prefix: '192.0.2.0/26' }, 'rfc2317_prefix'],
    ['a template that does not exist', { name: 'a.example', template: 999 }, 'template'],
    ['a template of another form', { name: 'a.example', template: [{ id: 1 }] }, 'template'],
  ])('with %s are refused', async (_what, body, field) => {
    const { status, json, text } = await dns.ask('POST', 'zones/', { soa_mname: 1, soa_rname: 'h.example', ...body })
    expect([status, Object.keys(json)], text).toEqual([400, [field]])
  })

  it.each([
    [1, 2, 200],
    [2, 1, 400],
    [4_294_967_295, 5, 200],
    [5, 4_294_967_295, 400],
    [5, 5, 200],
  ])('with the serial %s take %s: %s', async (former, next, status) => {
    const id = await dns.zone(`s${former}-${next}.example`, { soa_serial_auto: false, soa_serial: former })
    expect((await dns.ask('PATCH', `zones/${id}/`, { soa_serial: next })).status).toBe(status)
  })

  it('get values and records from a template, once', async () => {
    const record = await dns.make('recordtemplates', { name: 'mail', record_name: '@', type: 'MX', value: '10 mail' })
    const registrar = await dns.make('registrars', { name: 'R' })
    const body = {
      name: 'T',
      nameservers: [1],
      soa_mname: 1,
      soa_rname: 'h.example',
      registrar,
      record_templates: [record],
    }
    const template = await dns.make('zonetemplates', body)
    const { json, text } = await dns.ask('POST', 'zones/', { name: 'templated.example', template })
    expect(json.registrar?.id, text).toBe(registrar)
    expect(json).not.toHaveProperty('template')
    expect(await dns.records('zone=templated.example&type=MX')).toEqual(['@ MX 10 mail'])
    await dns.ask('PATCH', `zones/${json.id}/`, { registry_domain_id: 'D-1' })
    expect((await dns.ask('PATCH', `zones/${json.id}/`, { registrar: null })).json.registry_domain_id).toBeNull()
  })

  it('are shown in the alphabet of their names', async () => {
    const id = await dns.zone('bücher.example')
    const { json } = await dns.ask('GET', `zones/${id}/`)
    expect([json.name, json.display]).toEqual(['xn--bcher-kva.example', 'bücher.example'])
  })
})

describe('views', () => {
  it('have one default, which cannot be deleted', async () => {
    const [{ id: former } = { id: 0 }] = [...((await dns.ask('GET', 'views/?default_view=true')).json.results ?? [])]
    expect((await dns.ask('DELETE', `views/${former}/`)).status).toBe(409)
    expect((await dns.ask('PATCH', `views/${former}/`, { default_view: false })).status).toBe(400)
    const next = await dns.make('views', { name: 'inside', default_view: true })
    expect((await dns.ask('GET', 'views/?default_view=true')).json.results?.map(({ id }) => id)).toEqual([next])
    await dns.ask('PATCH', `views/${former}/`, { default_view: true })
  })

  it.each([
    ['a column that does not exist', { nothing: 1 }],
    ['a column that objects inherit', { constructor: 1 }],
    ['a lookup that does not exist', { status__like: 'x' }],
    ['a text', 'active'],
    ['a number', 7],
    ['an object as a value', { status: { a: 1 } }],
  ])('refuse a filter of addresses with %s', async (_what, filter) => {
    const { status, json } = await dns.ask('POST', 'views/', { name: 'filtered', ip_address_filter: filter })
    expect([status, Object.keys(json)]).toEqual([400, ['ip_address_filter']])
  })
})
