import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SYSTEM } from '../../src/schema/system-models.ts'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto } from '../../src/sql/table.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const DAY = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

describe('the start page says what needs its reader', () => {
  let api: Api
  let admin: Browser
  let alice: Browser
  let bob: Browser
  let reviewer: number | undefined
  beforeAll(async () => {
    api = await startApi()
    const ids = await Promise.all(
      ['alice', 'bob'].map((username) => api.make('users/users', { username, password: PASSWORD })),
    )
    reviewer = ids[0]
    await api.make('users/permissions', {
      ...{ name: 'alice', actions: ['view'], users: [ids[0]], constraints: { cid: 'SOON-1' } },
      object_types: ['circuits.circuit'],
    })
    await api.make('users/permissions', {
      ...{ name: 'requests', actions: ['view'], users: [ids[0]] },
      object_types: ['core.changerequest', 'core.branch', 'core.changereview'],
    })
    const branch = await api.make('core/branches', { name: 'New racks' })
    await api.ask('POST', '/api/dcim/sites/?branch=New+racks', { body: { name: 'Planned', slug: 'planned' } })
    await api.make('core/change-requests', { title: 'Please look', branch, reviewers: [ids[0]] })
    const provider = await api.make('circuits/providers', { name: 'P', slug: 'p' })
    const type = await api.make('circuits/circuit-types', { name: 'T', slug: 't' })
    for (const [cid, days] of [
      ['SOON-1', 10],
      ['SOON-2', 0],
      ['LATER', 31],
      ['PAST', -1],
    ] as const) {
      await api.make('circuits/circuits', { cid, provider, type, termination_date: inDays(days) })
    }
    await api.make('extras/rules', {
      ...{ name: 'Circuits are described', object_type: 'circuits.circuit', expression: "description != ''" },
      message: 'No description.',
    })
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', '/api/extras/findings/?limit=1')
    const accepted = { accepted_until: '2099-01-01T00:00:00Z', reason: 'Old' }
    await api.ask('PATCH', `/api/extras/findings/${json.results?.[0]?.id}/`, { body: accepted })
    await api.make('ipam/prefixes', { prefix: '10.9.0.0/29' })
    for (const host of [1, 2, 3, 4, 5, 6]) await api.make('ipam/ip-addresses', { address: `10.9.0.${host}/29` })
    await api.service.database.execute(sql`
      ${insertInto(SYSTEM.job)} (name, status, job_id, created) values ('Nightly audit', 'errored', gen_random_uuid(), now())`)
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

  /** The panel as text; undefined if the page does not have it. */
  async function panel(browser: Browser, name: string): Promise<string | undefined> {
    const { text } = await browser.visit('/')
    const [, content] =
      new RegExp(`id="widget-attention-${name}"[^>]*>(.*?)</section>\\s*(?:<section|</div>)`, 's').exec(text) ?? []
    return content?.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  }

  it.each([
    ['alice', 'reviews', () => alice, /Please look/],
    ['admin, who is no reviewer', 'reviews', () => admin, undefined],
    ['admin', 'branches', () => admin, /New racks In review 1 object/],
    ['alice, who has no branch', 'branches', () => alice, undefined],
    ['admin', 'failures', () => admin, /Nightly audit Job/],
    ['alice, who may not view jobs', 'failures', () => alice, undefined],
    ['admin', 'endings', () => admin, /SOON-2.*today.*SOON-1.*in 10 days.*10\.9\.0\.0\/29 100 % used/],
    ['alice, who may view one circuit', 'endings', () => alice, /^(?!.*(SOON-2|10\.9\.)).*SOON-1/],
    ['admin', 'findings', () => admin, /Circuits are described Medium 3 objects/],
    ['alice, who may not view findings', 'findings', () => alice, undefined],
    ['admin', 'people', () => admin, /admin .*2 IP addresses|admin .*IP address created/],
    ['alice, who may not view changes', 'people', () => alice, undefined],
    ['bob, who may view nothing', 'endings', () => bob, undefined],
  ])('%s: %s', async (_who, name, browser, expected) => {
    const text = await panel(browser(), name)
    if (expected) expect(text).toMatch(expected)
    else expect(text).toBeUndefined()
  })

  it('only dates within thirty days are near', async () => {
    expect(await panel(admin, 'endings')).not.toMatch(/LATER|PAST/)
  })

  it('a review that is done no longer waits', async () => {
    await api.make('users/permissions', {
      ...{ name: 'review', actions: ['add'], users: [reviewer], object_types: ['core.changereview'] },
    })
    const token = alice.cookies.get('csrftoken') ?? ''
    const form = { csrfmiddlewaretoken: token, verdict: 'approve', text: '' }
    const { status } = await alice.visit('/core/change-requests/1/changes/', { form })
    expect(status).toBe(303)
    expect(await panel(alice, 'reviews')).toBeUndefined()
  })

  it('charts and lists with nothing to count are left out', async () => {
    const { text } = await admin.visit('/')
    expect(text).toContain('id="widget-chart-circuit-ends"')
    for (const missing of ['chart-device-status', 'chart-rack-space', 'chart-feeds', 'bookmarks'])
      expect(text).not.toContain(`id="widget-${missing}"`)
    expect((await admin.visit('/dashboard/')).text).toContain('id="widget-bookmarks"')
  })
})
