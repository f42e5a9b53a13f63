import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { decode } from '../../packs/observed/protobuf.ts'
import { identifier, sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'
import {
  call,
  type DiodeClient,
  diodeClient,
  type Entity,
  encode,
  framed,
  fullMessage,
  ingestRequest,
  kinds,
  tokenFor,
} from '../support/diode.ts'
import { TestClock } from '../support/test-clock.ts'

const SITE = { name: 'Lab' }
const TYPE = { model: 'M1', manufacturer: { name: 'Maker' } }
const DEVICE = {
  name: 'sw1',
  serial: 'ABC1',
  status: 'active',
  site: SITE,
  role: { name: 'Switch' },
  device_type: TYPE,
}
const NESTED = { name: 'sw1', site: SITE }
const PORT = { name: 'Ethernet1', type: '10gbase-x-sfpp', enabled: true, device: NESTED }
const ADDRESS = { address: '192.0.2.1/24', assigned_object_interface: PORT }

async function started(): Promise<{ readonly api: Api; readonly client: DiodeClient }> {
  const api = await apiOfTest({ PACKS: 'observed' })
  return { api, client: await diodeClient(api) }
}

const ownPath = (path: string) => `/api/plugins/observed/${path}`

async function results({ ask }: Api, path: string): Promise<readonly Document[]> {
  const { status, text, json } = await ask('GET', path)
  expect(status, text).toBe(200)
  return json.results ?? []
}

const driftOf = (api: Api, query = '') => results(api, ownPath(`drift/?limit=0${query}`))

/** The differences as sentences: what has changed, of which object, and what was observed. */
const sentences = async (api: Api, query = '') =>
  (await driftOf(api, query)).map(({ kind, observation, change, field, observed }) =>
    [kind, observation?.label, change, field, JSON.stringify(observed)].filter((word) => `${word}` !== '').join(' '),
  )

async function decide(
  api: Api,
  decision: string,
  { query = '', ...body }: { readonly query?: string; readonly reason?: string; readonly until?: string } = {},
) {
  const ids = (await driftOf(api, query)).map(({ id }) => id)
  return await api.ask('POST', ownPath(`drift/${decision}/`), { body: { ids, ...body } })
}

async function acceptAll(api: Api, query?: string): Promise<void> {
  const { status, text } = await decide(api, 'accept', { ...(query !== undefined && { query }) })
  expect(status, text).toBe(200)
}

/** A network that was observed and accepted. */
async function accepted(
  entities: readonly Entity[] = [{ device: DEVICE }, { interface: PORT }, { ip_address: ADDRESS }],
) {
  const started_ = await started()
  await started_.client.send(entities)
  await acceptAll(started_.api)
  expect(await sentences(started_.api)).toEqual([])
  return started_
}

const idOf = async (api: Api, path: string): Promise<number> => Number((await results(api, `/api/${path}`))[0]?.id)

describe('new objects', () => {
  it('are created with all that they refer to when they are accepted, once', async () => {
    const { api, client } = await started()
    const entities = [{ device: DEVICE }, { interface: PORT }, { ip_address: ADDRESS }]
    await client.send(entities)
    expect((await sentences(api)).sort()).toEqual([
      'dcim.device sw1 new "sw1"',
      'dcim.devicerole Switch new "Switch"',
      'dcim.devicetype M1 new "M1"',
      'dcim.interface Ethernet1 new "Ethernet1"',
      'dcim.manufacturer Maker new "Maker"',
      'dcim.site Lab new "Lab"',
      'ipam.ipaddress 192.0.2.1/24 new "192.0.2.1/24"',
    ])
    await acceptAll(api, '&kind=ipam.ipaddress')
    expect(await sentences(api)).toEqual([])
    await client.send(entities)
    expect(await sentences(api)).toEqual([])
    expect((await results(api, ownPath('runs/'))).map(({ added, unchanged }) => [added, unchanged])).toEqual([
      [7, 0],
      [0, 7],
    ])
  })

  it('get the address that closes a circle after it exists', async () => {
    const { api } = await accepted([
      { device: { ...DEVICE, primary_ip4: ADDRESS } },
      { interface: PORT },
      { ip_address: ADDRESS },
    ])
    const [device] = await results(api, '/api/dcim/devices/')
    expect(device?.primary_ip4?.address).toBe('192.0.2.1/24')
  })

  it('show when they were seen last, in a computed field', async () => {
    const { api } = await accepted()
    const unseen = await api.make('ipam/ip-addresses', { address: '192.0.2.9/24', status: 'reserved' })
    await api.make('extras/computed-fields', {
      ...{ object_type: 'ipam.ipaddress', name: 'last_seen', expression: 'max(observation.last_seen)' },
    })
    const seen = await results(api, '/api/ipam/ip-addresses/?last_seen__empty=false')
    expect(seen).toMatchObject([{ address: '192.0.2.1/24', last_seen: expect.stringMatching(/^\d{4}-/) }])
    expect(await results(api, '/api/ipam/ip-addresses/?last_seen__empty=true')).toMatchObject([{ id: unseen }])
    expect(await results(api, '/api/ipam/ip-addresses/?last_seen__lt=2001-01-01T00:00:00Z')).toEqual([])
  })

  it('are taken away by one undo, and are new again', async () => {
    const { api, client } = await started()
    await client.send([{ device: DEVICE }])
    const { headers } = await decide(api, 'accept')
    expect(await sentences(api)).toEqual([])
    const undone = await api.ask('POST', `/api/core/requests/${headers.get('x-request-id')}/undo/`)
    expect(undone.status, undone.text).toBe(200)
    expect(await results(api, '/api/dcim/devices/')).toEqual([])
    expect((await sentences(api)).length).toBe(5)
  })

  it('are found if a person creates them meanwhile', async () => {
    const { api, client } = await started()
    await client.send([{ device: DEVICE }])
    const site = await api.make('dcim/sites', { name: 'Lab', slug: 'somewhere' })
    const role = await api.make('dcim/device-roles', { name: 'Switch', slug: 'switch' })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const device_type = await api.make('dcim/device-types', { manufacturer, model: 'M1', slug: 'm1' })
    await api.make('dcim/devices', { name: 'SW1', site, role, device_type })
    expect(await sentences(api, '&kind=dcim.device')).toEqual([
      'dcim.device sw1 changed name "sw1"',
      'dcim.device sw1 changed serial "ABC1"',
    ])
  })
})

describe('changes', () => {
  it.each([
    ['a field', { description: 'Rack 7' }, ['description "Rack 7"']],
    ['a field that is absent', {}, []],
    ['a field that is present and empty', { serial: 'ABC1', comments: '' }, []],
    ['a related object', { role: { name: 'Router' } }, [expect.stringMatching(/^role .*"name":"Router"/)]],
    ['tags, which are added', { tags: [{ name: 'Core' }] }, ['tags ["Core"]']],
    ['a value that is not valid', { status: 'on fire' }, []],
  ])('%s', async (_name, values, expected) => {
    const { api, client } = await accepted()
    await client.send([{ device: { ...DEVICE, ...values } }])
    const changes = (await sentences(api, '&kind=dcim.device')).map((sentence) =>
      sentence.replace('dcim.device sw1 changed ', ''),
    )
    expect(changes).toEqual(expected)
    await acceptAll(api).catch(() => expect(expected).toEqual([]))
    expect(await sentences(api)).toEqual([])
  })

  it('of custom fields are compared one by one', async () => {
    const { api, client } = await accepted()
    for (const name of ['tier', 'owner']) {
      await api.make('extras/custom-fields', { name, type: 'text', object_types: ['dcim.device'] })
    }
    const id = await idOf(api, 'dcim/devices/')
    await api.ask('PATCH', `/api/dcim/devices/${id}/`, { body: { custom_fields: { owner: 'Ann' } } })
    await client.send([{ device: { ...DEVICE, custom_fields: { tier: { text: 'gold' } } } }])
    expect(await sentences(api)).toEqual(['dcim.device sw1 changed custom_fields.tier "gold"'])
    await acceptAll(api)
    const { json } = await api.ask('GET', `/api/dcim/devices/${id}/`)
    expect(json.custom_fields).toMatchObject({ tier: 'gold', owner: 'Ann' })
  })

  it('by people are differences at once, until they are taken back', async () => {
    const { api } = await accepted()
    const path = `/api/dcim/devices/${await idOf(api, 'dcim/devices/')}/`
    await api.ask('PATCH', path, { body: { serial: 'OTHER' } })
    expect(await driftOf(api)).toMatchObject([{ field: 'serial', observed: 'ABC1', current: 'OTHER', status: 'open' }])
    await api.ask('PATCH', path, { body: { serial: 'ABC1' } })
    expect(await sentences(api)).toEqual([])
  })

  it('of an object that was deleted wait for somebody to say so', async () => {
    const { api, client } = await accepted()
    await api.ask('DELETE', `/api/dcim/interfaces/${await idOf(api, 'dcim/interfaces/')}/`)
    await client.send([{ interface: PORT }])
    expect(await sentences(api, '&kind=dcim.interface')).toEqual(['dcim.interface Ethernet1 new "Ethernet1"'])
    expect(await results(api, '/api/dcim/interfaces/')).toEqual([])
  })
})

describe('the same object', () => {
  it.each([
    ['moved to another site', { site: { name: 'Elsewhere' } }, ['site']],
    ['renamed', { name: 'sw2' }, ['name']],
    ['given a name in capitals', { name: 'SW1' }, ['name']],
  ])('is one that was %s', async (_name, values, fields) => {
    const { api, client } = await accepted([{ device: DEVICE }])
    await client.send([{ device: { ...DEVICE, ...values } }])
    const drift = await driftOf(api, '&kind=dcim.device')
    expect(drift.map(({ change, field }) => [change, field])).toEqual(fields.map((field) => ['changed', field]))
    const observations = await results(api, ownPath('objects/?kind=dcim.device'))
    expect(observations).toMatchObject([{ state: 'matched' }])
    const other = await diodeClient(api)
    await other.send([{ device: { ...DEVICE, ...values } }])
    const matched = await results(api, ownPath(`objects/?kind=dcim.device&ordering=-id&limit=1`))
    expect(matched).toMatchObject([{ matched_by: 'serial' }])
    await acceptAll(api)
    expect((await results(api, '/api/dcim/devices/')).length).toBe(1)
    expect(await sentences(api)).toEqual([])
  })

  it('is not guessed: a device of this name elsewhere is a candidate', async () => {
    const { api, client } = await accepted([{ device: DEVICE }])
    const { serial: _, ...unnumbered } = DEVICE
    await client.send([{ device: { ...unnumbered, site: { name: 'Elsewhere' } } }])
    const [ambiguous] = await results(api, ownPath('objects/?state=ambiguous'))
    expect(ambiguous).toMatchObject({ label: 'sw1', candidates: [await idOf(api, 'dcim/devices/')] })
    expect(await sentences(api, '&kind=dcim.device')).toEqual([])
  })

  it('is one observed object of a source, although two with the same address are bridged to each other', async () => {
    const primary_mac_address = { mac_address: '00:00:5E:00:53:01' }
    const port = { ...PORT, name: 'eth0', primary_mac_address }
    const { api, client } = await accepted([{ device: DEVICE }, { interface: port }])
    const bridged = (name: string, bridge: string) => ({
      interface: { ...port, name, bridge: { device: NESTED, name: bridge, type: PORT.type } },
    })
    await client.send([{ interface: port }, bridged('eth1', 'eth2'), bridged('eth2', 'eth1'), bridged('eth3', 'eth3')])
    const ports = await results(api, ownPath('objects/?kind=dcim.interface&state=matched'))
    expect(ports.map(({ label }) => label)).toEqual(['eth0'])
  })

  it('is the one whose id the source knows', async () => {
    const { api, client } = await accepted([{ device: DEVICE }])
    const id = await idOf(api, 'dcim/devices/')
    const other = await diodeClient(api)
    await other.send([
      { device: { name: 'quite-different', site: SITE, metadata: { source_match: { netbox_id: id } } } },
    ])
    expect(await sentences(api)).toEqual(['dcim.device quite-different changed name "quite-different"'])
    await client.send([])
  })
})

describe('the configuration of an agent', () => {
  it('counts for new objects only', async () => {
    const { api } = await accepted([{ device: DEVICE }])
    const agent = await diodeClient(api)
    const observed = {
      ...DEVICE,
      site: { name: 'Default site' },
      role: { name: 'Default role' },
      tags: [{ name: 'agent' }],
    }
    await agent.send([{ device: observed }, { device: { ...observed, name: 'sw9', serial: 'X9' } }], {
      producer: 'device-discovery',
    })
    expect(await sentences(api, '&kind=dcim.device')).toEqual(['dcim.device sw9 new "sw9"'])
    await acceptAll(api)
    const devices = await results(api, '/api/dcim/devices/')
    expect(devices.map(({ name, site }) => [name, site?.name])).toEqual([
      ['sw1', 'Lab'],
      ['sw9', 'Default site'],
    ])
  })
})

describe('what is no longer seen', () => {
  it('is missing when a later run has seen its device without it, and returns', async () => {
    const { api, client } = await accepted([{ device: DEVICE }, { interface: PORT }])
    await client.send([{ device: DEVICE }, { interface: PORT }], { metadata: { run_id: 'one' } })
    await client.send([{ device: DEVICE }], { metadata: { run_id: 'two' } })
    expect(await sentences(api)).toEqual(['dcim.interface Ethernet1 missing null'])
    const decisions = await api.ask('GET', '/plugins/observed/decisions/?change=missing', {
      headers: { accept: 'text/html' },
    })
    expect(decisions.text).toContain('Accepting will delete 1 object that is missing.')
    await client.send([{ interface: PORT }], { metadata: { run_id: 'two' } })
    expect(await sentences(api)).toEqual([])
    await client.send([{ device: DEVICE }], { metadata: { run_id: 'three' } })
    await acceptAll(api)
    expect(await results(api, '/api/dcim/interfaces/')).toEqual([])
    expect(await sentences(api)).toEqual([])
  })

  it('is missing after the hours that its source allows, if the source has sent others since', async () => {
    const time = new TestClock()
    const api = await startApi({ PACKS: 'observed' }, undefined, time)
    onTestFinished(() => api.close())
    const client = await diodeClient(api)
    await client.send([{ device: DEVICE }])
    await acceptAll(api)
    const passHours = async (hours: number) => {
      for (const [model, column] of [
        ['observed.observation', 'last_seen'],
        ['observed.run', 'started'],
      ] as const) {
        await api.service.database.execute(sql`
          ${updateTable(model)} set ${identifier(column)} = ${identifier(column)} - make_interval(hours => ${hours}::int)`)
      }
      time.advance(120_000)
    }
    // A source that was silent does not know what has become of the device.
    await passHours(72)
    await client.send([{ site: SITE }])
    expect(await sentences(api)).toEqual([])
    await passHours(49)
    await client.send([{ site: SITE }])
    expect(await sentences(api, '&kind=dcim.device')).toEqual(['dcim.device sw1 missing null'])
    await client.send([{ device: DEVICE }])
    expect(await sentences(api)).toEqual([])
  })
})

describe('decisions', () => {
  it('the first rule that fits decides, and is named', async () => {
    const { api, client } = await accepted()
    const rule = (body: object) => api.make('plugins/observed/rules', body)
    await rule({ name: 'Serials', field: 'serial', object_type: 'dcim.device', action: 'accept', weight: 10 })
    await rule({
      name: 'Rest of devices',
      object_type: 'dcim.device',
      action: 'ignore',
      reason: 'We know better',
      weight: 20,
    })
    await client.send([
      { device: { ...DEVICE, serial: 'NEW', description: 'x' } },
      { interface: { ...PORT, description: 'y' } },
    ])
    expect(
      (await driftOf(api)).map(({ field, status, rule, reason, observation }) => [
        observation?.label,
        field,
        status,
        rule?.name ?? null,
        reason,
      ]),
    ).toEqual([
      ['sw1', 'description', 'ignored', 'Rest of devices', 'We know better'],
      ['Ethernet1', 'description', 'open', null, ''],
    ])
    expect((await results(api, '/api/dcim/devices/'))[0]?.serial).toBe('NEW')
  })

  it('a rule accepts with the rights of the person who made it, and says what was refused', async () => {
    const { api, client } = await accepted([{ device: DEVICE }])
    await api.make('plugins/observed/rules', { name: 'All', action: 'accept' })
    await client.send([{ device: { name: 'incomplete', site: SITE } }, { device: { ...DEVICE, serial: 'S2' } }])
    const drift = await driftOf(api)
    expect(drift).toMatchObject([{ kind: 'dcim.device', change: 'new', status: 'accepting' }])
    expect(drift[0]?.problem).toContain('role')
    expect((await results(api, '/api/dcim/devices/')).map(({ serial }) => serial)).toEqual(['S2'])
  })

  it('a refused difference is tried again when its rule is saved, or when another rule accepts it', async () => {
    const { api, client } = await accepted([{ device: DEVICE }])
    const user = await api.make('users/users', { username: 'ann', password: 'Correct-horse-1' })
    const grant = (object_types: readonly string[]) =>
      api.make('users/permissions', {
        ...{ name: crypto.randomUUID(), actions: ['view', 'add', 'change'], object_types, users: [user] },
      })
    await grant(['observed.rule', 'observed.driftitem'])
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const token = String(json.key)
    const rule = await api.ask('POST', ownPath('rules/'), { token, body: { name: 'All', action: 'accept' } })
    expect(rule.status, rule.text).toBe(201)
    const send = () => client.send([{ device: { ...DEVICE, serial: 'S2', description: 'x' } }])
    const refused = async () => (await driftOf(api)).map(({ field, problem }) => [field, String(problem) !== ''])
    await send()
    expect(await refused()).toEqual([
      ['description', true],
      ['serial', true],
    ])
    await api.make('plugins/observed/rules', { name: 'One', weight: 1, field: 'description', action: 'accept' })
    await send()
    expect(await refused()).toEqual([['serial', true]])
    await grant(['dcim.device'])
    await send()
    expect(await refused()).toEqual([['serial', true]])
    await api.ask('PATCH', ownPath(`rules/${rule.json.id}/`), { token, body: { name: 'Everything' } })
    expect(await refused()).toEqual([['serial', false]])
    await send()
    expect(await results(api, '/api/dcim/devices/')).toMatchObject([{ serial: 'S2', description: 'x' }])
  })

  it('a person ignores a difference until a time, or until another value is observed', async () => {
    const { api, client } = await accepted()
    const send = (description: string) => client.send([{ device: { ...DEVICE, description } }])
    await send('x')
    expect((await decide(api, 'ignore')).json).toEqual({
      reason: ['Say why these differences are ignored, in at most 500 characters.'],
    })
    await decide(api, 'ignore', { reason: 'Later', until: '2999-01-01T00:00:00Z' })
    expect(await driftOf(api)).toMatchObject([{ status: 'ignored', reason: 'Later', ignored_by: 'admin' }])
    await send('x')
    expect(await driftOf(api)).toMatchObject([{ status: 'ignored' }])
    await send('z')
    expect(await driftOf(api)).toMatchObject([{ status: 'open', reason: '', observed: 'z' }])
    for (const until of ['2001-01-01T00:00:00Z', 'later', '1', '2999-01-01T00:00:00', '2999-13-01']) {
      const { status, json } = await decide(api, 'ignore', { reason: 'Over', until })
      expect([status, json], until).toEqual([400, { until: [expect.stringContaining('in the future')] }])
    }
    expect(await driftOf(api)).toMatchObject([{ status: 'open' }])
  })

  it('accepting several is all or nothing', async () => {
    const { api, client } = await accepted([{ device: DEVICE }])
    await client.send([{ device: { name: 'incomplete', site: SITE } }, { device: { ...DEVICE, serial: 'S2' } }])
    const refused = await decide(api, 'accept')
    expect([refused.status, refused.json]).toMatchObject([400, { role: [expect.any(String)] }])
    expect((await results(api, '/api/dcim/devices/')).map(({ serial }) => serial)).toEqual(['ABC1'])
  })
})

describe('people with few rights', () => {
  it('see differences of objects that they may view, and accept what they may change', async () => {
    const { api, client } = await accepted()
    await client.send([
      { device: { ...DEVICE, serial: 'S2' } },
      { interface: { ...PORT, mtu: 9000 } },
      { vrf: { name: 'Secret' } },
    ])
    const user = await api.make('users/users', { username: 'ann', password: 'Correct-horse-1' })
    const grant = (actions: readonly string[], object_types: readonly string[], constraints: object | null = null) =>
      api.make('users/permissions', { name: crypto.randomUUID(), actions, object_types, users: [user], constraints })
    await grant(['view', 'change'], ['observed.driftitem'])
    await grant(['view', 'change'], ['dcim.device'])
    await grant(['view'], ['dcim.interface'], { name: 'other' })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const token = String(json.key)
    const seen = await api.ask('GET', ownPath('drift/'), { token })
    expect(seen.json.results?.map(({ kind, field }) => [kind, field])).toEqual([['dcim.device', 'serial']])
    const all = (await driftOf(api)).map(({ id }) => id)
    expect((await api.ask('POST', ownPath('drift/accept/'), { token, body: { ids: all } })).status).toBe(400)
    const ids = seen.json.results?.map(({ id }) => id)
    expect((await api.ask('POST', ownPath('drift/accept/'), { token, body: { ids } })).status).toBe(200)
    expect((await results(api, '/api/dcim/devices/'))[0]?.serial).toBe('S2')
  })

  it('ignore what they may change of that which filters find, and of named ones all or none', async () => {
    const { api, client } = await accepted([{ device: DEVICE }])
    await client.send([{ device: { ...DEVICE, comments: 'x', description: 'y' } }])
    const user = await api.make('users/users', { username: 'ann', password: 'Correct-horse-1' })
    const object_types = ['observed.driftitem']
    await api.make('users/permissions', { name: 'a', actions: ['view'], object_types, users: [user] })
    await api.make('users/permissions', {
      ...{ name: 'b', actions: ['change'], object_types, users: [user], constraints: { field: 'comments' } },
    })
    await api.make('users/permissions', {
      ...{ name: 'c', actions: ['view'], object_types: ['dcim.device'], users: [user] },
    })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const ids = (await driftOf(api)).map(({ id }) => id)
    const ignore = (query: string, body: object) =>
      api.ask('POST', ownPath(`drift/ignore/${query}`), {
        ...{ token: String(json.key), body: { reason: 'Never mind', ...body } },
      })
    expect((await ignore('', { ids })).json).toEqual({
      ids: ['Some of these differences do not exist, or you may not decide about them.'],
    })
    expect((await ignore('?kind=dcim.device', {})).json).toEqual({ ignored: 1 })
    expect(await driftOf(api, '&status=ignored')).toMatchObject([{ field: 'comments' }])
  })

  it('see nothing of the site of a hidden device', async () => {
    const { api, client } = await accepted()
    await client.send([{ interface: { ...PORT, mtu: 9000 } }, { interface: { ...PORT, name: 'Ethernet2' } }])
    const user = await api.make('users/users', { username: 'eve', password: 'Correct-horse-1' })
    const object_types = ['observed.driftitem', 'dcim.interface']
    await api.make('users/permissions', { name: 'p', actions: ['view'], object_types, users: [user] })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const ask = (path: string) => api.ask('GET', ownPath(path), { token: String(json.key) })
    const seen = await ask('drift/')
    expect(seen.json.results?.map(({ field }) => field)).toEqual(['', 'mtu'])
    expect(seen.text).not.toContain(SITE.name)
    const site = await idOf(api, 'dcim/sites/')
    expect([(await ask(`drift/?site_id=${site}`)).status, (await ask('drift/?site=lab')).status]).toEqual([400, 400])
    expect((await ask('drift/counts/')).text).not.toContain(SITE.name)
    expect((await driftOf(api, `&site_id=${site}`)).length).toBe(2)
  })
})

describe('intake', () => {
  it('is off while the pack is off', async () => {
    const api = await apiOfTest()
    expect(await call(api.url, framed(ingestRequest([])), {})).toMatchObject({ httpStatus: 200, status: 12 })
    expect((await api.ask('POST', '/diode/auth/token', { token: null })).status).toBe(404)
  })

  it('gives tokens for the secret that is shown once', async () => {
    const { api } = await started()
    const { json } = await api.ask('POST', ownPath('clients/'), {
      body: { name: 'Agent', client_secret: 'chosen-by-a-person' },
    })
    expect(json).toMatchObject({ client_secret: 'chosen-by-a-person', client_id: expect.stringMatching(/^agent-/) })
    expect((await api.ask('GET', ownPath(`clients/${json.id}/`))).text).not.toContain('secret')
    expect((await tokenFor(api, String(json.client_id), 'wrong')).status).toBe(401)
    const { json: given } = await tokenFor(api, String(json.client_id), 'chosen-by-a-person')
    const token = String(given.access_token)
    expect(await call(api.url, framed(ingestRequest([])), { token })).toMatchObject({ status: 0 })
    await api.ask('PATCH', ownPath(`clients/${json.id}/`), { body: { enabled: false } })
    expect(await call(api.url, framed(ingestRequest([])), { token })).toMatchObject({ status: 16 })
  })

  let shared: ReturnType<typeof started>
  beforeAll(async () => {
    const api = await startApi({ PACKS: 'observed' })
    shared = diodeClient(api).then((client) => ({ api, client }))
  })
  afterAll(async () => await (await shared).api.close())

  const deep = (levels: number): object => ({ name: 'a', ...(levels > 0 && { parent: deep(levels - 1) }) })

  it.each<readonly [string, Uint8Array, number]>([
    ['no message', Buffer.alloc(1), 3],
    ['half a message', framed(Buffer.alloc(10)).subarray(0, 8), 3],
    ['a compressed message', Buffer.from([1, 0, 0, 0, 0]), 12],
    ['too large a message', framed(Buffer.alloc(5_000_000)), 8],
    ['bytes that are no message', framed(Buffer.from('nonsense, as it were')), 3],
    ['no producer', framed(encode('IngestRequest', { stream: 'latest' })), 3],
    ['messages that are too deep', framed(ingestRequest([{ region: deep(100) }])), 3],
    ['a text with NUL', framed(ingestRequest([{ site: { name: 'a\0b' } }])), 3],
  ])('%s is refused', async (_name, body, status) => {
    const { api, client } = await shared
    expect(await call(api.url, body, { token: client.token })).toMatchObject({ httpStatus: 200, status })
    await client.send([{ site: { name: 'Still there' } }])
    expect(await sentences(api)).toEqual(['dcim.site Still there new "Still there"'])
  })

  it('reads lists of numbers in the packed form, as the SDKs send them', () => {
    const packed = Buffer.concat([encode('VLANGroup', { name: 'g' }), Buffer.from([10 * 8 + 2, 3, 5, 0x90, 1])])
    expect(decode(packed, 'VLANGroup').fields).toEqual({ name: 'g', vid_ranges: [5, 144] })
  })

  it('takes entities of every kind, and no acceptance fails in the service', async () => {
    const { api, client } = await started()
    for (const [kind, type] of kinds()) await client.send([{ [kind]: fullMessage(type, 2) }], { producer: kind })
    const drift = await driftOf(api)
    expect(drift.length).toBeGreaterThan(80)
    const statuses = new Set<number>()
    for (const ofSource of Map.groupBy(drift, ({ source }) => source?.id).values()) {
      const ids = ofSource.map(({ id }) => id)
      statuses.add((await api.ask('POST', ownPath('drift/accept/'), { body: { ids } })).status)
    }
    expect([...statuses].sort()).toEqual([200, 400])
  })

  it('refuses a call without a valid token, one that does not exist, and what is no call', async () => {
    const { api, client } = await started()
    const body = framed(ingestRequest([]))
    expect(await call(api.url, body, {})).toMatchObject({ status: 16 })
    expect(await call(api.url, Buffer.alloc(0), {})).toMatchObject({ httpStatus: 200, status: 3 })
    expect(await call(api.url, body, { token: '1.9999999999.x' })).toMatchObject({ status: 16 })
    expect(await call(api.url, body, { token: client.token, path: '/other.Service/Call' })).toMatchObject({
      status: 12,
    })
    expect(await call(api.url, body, { type: 'text/plain' })).toMatchObject({ httpStatus: 415 })
  })

  it('keeps what it does not know, and says so', async () => {
    const { api, client } = await started()
    await client.send([{ cable_path: { is_active: true } }, { device: { ...DEVICE, status: 'on fire' } }])
    expect(await results(api, ownPath('objects/?state=kept'))).toMatchObject([{ kind: 'cable_path' }])
    const [run] = await results(api, ownPath('runs/'))
    expect(run).toMatchObject({ entities: 2, kept: 1 })
    expect(run?.problems?.map(({ type, field }) => [type, field])).toEqual([
      ['cable_path', ''],
      ['dcim.device', 'status'],
    ])
  })
})
