import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { createdId } from '../support/requests.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('the start page', () => {
  let api: Api
  let browser: Browser
  beforeAll(async () => {
    api = await startApi()
    await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Akron', slug: 'akron' } })
    await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Boston', slug: 'boston' } })
    await space()
    await user('alice', [
      { object_types: ['dcim.site'], constraints: { name: 'Akron' } },
      { object_types: ['dcim.rack'], constraints: { site__name: 'Akron' } },
      { object_types: ['ipam.prefix'], constraints: { prefix: '10.0.0.0/29' } },
    ])
    browser = new Browser(api.url)
    await browser.logIn('alice', PASSWORD)
  })
  afterAll(() => api.close())

  async function user(username: string, permissions: readonly object[]): Promise<void> {
    const { json } = await api.ask('POST', '/api/users/users/', {
      body: { username, password: PASSWORD },
    })
    for (const permission of permissions) {
      const body = { name: username, actions: ['view'], users: [json.id], ...permission }
      await api.ask('POST', '/api/users/permissions/', { body })
    }
  }

  /** A rack with a device of two units in each site, and a prefix with an address. */
  async function space(): Promise<void> {
    const made = (path: string, body: object) => createdId(api, path, body)
    const manufacturer = await made('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const type = { manufacturer, model: 'Server', slug: 'server', u_height: 2 }
    const device_type = await made('dcim/device-types', type)
    const role = await made('dcim/device-roles', { name: 'Server', slug: 'server' })
    for (const [site, name] of [
      [1, 'Rack A'],
      [2, 'Boston rack'],
    ] as const) {
      const rack = await made('dcim/racks', { name, site, u_height: 10 })
      await made('dcim/devices', { device_type, role, site, rack, position: 3, face: 'front' })
    }
    await made('ipam/prefixes', { prefix: '10.0.0.0/29', description: 'Akron' })
    await made('ipam/prefixes', { prefix: '10.1.0.0/29', description: 'Boston' })
    await made('ipam/ip-addresses', { address: '10.0.0.1/30' })
  }

  const send = (path: string, form: Readonly<Record<string, string>>) =>
    browser.visit(path, {
      form: { csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '', ...form },
    })
  const text = async (path = '/') => (await browser.visit(path)).text
  const titles = async () =>
    [...(await text('/dashboard/')).matchAll(/id="widget-[^>]*><h2>([^<]*)</g)].map(([, title]) => title)
  const idOf = async (title: string) =>
    new RegExp(`id="widget-([^"]*)"[^>]*><h2>${title}<`).exec(await text('/dashboard/'))?.[1] ?? ''
  const add = (kind: string, form: Readonly<Record<string, string>>) => send(`/dashboard/widget/?kind=${kind}`, form)

  it('counts only objects that the user may view', async () => {
    expect(await text()).toMatch(/Sites<\/a> <span class="count">1</)
  })

  it.each([
    ['a note in Markdown', 'extras.NoteWidget', { content: '**bold** <b>' }, '<strong>bold</strong> &lt;b&gt;'],
    [
      'the objects of a list that its reader may view',
      'extras.ObjectListWidget',
      { model: 'dcim.site', page_size: '5', url_params: 'ordering=-name' },
      '<bdi>Akron</bdi>',
    ],
    [
      'a refusal if the options of a list are invalid',
      'extras.ObjectListWidget',
      { model: 'dcim.site', page_size: '5', url_params: 'id=x' },
      'notice bad',
    ],
    ['numbers of objects', 'extras.ObjectCountsWidget', { models: 'dcim.site' }, '<span class="count">1</span>'],
    [
      'the fullest racks that its reader may view',
      'cadastre.UtilizationWidget',
      { of: 'racks', max_items: '5' },
      /<bdi>Akron<\/bdi><\/small><\/th>.*2 of 10 units/,
    ],
    ['the fullest prefixes that its reader may view', 'cadastre.UtilizationWidget', { of: 'prefixes' }, '17 %'],
    [
      'a link in place of a feed',
      'extras.RSSFeedWidget',
      { feed_url: 'https://news.example/' },
      'href="https://news.example/"',
    ],
  ])('shows %s', async (_name, kind, options, expected) => {
    const { status, location } = await add(kind, { title: 'Mine', color: 'blue', ...options })
    expect(status).toBe(303)
    const id = location?.split('#widget-')[1] ?? ''
    const page = await text()
    const widget = page.slice(page.indexOf(`id="widget-${id}"`)).split('</section>')[0]
    if (typeof expected === 'string') expect(widget).toContain(expected)
    else expect(widget).toMatch(expected)
    expect(widget).not.toMatch(/Boston|10\.1\.0\.0/)
    await send('/dashboard/', { widget: id, change: 'remove' })
    expect(await text()).not.toContain(id)
  })

  it('is arranged with buttons, and stored in the format of the API', async () => {
    await send('/dashboard/', { change: 'reset' })
    await add('extras.NoteWidget', { title: 'One', content: '1' })
    await add('extras.NoteWidget', { title: 'Two', content: '2' })
    expect((await titles()).slice(-2)).toEqual(['One', 'Two'])
    await send('/dashboard/', { widget: await idOf('Two'), change: 'earlier' })
    expect((await titles()).slice(-2)).toEqual(['Two', 'One'])
    await send('/dashboard/', { widget: await idOf('Two'), change: 'wider' })
    expect(await text()).toContain(`span-5 " id="widget-${await idOf('Two')}"`)
    await send('/dashboard/', { change: 'order', order: await idOf('One') })
    expect((await titles())[0]).toBe('One')
    await send('/dashboard/', { change: 'reset' })
    expect(await titles()).not.toContain('One')
  })

  it('shows what other clients have stored', async () => {
    const body = {
      layout: [
        { id: 'b', x: 6, y: 0, w: 6, h: 2 },
        { id: 'a', x: 0, y: 0, w: 6, h: 2 },
        { id: 'unknown', x: 0, y: 2, w: 4, h: 2 },
      ],
      config: {
        a: { class: 'extras.NoteWidget', title: 'First', color: null, config: { content: 'x' } },
        b: { class: 'other.Widget', title: 'Second', config: {} },
      },
    }
    const { status } = await api.ask('PUT', '/api/extras/dashboard/', { body })
    expect(status).toBe(200)
    const reader = new Browser(api.url)
    await reader.logIn('admin', 'admin')
    const page = (await reader.visit('/')).text
    expect(page.indexOf('>First<')).toBeGreaterThan(0)
    expect(page.indexOf('>Second<')).toBeGreaterThan(page.indexOf('>First<'))
    expect(page).toContain('This kind of widget is not available.')
  })

  it.each(['/dashboard/', '/dashboard/widget/?kind=extras.NoteWidget'])(
    'can be arranged by users who are logged in: %s',
    async (path) => {
      expect((await new Browser(api.url).visit(path)).status).toBe(303)
    },
  )

  it('refuses a widget of an unknown kind', async () => {
    expect((await browser.visit('/dashboard/widget/?kind=other')).status).toBe(404)
    expect((await browser.visit('/dashboard/widget/?id=other')).status).toBe(404)
  })
})
