import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('the comparison of two times', () => {
  let api: Api
  let admin: Browser
  let alice: Browser
  let bob: Browser
  /** Times between the steps. */
  const times: string[] = []
  beforeAll(async () => {
    api = await startApi()
    const now = async (): Promise<void> => {
      const [time] = await api.service.database.queryColumn(sql`select clock_timestamp()::text`)
      times.push(new Date(String(time)).toISOString())
      // Times are to the millisecond.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await api.make('dcim/sites', { name: 'North', slug: 'north' })
    await api.make('dcim/sites', { name: 'South', slug: 'south' })
    await api.make('dcim/racks', { name: 'N1', site: 1, u_height: 10 })
    await api.make('dcim/racks', { name: 'N2', site: 1 })
    await api.make('dcim/racks', { name: 'S1', site: 2 })
    await now()
    const change = async (method: string, path: string, body?: object): Promise<void> => {
      const { status, text } = await api.ask(method, `/api/${path}/`, { body })
      expect(status, text).toBeLessThan(300)
    }
    await change('PATCH', 'dcim/sites/1', { description: 'Old harbour' })
    await change('PATCH', 'dcim/sites/2', { description: 'New harbour' })
    await change('PATCH', 'dcim/racks/1', { u_height: 20 })
    await change('PATCH', 'dcim/racks/1', { u_height: 30 })
    await change('DELETE', 'dcim/racks/2')
    await api.make('dcim/racks', { name: 'N3', site: 1 })
    const brief = await api.make('dcim/racks', { name: 'Brief', site: 1 })
    await change('DELETE', `dcim/racks/${brief}`)
    await change('PATCH', 'dcim/racks/3', { description: 'Moved', site: 1 })
    await now()
    await change('PATCH', 'dcim/racks/1', { u_height: 10 })
    await now()
    const users = await Promise.all(
      ['alice', 'bob'].map((username) => api.make('users/users', { username, password: PASSWORD })),
    )
    for (const [user, object_types, constraints] of [
      [users[0], ['dcim.rack'], { name: 'N3' }],
      [users[0], ['dcim.site', 'core.objectchange'], null],
      [users[1], ['dcim.site', 'dcim.rack'], null],
    ] as const) {
      await api.make('users/permissions', {
        ...{ name: `${user} ${object_types}`, actions: ['view'], users: [user], object_types, constraints },
      })
    }
    const signedIn = async (username: string, password: string): Promise<Browser> => {
      const browser = new Browser(api.url)
      await browser.logIn(username, password)
      return browser
    }
    admin = await signedIn('admin', 'admin')
    alice = await signedIn('alice', PASSWORD)
    bob = await signedIn('bob', PASSWORD)
  })
  afterAll(() => api.close())

  /** The differences of a page as text; `steps`: indexes of the times. */
  async function differences(browser: Browser, path: string, [from, to]: readonly number[]): Promise<string> {
    const query = new URLSearchParams({ compare_from: times[from ?? 0] ?? '' })
    if (to !== undefined) query.set('compare_to', times[to] ?? '')
    const { status, text } = await browser.visit(`${path}${path.includes('?') ? '&' : '?'}${query}`)
    expect(status, text).toBe(200)
    const main = text.slice(text.indexOf('</form>', text.indexOf('compare-form')))
    return main.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  }

  it.each([
    {
      title: 'a list shows what was created, changed and deleted, field by field and net',
      path: '/dcim/racks/compare/',
      span: [0, 1],
      shows: [
        /1 created · 2 changed · 1 deleted/,
        /Created Rack N3/,
        /Deleted Rack N2/,
        /N1.*10 U? ?30/,
        /S1.*South.*North/,
      ],
      hides: [/Brief/, /\b20\b/],
    },
    {
      title: 'values that have come back are no difference',
      path: '/dcim/racks/compare/',
      span: [0, 2],
      shows: [/1 created · 1 changed · 1 deleted/],
      hides: [/N1/],
    },
    {
      title: 'without a second time, it compares with now',
      path: '/dcim/racks/compare/',
      span: [1],
      shows: [/0 created · 1 changed · 0 deleted/, /N1/],
      hides: [/N3/],
    },
    {
      title: 'the filters of a list apply at both times',
      path: '/dcim/racks/compare/?site_id=2',
      span: [0, 1],
      shows: [/0 created · 1 changed · 0 deleted/, /S1.*Moved/],
      hides: [/N1/, /N2/],
    },
    {
      title: 'a site is compared with what it contained',
      path: '/dcim/sites/1/compare/',
      span: [0, 1],
      shows: [/1 created · 3 changed · 1 deleted/, /Old harbour/, /N2/, /S1/],
      hides: [/New harbour/],
    },
    {
      title: 'nothing may have changed',
      path: '/dcim/sites/compare/',
      span: [1, 2],
      shows: [/Nothing has changed/],
      hides: [],
    },
  ])('$title', async ({ path, span, shows, hides }) => {
    const text = await differences(admin, path, span)
    for (const pattern of shows) expect(text).toMatch(pattern)
    for (const pattern of hides) expect(text).not.toMatch(pattern)
  })

  it('shows only objects that its reader may view', async () => {
    const text = await differences(alice, '/dcim/sites/1/compare/', [0, 1])
    expect(text).toMatch(/1 created · 1 changed · 0 deleted/)
    expect(text).toMatch(/N3/)
    expect(text).not.toMatch(/N1|N2|S1/)
  })

  it('is for users who may view changes, and one click away for them', async () => {
    expect((await bob.visit('/dcim/racks/compare/')).status).toBe(403)
    for (const path of ['/dcim/racks/', '/dcim/racks/1/', '/dcim/racks/1/changelog/']) {
      expect((await admin.visit(path)).text, path).toMatch(/href="\/dcim\/racks\/(1\/)?compare\//)
      if (path !== '/dcim/racks/1/changelog/') expect((await bob.visit(path)).text).not.toContain('compare/')
    }
    expect((await admin.visit('/dcim/racks/?site_id=1')).text).toContain('compare/?site_id=1"')
  })

  it('begins with the history at the earliest', async () => {
    const { text } = await admin.visit('/dcim/racks/compare/?compare_from=2001-01-01T00:00')
    expect(text).toMatch(/The history begins at.*3 created/s)
    expect((await admin.visit('/dcim/racks/compare/')).text).not.toContain('The history begins at')
  })

  it.each([
    ['in the wrong order', '2026-01-02T00:00', '2026-01-01T00:00', /The second time must be after the first/],
    ['in the future', '2090-01-01T00:00', '', /future/],
  ])('refuses times %s', async (_what, from, to, says) => {
    const { status, text } = await admin.visit(`/dcim/racks/compare/?compare_from=${from}&compare_to=${to}`)
    expect(status).toBe(400)
    expect(text).toMatch(says)
  })
})
