import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('the page of the latest changes', () => {
  let api: Api
  let browser: Browser
  beforeAll(async () => {
    api = await startApi()
    for (const name of ['Akron', 'Boston <b>']) {
      const body = { name, slug: name.slice(0, 5).toLowerCase() }
      await api.ask('POST', '/api/dcim/sites/', { body })
    }
    await api.ask('PATCH', '/api/dcim/sites/1/', { body: { status: 'retired', facility: 'F1' } })
    await api.ask('POST', '/api/dcim/regions/', { body: { name: 'East', slug: 'east' } })
    await api.background.runUntilIdle()
    browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
  })
  afterAll(() => api.close())

  const rows = async (query = '', reader = browser): Promise<readonly string[]> => {
    const { text } = await reader.visit(`/core/events/${query}`)
    return text.split('<tr data-position').slice(1)
  }

  it('lists them newest first, with their fields', async () => {
    const [region, change, boston, akron] = await rows()
    expect(region).toContain('<bdi>East</bdi>')
    expect(change).toMatch(/<summary>(Status, Facility|Facility, Status)<\/summary>/)
    expect(boston).toContain('<bdi>Boston &lt;b&gt;</bdi>')
    expect(akron).toMatch(/<a href="\/dcim\/sites\/1\/">/)
  })

  it('names changes as the change log does', async () => {
    const badge = /<span class="badge [a-z]+">[^<]*<\/span>/
    const [, change = '', boston = ''] = await rows()
    for (const [row, action] of [
      [change, 'update'],
      [boston, 'create'],
    ] as const) {
      const { text } = await browser.visit(`/core/changelog/?action=${action}`)
      const list = text.slice(text.indexOf('<tbody'))
      expect(badge.exec(row)?.[0]).toBe(badge.exec(list)?.[0])
    }
  })

  it.each([
    ['?object_type=dcim.region', ['East']],
    ['?event=object_updated', ['Akron']],
    ['?site=akron', ['Akron', 'Akron']],
    ['?user=admin&event=object_updated', ['Akron']],
  ])('is filtered: %s', async (query, names) => {
    const found = (await rows(query)).map((row) => /<bdi>([^<]*)</.exec(row)?.[1])
    expect(found).toEqual(names)
  })

  it('continues as a stream after its rows, with its filters', async () => {
    const { text } = await browser.visit('/core/events/?object_type=dcim.site')
    const address = /data-stream="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const stream = new URL(address, api.url)
    stream.searchParams.delete('stream')
    await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Later', slug: 'later' } })
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `${stream.pathname}${stream.search}`)
    expect([...(json.results ?? [])].map(({ object_repr: name }) => name)).toEqual(['Later'])
  })

  it('contains only changes that the user may view', async () => {
    const { json: user } = await api.ask('POST', '/api/users/users/', {
      body: { username: 'alice', password: PASSWORD },
    })
    const reader = new Browser(api.url)
    await reader.logIn('alice', PASSWORD)
    expect((await reader.visit('/core/events/')).status).toBe(403)
    for (const permission of [
      { object_types: ['core.objectchange'] },
      { object_types: ['dcim.site'], constraints: { name: 'Akron' } },
    ]) {
      const body = { name: 'p', actions: ['view'], users: [user.id], ...permission }
      await api.ask('POST', '/api/users/permissions/', { body })
    }
    const found = (await rows('', reader)).map((row) => /<bdi>([^<]*)</.exec(row)?.[1])
    expect(found).toEqual(['Akron', 'Akron'])
  })
})
