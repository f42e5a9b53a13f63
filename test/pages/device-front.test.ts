import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, createdIds, readPage } from '../support/requests.ts'

/** A drawn port: its number, its text and its classes. */
interface DrawnPort {
  readonly short: string
  readonly text: string
  readonly classes: string
  readonly href: string
  readonly isBelow: boolean
}

describe('the front of a device on the tab of its interfaces', () => {
  let api: Api
  const shared: Record<string, number> = {}
  const made = (path: string, body: object) => createdId(api, path, body)
  const device = (name: string) => made('dcim/devices', { name, ...shared })
  const port = (owner: number, name: string, more: object = {}) =>
    made('dcim/interfaces', { device: owner, name, type: '1000base-t', ...more })
  const cable = (a: number, b: number, more: object = {}) =>
    made('dcim/cables', {
      a_terminations: [{ object_type: 'dcim.interface', object_id: a }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: b }],
      ...more,
    })
  let users = 0
  /** A token of a new user who may view objects of these types. */
  async function tokenFor(object_types: readonly string[], constraints: object | null = null): Promise<string> {
    users += 1
    const user = await made('users/users', { username: `user${users}`, password: 'Guest-2026-x!' })
    const permission = { name: `p${users}`, users: [user], object_types, actions: ['view'] }
    await made('users/permissions', { ...permission, constraints })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    return String(json.token ?? json.key)
  }
  const tab = (id: number, query = '', token?: string) =>
    readPage(api, `/dcim/devices/${id}/interfaces/${query}`, ...(token === undefined ? [] : [token]))
  const portsIn = (text: string): readonly DrawnPort[] =>
    [
      ...text.matchAll(
        /<li( class="below")?><a class="port([^"]*)" href="([^"]*)"><span aria-hidden="true">([^<]*)<\/span><span class="visually-hidden tip">([^<]*)</g,
      ),
    ].map(([, below, classes = '', href = '', short = '', title = '']) => ({
      short,
      text: title,
      classes: classes.trim(),
      href,
      isBelow: below !== undefined,
    }))
  /** The labels of the slots with their ports; `.` is a gap. */
  const runsIn = (text: string): readonly string[] =>
    [...text.matchAll(/<section class="run">(?:<small>([^<]*)<\/small>)?(.*?)<\/section>/gs)].flatMap(
      ([, label, content = '']) =>
        content
          .split('<ol ')
          .slice(1)
          .map((block) =>
            [...block.matchAll(/<li class="gap">|<span aria-hidden="true">([^<]*)/g)]
              .map(([, short = '.']) => short)
              .join(' '),
          )
          .map((block) => (label === undefined ? block : `${label}: ${block}`)),
    )
  const labels = (text: string): readonly string[] => portsIn(text).map((each) => each.text)
  const legendIn = (text: string): readonly string[] =>
    [...text.matchAll(/<li><span class="port[^>]*><\/span> ([^<]*) <span class="muted">([^<]*)<\/span>/g)].map(
      ([, label, count]) => `${label} ${count}`,
    )

  beforeAll(async () => {
    api = await startApi()
    const named = (name: string) => ({ name, slug: name })
    const manufacturer = await made('dcim/manufacturers', named('maker'))
    shared.manufacturer = manufacturer
    shared.role = await made('dcim/device-roles', named('switch'))
    shared.site = await made('dcim/sites', named('site'))
    shared.device_type = await made('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
  })
  afterAll(() => api.close())

  it('names state and far end of each port, and connects the free ones', async () => {
    const id = await device('states')
    const far = await device('far')
    const names = ['e1', 'e2', 'e3', 'e4', 'e5']
    const ids = await createdIds(
      api,
      'dcim/interfaces',
      names.map((name) => ({ device: id, name, type: '1000base-t', mark_connected: name === 'e3' })),
    )
    const [e1 = 0, e2 = 0, , e4 = 0] = ids
    await port(id, 'e6', { enabled: false })
    await port(id, 'lag1', { type: 'lag' })
    await port(id, 'vlan1', { type: 'virtual' })
    await port(id, 'br1', { type: 'bridge' })
    await port(id, 'wlan1', { type: 'ieee802.11ax' })
    await cable(e1, await port(far, 'f1'))
    await cable(e2, await port(far, 'f2'), { status: 'planned' })
    // Through a panel: the far end is the interface behind it.
    const rear = await made('dcim/rear-ports', { device: far, name: 'r', type: '8p8c', positions: 1 })
    const rear_ports = [{ position: 1, rear_port: rear, rear_port_position: 1 }]
    const front = await made('dcim/front-ports', { device: far, name: 'p', type: '8p8c', rear_ports })
    const behind = await port(far, 'f4')
    await made('dcim/cables', {
      a_terminations: [{ object_type: 'dcim.interface', object_id: e4 }],
      b_terminations: [{ object_type: 'dcim.frontport', object_id: front }],
    })
    const open = await tab(id)
    expect(labels(open)[3]).toBe('e4: Connected to far › p, Open end, 1 Gbps')
    await made('dcim/cables', {
      a_terminations: [{ object_type: 'dcim.rearport', object_id: rear }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: behind }],
    })
    const text = await tab(id)
    expect(labels(text)).toEqual([
      'e1: Connected to far › f1, 1 Gbps',
      'e2: Connected to far › f2, Not connected end to end, 1 Gbps',
      'e3: Marked as connected, 1 Gbps',
      'e4: Connected to far › f4, 1 Gbps',
      'e5: Free, 1 Gbps',
      'e6: Disabled, 1 Gbps',
    ])
    expect(portsIn(text).map(({ classes }) => classes)).toEqual(['', 'planned', 'marked', '', 'free', 'disabled free'])
    expect(legendIn(text)).toEqual([
      'Connected 2',
      'Not connected end to end 1',
      'Marked as connected 1',
      'Free 1',
      'Disabled 1',
    ])
    expect(portsIn(text).map(({ href }) => href.startsWith('/dcim/cables/add/?'))).toEqual([
      ...[false, false, false, false, true, true],
    ])
    expect(portsIn(text)[0]?.href).toBe(`/dcim/interfaces/${e1}/`)
    // Users who may only view connect nothing, and see no hidden far end.
    const seen = portsIn(await tab(id, '', await tokenFor(['dcim.device', 'dcim.interface'])))
    expect([seen[4]?.href, seen[0]?.text]).toEqual([`/dcim/interfaces/${ids[4]}/`, 'e1: Connected to far › f1, 1 Gbps'])
    const own = await tokenFor(['dcim.device', 'dcim.interface'], { id__in: [id, ...ids] })
    const hidden = portsIn(await tab(id, '', own))
    expect(hidden.map(({ text: label }) => label)).toEqual([
      'e1: Connected, 1 Gbps',
      'e2: Not connected end to end, 1 Gbps',
      'e3: Marked as connected, 1 Gbps',
      'e4: Connected, 1 Gbps',
      'e5: Free, 1 Gbps',
    ])
  })

  it('is coloured by VLAN, and marks ports with tagged VLANs', async () => {
    const id = await device('vlans')
    const [office, voice] = [
      await made('ipam/vlans', { vid: 10, name: 'office' }),
      await made('ipam/vlans', { vid: 20, name: 'voice' }),
    ]
    await port(id, 'e1', { mode: 'access', untagged_vlan: office })
    await port(id, 'e2', { mode: 'access', untagged_vlan: office })
    await port(id, 'e3', { mode: 'tagged', untagged_vlan: voice, tagged_vlans: [office] })
    await port(id, 'e4', { mode: 'tagged-all' })
    await port(id, 'e5')
    const text = await tab(id, '?colour=vlan')
    expect(labels(text)).toEqual([
      'e1: Free, VLAN 10 (office), 1 Gbps',
      'e2: Free, VLAN 10 (office), 1 Gbps',
      'e3: Free, VLAN 20 (voice), Tagged: 10, 1 Gbps',
      'e4: Free, Tagged: all, 1 Gbps',
      'e5: Free, 1 Gbps',
    ])
    expect(portsIn(text).map(({ classes }) => classes)).toEqual([
      'free hue-4',
      'free hue-4',
      'free hue-8 tagged',
      'free no-hue tagged',
      'free no-hue',
    ])
    expect(legendIn(text)).toEqual(['VLAN 10 (office) 2', 'VLAN 20 (voice) 1', 'No untagged VLAN 2', 'Tagged 2'])
    const seen = await tab(id, '?colour=vlan', await tokenFor(['dcim.device', 'dcim.interface']))
    expect(legendIn(seen)).toEqual(['No untagged VLAN 5', 'Tagged 2'])
    expect(labels(seen)[2]).toBe('e3: Free, 1 Gbps')
  })

  it('is coloured by speed, that of the interface or of its type', async () => {
    const id = await device('speeds')
    const types: readonly (readonly [string, number | null])[] = [
      ['1000base-t', 100_000],
      ['100base-tx', null],
      ['2.5gbase-t', null],
      ['10gbase-x-sfpp', null],
      ['1.6tbase-cr8', null],
      ['32gfc-sfp28', null],
      ['e1', null],
      ['other', null],
    ]
    for (const [index, [type, speed]] of types.entries()) await port(id, `e${index + 1}`, { type, speed })
    const text = await tab(id, '?colour=speed')
    expect(labels(text).map((label) => label.replace(/^e\d: Free,? ?/, ''))).toEqual([
      ...['100 Mbps', '100 Mbps', '2.5 Gbps', '10 Gbps', '1.6 Tbps', '32 Gbps', '2.048 Mbps', ''],
    ])
    expect(legendIn(text)).toEqual([
      ...['1.6 Tbps 1', '32 Gbps 1', '10 Gbps 1', '2.5 Gbps 1', '100 Mbps 2', '2.048 Mbps 1', 'Unknown speed 1'],
    ])
  })

  it.each([
    ['one row for few ports', [1, 2, 3], ''],
    ['odd numbers above', [1, 2, 3, 4, 5, 6, 7, 8], '2 4 6 8'],
    ['even numbers above if they begin with 0', [0, 1, 2, 3, 4, 5, 6, 7], '1 3 5 7'],
    ['a number in its row if others are missing', [2, 3, 4, 6, 8, 10, 11, 12], '2 4 6 8 10 12'],
  ] as const)('has %s', async (name, numbers, below) => {
    const id = await device(name)
    await createdIds(
      api,
      'dcim/interfaces',
      numbers.map((number) => ({ device: id, name: `ge-0/0/${number}`, type: '1000base-t' })),
    )
    const ports = portsIn(await tab(id))
    expect(ports.map(({ short }) => Number(short))).toEqual(numbers)
    expect(
      ports
        .filter(({ isBelow }) => isBelow)
        .map(({ short }) => short)
        .join(' '),
    ).toBe(below)
  })

  it.each([
    ['one slot whatever the types and the media', ['xe-0/0/0', 'et-0/0/1', 'xe-0/0/2', 'ge-0/0/3'], ['0 1 2 3']],
    ['a slot for each line card', ['Te1/1', 'Te1/2', 'Te2/1', 'Te2/2'], ['1: 1 2', '2: 1 2']],
    ['kinds that count apart', ['Fa0/1', 'Fa0/2', 'Gi0/1', 'Gi0/2'], ['Fa0: 1 2', 'Gi0: 1 2']],
    ['channels of a port', ['et-0/0/1:0', 'et-0/0/1:1', 'mgmt0'], ['0/0/1: 0 1', 'mgmt: mgmt0']],
    ['ports by number, not by name', ['e10', 'e9', 'e2'], ['2 9 10']],
    [
      'blocks of twelve with gaps for missing ports',
      [1, 2, 3, 5, 6, 7, 8, 9, 12, 13, 14].map((number) => `e1/${number}`),
      ['1 2 3 . 5 6 7 8 9 . . 12', '13 14'],
    ],
  ] as const)('has %s', async (name, names, expected) => {
    const id = await device(name)
    const types = ['1000base-t', '10gbase-x-sfpp']
    await createdIds(
      api,
      'dcim/interfaces',
      names.map((port, index) => ({ device: id, name: port, type: types[index % 2] })),
    )
    expect(runsIn(await tab(id))).toEqual(expected)
    // The first page of the device has the same places.
    expect(runsIn(await readPage(api, `/dcim/devices/${id}/`))).toEqual(expected)
  })

  it('shows by their form which ports take transceivers', async () => {
    const id = await device('cages')
    await port(id, 'e1')
    await port(id, 'e2', { type: '10gbase-x-sfpp' })
    expect(portsIn(await tab(id)).map(({ classes }) => classes)).toEqual(['free', 'cage free'])
  })

  it('groups the ports by module, after those of the device', async () => {
    const id = await device('chassis')
    const module_type = await made('dcim/module-types', { manufacturer: shared.manufacturer, model: 'Card' })
    const module_bay = await made('dcim/module-bays', { device: id, name: 'Slot 1' })
    const module = await made('dcim/modules', { device: id, module_bay, module_type })
    await port(id, 'a1', { module })
    await port(id, 'a2', { module })
    await port(id, 'a3', { module, type: '10gbase-t' })
    await port(id, 'mgmt0')
    const groups = (text: string) =>
      text
        .split('<div class="front-group">')
        .slice(1)
        .map((group) => `${/<h3>([^<]*)/.exec(group)?.[1] ?? ''}: ${runsIn(group).join(' | ')}`)
    expect(groups(await tab(id))).toEqual(['chassis: mgmt0', expect.stringMatching(/^Slot 1: Card.*: 1 2 3$/)])
    const seen = await tab(id, '', await tokenFor(['dcim.device', 'dcim.interface']))
    expect(groups(seen)).toEqual([': a: 1 2 3 | mgmt: mgmt0'])
  })

  it('keeps the choice of the colours in its links and in the search', async () => {
    const id = await device('links')
    await port(id, 'e1')
    const text = await tab(id, '?colour=speed&q=e')
    expect(text).toContain('<input type="hidden" name="colour" value="speed">')
    expect(text).toContain('<a href="?colour=vlan&amp;q=e">VLAN</a>')
    expect(text).toContain('<a href="?colour=speed&amp;q=e" aria-current="true">Speed</a>')
    expect(text).toMatch(/href="\?colour=speed&amp;q=e&amp;ordering=name"/)
    expect(await tab(id, '?colour=other')).toMatch(/aria-current="true">State</)
  })

  it('is missing without physical interfaces', async () => {
    const id = await device('virtual')
    await port(id, 'vlan1', { type: 'virtual' })
    expect(await tab(id)).not.toContain('class="card front"')
  })
})
