import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { createdId, createdIds } from '../support/requests.ts'

let api: Api
const ids: Record<string, number> = {}

const make = (path: string, body: unknown) => createdIds(api, path, body)

async function makeOne(key: string, path: string, body: unknown): Promise<void> {
  ids[key] = await createdId(api, path, body)
}

const NAMES = ['spine', 'leaf1', 'leaf2', 'server', 'secret'] as const

beforeAll(async () => {
  api = await startApi()
  await makeOne('site', 'dcim/sites', { name: 'Akron', slug: 'akron' })
  await makeOne('other', 'dcim/sites', { name: 'Boston', slug: 'boston' })
  await makeOne('maker', 'dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  await makeOne('type', 'dcim/device-types', { manufacturer: ids.maker, model: 'Box', slug: 'box' })
  await makeOne('role', 'dcim/device-roles', { name: 'Core', slug: 'core', color: '00ff00' })
  await makeOne('rack', 'dcim/racks', { name: 'R1', site: ids.site })
  for (const name of NAMES) {
    const place = name === 'server' ? { rack: ids.rack } : {}
    const body = { name, site: ids.site, device_type: ids.type, role: ids.role, ...place }
    await makeOne(name, 'dcim/devices', body)
    const ports = Array.from({ length: 4 }, (_, index) => ({
      ...{ device: ids[name], name: `eth${index}`, type: '1000base-t' },
    }))
    await makeOne(`${name}-port`, 'dcim/interfaces', ports)
  }
  await makeOne('elsewhere', 'dcim/devices', {
    ...{ name: 'elsewhere', site: ids.other, device_type: ids.type, role: ids.role },
  })
  await cable('spine', 0, 'leaf1', 0)
  await cable('spine', 1, 'leaf1', 1)
  await cable('spine', 2, 'leaf2', 0)
  await cable('leaf2', 1, 'server', 0)
  await cable('leaf2', 2, 'secret', 0)
  await makeOne('provider', 'circuits/providers', { name: 'Carrier', slug: 'carrier' })
  await makeOne('circuitType', 'circuits/circuit-types', { name: 'Fibre', slug: 'fibre' })
  const circuit = { cid: 'C-77', provider: ids.provider, type: ids.circuitType }
  await makeOne('circuit', 'circuits/circuits', circuit)
  const end = { circuit: ids.circuit, term_side: 'A', termination_type: 'dcim.site' }
  await makeOne('end', 'circuits/circuit-terminations', { ...end, termination_id: ids.site })
  await make('dcim/cables', {
    a_terminations: [{ object_type: 'dcim.interface', object_id: Number(ids['spine-port']) + 3 }],
    b_terminations: [{ object_type: 'circuits.circuittermination', object_id: ids.end }],
  })
})
afterAll(() => api.close())

const cable = (a: string, aPort: number, b: string, bPort: number) =>
  make('dcim/cables', {
    a_terminations: [{ object_type: 'dcim.interface', object_id: Number(ids[`${a}-port`]) + aPort }],
    b_terminations: [{ object_type: 'dcim.interface', object_id: Number(ids[`${b}-port`]) + bPort }],
  })

const textOf = async (query: string): Promise<string> => {
  const path = `/dcim/topology/?${query}`
  const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  expect(status, text).toBe(200)
  return text
}

/** Names of the boxes of a map. */
const boxes = (text: string): readonly string[] =>
  [...text.matchAll(/<text class="name"[^>]*>([^<]*)</g)].map(([, name = '']) => name).toSorted()

/** The links of a map: both names, and the number of links. */
const links = (text: string): readonly string[] =>
  [...text.matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td>(?:<td><ul.*?<\/ul><\/td>)?<\/tr>/g)]
    .map((cells) =>
      cells
        .slice(1)
        .map((cell) => cell.replace(/<[^>]*>/g, ''))
        .join(' '),
    )
    .toSorted()

describe('the topology of devices', () => {
  it('shows the devices that the filters select, circuits, and the links between them', async () => {
    const text = await textOf(`site_id=${ids.site}`)
    expect(boxes(text)).toEqual(['C-77', ...NAMES].toSorted())
    expect(links(text)).toEqual(
      [
        'spine leaf1 2 cables',
        'spine leaf2 1 cable',
        'leaf2 server 1 cable',
        'leaf2 secret 1 cable',
        'C-77 spine 1 circuit',
      ].toSorted(),
    )
  })

  it('names the ports at both ends of each link, in the map and in the table', async () => {
    const text = await textOf(`site_id=${ids.site}`)
    const pairs = [...text.matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><td>[^<]*<\/td><td><ul[^>]*>(.*?)<\/ul>/g)].map(
      ([, a = '', b = '', ports = '']) =>
        `${a.replace(/<[^>]*>/g, '')} ${b.replace(/<[^>]*>/g, '')}: ${ports.replaceAll('</li><li>', ', ').replace(/<[^>]*>/g, '')}`,
    )
    expect(pairs.toSorted()).toEqual([
      'C-77 spine: A – eth3',
      'leaf2 secret: eth2 – eth0',
      'leaf2 server: eth1 – eth0',
      'spine leaf1: eth0 – eth0, eth1 – eth1',
      'spine leaf2: eth2 – eth0',
    ])
    const [, index] =
      /data-link="(\d+)" data-a="[^"]*" data-b="[^"]*"><title>2 cables\neth0 – eth0\neth1 – eth1</.exec(text) ?? []
    const ends = [...text.matchAll(new RegExp(`<text class="end" data-link="${index}" data-side="(.)">([^<]*)`, 'g'))]
    expect(ends.map(([, side, name]) => [side, name])).toEqual([
      ['a', 'eth0 +1'],
      ['b', 'eth0 +1'],
    ])
    expect(text).toContain(' data-named')
    expect(await textOf('group=rack')).not.toContain('class="end"')
  })

  it.each([
    ['only the kinds of links that are asked for', 'show=circuits', ['C-77 spine 1 circuit']],
    ['no links to devices that are not selected', 'name=leaf2&name=server', ['leaf2 server 1 cable']],
    ['places as boxes', 'group=rack', ['R1 Akron No rack 1 cable', 'Carrier No rack 1 circuit']],
  ])('has %s', async (_what, query, expected) => {
    expect(links(await textOf(query)).toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    ['of nothing in particular', 'name=spine', 'Topology'],
    ['of a site', 'site=akron', 'Topology of Akron'],
    ['of a rack', 'rack_id=1', 'Topology of R1'],
    ['of several sites', 'site=akron&site=boston', 'Topology'],
  ])('has a title: %s', async (_what, query, title) => {
    expect(await textOf(query)).toContain(`<h1>${title} <small`)
  })

  it('has the filters of lists of devices, and says which parameters it does not know', async () => {
    const text = await textOf('site=akron&colour=red')
    expect(text).toMatch(/<form id="list-filters"[^>]*action="\/dcim\/topology\/"/)
    expect(text).toMatch(/Site: <bdi>Akron<\/bdi>/)
    expect(text).toMatch(/no filter “<bdi>colour<\/bdi>”/)
    expect(await textOf('end_to_end=true&show=power&group=rack')).not.toContain('no filter')
  })

  it('leads from the box of a place to the map of its devices', async () => {
    const text = await textOf(`site_id=${ids.site}&group=rack`)
    expect(text).toContain(`/dcim/topology/?site_id=${ids.site}&amp;rack_id=${ids.rack}`)
    expect(text).toContain(`/dcim/topology/?site_id=${ids.site}&amp;rack_id=null`)
    // Racks of several sites have the same name.
    expect(text).toContain('<title>R1 · Akron · 1 device</title>')
    expect(text).toMatch(/<text class="about"[^>]*>Akron · 1 device</)
    expect(boxes(await textOf(`rack_id=${ids.rack}`))).toEqual(['server'])
  })

  it('reports that no device matches, and refuses invalid filters', async () => {
    expect(await textOf('name=nothing')).toContain('Nothing matches these filters.')
    const { status } = await api.ask('GET', '/dcim/topology/?site_id=x', {
      headers: { accept: 'text/html' },
    })
    expect(status).toBe(400)
  })

  it('shows nodes where the user has moved them', async () => {
    const query = `site_id=${ids.site}`
    const [, key = ''] = /data-positions="([^"]*)"/.exec(await textOf(query)) ?? []
    const body = {
      topology: {
        positions: { [key.replaceAll('&amp;', '&')]: { [`device:${ids.spine}`]: [12, 34] } },
      },
    }
    await api.ask('PATCH', '/api/users/config/', { body })
    expect(await textOf(query)).toContain('transform="translate(12 34)"')
    expect(await textOf(`${query}&group=rack`)).not.toContain('translate(12 34)')
  })

  it('has frames round the devices of each place, and devices without links apart', async () => {
    const text = await textOf('')
    expect([...text.matchAll(/<g class="frame"[^>]*>.*?<text[^>]*>([^<]*)</g)].map(([, name]) => name)).toEqual([
      'Akron',
    ])
    expect(text).toContain('>Without links</text>')
    expect(text).toMatch(new RegExp(`data-key="device:${ids.spine}" data-frame="site:${ids.site}"`))
    expect(text).toMatch(new RegExp(`data-key="device:${ids.elsewhere}" transform`))
    expect(boxes(await textOf('linked_only=true'))).toEqual(['C-77', ...NAMES].toSorted())
    expect(await textOf('linked_only=true&name=elsewhere')).toContain('None of these devices has a link.')
  })

  it.each([
    ['svg', 'image/svg+xml', /^<\?xml .*\n<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>\n$/s],
    ['drawio', 'application/vnd.jgraph.mxfile', /^<\?xml .*\n<mxfile .*<\/mxfile>\n$/s],
  ])('is exported as it is shown: %s', async (format, type, content) => {
    const query = `name=leaf2&name=server&name=elsewhere&linked_only=true`
    expect(await textOf(query)).toContain(`&amp;export=${format}" download`)
    const { status, text, headers } = await api.ask('GET', `/dcim/topology/?${query}&export=${format}`, {
      headers: { accept: 'text/html' },
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain(type)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="topology.${format}"`)
    expect(text).toMatch(content)
    expect(text).toMatch(/leaf2/)
    expect(text).toMatch(/server/)
    expect(text).toMatch(/eth1/)
    expect(text).not.toMatch(/elsewhere|spine/)
  })

  it.each([
    ['an unknown format', 'export=png', 'The map can be exported as svg or drawio.'],
    ['an empty map', 'export=svg&name=nothing', 'The map is empty. Choose other filters.'],
  ])('refuses the export of %s', async (_what, query, message) => {
    const { status, text } = await api.ask('GET', `/dcim/topology/?${query}`, { headers: { accept: 'text/html' } })
    expect(status).toBe(400)
    expect(text).toContain(message)
  })

  it('can be reached from places and from the list of devices', async () => {
    for (const [path, href] of [
      [`/dcim/sites/${ids.site}/`, `/dcim/topology/?site_id=${ids.site}`],
      ['/dcim/devices/?name=spine', '/dcim/topology/?name=spine'],
    ] as const) {
      const { text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
      expect(text, path).toContain(`href="${href}"`)
    }
  })

  it('does not show devices, cables and circuits that a user may not view', async () => {
    const password = 'Corr3ct-Horse-Battery'
    const [user] = await make('users/users', { username: 'viewer', password })
    const [, , hiddenCable] = (await api.ask('GET', '/api/dcim/cables/')).json.results ?? []
    for (const [type, constraints] of [
      ['dcim.device', { name__in: ['spine', 'leaf1', 'leaf2', 'server'] }],
      ['dcim.cable', { id__in: [1, 2, 4, 5, 6].filter((id) => id !== Number(hiddenCable?.id)) }],
    ] as const) {
      const body = {
        name: type,
        object_types: [type],
        actions: ['view'],
        constraints,
        users: [user],
      }
      await make('users/permissions', body)
    }
    const browser = new Browser(api.url)
    await browser.logIn('viewer', password)
    const { status, text } = await browser.visit('/dcim/topology/')
    expect(status).toBe(200)
    // Not in the markup, where a random token may contain these characters.
    expect(text.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/secret|C-77|R1/)
    expect(boxes(text)).toEqual(['leaf1', 'leaf2', 'server', 'spine'])
    expect(links(text)).toEqual(['leaf2 server 1 cable', 'spine leaf1 2 cables'].toSorted())
    expect(links((await browser.visit('/dcim/topology/?group=rack')).text)).toEqual([])
    for (const format of ['svg', 'drawio']) {
      const file = await browser.visit(`/dcim/topology/?export=${format}`)
      expect(file.text).toContain('leaf1')
      // Neither hidden objects nor the site, which the user may not view.
      expect(file.text).not.toMatch(/secret|C-77|Akron/)
    }
  })
})

describe('the topology end to end', () => {
  const far: Record<string, number> = {}
  beforeAll(async () => {
    const device = async (name: string): Promise<number> => {
      const [id = 0] = await make('dcim/devices', { name, site: ids.other, device_type: ids.type, role: ids.role })
      const [port = 0] = await make('dcim/interfaces', { device: id, name: 'eth0', type: '1000base-t' })
      far[`${name}-port`] = port
      return id
    }
    for (const name of ['east', 'west', 'north', 'south', 'lonely']) far[name] = await device(name)
    for (const name of ['panel-1', 'panel-2', 'panel-3']) {
      const panel = await createdId(api, 'dcim/devices', {
        ...{ name, site: ids.other, device_type: ids.type, role: ids.role },
      })
      const rear = await createdId(api, 'dcim/rear-ports', { device: panel, name: 'R', type: '8p8c' })
      far[`${name}-rear`] = rear
      const rear_ports = [{ position: 1, rear_port: rear, rear_port_position: 1 }]
      far[`${name}-front`] = await createdId(api, 'dcim/front-ports', {
        device: panel,
        name: 'F',
        type: '8p8c',
        rear_ports,
      })
    }
    const wire = async (a: readonly [string, string], b: readonly [string, string]): Promise<number> => {
      const end = ([type, key]: readonly [string, string]) => [{ object_type: type, object_id: far[key] }]
      return await createdId(api, 'dcim/cables', { a_terminations: end(a), b_terminations: end(b) })
    }
    const [port, front, rear] = ['dcim.interface', 'dcim.frontport', 'dcim.rearport'] as const
    await wire([port, 'east-port'], [front, 'panel-1-front'])
    far.trunk = await wire([rear, 'panel-1-rear'], [rear, 'panel-2-rear'])
    await wire([front, 'panel-2-front'], [port, 'west-port'])
    await wire([port, 'lonely-port'], [front, 'panel-3-front'])
    const circuit = await createdId(api, 'circuits/circuits', {
      ...{ cid: 'C-88', provider: ids.provider, type: ids.circuitType },
    })
    for (const side of ['A', 'Z']) {
      const end = { circuit, term_side: side, termination_type: 'dcim.site', termination_id: ids.other }
      far[`side-${side}`] = await createdId(api, 'circuits/circuit-terminations', end)
    }
    await wire([port, 'north-port'], ['circuits.circuittermination', 'side-A'])
    await wire(['circuits.circuittermination', 'side-Z'], [port, 'south-port'])
  })
  const query = () => `site_id=${ids.other}`
  /** As `links`, with the ends of each in the order of their names. */
  const joined = (text: string): readonly string[] =>
    links(text)
      .map((link) => {
        const [a = '', b = '', ...label] = link.split(' ')
        return [...[a, b].toSorted(), ...label].join(' ')
      })
      .toSorted()

  it('is shown only on request', async () => {
    const text = await textOf(query())
    expect(joined(text)).toEqual(
      [
        ...['east panel-1 1 cable', 'panel-1 panel-2 1 cable', 'panel-2 west 1 cable', 'lonely panel-3 1 cable'],
        ...['C-88 north 1 circuit', 'C-88 south 1 circuit'],
      ].toSorted(),
    )
    expect(text).toContain('name="end_to_end" value="true">')
  })

  it('joins links through panels and circuits, except those that reach no other device', async () => {
    const text = await textOf(`${query()}&end_to_end=true`)
    expect(joined(text)).toEqual(
      ['east west 1 connection', 'north south 1 connection', 'lonely panel-3 1 connection'].toSorted(),
    )
    expect(boxes(text)).toEqual(['east', 'elsewhere', 'lonely', 'north', 'panel-3', 'south', 'west'])
    expect(text).toContain('name="end_to_end" value="true" checked>')
  })

  it('shows the cables between devices, and the circuits that end elsewhere', async () => {
    expect(joined(await textOf(`site_id=${ids.site}&end_to_end=true`))).toEqual(
      [
        ...['leaf1 spine 2 connections', 'leaf2 spine 1 connection', 'leaf2 server 1 connection'],
        ...['leaf2 secret 1 connection', 'C-77 spine 1 circuit'],
      ].toSorted(),
    )
  })

  it('keeps the panels of paths whose far end is not selected', async () => {
    const text = await textOf('name=east&name=panel-1&end_to_end=true')
    expect(joined(text)).toEqual(['east panel-1 1 connection'])
  })

  it('joins nothing through a cable that a user may not view', async () => {
    const [user] = await make('users/users', { username: 'guest', password: 'Corr3ct-Horse-Battery' })
    const { json } = await api.ask('GET', '/api/dcim/cables/?limit=0')
    const seen = (json.results ?? []).map(({ id }) => Number(id)).filter((id) => id !== far.trunk)
    for (const [type, constraints] of [
      ['dcim.device', null],
      ['dcim.cable', { id__in: seen }],
    ] as const) {
      await make('users/permissions', {
        name: `guest ${type}`,
        object_types: [type],
        actions: ['view'],
        constraints,
        users: [user],
      })
    }
    const browser = new Browser(api.url)
    await browser.logIn('guest', 'Corr3ct-Horse-Battery')
    const names = ['east', 'west', 'panel-1', 'panel-2', 'panel-3', 'lonely'].map((name) => `name=${name}`).join('&')
    const { text } = await browser.visit(`/dcim/topology/?end_to_end=true&${names}`)
    expect(joined(text)).toEqual(
      ['east panel-1 1 connection', 'panel-2 west 1 connection', 'lonely panel-3 1 connection'].toSorted(),
    )
  })
})
