import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SYSTEM } from '../../src/schema/system-models.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { loadDemo, loadSample } from '../../src/transfer/demo/load-demo.ts'
import { Browser, type PageAnswer } from '../sessions/browser.ts'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const FORMS = [
  ...['/dcim/sites/add/', '/dcim/racks/add/', '/dcim/device-types/add/', '/dcim/devices/add/'],
  ...['/ipam/prefixes/add/', '/dcim/cables/add/'],
]
const WAYS = ['/start/netbox/', '/dcim/sites/import/', '/start/sample/', '/start/tutorial/']

describe('the first steps', () => {
  let api: Api
  let root: Browser
  let alice: Browser
  /** In place of a NetBox: the sample network. */
  let source: Api
  beforeAll(async () => {
    source = await startApi()
    await loadDemo(source.service)
    await source.make('dcim/sites', { name: 'Only there', slug: 'only-there' })
    api = await startApi()
    await api.ask('POST', '/api/users/users/', { body: { username: 'alice', password: PASSWORD } })
    root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    alice = new Browser(api.url)
    await alice.logIn('alice', PASSWORD)
  })
  afterAll(async () => {
    await api.close()
    await source.close()
  })

  const send = (browser: Browser, path: string, form: Readonly<Record<string, string>> = {}): Promise<PageAnswer> =>
    browser.visit(path, { form: { csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '', ...form } })
  const stepsOf = async (browser: Browser, page = '/'): Promise<readonly string[]> => {
    const { text } = await browser.visit(page)
    const [, list = ''] = /class="card first-steps"(.*?)<\/section>/s.exec(text) ?? []
    return [...list.matchAll(/href="([^"]*)"/g)].map(([, path = '']) => path)
  }

  it('are offered to users who may take them', async () => {
    expect(await stepsOf(root)).toEqual([...FORMS, ...WAYS])
    expect(await stepsOf(alice)).toEqual([])
    expect(await stepsOf(alice, '/start/')).toEqual(['/start/tutorial/'])
  })

  it('stay until all are taken, and lead to the lists of those that are', async () => {
    const other = await apiOfTest()
    const browser = new Browser(other.url)
    await browser.logIn('admin', 'admin')
    await other.make('dcim/sites', { name: 'HQ', slug: 'hq' })
    await other.make('ipam/prefixes', { prefix: '10.0.0.0/8' })
    const [, rack = '', type = '', device = '', , cable = ''] = FORMS
    expect(await stepsOf(browser)).toEqual(['/dcim/sites/', rack, type, device, '/ipam/prefixes/', cable, ...WAYS])
    expect((await browser.visit('/')).text).toContain('2 of 6 done')
    await loadSample(other.service)
    expect(await stepsOf(browser)).toEqual([])
    expect((await stepsOf(browser, '/start/')).length).toBe(10)
  })

  it('are closed and opened again by each user', async () => {
    expect((await send(root, '/start/', { closed: 'true' })).location).toBe('/')
    expect(await stepsOf(root)).toEqual([])
    expect((await root.visit('/start/')).text).toContain('Show on the start page')
    await send(root, '/start/', { closed: 'false' })
    expect(await stepsOf(root)).toEqual([...FORMS, ...WAYS])
  })

  it.each([
    ['a superuser', () => root, ['/start/', '/start/tutorial/', '/start/netbox/', '/start/sample/']],
    ['another user', () => alice, ['/start/', '/start/tutorial/']],
  ])('are found by the search of %s', async (_who, browser, expected) => {
    const { text } = await browser().visit('/start/')
    const found = [...text.matchAll(/href="([^"]*)" data-words="[^"]*(?:tutorial|sample|import|first)/g)]
    expect(found.map(([, path]) => path)).toEqual(expected)
  })

  it.each(['/start/netbox/', '/start/sample/'])('%s is for superusers', async (path) => {
    expect((await send(alice, path)).status).toBe(403)
    expect((await alice.visit(path)).status).toBe(403)
  })

  it('the tutorial is a page', async () => {
    const { text, status } = await alice.visit('/start/tutorial/')
    expect(status).toBe(200)
    expect(text).toContain('North Pier')
    expect(text).not.toContain('.md')
  })

  it.each([
    { title: 'no address', source: '', token: 'x', says: 'http' },
    { title: 'an address where nothing answers', source: 'http://127.0.0.1:9', token: 'x', says: '127.0.0.1:9' },
    { title: 'no token', source: 'http://127.0.0.1:9', token: '', says: 'token' },
    { title: 'a wrong token', source: undefined, token: 'wrong', says: 'refuses the token' },
  ])('an import is refused with $title, and no job is made', async ({ source: wrong, token, says }) => {
    const answer = await send(root, '/start/netbox/', { source: wrong ?? source.url, token })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(says)
    expect((await api.ask('GET', '/api/core/jobs/?name__ic=import')).json.count).toBe(0)
  })

  it('an import is a job that loads everything and says what is left to do', async () => {
    const answer = await send(root, '/start/netbox/', { source: source.url, token: ADMIN_TOKEN })
    expect(answer.status).toBe(303)
    const job = answer.location ?? ''
    expect(job).toMatch(/^\/core\/jobs\/\d+\/$/)
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `/api${job}`)
    expect(json).toMatchObject({ status: { value: 'completed' }, user: { username: 'admin' } })
    const log = JSON.stringify(json.log_entries)
    expect(log).toMatch(/100 %.*objects fetched\..*imported.*does not show passwords/)
    // The token is forgotten with the end of the job.
    const [task] = await api.service.database.query(sql`select parameters::text from ${table(SYSTEM.jobTask)}`)
    expect(task).toEqual({ parameters: 'null' })
    const counts = async (of: Api) => (await of.ask('GET', '/api/dcim/interfaces/?limit=1')).json.count
    expect(await counts(api)).toBe(await counts(source))
    expect((await api.ask('GET', '/api/dcim/sites/?name=Only+there')).json.count).toBe(1)
    expect(await stepsOf(root)).toEqual([])
  })
})

describe('an import with the page into a service with objects', () => {
  it('shows its plan, and writes nothing before the button is pressed', async () => {
    const source = await apiOfTest()
    const api = await apiOfTest()
    for (const name of ['Far', 'Near']) await source.make('dcim/sites', { name, slug: name.toLowerCase() })
    await api.make('dcim/sites', { name: 'HQ', slug: 'hq' })
    await api.make('dcim/sites', { name: 'Near', slug: 'near', description: 'ours' })
    const root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    const { text } = await root.visit('/start/netbox/')
    expect(text).toContain('This service has objects already.')
    const press = async (path: string, form: Readonly<Record<string, string>> = {}): Promise<string> => {
      const token = root.cookies.get('csrftoken') ?? ''
      const { status, location } = await root.visit(path, { form: { csrfmiddlewaretoken: token, ...form } })
      expect(status).toBe(303)
      await api.background.runUntilIdle()
      return location ?? ''
    }
    const names = async () =>
      (await api.ask('GET', '/api/dcim/sites/?ordering=id')).json.results?.map(({ name }) => name)
    const job = await press('/start/netbox/', { source: source.url, token: ADMIN_TOKEN, prefer: 'here' })
    expect(await names()).toEqual(['HQ', 'Near'])
    const page = (await root.visit(job)).text
    expect(page).toContain('dcim/sites: 1 created (1 with another id)')
    expect(page).toContain('Near keeps description')
    const done = await press(`${job}import/`)
    expect((await api.ask('GET', `/api${done}`)).json).toMatchObject({ status: { value: 'completed' } })
    expect(await names()).toEqual(['HQ', 'Near', 'Far'])
    expect((await api.ask('GET', '/api/dcim/sites/2/')).json).toMatchObject({ description: 'ours' })
    // The same plan a second time does something else.
    expect((await api.ask('GET', `/api${await press(`${job}import/`)}`)).json).toMatchObject({
      status: { value: 'failed' },
    })
    expect(await names()).toEqual(['HQ', 'Near', 'Far'])
  })
})

describe('the sample network', () => {
  it('is loaded and removed on its page, beside other objects', async () => {
    const api = await apiOfTest()
    const root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    await api.make('dcim/sites', { name: 'HQ', slug: 'hq' })
    const press = async (form: Readonly<Record<string, string>>): Promise<PageAnswer> =>
      await root.visit('/start/sample/', {
        form: { csrfmiddlewaretoken: root.cookies.get('csrftoken') ?? '', ...form },
      })
    const sites = async () => Number((await api.ask('GET', '/api/dcim/sites/')).json.count)
    expect((await root.visit('/start/sample/')).text).toMatch(/[\d,]+ objects are created/)
    expect((await root.visit('/start/tutorial/')).text).toContain('value="load"')
    const answer = await press({ change: 'load', next: '/start/tutorial/' })
    expect(answer).toMatchObject({ status: 303, location: '/start/tutorial/?saved=sample-loaded' })
    expect(await sites()).toBe(6)
    expect((await root.visit('/start/tutorial/')).text).not.toContain('value="load"')
    const page = (await root.visit('/start/sample/')).text
    expect(page).toMatch(/1,\d{3} objects are deleted/)
    const site = await api.ask('GET', '/api/dcim/sites/?name=Harbour+House')
    const id = Number(site.json.results?.[0]?.id)
    await api.make('dcim/racks', { name: 'Mine', site: id })
    expect((await root.visit('/start/sample/')).text).toMatch(/These objects of the sample stay.*Harbour House/s)
    expect((await press({ change: 'remove' })).location).toBe('/start/sample/?saved=sample-removed')
    expect(await sites()).toBe(2)
    expect((await root.visit('/start/sample/')).text).toContain('There is nothing else to remove.')
  })

  it('does not lead to other services', async () => {
    const api = await apiOfTest()
    const root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    await root.visit('/')
    const form = { csrfmiddlewaretoken: root.cookies.get('csrftoken') ?? '', next: 'https://evil.example/' }
    expect((await root.visit('/start/sample/', { form })).location).toBe('/?saved=sample-loaded')
  })
})

describe('the page of an object to which nothing belongs', () => {
  it.each([
    {
      path: 'dcim/sites',
      body: { name: 'HQ', slug: 'hq' },
      offers: /dcim\/racks\/add\/\?site=1/,
      not: /assignments\/add/,
    },
    { path: 'tenancy/tenants', body: { name: 'T', slug: 't' }, offers: /\/add\/\?tenant=1/, not: /assignments\/add/ },
    {
      path: 'circuits/providers',
      body: { name: 'P', slug: 'p' },
      offers: /circuits\/add\/\?provider=1/,
      not: /None yet/,
    },
  ])('$path offers the first ones to users who may add them', async ({ path, body, offers, not }) => {
    const api = await apiOfTest()
    const id = await api.make(path, body)
    const root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    const list = async (browser: Browser): Promise<string> => {
      const { text } = await browser.visit(`/${path}/${id}/`)
      return /class="first-children">(.*?)<\/div>/s.exec(text)?.[1] ?? ''
    }
    expect(await list(root)).toMatch(offers)
    expect(await list(root)).not.toMatch(not)
    await api.ask('POST', '/api/users/users/', { body: { username: 'bob', password: PASSWORD } })
    await api.ask('POST', '/api/users/permissions/', {
      body: { name: 'view', actions: ['view'], users: [{ username: 'bob' }], object_types: [TYPES[path]] },
    })
    const bob = new Browser(api.url)
    await bob.logIn('bob', PASSWORD)
    expect(await list(bob)).toBe('')
  })
})

const TYPES: Readonly<Record<string, string>> = {
  'dcim/sites': 'dcim.site',
  'tenancy/tenants': 'tenancy.tenant',
  'circuits/providers': 'circuits.provider',
}
