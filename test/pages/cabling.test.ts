import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { words } from '../../src/schema/view.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { createdId, createdIds } from '../support/requests.ts'
import { type PageForm, readForm } from './read-form.ts'

let api: Api
const ids: Record<string, number> = {}

const make = (path: string, body: unknown) => createdIds(api, path, body)

async function makeOne(key: string, path: string, body: unknown): Promise<void> {
  ids[key] = await createdId(api, path, body)
}

const named = (pattern: string, count: number) => Array.from({ length: count }, (_, index) => `${pattern}${index + 1}`)

beforeAll(async () => {
  api = await startApi()
  await makeOne('site', 'dcim/sites', { name: 'Akron', slug: 'akron' })
  await makeOne('maker', 'dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  await makeOne('type', 'dcim/device-types', { manufacturer: ids.maker, model: 'Box', slug: 'box' })
  await makeOne('role', 'dcim/device-roles', { name: 'Core', slug: 'core' })
  for (const name of ['sw1', 'sw2', 'panel-a', 'panel-b', 'pdu', 'secret']) {
    const body = { name, site: ids.site, device_type: ids.type, role: ids.role }
    await makeOne(name, 'dcim/devices', body)
  }
  for (const device of ['sw1', 'sw2', 'secret']) {
    const body = named('GigabitEthernet0/', 14).map((name) => ({
      device: ids[device],
      name,
      type: '1000base-t',
    }))
    const [first = 0] = await make('dcim/interfaces', body)
    ids[`${device}-first`] = first
  }
  await makeOne('loopback', 'dcim/interfaces', { device: ids.sw1, name: 'lo0', type: 'virtual' })
  for (const panel of ['panel-a', 'panel-b']) {
    const body = named('R', 4).map((name) => ({ device: ids[panel], name, type: '8p8c' }))
    const rears = await make('dcim/rear-ports', body)
    ids[`${panel}-rear`] = rears[0] ?? 0
    const [front = 0] = await make(
      'dcim/front-ports',
      rears.map((rear, index) => ({
        device: ids[panel],
        name: `P${index + 1}`,
        type: '8p8c',
        rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 1 }],
      })),
    )
    ids[`${panel}-front`] = front
  }
  await makeOne('psu', 'dcim/power-ports', { device: ids.sw1, name: 'PSU1', maximum_draw: 150 })
  await makeOne('inlet', 'dcim/power-ports', { device: ids.pdu, name: 'Inlet' })
  const outlet = { device: ids.pdu, name: 'Outlet 1', power_port: ids.inlet }
  await makeOne('outlet', 'dcim/power-outlets', outlet)
  await makeOne('source', 'dcim/power-panels', { site: ids.site, name: 'Main board' })
  await makeOne('feed', 'dcim/power-feeds', {
    power_panel: ids.source,
    name: 'Feed 7',
    voltage: 230,
  })
  await connect('dcim.powerport', ids.psu, 'dcim.poweroutlet', ids.outlet)
  await connect('dcim.powerport', ids.inlet, 'dcim.powerfeed', ids.feed)
})
afterAll(() => api.close())

const ends = (type: string, id: number | undefined) => [{ object_type: type, object_id: id }]
const connect = (a: string, aId: number | undefined, b: string, bId: number | undefined) =>
  make('dcim/cables', { a_terminations: ends(a, aId), b_terminations: ends(b, bId) })

const open = async (path: string): Promise<PageForm & { readonly text: string }> => {
  const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  expect(status, text).toBe(200)
  return { ...readForm(text), text }
}

const addPage = (type: string, id: string, more = ''): Promise<PageForm & { text: string }> =>
  open(`/dcim/cables/add/?a_terminations_type=${type}&a_terminations=${ids[id]}${more}`)

/** Names of the ports that the search offers. */
const offered = (text: string): readonly string[] =>
  [...text.matchAll(/aria-label="Choose ([^"]*)"/g)].map(([, name = '']) => name)

describe('the form of a cable', () => {
  it.each([
    ['sw2 0/12', 'GigabitEthernet0/12 · sw2'],
    ['0/12 SW2', 'GigabitEthernet0/12 · sw2'],
    ['sw2:gi0/12', 'GigabitEthernet0/12 · sw2'],
    ['panel-b p3', 'P3 · panel-b'],
  ])('finds the far port by %s', async (words, expected) => {
    const { text } = await addPage('dcim.interface', 'sw1-first', `&find=${encodeURIComponent(words)}`)
    expect(offered(text)[0]).toBe(expected)
  })

  it('offers only free ports of compatible types', async () => {
    const { text } = await addPage('dcim.powerport', 'psu', '&find=pdu')
    expect(offered(text)).toEqual([])
    const { text: interfaces } = await addPage('dcim.interface', 'sw1-first', '&find=sw1+lo0')
    expect(offered(interfaces)).toEqual([])
  })

  it.each([
    ['dcim.powerport', 'psu', ['dcim.powerfeed', 'dcim.poweroutlet']],
    [
      'dcim.interface',
      'sw1-first',
      ['circuits.circuittermination', 'dcim.frontport', 'dcim.interface', 'dcim.rearport'],
    ],
  ])('offers for a %s the compatible types', async (type, id, expected) => {
    const { options } = await addPage(type, id)
    const types = [...(options.get('b_terminations_type')?.keys() ?? [])].filter(Boolean)
    expect(types.toSorted()).toEqual(expected)
  })

  it('leads from the search to the form with both ends', async () => {
    const { text } = await addPage('dcim.interface', 'sw1-first', '&find=sw2+0/12')
    const [, href = ''] = /class="button small" href="([^"]*)"/.exec(text) ?? []
    const { values } = await open(href.replaceAll('&amp;', '&'))
    expect(values.get('b_terminations')).toEqual([String(Number(ids['sw2-first']) + 11)])
    expect(values.get('a_terminations')).toEqual([String(ids['sw1-first'])])
  })
})

/** Names of the fields of the page's forms before and within the parts that are folded. */
function namesOf(text: string): { readonly first: readonly string[]; readonly folded: readonly string[] } {
  const parts = [...text.matchAll(/<details class="more">.*?<\/details>/gs)].map(([part]) => part)
  const within = (part: string) => [...part.matchAll(/ data-field="([^"]*)"/g)].map(([, name = '']) => name)
  const folded = parts.flatMap(within)
  return { first: within(text).filter((name) => !folded.includes(name)), folded }
}

const FOLDED = words('profile tenant bundle label color length length_unit tags changelog_message')
const ORDER = words('a_first b_first count order')

describe('a form that connects', () => {
  const SIDES = ['a', 'b'].flatMap((side) => ['type', 'device'].map((part) => `${side}_${part}`))
  const LISTS = ['a', 'b'].flatMap((side) =>
    words(`${side}_terminations_type ${side}_terminations_device ${side}_terminations`),
  )
  it.each([
    { form: 'one cable', path: () => '/dcim/cables/add/', first: LISTS },
    { form: 'two devices', path: () => CONNECT, first: SIDES },
    { form: 'the ports of two devices', path: () => sides(), first: SIDES },
  ])('first asks only for the ends, the status and the type: $form', async ({ path, first: expected }) => {
    const { text } = await open(path())
    const { first, folded } = namesOf(text)
    const isComplete = text.includes('name="status"')
    expect(first.toSorted()).toEqual([...expected, ...(isComplete ? ['status', 'type'] : [])].toSorted())
    expect(folded).toEqual(expect.arrayContaining(isComplete ? [...FOLDED] : [...ORDER]))
  })

  it('shows what has a value', async () => {
    const { text } = await open('/dcim/cables/add/?label=PP-1&color=ff0000')
    expect(namesOf(text).first).toEqual(expect.arrayContaining(['label', 'color']))
    expect(namesOf((await open(`${sides()}&count=2`)).text).first).toEqual(expect.arrayContaining(['count', 'order']))
  })

  it('has the device of the port from which it is opened', async () => {
    const { text } = await open(`/dcim/interfaces/${Number(ids['sw1-first']) + 5}/`)
    const [, href = ''] = /href="([^"]*)">Connect</.exec(text) ?? []
    const { values } = await open(href.replaceAll('&amp;', '&'))
    expect(values.get('a_terminations_device')).toEqual([String(ids.sw1)])
  })
})

const CONNECT = '/dcim/cables/connect/'
const sides = () =>
  `${CONNECT}?a_device=${ids['panel-a']}&a_type=dcim.frontport&b_device=${ids['panel-b']}&b_type=dcim.frontport`

const send = (path: string, body: URLSearchParams): Promise<ApiAnswer> =>
  api.ask('POST', path, {
    body: body.toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('connecting several ports', () => {
  const front = (panel: string, index: number): number => Number(ids[`${panel}-front`]) + index
  const body = (pairs: readonly (readonly [number, string])[], more: Record<string, string> = {}) =>
    new URLSearchParams([
      ...pairs.flatMap(([index, far]): [string, string][] => [
        ['pair', String(front('panel-a', index))],
        [`far-${front('panel-a', index)}`, far],
      ]),
      ...Object.entries({ status: 'connected', ...more }),
    ])

  it('proposes pairs in order', async () => {
    const { text } = await open(`${sides()}&count=2`)
    const pairs = [...text.matchAll(/name="far-(\d+)" value="([^"]*)"/g)].map(([, id, far]) => [id, far])
    expect(pairs).toEqual([
      [String(front('panel-a', 0)), 'P1'],
      [String(front('panel-a', 1)), 'P2'],
    ])
  })

  it.each([
    ['8p8c', '8p8c', true],
    ['lc', 'lc-upc', true],
    ['lc-apc', 'lc-upc', false],
    ['lc', 'sc', false],
    ['8p8c', 'lc', false],
    ['1000base-t', '8p8c', true],
    ['1000base-t', '10gbase-t', true],
    ['1000base-t', 'lc', false],
    ['1000base-t', '10gbase-x-sfpp', false],
    ['10gbase-lr', 'lc', true],
    ['10gbase-x-sfpp', '25gbase-sr', true],
    ['10gbase-cu', '10gbase-x-sfpp', true],
    ['other', '1000base-t', true],
  ])('checks the pair of %s and %s: %s', async (a, b, isChecked) => {
    const side = async (name: string, type: string) => {
      const device = await createdId(api, 'dcim/devices', {
        name,
        site: ids.site,
        device_type: ids.type,
        role: ids.role,
      })
      const kind = /base/.test(type) ? 'interface' : 'rear-port'
      await make(`dcim/${kind}s`, [{ device, name: 'First', type }])
      return { device, type: `dcim.${kind.replace('-', '')}` }
    }
    const [near, far] = [await side(`near ${a} ${b}`, a), await side(`far ${a} ${b}`, b)]
    const query = `a_device=${near.device}&a_type=${near.type}&b_device=${far.device}&b_type=${far.type}`
    const { text } = await open(`${CONNECT}?${query}`)
    expect(/name="pair" value="\d+"( checked)?/.exec(text)?.[1] !== undefined).toBe(isChecked)
    expect(text.includes('These types differ: ')).toBe(!isChecked)
  })

  it.each<[string, readonly (readonly [number, string])[], Record<string, string>, string]>([
    ['a port that is not there', [[0, 'P9']], {}, 'There is no free port of this name.'],
    [
      'the same port twice',
      [
        [0, 'P1'],
        [1, 'P1'],
      ],
      {},
      'Another row already uses this port.',
    ],
    ['no pair', [], {}, 'No pair is checked.'],
    ['another number of labels', [[0, 'P1']], { label: 'C[1-3]' }, 'as many labels as there are pairs'],
    ['a length without a unit', [[0, 'P1']], { length: '5' }, 'A length needs a unit.'],
  ])('refuses %s and creates nothing', async (_what, pairs, more, sentence) => {
    const before = (await api.ask('GET', '/api/dcim/cables/')).json.count
    const { status, text } = await send(sides(), body(pairs, more))
    expect(status).toBe(400)
    expect(text).toContain(sentence)
    expect((await api.ask('GET', '/api/dcim/cables/')).json.count).toBe(before)
  })

  it('creates a cable for each checked pair, with labels from a pattern', async () => {
    const pairs = [
      [0, 'P1'],
      [1, 'P2'],
    ] as const
    const { status, headers } = await send(sides(), body(pairs, { label: 'PP-[01-02]', type: 'cat6' }))
    expect(status).toBe(303)
    expect(headers.get('location')).toContain(`device_id=${ids['panel-a']}`)
    const { json } = await api.ask('GET', `/api/dcim/cables/?device_id=${ids['panel-a']}`)
    const made = [...(json.results ?? [])].map((cable) => [
      cable.label,
      cable.a_terminations?.[0]?.object_id,
      cable.b_terminations?.[0]?.object_id,
    ])
    expect(made).toEqual([
      ['PP-01', front('panel-a', 0), front('panel-b', 0)],
      ['PP-02', front('panel-a', 1), front('panel-b', 1)],
    ])
  })

  it('reports incompatible types', async () => {
    const query = sides().replace('b_type=dcim.frontport', 'b_type=dcim.powerport')
    expect((await open(query)).text).toContain('A cable cannot connect these: Front port, Power port.')
  })
})

describe('pages about connections', () => {
  beforeAll(async () => {
    await connect('dcim.interface', ids['sw1-first'], 'dcim.rearport', ids['panel-a-rear'])
    await connect('dcim.interface', ids['sw2-first'], 'dcim.rearport', ids['panel-b-rear'])
    await connect('dcim.interface', Number(ids['sw1-first']) + 1, 'dcim.interface', Number(ids['secret-first']))
    await make('ipam/ip-addresses', {
      address: '192.0.2.1/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: ids['sw1-first'],
    })
  })
  const textOf = async (path: string): Promise<string> =>
    (await open(path)).text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

  it('a trace is a drawing with links, a state and a table', async () => {
    const { text } = await open(`/dcim/interfaces/${ids['sw1-first']}/trace/`)
    expect(text.match(/<svg/g)?.length).toBeGreaterThan(0)
    expect(text).toContain(`/dcim/devices/${ids['panel-b']}/`)
    expect(await textOf(`/dcim/interfaces/${ids['sw1-first']}/trace/`)).toMatch(/State Connected end to end Links 3/)
  })

  it('a device has its interfaces with addresses and far ends', async () => {
    const text = await textOf(`/dcim/devices/${ids.sw1}/interfaces/`)
    expect(text).toMatch(/GigabitEthernet0\/1 [^/]*192\.0\.2\.1\/24[^/]*sw2 › GigabitEthernet0\/1/)
    expect(text).toContain('Connect')
  })

  it('a panel shows what is behind its ports and how many are free', async () => {
    const text = await textOf(`/dcim/devices/${ids['panel-a']}/panel/`)
    expect(text).toMatch(/Front 2 of 4 ports free/)
    expect(text).toMatch(/Rear 3 of 4 ports free/)
    expect(text).toMatch(/P1 panel-b › P1 PP-01 ↳ R1 sw1 › GigabitEthernet0\/1/)
  })

  it('power can be followed from the port through outlets and feeds to the panel', async () => {
    const text = await textOf(`/dcim/devices/${ids.sw1}/power/`)
    expect(text).toMatch(/PSU1 – \/ 150 W pdu › Outlet 1 pdu › Inlet Feed 7 230 V .*Main board/)
  })

  it('do not show objects that a user may not view', async () => {
    const password = 'Corr3ct-Horse-Battery'
    const [user] = await make('users/users', { username: 'viewer', password })
    for (const [type, constraints] of [
      ['dcim.device', { name__in: ['sw1', 'sw2', 'panel-a'] }],
      ['dcim.interface', { device__name__in: ['sw1', 'sw2'] }],
      ['dcim.frontport', { device__name: 'panel-a' }],
      ['dcim.cable', null],
      ['dcim.powerport', { device__name: 'sw1' }],
    ] as const) {
      const actions = type === 'dcim.cable' ? ['view', 'add'] : ['view']
      await make('users/permissions', {
        ...{ name: type, object_types: [type], actions, constraints, users: [user] },
      })
    }
    const browser = new Browser(api.url)
    await browser.logIn('viewer', password)
    for (const path of [
      `/dcim/interfaces/${Number(ids['sw1-first']) + 1}/trace/`,
      `/dcim/interfaces/${ids['sw1-first']}/trace/`,
      `/dcim/devices/${ids.sw1}/interfaces/`,
      `/dcim/devices/${ids['panel-a']}/panel/`,
      `/dcim/devices/${ids.sw1}/power/`,
      `/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations=${ids['sw1-first']}&find=0/1`,
      `${CONNECT}?a_device=${ids.sw1}&a_type=dcim.interface&b_device=${ids.secret}&b_type=dcim.interface`,
    ]) {
      const { status, text } = await browser.visit(path)
      expect(status, path).toBe(200)
      expect(text, path).not.toMatch(/secret|panel-b|Main board|Outlet 1|192\.0\.2\.1/)
    }
  })
})
