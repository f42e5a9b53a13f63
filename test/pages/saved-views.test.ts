import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { objectsIn } from '../../src/schema/json.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { created } from '../support/requests.ts'
import { readForm } from './read-form.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  for (const [name, status, region] of [
    ['Akron', 'active', 1],
    ['Boston', 'planned', 2],
    ['Albany', 'planned', 1],
    ['Buffalo', 'active', undefined],
    ['Camden', 'active', 1],
  ] as const) {
    const regionName = region && `Region ${region}`
    if (regionName)
      await api.ask('POST', '/api/dcim/regions/', { body: { name: regionName, slug: `region-${region}` } })
    const body = { name, slug: name.toLowerCase(), status, region: regionName ? { name: regionName } : null }
    await created(api, 'dcim/sites', body)
  }
})
afterAll(() => api.close())

const get = (path: string, token?: string): Promise<ApiAnswer> =>
  api.ask('GET', path, { headers: { accept: 'text/html' }, ...(token !== undefined && { token }) })

/** The first cells of the rows of a list: names, and the headings of groups with their numbers. */
const firstCells = (text: string): readonly string[] =>
  [...text.matchAll(/<th (?:colspan="\d+" scope="rowgroup"|scope="row")[^>]*>(.*?)<\/th>/gs)].map(([, cell = '']) =>
    cell.replaceAll(/<[^>]*>/g, '').trim(),
  )

describe('rows in groups', () => {
  it.each([
    ['a choice', 'group_by=status', ['Active 3', 'Akron', 'Buffalo', 'Camden', 'Planned 2', 'Albany', 'Boston']],
    [
      'a related object, those without one last',
      'group_by=region',
      ['Region 1 3', 'Akron', 'Albany', 'Camden', 'Region 2 1', 'Boston', '— 1', 'Buffalo'],
    ],
    [
      'the order of the list within each group',
      'group_by=status&ordering=-name',
      ['Active 3', 'Camden', 'Buffalo', 'Akron', 'Planned 2', 'Boston', 'Albany'],
    ],
    ['the filters of the list, which the numbers follow', 'group_by=status&q=an', ['Planned 1', 'Albany']],
    ['its page: the number is that of the whole group', 'group_by=status&limit=2', ['Active 3', 'Akron', 'Buffalo']],
    [
      'no group for a field with a different value in each row',
      'group_by=name',
      ['Akron', 'Albany', 'Boston', 'Buffalo', 'Camden'],
    ],
    ['no group for an unknown field', 'group_by=nonsense', ['Akron', 'Albany', 'Boston', 'Buffalo', 'Camden']],
  ])('have %s', async (_, query, expected) => {
    const { status, text } = await get(`/dcim/sites/?${query}`)
    expect(status).toBe(200)
    expect(firstCells(text)).toEqual(expected)
  })
})

describe('saved views', () => {
  it('show the filters, order, groups and columns that were saved', async () => {
    const { id } = await created(api, 'extras/saved-views', {
      name: 'Plans',
      object_type: 'dcim.site',
      shared: true,
      parameters: { status: ['planned'], ordering: '-name', group_by: 'region' },
      columns: ['name', 'slug', 'region'],
    })
    const [link] = /href="\?[^"]*view_id=\d+"/.exec((await get('/dcim/sites/')).text) ?? []
    const address = link?.slice('href="'.length, -1).replaceAll('&amp;', '&') ?? ''
    expect(new URLSearchParams(address).get('view_id')).toBe(String(id))
    const { text } = await get(`/dcim/sites/${address}`)
    expect(firstCells(text)).toEqual(['Region 1 1', 'Albany', 'Region 2 1', 'Boston'])
    expect([...text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)/g)].map(([, label]) => label)).toEqual([
      'Name',
      'Slug',
      'Region',
    ])
    expect(text).toMatch(/aria-current="true"[^>]*><bdi>Plans/)
  })

  /** The form to which the menu of a list leads, and what it sends. */
  const panelOf = async (list: string, path: string) => {
    const [, href = ''] = new RegExp(`href="([^"]*${path}/\\?[^"]*)"`).exec((await get(list)).text) ?? []
    const { text } = await get(href.replaceAll('&amp;', '&'))
    const form = /<form class="card saving".*?<\/form>/s.exec(text)?.[0] ?? ''
    const [, query = ''] = /name="query" value="([^"]*)"/.exec(form) ?? []
    const send = (fields: readonly (readonly [string, string])[]) => {
      const body = new FormData()
      for (const [name, value] of [['query', query.replaceAll('&amp;', '&')] as const, ...fields])
        body.append(name, value)
      return api.ask('POST', `/dcim/sites/${path}/`, { body })
    }
    return { form, send }
  }

  it.each([
    ['me', { shared: false, groups: [] }],
    ['groups', { shared: false, groups: ['Savers'] }],
    ['everyone', { shared: true, groups: [] }],
  ])('keep what the list shows now, for %s', async (audience, expected) => {
    const savers = async () => (await api.ask('GET', '/api/users/groups/?name=Savers')).json.results?.[0]?.id
    const group = (await savers()) ?? (await created(api, 'users/groups', { name: 'Savers' })).id
    const { form, send } = await panelOf(
      '/dcim/sites/?status=active&group_by=region&ordering=name&limit=2',
      'save-view',
    )
    expect(form).toContain('Status: <bdi>Active</bdi>')
    expect(form).toMatch(/Columns: Name, /)
    expect(form).not.toMatch(/parameters|weight|JSON/)
    const name = `Seen by ${audience}`
    const { status, headers } = await send([
      ['name', name],
      ['audience', audience],
      ['group', String(group)],
    ])
    expect(status).toBe(303)
    const { json } = await api.ask('GET', `/api/extras/saved-views/?name=${encodeURIComponent(name)}`)
    const [view] = json.results ?? []
    expect(view).toMatchObject({
      parameters: { status: ['active'], group_by: ['region'], ordering: ['name'] },
      shared: expected.shared,
    })
    expect(objectsIn(view?.groups).map((member) => member.name)).toEqual(expected.groups)
    expect((await get(String(headers.get('location')))).text).toContain('Region 1')
  })

  it('keep filters as a dynamic group, whose page says them in words', async () => {
    const { form, send } = await panelOf('/dcim/sites/?status=active', 'save-group')
    expect(form).toContain('Status: <bdi>Active</bdi>')
    expect(form).toContain('3 sites now, and all that match in future.')
    const { headers } = await send([['name', 'Sites in use']])
    const list = await get(String(headers.get('location')))
    expect(firstCells(list.text)).toEqual(['Akron', 'Buffalo', 'Camden'])
    expect(list.text).toMatch(/Dynamic group: <bdi>Sites in use<\/bdi>/)
    const { json } = await api.ask('GET', '/api/extras/dynamic-groups/?name=Sites%20in%20use')
    const group = await get(`/extras/dynamic-groups/${json.results?.[0]?.id}/`)
    expect(group.text).toContain('Status: <bdi>Active</bdi>')
    expect((await send([['name', 'Sites in use']])).text).toContain('Not saved.')
  })

  it('are visible to their owner, to the members of their groups, or to all', async () => {
    const tokens = new Map<string, string>()
    const { id: group } = await created(api, 'users/groups', { name: 'Planners' })
    const ids = new Map<string, number>()
    for (const [name, groups] of [
      ['owner', []],
      ['member', [group]],
      ['stranger', []],
    ] as const) {
      const { id: user } = await created(api, 'users/users', { username: name, password: 'A-long-Passw0rd', groups })
      ids.set(name, Number(user))
      await created(api, 'users/permissions', {
        name: `views of ${name}`,
        users: [user],
        actions: ['view'],
        object_types: ['extras.savedview', 'extras.savedfilter', 'dcim.site'],
      })
      const { key, token } = await created(api, 'users/tokens', { user, version: 1 })
      tokens.set(name, String(token ?? key))
    }
    const view = { object_type: 'dcim.site', user: ids.get('owner'), columns: ['name'] }
    await created(api, 'extras/saved-views', { ...view, name: 'private' })
    await created(api, 'extras/saved-views', { ...view, name: 'of the group', groups: [group] })
    await created(api, 'extras/saved-views', { ...view, name: 'of all', shared: true })
    const filter = { object_types: ['dcim.site'], user: ids.get('owner'), parameters: { status: ['active'] } }
    await created(api, 'extras/saved-filters', { ...filter, name: 'own filter', slug: 'own-filter', shared: false })
    const names = ['private', 'of the group', 'of all', 'own filter']
    const views = names.slice(0, 3)
    const seen = async (who: string) => {
      const { json } = await api.ask('GET', '/api/extras/saved-views/', { token: tokens.get(who) ?? null })
      const list = await get('/dcim/sites/', tokens.get(who))
      const inList = names.filter((name) => list.text.includes(`<bdi>${name}</bdi>`))
      // The menu has no filters.
      const [, menu = ''] = /<nav class="sidebar"(.*?)<\/nav>/s.exec(list.text) ?? []
      expect(views.filter((name) => menu.includes(`<bdi>${name}</bdi>`))).toEqual(
        inList.filter((name) => views.includes(name)),
      )
      const inApi = names.filter((name) => json.results?.some((result) => String(result.name) === name))
      return { inList, inApi }
    }
    expect(await seen('owner')).toEqual({ inList: names, inApi: views })
    expect(await seen('member')).toEqual({ inList: views.slice(1), inApi: views.slice(1) })
    expect(await seen('stranger')).toEqual({ inList: ['of all'], inApi: ['of all'] })
  })
})

describe('the form of a saved view', () => {
  it('asks for nothing in JSON, and keeps the conditions and columns', async () => {
    const parameters = { status: ['planned'] }
    const view = { object_type: 'dcim.site', name: 'Planned', parameters, columns: ['name', 'status'] }
    const { id } = await created(api, 'extras/saved-views', view)
    const browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    const path = `/extras/saved-views/${id}/edit/`
    const { text } = await browser.visit(path)
    expect(text).not.toMatch(/name="(parameters|columns)"/)
    const { values } = readForm(text)
    const form = Object.fromEntries([...values].map(([name, [value = '']]) => [name, value]))
    const { status } = await browser.visit(path, { form: { ...form, name: 'Renamed' } })
    expect(status).toBe(303)
    const { json } = await api.ask('GET', `/api/extras/saved-views/${id}/`)
    expect(json).toMatchObject({ name: 'Renamed', parameters, columns: ['name', 'status'] })
  })
})
