import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'

describe('permissions', () => {
  const log = new LogLines()
  let api: Api
  let user: number
  let token: string
  let sites: Readonly<Record<string, number>>
  let permission: string | undefined

  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'warn' }, log)
    const password = 'Corr3ct-Horse-Battery'
    const made = await api.ask('POST', '/api/users/users/', { body: { username: 'bob', password } })
    user = Number(made.json.id)
    token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
    await api.ask('POST', '/api/dcim/regions/', { body: { name: 'North', slug: 'north' } })
    await api.ask('POST', '/api/extras/tags/', {
      body: [
        { name: 'Edge', slug: 'edge' },
        { name: 'Core', slug: 'core' },
      ],
    })
    for (const [name, type] of [
      ['rating', 'integer'],
      ['note', 'text'],
    ]) {
      const body = { name, type, object_types: ['dcim.site'] }
      await api.ask('POST', '/api/extras/custom-fields/', { body })
    }
    const { json } = await api.ask('POST', '/api/dcim/sites/', {
      body: [
        {
          ...{ name: 'Amsterdam 1', slug: 'ams1', region: 1, latitude: 52.3 },
          custom_fields: { rating: 5, note: 'new' },
        },
        {
          ...{ name: 'Berlin 1', slug: 'ber1', status: 'planned' },
          tags: [{ slug: 'edge' }, { slug: 'core' }],
        },
        { name: '100%', slug: 'odd', status: 'retired' },
      ],
    })
    sites = Object.fromEntries(json.map(({ slug, id }) => [String(slug), Number(id)]))
  })
  afterAll(() => api.close())
  beforeEach(async () => {
    if (permission !== undefined) await api.ask('DELETE', permission)
    permission = undefined
  })

  const allow = async (actions: readonly string[], constraints: unknown, more = {}) => {
    const { json } = await api.ask('POST', '/api/users/permissions/', {
      body: {
        name: 'p',
        object_types: ['dcim.site'],
        actions,
        constraints,
        users: [user],
        ...more,
      },
    })
    permission = `/api/users/permissions/${json.id}/`
  }
  const visible = async (): Promise<readonly unknown[] | number> => {
    const { status, json } = await api.ask('GET', '/api/dcim/sites/?ordering=slug', { token })
    return status === 200 ? (json.results ?? []).map(({ slug }) => slug) : status
  }

  it('filters that are not shared are visible to their owners and superusers only', async () => {
    const filters = '/api/extras/saved-filters/'
    const filter = (name: string, more: object) =>
      api.ask('POST', filters, {
        body: {
          name,
          slug: name,
          object_types: ['dcim.site'],
          parameters: { q: ['x'] },
          shared: false,
          ...more,
        },
      })
    const others = Number((await filter('others', {})).json.id)
    await filter('own', { user })
    await filter('everybodys', { shared: true })
    const view = ['view', 'change', 'delete']
    await allow(view, null, { object_types: ['extras.savedfilter'] })
    const slugs = async (as?: string) => {
      const options = as === undefined ? {} : { token: as }
      const { json } = await api.ask('GET', `${filters}?ordering=slug`, options)
      return (json.results ?? []).map(({ slug }) => slug)
    }
    expect(await slugs(token)).toEqual(['everybodys', 'own'])
    expect(await slugs()).toEqual(['everybodys', 'others', 'own'])
    const { status } = await api.ask('DELETE', `${filters}${others}/`, { token })
    expect(status).toBe(404)
  })

  it('change records can be constrained by their content', async () => {
    await allow(['view'], null)
    const sitesSeen = String(permission)
    const held = { postchange_data__slug__startswith: 'b' }
    await allow(['view'], held, { object_types: ['core.objectchange'] })
    const { status, json } = await api.ask(
      'GET',
      '/api/core/object-changes/?changed_object_type=dcim.site&ordering=-postchange_data',
      { token },
    )
    await api.ask('DELETE', sitesSeen)
    expect(status).toBe(200)
    expect(json.results?.map(({ object_repr }) => object_repr)).toEqual(['Berlin 1'])
  })

  it('without a permission nothing is shown', async () => {
    expect(await visible()).toBe(403)
    const { status, json } = await api.ask('OPTIONS', '/api/dcim/sites/', { token })
    expect([status, json.actions]).toEqual([200, undefined])
  })

  const all = ['ams1', 'ber1', 'odd']
  it.each<[string, unknown, readonly string[]]>([
    ['none', null, all],
    ['an empty object', {}, all],
    ['an empty list', [], all],
    ['a value', { status: 'active' }, ['ams1']],
    ['two values', { status: 'planned', slug: 'ber1' }, ['ber1']],
    ['alternatives', [{ status: 'active' }, { slug: 'odd' }], ['ams1', 'odd']],
    ['a path', { region__slug: 'north' }, ['ams1']],
    ['a path to an id', { region__id: 1 }, ['ams1']],
    ['a relation', { region: 1 }, ['ams1']],
    ['nothing there', { region: null }, ['ber1', 'odd']],
    ['something there', { region__isnull: false }, ['ams1']],
    ['in', { status__in: ['active', 'retired'] }, ['ams1', 'odd']],
    ['in nothing', { status__in: [] }, []],
    ['range', { latitude__range: [50, 60] }, ['ams1']],
    ['gt', { id__gt: 1 }, ['ber1', 'odd']],
    ['starts with', { name__startswith: 'Ams' }, ['ams1']],
    ['starts with, in any case', { name__istartswith: 'ams' }, ['ams1']],
    ['contains a special character of patterns', { name__contains: '0%' }, ['odd']],
    ['regex', { name__regex: ' [0-9]$' }, ['ams1', 'ber1']],
    ['keys of a JSON value', { custom_field_data__rating: 5 }, ['ams1']],
    ['a text in a JSON value', { custom_field_data__note__startswith: 'n' }, ['ams1']],
    ['no such key', { custom_field_data__rating__isnull: true }, ['ber1', 'odd']],
    ['a relation by its column', { region_id: 1 }, ['ams1']],
    ['nothing on a path', { region__parent__isnull: true }, all],
    ['many related rows', { tags__slug__in: ['edge', 'core'] }, ['ber1']],
    ['the same of many related rows', { tags__slug: 'edge', tags__name: 'Core' }, []],
    ['none of many', { tags__isnull: true }, ['ams1', 'odd']],
    ['a comparison with a decimal', { latitude__gte: '52.30' }, ['ams1']],
    ['a moment', { created__gt: '2020-01-01' }, all],
  ])('constraint: %s', async (_name, constraints, expected) => {
    await allow(['view'], constraints)
    expect(await visible()).toEqual(expected)
  })

  it.each<[string, unknown, RegExp]>([
    ['a text', 'x', /a JSON object of conditions, or a list/],
    ['a number among alternatives', [{ status: 'active' }, 5], /a JSON object of conditions/],
  ])('constraint that is refused: %s', async (_name, constraints, expected) => {
    const body = { name: 'p', object_types: ['dcim.site'], actions: ['view'], constraints }
    const { status, json } = await api.ask('POST', '/api/users/permissions/', { body })
    expect([status, String(json.constraints)]).toEqual([400, expect.stringMatching(expected)])
  })

  describe('a constraint that does not apply to an object type', () => {
    /** The last log lines about constraints: object type and error. */
    const logged = () =>
      log.audited
        .filter(({ event }) => event === 'constraintsDoNotFit')
        .map(({ objectType, complaint }) => [objectType, complaint])

    it.each<[string, unknown, RegExp]>([
      ['an unknown field', { nosuch: 1 }, /^Cannot resolve keyword 'nosuch' into field. Ch/],
      ['an unknown field behind a relation', { region__nosuch: 1 }, /Cannot resolve keyword 'nosuch'/],
      ['an unknown lookup', { name__sounds: 'x' }, /Unsupported lookup 'sounds' in name__sounds/],
      ['a value of the wrong type', { id: 'x' }, /id cannot be compared with "x"/],
      ['a day that does not exist', { created__gt: '2020-02-31' }, /cannot be compared/],
      ['a broken expression', { name__regex: '(' }, /cannot be compared/],
      ['a costly expression', { name__regex: '((a{99}){99}){99}' }, /cannot be compared/],
    ])('grants nothing and is logged: %s', async (_name, constraints, expected) => {
      await allow(['view'], constraints)
      expect(await visible()).toEqual([])
      expect(logged().at(-1)).toEqual(['dcim.site', expect.stringMatching(expected)])
    })

    it('grants what its other alternatives grant', async () => {
      await allow(['view'], [{ nosuch: 1 }, { slug: 'odd' }])
      expect(await visible()).toEqual(['odd'])
    })

    it('grants its actions on the types to which it applies', async () => {
      await allow(['view'], { latitude__gt: 0 }, { object_types: ['dcim.site', 'dcim.rack'] })
      expect(await visible()).toEqual(['ams1'])
      const racks = await api.ask('GET', '/api/dcim/racks/', { token })
      expect([racks.status, racks.json.count]).toEqual([200, 0])
      expect(logged().at(-1)?.[0]).toBe('dcim.rack')
    })

    it('is logged when a type is added to which it does not apply', async () => {
      await allow(['view'], { latitude__gt: 0 })
      const before = logged().length
      const { status } = await api.ask('PATCH', String(permission), {
        body: { object_types: ['dcim.site', 'dcim.device', 'dcim.rack'] },
      })
      expect(status).toBe(200)
      expect(logged().slice(before)).toEqual([
        ['dcim.rack', expect.stringContaining("Cannot resolve keyword 'latitude'")],
      ])
    })
  })

  it('objects outside of a constraint are not found', async () => {
    await allow(['view'], { status: 'active' })
    const status = async (slug: string) => (await api.ask('GET', `/api/dcim/sites/${sites[slug]}/`, { token })).status
    expect([await status('ams1'), await status('ber1')]).toEqual([200, 404])
  })

  it('a written object must satisfy the constraint before and after', async () => {
    await allow(['add', 'change', 'delete'], { status: 'active' })
    const ask = async (method: string, path: string, body?: unknown) =>
      (await api.ask(method, path, { token, body })).status
    const outside = { name: 'x', slug: 'x', status: 'planned' }
    expect(await ask('POST', '/api/dcim/sites/', outside)).toBe(403)
    expect((await api.ask('GET', '/api/dcim/sites/?slug=x')).json.count).toBe(0)
    expect(await ask('POST', '/api/dcim/sites/', { name: 'x', slug: 'x' })).toBe(201)
    expect(await ask('PATCH', `/api/dcim/sites/${sites.ams1}/`, { status: 'planned' })).toBe(403)
    expect(await ask('PATCH', `/api/dcim/sites/${sites.ams1}/`, { facility: 'y' })).toBe(200)
    expect(await ask('PATCH', `/api/dcim/sites/${sites.ber1}/`, { facility: 'y' })).toBe(404)
    expect(await ask('DELETE', `/api/dcim/sites/${sites.ber1}/`)).toBe(404)
  })

  it('permissions of groups apply, disabled ones do not', async () => {
    const group = await api.ask('POST', '/api/users/groups/', { body: { name: 'g' } })
    await allow(['view'], null, { users: [], groups: [group.json.id] })
    expect(await visible()).toBe(403)
    await api.ask('PATCH', `/api/users/users/${user}/`, { body: { groups: [group.json.id] } })
    expect(await visible()).toEqual(expect.arrayContaining(all))
    await api.ask('PATCH', String(permission), { body: { enabled: false } })
    expect(await visible()).toBe(403)
  })

  it('a read-only token changes nothing except its user’s preferences', async () => {
    await allow(['view', 'change'], null)
    const body = { user, write_enabled: false }
    const reading = String((await api.ask('POST', '/api/users/tokens/', { body })).json.key)
    const patch = (path: string, change: unknown) => api.ask('PATCH', path, { token: reading, body: change })
    expect((await patch(`/api/dcim/sites/${sites.ams1}/`, { facility: 'x' })).status).toBe(403)
    expect((await patch('/api/users/config/', { x: 1 })).json).toEqual({ x: 1 })
  })

  it('users manage their own tokens', async () => {
    const { json } = await api.ask('GET', '/api/users/tokens/', { token })
    expect(new Set(json.results?.map(({ user: owner }) => owner?.id))).toEqual(new Set([user]))
  })

  describe('models exempt from view permissions', () => {
    it('can be read by every user', async () => {
      const open_ = await apiOfTest({
        LOGIN_REQUIRED: 'false',
        EXEMPT_VIEW_PERMISSIONS: 'dcim.site',
      })
      const status = async (method: string, path: string) =>
        (await open_.ask(method, path, { token: null, ...(method === 'POST' && { body: {} }) })).status
      expect(await status('GET', '/api/dcim/sites/')).toBe(200)
      expect(await status('POST', '/api/dcim/sites/')).toBe(403)
      expect(await status('GET', '/api/dcim/racks/')).toBe(403)
    })
  })
})
