import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { markupFaults } from './markup-faults.ts'

const HOSTILE = `"><intruder onclick='1'>&lt;</svg></a>\u{202e}مرحبا 🧪`
const PASSWORD = 'Corr3ct-Horse-Battery'

/** Sites by name, with their coordinates and fields. */
const SITES: Readonly<Record<string, object>> = {
  Berlin: { latitude: 52.52, longitude: 13.4, status: 'planned' },
  Potsdam: { latitude: 52.4, longitude: 13.06 },
  Teltow: { latitude: 52.4, longitude: 13.27, status: 'retired' },
  Lisbon: { latitude: 38.72, longitude: -9.14 },
  Sydney: { latitude: -33.87, longitude: 151.21 },
  Suva: { latitude: -18.14, longitude: 178.44 },
  Apia: { latitude: -13.83, longitude: -171.77 },
  'North Pole': { latitude: 90, longitude: 0 },
  'South Pole': { latitude: -90, longitude: 0 },
  [HOSTILE]: { latitude: 10, longitude: 10 },
  Nowhere: {},
  'On a meridian': { longitude: 20 },
}

describe('the map of sites', () => {
  let api: Api
  const ids = new Map<string, number>()
  const made = (path: string, body: object) => createdId(api, path, body)

  beforeAll(async () => {
    api = await startApi()
    const region = await made('dcim/regions', { name: 'Hinterland', slug: 'hinterland' })
    for (const [index, [name, fields]] of Object.entries(SITES).entries()) {
      const inRegion = name === 'Lisbon' ? { region } : {}
      ids.set(name, await made('dcim/sites', { name, slug: `s${index}`, ...inRegion, ...fields }))
    }
    const manufacturer = await made('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const device_type = await made('dcim/device-types', { manufacturer, model: 'Box', slug: 'box' })
    const role = await made('dcim/device-roles', { name: 'Server', slug: 'server' })
    const devices = Array.from({ length: 10 }, (_, index) => ({
      ...{ device_type, role, site: ids.get('Lisbon'), name: `box-${index}` },
    }))
    await made('dcim/devices', devices)
  })
  afterAll(() => api.close())

  const read = (query = '', token?: string) => readPage(api, `/dcim/sites/map/${query}`, token)
  const named = (...names: readonly string[]) => `?${names.map((name) => `id=${ids.get(name)}`).join('&')}`

  /** The dots of a wide map, or of its only arrangement, in their order; positions are in percent. */
  const dotsIn = (text: string, arrangement = 'wide') =>
    [
      ...(new RegExp(`<g(?: class="${arrangement}")?>.*?</g>`, 's').exec(text)?.[0] ?? '').matchAll(
        /<a class="([^"]*)" href="([^"]*)" aria-label="([^"]*)"(?: data-sites="[^"]*")?><title>[^<]*<\/title><circle class="hit"[^>]*><circle class="dot" cx="([\d.]+)%" cy="([\d.]+)%" r="([\d.]+)"\/>.*?<text class="name ([a-z ]+)"/g,
      ),
    ].map(([, hue = '', href = '', title = '', x, y, radius, label]) => {
      const position = { x: Number(x), y: Number(y), radius: Number(radius) }
      return { hue: hue.replace('badge ', ''), href: href.replaceAll('&amp;', '&'), title, ...position, label }
    })
  const titles = (text: string, arrangement?: string) =>
    dotsIn(text, arrangement).map(({ title }) => title.split(' · ')[0])

  async function token(...grants: readonly (readonly [model: string, constraints?: object])[]): Promise<string> {
    const username = `guest${grants.length}-${Math.random()}`
    const user = await made('users/users', { username, password: PASSWORD })
    for (const [index, [model, constraints]] of grants.entries()) {
      const body = { name: `${username} ${index}`, users: [user], object_types: [model], actions: ['view'] }
      await made('users/permissions', { ...body, ...(constraints && { constraints }) })
    }
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    return String(json.token ?? json.key)
  }

  it.each([
    ['one site', ['Berlin'], ['Berlin']],
    ['sites far apart, in the order of their names', ['Sydney', 'Lisbon', 'Berlin'], ['Berlin', 'Lisbon', 'Sydney']],
    ['sites in one city', ['Teltow', 'Potsdam'], ['Potsdam', 'Teltow']],
    ['both poles', ['South Pole', 'North Pole'], ['North Pole', 'South Pole']],
    ['a pole', ['North Pole'], ['North Pole']],
    ['sites on both sides of the date line', ['Suva', 'Apia'], ['Apia', 'Suva']],
    ['sites close together as one dot', ['Berlin', 'Teltow', 'Sydney'], ['2 sites: Berlin, Teltow', 'Sydney']],
    ['no dot for sites without coordinates', ['Nowhere', 'On a meridian', 'Berlin'], ['Berlin']],
  ])('shows %s', async (_name, sites, expected) => {
    const text = await read(named(...sites))
    expect(titles(text)).toEqual(expected)
    expect(text).toMatch(/<path class="land" d="M/)
    for (const { x, y } of dotsIn(text)) {
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(100)
      expect(y).toBeGreaterThan(0)
      expect(y).toBeLessThan(100)
    }
  })

  it('places north at the top and east on the right, across the date line too', async () => {
    const [berlin, lisbon] = dotsIn(await read(named('Berlin', 'Lisbon')))
    expect(berlin?.y).toBeLessThan(lisbon?.y ?? 0)
    expect(berlin?.x).toBeGreaterThan(lisbon?.x ?? 100)
    const [apia, suva] = dotsIn(await read(named('Apia', 'Suva')))
    expect(apia?.x).toBeGreaterThan(suva?.x ?? 100)
  })

  it('colours dots by status, sizes them by devices and links them to their sites', async () => {
    const dots = dotsIn(await read(named('Berlin', 'Lisbon', 'Sydney')))
    expect(dots.map(({ title, hue, radius, href }) => [title, hue, radius, href])).toEqual([
      ['Berlin · Planned · 0 devices', 'cyan', 4.5, `/dcim/sites/${ids.get('Berlin')}/`],
      ['Lisbon · Active · 10 devices', 'green', 6, `/dcim/sites/${ids.get('Lisbon')}/`],
      ['Sydney · Active · 0 devices', 'green', 4.5, `/dcim/sites/${ids.get('Sydney')}/`],
    ])
    expect(dots.map(({ label }) => label)).toEqual(['right', 'right', 'right'])
  })

  it('links the dot of several sites to their list', async () => {
    const [group] = dotsIn(await read(named('Berlin', 'Teltow', 'Sydney')))
    expect(group?.href).toBe(`/dcim/sites/?id=${ids.get('Berlin')}&id=${ids.get('Teltow')}`)
    const { text } = await api.ask('GET', String(group?.href), { headers: { accept: 'text/html' } })
    expect(text).toContain('<bdi>Teltow</bdi>')
    expect(text).not.toContain('<bdi>Sydney</bdi>')
  })

  it('names the sites of a group, says their number once, and has a dot of each for when it is enlarged', async () => {
    const text = await read(named('Berlin', 'Teltow', 'Sydney'))
    const group = /<a class="group".*?<\/a>/s.exec(text)?.[0] ?? ''
    expect(group).toContain(`data-sites="${ids.get('Berlin')} ${ids.get('Teltow')}"`)
    expect([...group.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words]) => words)).toEqual(['2', 'Berlin, Teltow'])
    const members = /<g class="members">.*?<\/g>/s.exec(text)?.[0] ?? ''
    expect([...members.matchAll(/aria-label="([^ "]*)/g)].map(([, name]) => name)).toEqual([
      'Berlin',
      'Sydney',
      'Teltow',
    ])
  })

  it('shows only the part of the world with the sites', async () => {
    const xs = dotsIn(await read(named('Berlin', 'Lisbon', HOSTILE, 'South Pole'))).map(({ x }) => x)
    const ys = dotsIn(await read(named('Berlin', 'Lisbon', HOSTILE, 'South Pole'))).map(({ y }) => y)
    expect(Math.max(...xs) - Math.min(...xs) > 75 || Math.max(...ys) - Math.min(...ys) > 60).toBe(true)
  })

  it('joins more sites on a narrow map', async () => {
    const text = await read(named('Berlin', 'Lisbon', 'Sydney', 'Suva', HOSTILE, 'South Pole'))
    expect(titles(text)).toHaveLength(6)
    expect(titles(text, 'narrow').length).toBeLessThanOrEqual(6)
    const near = await read(named('Berlin', 'Lisbon', 'Potsdam', 'Teltow'))
    expect(titles(near, 'narrow')).toEqual(['3 sites: Berlin, Potsdam, Teltow', 'Lisbon'])
  })

  it('has a table of the sites on the map', async () => {
    const text = await read(named('Lisbon', 'Nowhere'))
    const rows = [...text.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) =>
      row.replaceAll('</td>', '|').replace(/<[^>]*>/g, ''),
    )
    expect(rows).toEqual(['LisbonActive|Hinterland|10|38.72, -9.14|'])
  })

  it.each([
    ['no coordinates', ['Nowhere', 'Berlin'], '1 site has no coordinates.', 'latitude__empty=true'],
    ['a longitude alone', ['On a meridian', 'Nowhere'], '2 sites have no coordinates.', 'latitude__empty=true'],
  ])('counts the sites with %s and links to their list', async (_name, sites, sentence, filter) => {
    const text = await read(named(...sites))
    const [, href = ''] = new RegExp(`<a href="([^"]*)">${sentence}</a>`).exec(text) ?? []
    expect(href).toContain(filter)
    const list = await readPage(api, href.replaceAll('&amp;', '&'))
    expect(list).toContain('<bdi>Nowhere</bdi>')
    expect(list).not.toContain('<bdi>Berlin</bdi>')
  })

  it.each([
    ['?name=none', 'Nothing matches these filters.'],
    ['?id=0', 'Nothing matches these filters.'],
  ])('says that no site matches %s', async (query, sentence) => {
    const text = await read(query)
    expect(text).toContain(sentence)
    expect(text).not.toContain('class="land"')
  })

  it('refuses a filter that cannot be used', async () => {
    const headers = { accept: 'text/html' }
    expect((await api.ask('GET', '/dcim/sites/map/?id=x', { headers })).status).toBe(400)
  })

  it('is reached from the list of sites, with its filters', async () => {
    const { text } = await api.ask('GET', '/dcim/sites/?status=planned', { headers: { accept: 'text/html' } })
    expect(text).toContain('href="/dcim/sites/map/?status=planned"')
    expect(titles(await read('?status=planned'))).toEqual(['Berlin'])
  })

  it.each([
    ['visible sites only', [['dcim.site', { name__in: ['Lisbon'] }]], ['Lisbon · Active'], false],
    [
      'only visible devices',
      [
        ['dcim.site', { name__in: ['Lisbon'] }],
        ['dcim.device', { name: 'box-1' }],
      ],
      ['Lisbon · Active · 1 device'],
      false,
    ],
    [
      'the region if it is visible',
      [['dcim.site', { name__in: ['Lisbon'] }], ['dcim.region']],
      ['Lisbon · Active'],
      true,
    ],
  ] as const)('shows users %s', async (_name, grants, expected, hasRegion) => {
    const text = await read('', await token(...grants))
    expect(dotsIn(text).map(({ title }) => title)).toEqual(expected)
    expect(text).not.toMatch(/Berlin|Sydney|no coordinates/)
    expect(text.includes('<bdi>Hinterland</bdi>')).toBe(hasRegion)
  })

  it('is refused to users who may not view sites', async () => {
    const options = { token: await token(['dcim.region']), headers: { accept: 'text/html' } }
    expect((await api.ask('GET', '/dcim/sites/map/', options)).status).toBe(403)
  })

  it('shows names as they are, whatever they contain', async () => {
    const text = await read()
    expect(markupFaults(text, 'intruder')).toEqual([])
    expect(dotsIn(text).some(({ title }) => title.includes('&lt;intruder'))).toBe(true)
  })

  it('is a widget of the start page, with the sites that its reader may view', async () => {
    const username = `reader-${Math.random()}`
    const user = await made('users/users', { username, password: PASSWORD })
    const permission = { name: username, users: [user], object_types: ['dcim.site'], actions: ['view'] }
    await made('users/permissions', { ...permission, constraints: { name: 'Lisbon' } })
    const browser = new Browser(api.url)
    await browser.logIn(username, PASSWORD)
    await browser.visit('/dashboard/widget/?kind=cadastre.SiteMapWidget', {
      form: { csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '', title: '' },
    })
    const { text } = await browser.visit('/')
    expect(text).toContain('<h2>Map of sites</h2>')
    expect(titles(text)).toEqual(['Lisbon'])
    expect(text).toContain('href="/dcim/sites/map/"')
  })

  it('joins many sites at one place to a dot whose link stays short', async () => {
    const many = Array.from({ length: 150 }, (_, index) => ({
      ...{
        name: `Hut ${index}`,
        slug: `hut-${index}`,
        latitude: 46.5,
        longitude: Number((8.1 + index / 1e4).toFixed(4)),
      },
    }))
    await made('dcim/sites', many)
    const dots = dotsIn(await read('?name__isw=Hut&name__isw=Sydney'))
    expect(dots.map(({ title }) => title.split(':')[0])).toEqual(['150 sites', 'Sydney · Active · 0 devices'])
    expect(dots[0]?.href.length).toBeLessThan(200)
    const { text } = await api.ask('GET', String(dots[0]?.href), {
      headers: { accept: 'text/html' },
    })
    expect(text).toMatch(/<h1>Sites <small class="count"[^>]*>150</)
  })
})
