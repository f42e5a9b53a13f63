import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const SCORES = '/extras/findings/scores/'

/** The lines of the page's tables, as texts. */
const linesOf = (text: string): readonly string[] =>
  [...text.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )

describe('the page with scores', () => {
  let api: Api
  let admin: Browser
  const site = { open: 0, hidden: 0 }
  beforeAll(async () => {
    api = await startApi({ API_VERSION: '4.7' })
    admin = new Browser(api.url)
    await admin.logIn('admin', 'admin')
  })
  afterAll(() => api.close())

  it('says how to begin without rules', async () => {
    const { status, text } = await admin.visit(SCORES)
    expect([status, text]).toEqual([200, expect.stringContaining('No rules yet.')])
    expect(text).toContain('/extras/rules/add/')
  })

  it('counts findings by rule and by site, with the share of objects that pass', async () => {
    site.open = await api.make('dcim/sites', { name: 'Open', slug: 'open', status: 'active' })
    site.hidden = await api.make('dcim/sites', { name: 'Hidden', slug: 'hidden', status: 'active' })
    await api.make('dcim/sites', { name: 'Planned', slug: 'planned', status: 'planned' })
    await api.make('dcim/sites', { name: 'Good', slug: 'good', status: 'active', facility: 'F' })
    for (const [name, at] of [
      ['Rack 1', site.open],
      ['Rack 2', site.hidden],
      ['Rack 3', site.hidden],
    ] as const) {
      await api.make('dcim/racks', { name, site: at, u_height: 48 })
    }
    const message = 'Wrong'
    await api.make('extras/rules', {
      ...{ name: 'Facility', object_type: 'dcim.site', message, severity: 'high' },
      expression: "if(status = 'active', facility != '', null)",
    })
    await api.make('extras/rules', {
      ...{ name: 'Low racks', object_type: 'dcim.rack', message, severity: 'low', expression: 'u_height < 45' },
    })
    await api.make('extras/rules', {
      ...{ name: 'Full racks', object_type: 'dcim.site', message, severity: 'low' },
      expression: 'all(racks where u_height > 4)',
    })
    await api.make('extras/rules', {
      ...{ name: 'Nothing', object_type: 'dcim.site', message, expression: 'if(id < 0, false, null)' },
    })
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `/api/extras/findings/?object_type=dcim.site&object_id=${site.open}`)
    const accepted = { accepted_until: '2099-01-01T00:00:00Z', reason: 'Old' }
    await api.ask('PATCH', `/api/extras/findings/${json.results?.[0]?.id}/`, { body: accepted })
    const { text } = await admin.visit(SCORES)
    expect(linesOf(text)).toEqual([
      'Facility 1 1 33 % 1 of 3 High Sites',
      'Low racks 3 — 0 % 0 of 3 Low Racks',
      // Rules without findings.
      'Nothing — — Applies to nothing Medium Sites',
      'Full racks — — 100 % 2 of 2 Low Sites',
      // Sites: the gravest first.
      'Hidden 1 2 —',
      'Open — 1 1',
    ])
    expect(text).toContain('2 rules without findings')
    const ofSite = await admin.visit(`${SCORES}?site_id=${site.hidden}`)
    expect(linesOf(ofSite.text).slice(0, 2)).toEqual(['Facility 1 — High Sites', 'Low racks 2 — Low Racks'])
  })

  it('is linked from the list of findings and from the menu', async () => {
    const { text } = await admin.visit('/extras/findings/')
    expect(text.match(new RegExp(`href="${SCORES}"`, 'g'))).toHaveLength(2)
  })

  it('contains nothing about objects that the viewer may not view', async () => {
    const user = await api.make('users/users', { username: 'few', password: PASSWORD })
    for (const [type, constraints] of [
      ['extras.finding', null],
      ['extras.rule', null],
      ['dcim.site', { slug: 'open' }],
      ['dcim.rack', { name: 'Rack 1' }],
    ] as const) {
      const body = { name: 'p', users: [user], object_types: [type], actions: ['view'], constraints }
      await api.make('users/permissions', body)
    }
    const few = new Browser(api.url)
    await few.logIn('few', PASSWORD)
    const { text } = await few.visit(SCORES)
    expect(linesOf(text)).toEqual([
      'Facility — 1 0 % 0 of 1 High Sites',
      'Low racks 1 — 0 % 0 of 1 Low Racks',
      'Nothing — — Applies to nothing Medium Sites',
      // It reads racks, of which some are hidden.
      'Full racks — — — Low Sites',
      'Open 1 1',
    ])
    expect(text).not.toContain('Hidden')
    expect((await few.visit(`${SCORES}?site_id=${site.hidden}`)).status).toBe(404)
  })

  it('is refused to users who may not view findings', async () => {
    await api.make('users/users', { username: 'none', password: PASSWORD })
    const none = new Browser(api.url)
    await none.logIn('none', PASSWORD)
    expect((await none.visit(SCORES)).status).toBe(403)
  })

  it('takes as many queries for many rules as for few', async () => {
    const queries = async (): Promise<number> => {
      await api.make('dcim/sites', { name: `S${Date.now()}`, slug: `s${Date.now()}` })
      await api.background.runUntilIdle()
      const before = count
      await admin.visit(SCORES)
      return count - before
    }
    let count = 0
    const { database } = api.service
    for (const name of ['query', 'queryArrays', 'queryColumn'] as const) {
      const original = database[name].bind(database) as (...values: unknown[]) => Promise<never>
      Object.assign(database, {
        [name]: (...values: unknown[]) => {
          count += 1
          return original(...values)
        },
      })
    }
    await queries()
    const few = await queries()
    for (let index = 0; index < 20; index += 1) {
      await api.make('extras/rules', {
        ...{
          name: `More ${index}`,
          object_type: 'dcim.rack',
          message: 'Wrong',
          expression: `u_height < ${50 + index}`,
        },
      })
    }
    await queries()
    expect(await queries()).toBe(few)
  })
})
