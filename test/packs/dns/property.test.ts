import { afterEach, beforeEach, expect, it } from 'vitest'
import { deriveAll } from '../../../packs/dns/derive.ts'
import { sql } from '../../../src/sql/fragment.ts'
import { table } from '../../../src/sql/table.ts'
import { startApiOver } from '../../support/api.ts'
import { randomNumbers } from '../../support/random-writes.ts'
import { type Dns, startDns } from './dns.ts'

let dns: Dns
beforeEach(async () => {
  dns = await startDns()
})
afterEach(() => dns.api.close())

/** All derived records, without ids and serials, and the links between records. */
async function derived(): Promise<readonly string[]> {
  const { database } = dns.api.service
  const rows = await database.queryColumn(sql`
    select concat_ws(' ', z.name, z.view_id, r.name, r._name, r._shown, r.type,
      case r.type when 'SOA' then regexp_replace(r.value, ' [0-9]+ ', ' serial ') else r.value end,
      'ttl', r.ttl, r.status, r.disable_ptr, r.fqdn, r.managed, r._address, 'ip', r._ip, 'child', r._child,
      'ptr', p.fqdn, p.value, 'cname', c.fqdn, 'parent', z._parent, case r.type when 'SOA' then '' else r._key end) as line
    from ${table('netbox_dns.record')} r join ${table('netbox_dns.zone')} z on z.id = r.zone_id
    left join ${table('netbox_dns.record')} p on p.id = r._ptr left join ${table('netbox_dns.record')} c on c.id = r._cname
    order by 1`)
  return rows.map(String)
}

/** The SOA records contain the serials of their zones. */
const staleSerials = async () =>
  await dns.api.service.database.queryColumn(sql`
    select z.name from ${table('netbox_dns.zone')} z join ${table('netbox_dns.record')} r on r.zone_id = z.id and r.type = 'SOA'
    where split_part(r.value, ' ', 3) <> z.soa_serial::text`)

const expectWhole = async (step: string) => {
  const before = await derived()
  await dns.api.service.database.transaction((transaction) => deriveAll(transaction))
  expect(await derived(), step).toEqual(before)
  expect(await staleSerials(), step).toEqual([])
}

const NAMES = ['example.com', 'lab.example.com', 'a.lab.example.com', 'example.org', 'bücher.example']
const REVERSE = [
  '2.0.192.in-addr.arpa',
  '0.192.in-addr.arpa',
  '0.d.f.ip6.arpa',
  '64-27.2.0.192.in-addr.arpa',
  '96-28.2.0.192.in-addr.arpa',
]
const HOSTS = ['www', 'mail', '*', '@', 'host', 'lab', 'ns']
const PREFIXES = ['192.0.2.0/24', '192.0.2.64/26', '192.0.2.64/27', 'fd00::/48', '192.0.0.0/16']

interface Known {
  readonly [kind: string]: number[]
}

it.each(process.env.SEEDS?.split(',').map(Number) ?? [1, 2, 23])(
  'derived records equal a full derivation after random changes, undone and merged ones too (%s)',
  async (seed) => {
    const random = randomNumbers(seed)
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
    const ids = async (path: string): Promise<number[]> =>
      ((await dns.api.ask('GET', `/api/${path}/?limit=0&fields=id`)).json.results ?? []).map(({ id }) => Number(id))
    const { database } = dns.api.service
    const own = async () =>
      (await database.queryColumn(sql`select id from ${table('netbox_dns.record')} where not managed`)).map(Number)
    const vrf = await dns.api.make('ipam/vrfs', { name: `vrf ${seed}` })
    const v4 = () => `192.0.${2 * random(2)}.${64 + random(48)}`
    const dnsName = () =>
      random(6) === 0
        ? ''
        : `${pick(HOSTS.filter((name) => name !== '@'))}.${pick(NAMES.filter((name) => /^[\x20-\x7e]+$/.test(name)))}`
    const ip = () => ({
      address: random(4) ? `${v4()}/24` : `fd00::${random(20)}/64`,
      dns_name: dnsName(),
      status: pick(['active', 'reserved', 'dhcp']),
      vrf: random(5) ? null : vrf,
    })
    const zoneBody = (views: readonly number[]) => {
      const name = pick([...NAMES, ...REVERSE])
      const classless = /^(\d+)-(\d+)\./.exec(name)
      return {
        ...{ name, view: pick(views), nameservers: random(3) ? [1] : [], soa_mname: 1, soa_rname: 'h.example' },
        ...{ status: pick(['active', 'active', 'dynamic', 'parked', 'external']), default_ttl: pick([60, 3600]) },
        ...(classless && {
          rfc2317_prefix: `192.0.2.${classless[1]}/${classless[2]}`,
          rfc2317_parent_managed: random(3) > 0,
        }),
      }
    }
    const recordBody = (zone: number) => {
      const type = pick(['A', 'A', 'AAAA', 'CNAME', 'MX', 'PTR'])
      const value = {
        A: v4(),
        AAAA: `fd00::${random(20)}`,
        CNAME: pick(HOSTS),
        MX: `10 ${pick(['mail', 'mx.example.net.'])}`,
        PTR: 'www.example.com.',
      }[type]
      const name = type === 'PTR' ? `${64 + random(40)}` : pick(HOSTS)
      return {
        zone,
        type,
        name,
        value,
        status: pick(['active', 'active', 'inactive']),
        disable_ptr: random(5) === 0 && type[0] === 'A',
      }
    }
    /** One random request, in a branch if there is one. */
    const step = async (suffix: string) => {
      const ask = (method: string, path: string, body?: unknown) =>
        dns.api.ask(method, `/api/${path}${suffix}`, body === undefined ? {} : { body })
      const [views, zones, records, addresses] = await Promise.all([
        ids('plugins/netbox-dns/views'),
        ids('plugins/netbox-dns/zones'),
        own(),
        ids('ipam/ip-addresses'),
      ])
      const prefixes = await ids('ipam/prefixes')
      const lists = { views, zones, records, addresses, prefixes } satisfies Known
      const one = (kind: keyof typeof lists) => (lists[kind].length > 0 ? pick(lists[kind]) : 0)
      const plugin = 'plugins/netbox-dns'
      switch (random(16)) {
        case 0:
          return await ask('POST', `${plugin}/views/`, {
            name: `view ${seed} ${random(3)}`,
            prefixes: prefixes.filter(() => random(2)),
          })
        case 1:
          return await ask('PATCH', `${plugin}/views/${one('views')}/`, {
            prefixes: prefixes.filter(() => random(2)),
            ip_address_filter: pick([
              null,
              { status: 'active' },
              [{ dns_name__startswith: 'www' }, { vrf__isnull: true }],
            ]),
          })
        case 2:
        case 3:
          return await ask('POST', `${plugin}/zones/`, zoneBody(views))
        case 4:
          return await ask('PATCH', `${plugin}/zones/${one('zones')}/`, zoneBody(views))
        case 5:
          return random(2) ? await ask('DELETE', `${plugin}/zones/${one('zones')}/`) : undefined
        case 6:
        case 7:
          return await ask(
            'POST',
            `${plugin}/records/`,
            Array.from({ length: 1 + random(3) }, () => recordBody(one('zones'))),
          )
        case 8:
          return await ask('PATCH', `${plugin}/records/${one('records')}/`, recordBody(one('zones')))
        case 9:
          return await ask(
            'DELETE',
            `${plugin}/records/`,
            records.filter(() => random(4) === 0).map((id) => ({ id })),
          )
        case 10:
        case 11:
          return await ask('POST', 'ipam/ip-addresses/', Array.from({ length: 1 + random(4) }, ip))
        case 12:
          return await ask(
            'PATCH',
            'ipam/ip-addresses/',
            addresses.filter(() => random(3) === 0).map((id) => ({ id, ...ip() })),
          )
        case 13:
          return await ask(
            'DELETE',
            'ipam/ip-addresses/',
            addresses.filter(() => random(5) === 0).map((id) => ({ id })),
          )
        case 14:
          return random(2) || prefixes.length === 0
            ? await ask('POST', 'ipam/prefixes/', { prefix: pick(PREFIXES), vrf: random(4) ? null : vrf })
            : await ask('PATCH', `ipam/prefixes/${one('prefixes')}/`, {
                prefix: pick(PREFIXES),
                vrf: random(4) ? null : vrf,
              })
        default:
          return prefixes.length > 0 && random(2)
            ? await ask('DELETE', `ipam/prefixes/${one('prefixes')}/`)
            : await ask('PATCH', `${plugin}/nameservers/1/`, { name: `ns${random(3)}.example.net` })
      }
    }
    // A world in which most changes have consequences.
    const prefixes: number[] = []
    for (const prefix of PREFIXES.slice(0, 4)) prefixes.push(await dns.api.make('ipam/prefixes', { prefix }))
    const inside = await dns.make('views', { name: `inside ${seed}`, prefixes: prefixes.slice(1, 3) })
    const outside = (await ids('plugins/netbox-dns/views')).find((id) => id !== inside) ?? 0
    await dns.ask('PATCH', `views/${outside}/`, { prefixes: [prefixes[0], prefixes[3]] })
    for (const view of [inside, outside]) {
      for (const name of ['example.com', 'lab.example.com', '2.0.192.in-addr.arpa', '0.d.f.ip6.arpa'])
        await dns.zone(name, { view })
    }
    await dns.api.ask('POST', '/api/ipam/ip-addresses/', { body: Array.from({ length: 12 }, ip) })
    const counts = new Map<string, number>()
    const note = (what: string, status: number | undefined) =>
      counts.set(`${what} ${status}`, (counts.get(`${what} ${status}`) ?? 0) + 1)
    for (let count = 0; count < 60; count++) {
      const answer = await step('')
      note('step', answer?.status)
      expect(answer?.status ?? 200, answer?.text).toBeLessThan(500)
      await expectWhole(`step ${count}`)
      if (random(4) > 0 || answer === undefined) continue
      const request = answer.headers.get('x-request-id')
      const undone = await dns.api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {} })
      note('undo', undone.status)
      expect(undone.status, undone.text).toBeLessThan(500)
      await expectWhole(`undo of step ${count}`)
    }
    const branch = await dns.api.ask('POST', '/api/core/branches/', { body: { name: `branch ${seed}` } })
    expect(branch.status, branch.text).toBe(201)
    for (let count = 0; count < 15; count++) {
      const answer = await step(`?branch=${branch.json.schema_id ?? branch.json.id}`)
      note('branch', answer?.status)
      expect(answer?.status ?? 200, answer?.text).toBeLessThan(500)
      await expectWhole(`main beside step ${count} of the branch`)
      if (random(3) === 0) note('main', (await step(''))?.status)
    }
    const merged = await dns.api.ask('POST', `/api/core/branches/${branch.json.id}/merge/`, { body: {} })
    note('merge', merged.status)
    expect(merged.status, merged.text).toBeLessThan(500)
    await expectWhole('the merge')
    const made = [...counts].filter(([what]) => /step 20/.test(what)).reduce((sum, [, count]) => sum + count, 0)
    // Random changes that are refused would show nothing.
    expect(made, JSON.stringify([...counts])).toBeGreaterThan(25)
    if (process.env.SHOW_COUNTS) console.log(JSON.stringify([...counts]), (await derived()).length)
  },
)

it('derived records equal a full derivation after simultaneous writes', async () => {
  const zone = await dns.zone('example.com')
  const prefix = await dns.api.make('ipam/prefixes', { prefix: '192.0.2.0/24' })
  const { json } = await dns.ask('GET', 'views/?default_view=true')
  const view = json.results?.[0]?.id
  const posts = Array.from({ length: 12 }, (_, n) => [
    dns.ask('POST', 'records/', { zone, name: `r${n}`, type: 'A', value: `192.0.2.${n}` }),
    dns.api.ask('POST', '/api/ipam/ip-addresses/', {
      body: { address: `192.0.2.${100 + n}/24`, dns_name: `a${n % 3}.lab.example.com` },
    }),
  ]).flat()
  const others = [
    dns.zone('2.0.192.in-addr.arpa'),
    dns.zone('lab.example.com'),
    dns.ask('PATCH', `views/${view}/`, { prefixes: [prefix] }),
    dns.ask('PATCH', 'nameservers/1/', { name: 'ns9.example.net' }),
  ]
  const answers = await Promise.all([...posts, ...others])
  for (const answer of answers) if (typeof answer === 'object') expect(answer.status, answer.text).toBeLessThan(300)
  await expectWhole('simultaneous writes')
  expect((await dns.records('type=PTR')).length).toBe(24)
})

it('two servers over one database that write at once leave what a full derivation gives', async () => {
  // The servers share the database, which the first one closes.
  const second = await startApiOver(dns.api.service.database, { PACKS: 'dns' })
  const servers = [dns.api, second]
  const zones = [await dns.zone('example.com'), await dns.zone('2.0.192.in-addr.arpa')]
  const prefix = await dns.api.make('ipam/prefixes', { prefix: '192.0.2.0/24' })
  const { json } = await dns.ask('GET', 'views/?default_view=true')
  const view = json.results?.[0]?.id
  const { status } = await dns.ask('PATCH', `views/${view}/`, { prefixes: [prefix] })
  expect(status).toBe(200)
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const server = servers[n % 2] ?? dns.api
      const address = { address: `192.0.2.${1 + n}/24`, dns_name: `h${n % 7}.example.com` }
      const record = { zone: zones[0], name: `r${n % 5}`, type: 'A', value: `192.0.2.${100 + n}` }
      return n % 4 < 2
        ? await server.ask('POST', '/api/ipam/ip-addresses/', { body: address })
        : await server.ask('POST', '/api/plugins/netbox-dns/records/', { body: record })
    }),
  )
  for (const answer of answers) expect(answer.status, answer.text).toBe(201)
  await expectWhole('writes of two servers')
  expect(await dns.records(`type=A&zone_id=${zones[0]}`)).toHaveLength(40)
  expect(await dns.records('type=PTR')).toHaveLength(40)
})
