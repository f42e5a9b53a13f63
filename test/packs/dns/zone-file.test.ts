import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import pack from '../../../packs/dns/pack.ts'
import { readZoneFile } from '../../../packs/dns/zone-file.ts'
import { runAgain } from '../../../src/automation/jobs/control.ts'
import { sql } from '../../../src/sql/fragment.ts'
import { updateTable } from '../../../src/sql/table.ts'
import { type Dns, startDns } from './dns.ts'

let dns: Dns
beforeAll(async () => {
  dns = await startDns()
})
afterAll(() => dns.api.close())

const FILE = `; a file as people write it
$TTL 1h
$ORIGIN example.com.
@       IN SOA ns1 hostmaster (
            2026010100 ; serial
            2h 1h 4w
            1h )
        IN NS  ns1.example.net.
        3600 IN NS ns2
ns2     A   192.0.2.2
www     300 IN A 192.0.2.1
        IN 300 AAAA 2001:DB8::1
alias   CNAME www
*.dev   A 192.0.2.3
@       MX  10 mail
mail    A   192.0.2.4
text    TXT "one; two" three "q\\"uote"
dkim._domainkey TXT ( "v=DKIM1; "
                      "p=abc" )
münchen 1D CAA 0 issue "ca.example.net"
_sip._tcp SRV 1 2 5060 sip
svc     HTTPS 1 . alpn="h2,h3" port=8443
sshfp   SSHFP 4 2 ${'ab'.repeat(32)}
tlsa    TLSA 3 1 1 ${'AB'.repeat(32)}
naptr   NAPTR 100 10 "U" "SIP+D2U" "!^.*$!sip:info@example.com!" .
loc     LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m
$ORIGIN sub.example.com.
host    TXT "relative"
target  CNAME host
unknown TYPE0 \\# 2 abcd
`

const importInto = (id: number, body: object) => dns.ask('POST', `zones/${id}/import/`, body)
const textOf = (id: number, headers = {}) =>
  dns.api.ask('GET', `/api/plugins/netbox-dns/zones/${id}/text/`, { headers })

/** What the checker of BIND says about the text; undefined if it is not on this machine. */
function checked(zone: string, text: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'zone-'))
  const file = join(folder, 'zone')
  writeFileSync(file, text)
  const { error, status, stdout } = spawnSync('named-checkzone', ['-i', 'local', zone, file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return error ? undefined : `${status} ${stdout}`
}

it('a zone file is previewed, imported, and compared by meaning the next time', async () => {
  const id = await dns.zone('example.com', { default_ttl: 3600 })
  const preview = await importInto(id, { text: FILE, dry_run: true })
  expect(preview.status, preview.text).toBe(200)
  expect([preview.json.created, preview.json.unchanged, preview.json.ignored]).toEqual([
    20,
    1,
    ['Line 4: the SOA record follows from the zone.'],
  ])
  expect(await dns.records(`zone_id=${id}&managed=false`)).toEqual([])
  const { json, text } = await importInto(id, { text: FILE })
  expect(json.created, text).toBe(20)
  const again = await importInto(id, { text: FILE, replace: true })
  expect([again.json.created, again.json.updated, again.json.deleted, again.json.unchanged]).toEqual([0, 0, 0, 21])
  const fewer = FILE.split('\n')
    .filter((line) => !/^(svc|loc)/.test(line))
    .join('\n')
    .replace('www     300', 'www     400')
    .replace('300 AAAA', '400 AAAA')
  const changes = await importInto(id, { text: fewer, replace: true })
  expect([changes.json.created, changes.json.updated, changes.json.deleted]).toEqual([0, 2, 2])
})

it('the text of a zone is a zone file with the same records, and has a tag', async () => {
  const id = await dns.zone('text.example', { default_ttl: 3600 })
  const file = FILE.replaceAll('example.com.', 'text.example.')
  expect((await importInto(id, { text: file })).status).toBe(200)
  const { status, text, headers } = await textOf(id)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/dns; charset=utf-8'])
  const { records, problems } = readZoneFile(text, 'text.example')
  expect(problems).toEqual([])
  expect(records[0]?.type).toBe('SOA')
  const again = await importInto(id, { text, replace: true })
  expect([again.json.created, again.json.updated, again.json.deleted], again.text).toEqual([0, 0, 0])
  const etag = String(headers.get('etag'))
  expect((await textOf(id, { 'If-None-Match': etag })).status).toBe(304)
  await dns.make('records', { zone: id, name: 'new', type: 'A', value: '192.0.2.1' })
  const changed = await textOf(id, { 'If-None-Match': etag })
  expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
  // TYPE0 and a name server without an address are not for BIND.
  const served = changed.text.replace(/^unknown.*\n/m, '')
  const verdict = checked('text.example', served)
  if (verdict !== undefined) expect(verdict).toMatch(/^0 .*OK\s*$/s)
})

it.each([
  ['no text', {}, 'text'],
  ['a number', { text: 7 }, 'text'],
  ['a flag of another type', { text: '', replace: 'yes' }, 'replace'],
  ['an open parenthesis', { text: '@ TXT ( "a"' }, 'text'],
  ['a closing parenthesis', { text: '@ TXT "a" )' }, 'text'],
  ['an open quote', { text: '@ TXT "a' }, 'text'],
  ['an inclusion', { text: '$INCLUDE /etc/passwd' }, 'text'],
  ['a generator', { text: '$GENERATE 1-1000000 h$ A 192.0.2.$' }, 'text'],
  ['another class', { text: '@ CH TXT "a"' }, 'text'],
  ['a type that objects inherit', { text: '@ constructor x' }, 'text'],
  ['a name elsewhere', { text: 'www.example.org. A 192.0.2.1' }, 'text'],
  ['no name', { text: ' A 192.0.2.1' }, 'text'],
  ['a record that is against the rules', { text: 'a CNAME b\na A 192.0.2.1' }, 'text'],
  ['two TTLs for a set', { text: 'a 60 A 192.0.2.1\na 61 A 192.0.2.2' }, 'text'],
])('a zone file with %s is refused as a whole', async (_what, body, field) => {
  const id = await dns.zone(`refused-${Math.random().toString(36).slice(2)}.example`)
  const { status, json, text } = await importInto(id, body)
  expect([status, Object.keys(json)], text).toEqual([400, [field]])
  expect(await dns.records(`zone_id=${id}&managed=false`)).toEqual([])
})

it('problems name their lines', async () => {
  const id = await dns.zone('lines.example')
  const { json } = await importInto(id, { text: 'a A 192.0.2.1\nb A nothing\n\nc MX ( 10\n mail )\nd d d' })
  expect(json.text).toEqual([
    'Line 2: The value is not valid for the type A: "nothing" is not an IPv4 address.',
    'Line 6: There is no type of records "d".',
  ])
})

it('the text contains what the reader may view', async () => {
  const id = await dns.zone('limited.example')
  await dns.make('records', { zone: id, name: 'secret', type: 'A', value: '192.0.2.1' })
  const user = await dns.api.make('users/users', { username: 'reader', password: 'Known-to-the-suites-1' })
  const token = String((await dns.api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })).json.key)
  const read = () => dns.api.ask('GET', `/api/plugins/netbox-dns/zones/${id}/text/`, { token })
  expect((await read()).status).toBe(403)
  const permit = (object_types: readonly string[], constraints: object | null) =>
    dns.api.make('users/permissions', {
      name: object_types.join(),
      object_types,
      users: [user],
      actions: ['view'],
      constraints,
    })
  await permit(['netbox_dns.zone'], null)
  expect((await read()).status).toBe(403)
  await permit(['netbox_dns.record'], { managed: true })
  const { status, text } = await read()
  expect([status, text.includes('\tNS\t'), text.includes('secret')], text).toEqual([200, true, false])
})

it('the preview of an import names no record that the sender may not view', async () => {
  const { api, make, zone } = dns
  const id = await zone('secret.example.com')
  await make('records', { zone: id, name: 'shown', type: 'A', value: '192.0.2.10' })
  await make('records', { zone: id, name: 'hidden', type: 'A', value: '192.0.2.11' })
  const user = await api.make('users/users', { username: 'clerk', password: 'Sufficient-1' })
  const token = '89abcdef0123456789abcdef0123456789abcdef'
  await api.make('users/tokens', { user, key: token })
  const allow = (type: string, constraints: object | null) =>
    api.make('users/permissions', {
      ...{ name: type, object_types: [`netbox_dns.${type}`], users: [user], constraints },
      actions: ['view', 'add', 'change', 'delete'],
    })
  await allow('zone', null)
  await allow('record', { name: 'shown' })
  const body = { text: '@ MX 10 mail', replace: true, dry_run: true }
  const { json } = await api.ask('POST', `/api/plugins/netbox-dns/zones/${id}/import/`, { body, token })
  expect([json.deleted, json.delete?.map(({ name }) => String(name))]).toEqual([1, ['shown']])
})

it('the command prints a zone, and asks for the view of one that is in several', async () => {
  const id = await dns.zone('printed.example')
  await dns.make('records', { zone: id, name: 'www', type: 'A', value: '192.0.2.1' })
  const print = async (...words: readonly string[]) => {
    const lines: string[] = []
    await pack.commands.zone?.run({ service: dns.api.service, words, print: (line) => lines.push(line) })
    return lines.join('\n')
  }
  expect(await print('Printed.example.')).toBe((await textOf(id)).text.trimEnd())
  const view = await dns.make('views', { name: 'outside' })
  await dns.zone('printed.example', { view })
  expect(await print('printed.example', 'outside')).not.toContain('192.0.2.1')
  await expect(print('printed.example')).rejects.toThrow(/is in several views\. Name one of them: \w+, outside\./)
  await expect(print('no.example')).rejects.toThrow('There is no zone "no.example".')
})

it('a job expires the records whose date has passed, with history', async () => {
  const zone = await dns.zone('expiring.example')
  const due = await dns.make('records', {
    zone,
    name: 'due',
    type: 'A',
    value: '192.0.2.1',
    expiration_date: '2099-01-01',
  })
  await dns.make('records', { zone, name: 'later', type: 'A', value: '192.0.2.2', expiration_date: '2099-01-01' })
  await dns.api.service.database.execute(sql`
    ${updateTable('netbox_dns.record')} set expiration_date = '2020-01-01' where id = ${due}::bigint`)
  const { service, background } = dns.api
  await background.runUntilIdle()
  const { json: jobs } = await dns.api.ask('GET', '/api/core/jobs/?name=Expiry of DNS records')
  await runAgain(service, String(jobs.results?.[0]?.job_id))
  await background.runUntilIdle()
  expect(await dns.records(`zone_id=${zone}&type=A&status=expired`)).toEqual(['due A 192.0.2.1'])
  expect(await dns.records(`zone_id=${zone}&type=A&status=active`)).toEqual(['later A 192.0.2.2'])
  const { json } = await dns.api.ask(
    'GET',
    `/api/core/object-changes/?changed_object_type=netbox_dns.record&changed_object_id=${due}`,
  )
  expect(json.results?.[0]?.postchange_data?.status).toBe('expired')
})
