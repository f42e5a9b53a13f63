import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SYSTEM } from '../../src/schema/system-models.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { Browser, type PageAnswer } from '../sessions/browser.ts'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const STEPS = ['/dcim/sites/add/', '/start/netbox/', '/dcim/sites/import/', '/start/sample/', '/start/tutorial/']

describe('the first steps with an empty database', () => {
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
  const stepsOf = async (browser: Browser): Promise<readonly string[]> => {
    const { text } = await browser.visit('/')
    const [, list = ''] = /class="first-steps">(.*?)<\/ul>/s.exec(text) ?? []
    return [...list.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, path = '']) => path)
  }

  it('are offered to users who may take them', async () => {
    expect(await stepsOf(root)).toEqual(STEPS)
    expect(await stepsOf(alice)).toEqual(['/start/tutorial/'])
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
    // The sample is only for an empty database.
    await send(root, '/start/sample/')
    expect((await api.ask('GET', '/api/dcim/sites/')).json.count).toBe(
      (await source.ask('GET', '/api/dcim/sites/')).json.count,
    )
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

it('the sample network is loaded into an empty database with one button', async () => {
  const api = await startApi()
  try {
    const root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    await root.visit('/')
    const form = { csrfmiddlewaretoken: root.cookies.get('csrftoken') ?? '' }
    expect((await root.visit('/start/sample/', { form })).status).toBe(303)
    expect((await api.ask('GET', '/api/dcim/devices/')).json.count).toBeGreaterThan(5)
  } finally {
    await api.close()
  }
})
