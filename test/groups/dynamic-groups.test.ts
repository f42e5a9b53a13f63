import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MOST_NESTED_GROUPS } from '../../src/read/groups/conditions.ts'
import { volatile } from '../../src/sql/fragment.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

/** Numbers from 0 to below `limit`, the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}

describe('dynamic groups', () => {
  let api: Api
  let group: (slug: string, parameters: object, objectType?: string) => Promise<number>
  const random = numbers(7)
  const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0]
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'fatal' })
    group = (slug, parameters, object_type = 'dcim.site') =>
      api.make('extras/dynamic-groups', { name: slug, slug, object_type, parameters })
    for (const slug of ['north', 'south']) await api.make('dcim/regions', { name: slug, slug })
    for (const slug of ['core', 'edge']) await api.make('extras/tags', { name: slug, slug })
    await api.make('extras/custom-fields', { name: 'tier', type: 'integer', object_types: ['dcim.site'] })
    await api.make('extras/custom-fields', { name: 'code', type: 'text', object_types: ['dcim.site'] })
    for (let index = 0; index < 30; index += 1) {
      await api.make('dcim/sites', {
        name: `Site ${index}`,
        slug: `site-${index}`,
        status: pick(['active', 'planned', 'retired']),
        region: pick([null, { slug: 'north' }, { slug: 'south' }]),
        facility: pick(['', 'A', 'B']),
        tags: pick([[], [{ slug: 'core' }], [{ slug: 'core' }, { slug: 'edge' }]]),
        custom_fields: { tier: pick([null, 1, 2, 3]) },
      })
    }
  })
  afterAll(() => api.close())

  it('cannot be made to contain each other by two changes at once', async () => {
    const plain = { status: ['active'] }
    const ids = [await group('left', plain), await group('right', plain)]
    const change = (index: number, parameters: object) =>
      api.ask('PATCH', `/api/extras/dynamic-groups/${ids[index]}/`, { body: { parameters } })
    for (let round = 0; round < 5; round++) {
      const both = await Promise.all([change(0, { dynamic_group: ['right'] }), change(1, { dynamic_group: ['left'] })])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
      for (const index of [0, 1]) await change(index, plain)
    }
  })

  const idsOf = ({ results }: Document): readonly number[] => (results ?? []).map(({ id }) => Number(id))
  const list = async (path: string, options?: Parameters<Api['ask']>[2]): Promise<Document> => {
    const { status, text, json } = await api.ask('GET', `/api/${path}`, options)
    expect(status, `${path} ${text}`).toBe(200)
    return json
  }
  const sites = async (query: string, options?: Parameters<Api['ask']>[2]) =>
    idsOf(await list(`dcim/sites/?limit=1000&${query}`, options))
  const queryOf = (parameters: object): string =>
    Object.entries(parameters)
      .flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`))
      .join('&')

  const FILTERS: readonly [string, readonly [string, ...string[]]][] = [
    ['status', ['active', 'planned', 'retired']],
    ['status__n', ['active', 'planned']],
    ['region', ['north', 'south', 'null']],
    ['facility', ['A', 'B']],
    ['facility__n', ['A']],
    ['tag', ['core', 'edge']],
    ['tag__any', ['core', 'edge']],
    ['cf_tier__gte', ['2', '3']],
    ['name__ic', ['1', '2']],
    ['q', ['site 2']],
  ]

  it('contain what the list contains under their parameters', async () => {
    for (let index = 0; index < 25; index += 1) {
      const parameters: Record<string, unknown> = {}
      for (let count = 0; count < 1 + random(3); count += 1) {
        const [name, values] = FILTERS[random(FILTERS.length)] ?? ['status', ['active']]
        parameters[name] = random(2) === 0 ? pick(values) : [pick(values), pick(values)]
      }
      const id = await group(`random-${index}`, parameters)
      const expected = await sites(queryOf(parameters))
      const all = await sites('')
      const text = JSON.stringify(parameters)
      expect(await sites(`dynamic_group=random-${index}`), text).toEqual(expected)
      expect(await sites(`dynamic_group_id=${id}`), text).toEqual(expected)
      expect(idsOf(await list(`extras/dynamic-groups/${id}/members/?limit=1000`)), text).toEqual(expected)
      const others = all.filter((site) => !expected.includes(site))
      expect(await sites(`dynamic_group__n=random-${index}`), text).toEqual(others)
      await group(`outer-${index}`, { dynamic_group__n: [`random-${index}`], status: 'active' })
      const active = await sites('status=active')
      expect(await sites(`dynamic_group=outer-${index}`), text).toEqual(active.filter((site) => others.includes(site)))
    }
  })

  it('filter GraphQL, exports, saved filters, pages of members and every list of their type', async () => {
    const id = await group('actives', { status: ['active'] })
    const expected = await sites('status=active')
    const query = '{ site_list(filters: {dynamic_group: ["actives"]}) { id } }'
    const { json } = await api.ask('POST', '/graphql/', { body: { query } })
    expect(json.data?.site_list?.map((site: Document) => Number(site.id))).toEqual(expected)
    const template_code = '{% for site in queryset %}{{ site.pk }} {% endfor %}'
    await api.make('extras/export-templates', { name: 'ids', object_types: ['dcim.site'], template_code })
    const exported = await api.ask('GET', '/api/dcim/sites/?dynamic_group=actives&export=ids')
    expect(exported.text.trim().split(' ').map(Number)).toEqual(expected)
    const parameters = { dynamic_group: ['actives'] }
    await api.make('extras/saved-filters', { name: 's', slug: 's', object_types: ['dcim.site'], parameters })
    expect(await sites('filter=s')).toEqual(expected)
    const page = await list(`extras/dynamic-groups/${id}/members/?limit=2&brief=1`)
    expect(page.count).toBe(expected.length)
    expect(String(page.next)).toContain(`/api/extras/dynamic-groups/${id}/members/?`)
    for (const model of api.service.registry.models.values()) {
      if (model.path === '' || model.definition.private) continue
      const slug = `all-${model.key}-${model.app}`
      const { status, text } = await api.ask('POST', '/api/extras/dynamic-groups/', {
        body: { name: slug, slug, object_type: model.name, parameters: { id__gte: ['1'] } },
      })
      expect(status, `${model.name} ${text}`).toBe(201)
      const { count } = await list(`${model.path}/?limit=1`)
      expect((await list(`${model.path}/?limit=1&dynamic_group=${slug}`)).count, model.name).toBe(count)
    }
  })

  it('show their members on their page, and are offered by lists with filters', async () => {
    const id = await group('closed', { facility: ['A'], status__n: 'retired' })
    const browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    const page = await browser.visit(`/extras/dynamic-groups/${id}/`)
    const [first] = (await list('dcim/sites/?dynamic_group=closed&limit=1')).results ?? []
    expect(page.text).toContain(`/dcim/sites/${first?.id}/`)
    expect(page.text).toContain('/dcim/sites/?dynamic_group=closed"')
    const sitesPage = await browser.visit('/dcim/sites/?dynamic_group=closed&facility=A')
    const [, href = ''] = /href="([^"]*)">Save as dynamic group/.exec(sitesPage.text) ?? []
    const form = await browser.visit(href.replaceAll('&amp;', '&'))
    expect(form.status).toBe(200)
    expect(form.text).toContain('Dynamic group: <bdi>closed</bdi>')
    for (const path of ['extras/dynamic-groups/', `extras/dynamic-groups/${id}/edit/`]) {
      expect((await browser.visit(`/${path}`)).status).toBe(200)
    }
  })

  it.each([
    [{ colour: 'red' }, 'parameters.colour'],
    [{ status: 'no-such-status' }, 'parameters.status'],
    [{ region: 'no-such-region', facility: 'A' }, 'parameters.region'],
    [{ cf_none: '1' }, 'parameters.cf_none'],
    [{ filter: 's' }, 'parameters.filter'],
    [{ id__gte: 'x' }, 'parameters.id__gte'],
    [{ dynamic_group: 'no-such-group' }, 'parameters.dynamic_group'],
    [{ name__regex: '[' }, 'parameters.name__regex'],
    [{ facility: 'A', name__iregex: '(' }, 'parameters.name__iregex'],
    [{ cf_code__regex: '[' }, 'parameters.cf_code__regex'],
    [{ name: { a: 1 } }, 'parameters.name'],
    [{ name: null }, 'parameters.name'],
    [{ name: ['a', ['b']] }, 'parameters.name'],
    [{ name: [null] }, 'parameters.name'],
    [{}, 'parameters'],
    [[], 'parameters'],
  ])('with %j are refused, naming the parameter', async (parameters, place) => {
    const body = { name: 'bad', slug: 'bad', object_type: 'dcim.site', parameters }
    const { status, json } = await api.ask('POST', '/api/extras/dynamic-groups/', { body })
    expect(status).toBe(400)
    const [field = '', name] = place.split('.')
    expect(Object.keys(json)).toEqual([field])
    if (name !== undefined) expect(Object.keys(json[field] ?? {})).toEqual([name])
  })

  it('refer to groups of their type, without cycles and to a limited depth', async () => {
    const first = await group('chain-1', { facility: 'A' })
    for (let index = 2; index <= MOST_NESTED_GROUPS; index += 1) {
      await group(`chain-${index}`, { dynamic_group: `chain-${index - 1}` })
    }
    expect(await sites(`dynamic_group=chain-${MOST_NESTED_GROUPS}`)).toEqual(await sites('facility=A'))
    const write = async (method: string, path: string, body: object) => {
      const { status, text } = await api.ask(method, `/api/extras/dynamic-groups/${path}`, { body })
      return `${status} ${text}`
    }
    const more = { name: 'x', slug: 'x', object_type: 'dcim.site' }
    const top = { dynamic_group: `chain-${MOST_NESTED_GROUPS}` }
    expect(await write('POST', '', { ...more, parameters: top })).toMatch(/^400 .*At most/)
    expect(await write('PATCH', `${first}/`, { parameters: top })).toMatch(/^400 .*cannot/)
    expect(await write('PATCH', `${first}/`, { parameters: { dynamic_group: 'chain-1' } })).toMatch(/^400 /)
    expect(await write('PATCH', `${first}/`, { parameters: { dynamic_group: 'all-device-dcim' } })).toMatch(/^400 /)
    expect(await write('PATCH', `${first}/`, { slug: 'renamed' })).toMatch(/^400 .*slug/)
    expect(await write('PATCH', `${first}/`, { object_type: 'dcim.device', parameters: { name: 'x' } })).toMatch(
      /^400 .*object_type/,
    )
    expect(await write('DELETE', `${first}/`, {})).toMatch(/^409 .*used by dynamic group .*chain-2/)
    expect((await api.ask('GET', '/api/dcim/devices/?dynamic_group=chain-1')).status).toBe(400)
    expect((await api.ask('GET', '/api/dcim/sites/?dynamic_group=nobody')).status).toBe(400)
  })

  it('are read as of a time and in a branch', async () => {
    const id = await group('changing', { facility: 'A' })
    const before = await sites('facility=A')
    await api.background.runUntilIdle()
    const [[time] = []] = await api.service.database.queryArrays(volatile`select clock_timestamp() from pg_sleep(0.01)`)
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: 'groups' } })
    const inBranch = { headers: { 'X-NetBox-Branch': String(json.schema_id) } }
    const patch = { body: { parameters: { facility: ['B'] } } }
    await api.ask('PATCH', `/api/extras/dynamic-groups/${id}/`, { ...patch, ...inBranch })
    expect(await sites('dynamic_group=changing')).toEqual(before)
    expect(await sites('dynamic_group=changing', inBranch)).toEqual(await sites('facility=B'))
    await api.ask('PATCH', `/api/extras/dynamic-groups/${id}/`, { body: { parameters: { status: 'active' } } })
    expect(await sites('dynamic_group=changing')).toEqual(await sites('status=active'))
    expect(await sites(`dynamic_group=changing&as_of=${encodeURIComponent(String(time))}`)).toEqual(before)
  })
})
