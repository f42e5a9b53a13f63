import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const CO = '/api/plugins/custom-objects'

let api: Api
let type: number
let hook: number
const fields = new Map<string, number>()
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'fatal' })
  type = await api.make('plugins/custom-objects/custom-object-types', { name: 'contract', slug: 'contracts' })
  for (const field of [
    { name: 'num', type: 'text', primary: true },
    { name: 'grp', type: 'text' },
    { name: 'ends', type: 'date' },
    { name: 'spot', type: 'coordinates' },
    { name: 'manual', type: 'url' },
    { name: 'site', type: 'object', related_object_type: 'dcim.site', related_name: 'contracts' },
  ]) {
    const id = await api.make('plugins/custom-objects/custom-object-type-fields', {
      custom_object_type: type,
      ...field,
    })
    fields.set(field.name, id)
  }
  hook = await api.make('extras/webhooks', { name: 'Hook', payload_url: 'http://127.0.0.1:9/' })
  await api.make('extras/custom-fields', { name: 'tier', type: 'integer', object_types: ['dcim.site'] })
  const site = await api.make('dcim/sites', { name: 'A', slug: 'a', custom_fields: { tier: 1 } })
  await api.make('dcim/sites', { name: 'B', slug: 'b', custom_fields: { tier: 2 } })
  const body = { num: 'C-1', grp: 'g', ends: '2031-01-01', site, spot_latitude: 1, spot_longitude: 2 }
  await api.make('plugins/custom-objects/contracts', body)
  await api.make('plugins/custom-objects/contracts', { num: 'C-2', grp: 'h' })
})
afterAll(() => api.close())

const OWN = 'custom_objects.contract'
let counter = 0

/** Stores an object that names a field. */
const store = async (path: string, body: object): Promise<number> => {
  counter += 1
  const names = { name: `use-${counter}`, slug: `use-${counter}` }
  if (path === 'extras/computed-fields') return await api.make(path, body)
  const action = path === 'extras/event-rules' ? { action_object_type: 'extras.webhook', action_object_id: hook } : {}
  return await api.make(path, { ...names, ...action, ...body })
}

const renameOwn = async (from: string, to: string) => {
  const url = `${CO}/custom-object-type-fields/${fields.get(from)}/`
  const { status, text } = await api.ask('PATCH', url, { body: { name: to } })
  expect(status, text).toBe(200)
  fields.set(to, Number(fields.get(from)))
}

const renameCustom = async (from: string, to: string) => {
  const { json } = await api.ask('GET', `/api/extras/custom-fields/?name=${from}`)
  const { status, text } = await api.ask('PATCH', `/api/extras/custom-fields/${json.results?.[0]?.id}/`, {
    body: { name: to },
  })
  expect(status, text).toBe(200)
}

const RULE = { event_types: ['date_reached'], action_type: 'webhook' }

/** Where names are stored: the path of the collection, an object, and what it contains after the renames below. */
const OWN_USES: readonly (readonly [string, object, object])[] = [
  [
    'extras/saved-filters',
    { object_types: [OWN], parameters: { grp: ['g'], grp__n: ['h'], ordering: ['-grp'], grps: ['x'] } },
    { parameters: { team: ['g'], team__n: ['h'], ordering: ['-team'], grps: ['x'] } },
  ],
  [
    'extras/saved-views',
    { object_type: OWN, parameters: { grp: 'g', group_by: 'grp' }, columns: ['num', 'grp', 'site'] },
    { parameters: { team: 'g', group_by: 'team' }, columns: ['num', 'team', 'site'] },
  ],
  [
    'extras/table-configs',
    { object_type: OWN, table: 'T', columns: ['grp', 'num'], ordering: ['-grp'] },
    { columns: ['team', 'num'], ordering: ['-team'] },
  ],
  ['extras/dynamic-groups', { object_type: OWN, parameters: { grp__ic: ['g'] } }, { parameters: { team__ic: ['g'] } }],
  [
    'users/permissions',
    { object_types: [OWN], actions: ['view'], constraints: [{ grp: 'g' }, { grp__in: ['h'], num: 'grp' }] },
    { constraints: [{ team: 'g' }, { team__in: ['h'], num: 'grp' }] },
  ],
  [
    'users/permissions',
    { object_types: ['dcim.site'], actions: ['view'], constraints: { contracts__grp__startswith: 'g' } },
    { constraints: { contracts__team__startswith: 'g' } },
  ],
  [
    'users/permissions',
    { object_types: ['dcim.rack'], actions: ['view'], constraints: { site__contracts__grp: 'g', name: 'grp' } },
    { constraints: { site__contracts__team: 'g', name: 'grp' } },
  ],
  [
    'extras/event-rules',
    {
      object_types: [OWN],
      ...{ event_types: ['object_updated'], action_type: 'webhook' },
      conditions: { and: [{ attr: 'grp', value: 'grp' }, { or: [{ attr: 'site.name', value: 'x' }] }] },
    },
    { conditions: { and: [{ attr: 'team', value: 'grp' }, { or: [{ attr: 'site.name', value: 'x' }] }] } },
  ],
  [
    'extras/computed-fields',
    { object_type: OWN, name: 'label_of', expression: "grp & ' grp ' & upper(grp) & site.name" },
    { expression: "team & ' grp ' & upper(team) & site.name" },
  ],
  [
    'extras/computed-fields',
    { object_type: 'dcim.site', name: 'best', expression: "max(contracts.grp) & 'contracts.grp'" },
    { expression: "max(contracts.team) & 'contracts.grp'" },
  ],
  [
    'extras/computed-fields',
    {
      object_type: 'dcim.site',
      name: 'own_group',
      expression: "count(contracts where grp = this.name and num != 'grp')",
    },
    { expression: "count(contracts where team = this.name and num != 'grp')" },
  ],
  [
    'extras/rules',
    { object_type: OWN, expression: "not any(site.racks where name = this.grp and site.name != '')", message: 'No' },
    { expression: "not any(site.racks where name = this.team and site.name != '')" },
  ],
]

const CUSTOM_USES: readonly (readonly [string, object, object])[] = [
  [
    'extras/saved-filters',
    { object_types: ['dcim.site'], parameters: { cf_tier: [1], cf_tier__gte: 0 } },
    { parameters: { cf_level: [1], cf_level__gte: 0 } },
  ],
  [
    'extras/dynamic-groups',
    { object_type: 'dcim.site', parameters: { cf_tier: ['1'] } },
    { parameters: { cf_level: ['1'] } },
  ],
  [
    'users/permissions',
    { object_types: ['dcim.device'], actions: ['view'], constraints: { site__custom_field_data__tier: 1 } },
    { constraints: { site__custom_field_data__level: 1 } },
  ],
  [
    'extras/table-configs',
    { object_type: 'dcim.site', table: 'T', columns: ['name', 'cf_tier'] },
    { columns: ['name', 'cf_level'] },
  ],
  [
    'extras/event-rules',
    {
      object_types: ['dcim.site'],
      ...{ event_types: ['object_updated'], action_type: 'webhook' },
      conditions: { attr: 'custom_fields.tier', value: 1 },
    },
    { conditions: { attr: 'custom_fields.level', value: 1 } },
  ],
  [
    'extras/computed-fields',
    { object_type: 'dcim.site', name: 'tier_text', expression: "cf.tier & 'tier'" },
    { expression: "cf.level & 'tier'" },
  ],
]

const COMPUTED_USES: readonly (readonly [string, object, object])[] = [
  [
    'extras/saved-filters',
    { object_types: ['dcim.site'], parameters: { score__gt: 1 } },
    { parameters: { rating__gt: 1 } },
  ],
  [
    'users/permissions',
    { object_types: ['dcim.site'], actions: ['view'], constraints: { score: 1 } },
    { constraints: { rating: 1 } },
  ],
]

describe('a new name of a field', () => {
  const follow = async (uses: typeof OWN_USES, rename: () => Promise<void>, back: () => Promise<void>) => {
    const stored: { path: string; id: number; before: object; after: object }[] = []
    for (const [path, body, after] of uses) {
      const id = await store(path, body)
      const { json } = await api.ask('GET', `/api/${path}/${id}/`)
      const before = Object.fromEntries(Object.keys(after).map((key) => [key, json[key]]))
      stored.push({ path, id, before, after })
    }
    await rename()
    for (const { path, id, after } of stored) {
      const { json } = await api.ask('GET', `/api/${path}/${id}/`)
      expect({ path, ...json }).toMatchObject({ path, ...after })
    }
    await back()
    for (const { path, id, before } of stored) {
      const { json } = await api.ask('GET', `/api/${path}/${id}/`)
      expect({ path, ...json }).toMatchObject({ path, ...before })
      await api.ask('DELETE', `/api/${path}/${id}/`)
    }
  }

  it('is followed by everything that names the field of a custom object type', async () => {
    await follow(
      OWN_USES,
      () => renameOwn('grp', 'team'),
      () => renameOwn('team', 'grp'),
    )
  })

  it('is followed by everything that names a custom field', async () => {
    await follow(
      CUSTOM_USES,
      () => renameCustom('tier', 'level'),
      () => renameCustom('level', 'tier'),
    )
  })

  it('is followed by everything that names a computed field', async () => {
    const id = await store('extras/computed-fields', { object_type: 'dcim.site', name: 'score', expression: 'id' })
    const rename = async (name: string) => {
      const { status, text } = await api.ask('PATCH', `/api/extras/computed-fields/${id}/`, { body: { name } })
      expect(status, text).toBe(200)
    }
    await follow(
      COMPUTED_USES,
      () => rename('rating'),
      () => rename('score'),
    )
  })

  it('keeps what filters, permissions and date rules mean', async () => {
    const filter = await store('extras/saved-filters', { object_types: [OWN], parameters: { grp: ['g'] } })
    const rule = await store('extras/event-rules', {
      ...{ object_types: [OWN], ...RULE, date_field: 'ends', date_offset: -5 },
    })
    const { status, text } = await api.ask('POST', '/api/users/users/', {
      body: { username: 'reader', password: 'Correct-horse-1' },
    })
    expect(status, text).toBe(201)
    const user = JSON.parse(text) as { id: number }
    await store('users/permissions', {
      object_types: [OWN],
      actions: ['view'],
      users: [user.id],
      constraints: { grp: 'g' },
    })
    const made = await api.ask('POST', '/api/users/tokens/', { body: { user: user.id } })
    const seen = async () => {
      const own = await api.ask('GET', '/api/plugins/custom-objects/contracts/', {
        token: String(made.json.key ?? made.json.token),
      })
      const filtered = await api.ask('GET', `/api/plugins/custom-objects/contracts/?filter_id=${filter}`)
      const due = await api.ask('GET', `/api/extras/event-rules/${rule}/due/`)
      return [own.json.count, filtered.json.count, due.json.count]
    }
    expect(await seen()).toEqual([1, 1, 1])
    await renameOwn('grp', 'team')
    await renameOwn('ends', 'end_date')
    expect(await seen()).toEqual([1, 1, 1])
    const changed = await api.ask('PATCH', `/api/extras/event-rules/${rule}/`, { body: { description: 'x' } })
    expect(changed.status, changed.text).toBe(200)
    await renameOwn('team', 'grp')
    await renameOwn('end_date', 'ends')
  })

  it('is refused if an object names fields of several types, of which others keep the name', async () => {
    const other = await api.make('plugins/custom-objects/custom-object-types', { name: 'other', slug: 'others' })
    const field = { custom_object_type: other, name: 'grp', type: 'text', primary: true }
    await api.make('plugins/custom-objects/custom-object-type-fields', field)
    const id = await store('extras/saved-filters', {
      ...{ name: 'Both types', object_types: [OWN, 'custom_objects.other'], parameters: { grp: ['g'] } },
    })
    const url = `${CO}/custom-object-type-fields/${fields.get('grp')}/`
    const { status, text } = await api.ask('PATCH', url, { body: { name: 'team' } })
    expect([status, text]).toEqual([400, expect.stringContaining('saved filter \\"Both types\\"')])
    await api.ask('DELETE', `/api/extras/saved-filters/${id}/`)
  })
})

describe('a saved filter with a parameter that does not exist any more', () => {
  it.each(['filter_id', 'filter'])('selects nothing and says so: %s', async (parameter) => {
    const slug = `lost-${parameter.replace('_', '-')}`
    const body = { name: slug, slug, object_types: ['dcim.site'], parameters: { nonsense: ['x'] } }
    const id = await api.make('extras/saved-filters', body)
    const value = parameter === 'filter' ? slug : id
    const { status, json } = await api.ask('GET', `/api/dcim/sites/?${parameter}=${value}`)
    expect(status).toBe(400)
    expect(json).toEqual({ filter: [expect.stringContaining('there is no filter nonsense')] })
    const page = await api.ask('GET', `/dcim/sites/?${parameter}=${value}`)
    expect(page.status).toBeLessThan(500)
    expect(page.text).not.toContain('/dcim/sites/1/"')
  })
})

describe('a rule whose date has been removed', () => {
  const removals: readonly (readonly [string, () => Promise<readonly [object, string]>])[] = [
    [
      'of an own type',
      async () => {
        const field = { custom_object_type: type, name: 'gone', type: 'date' }
        const id = await api.make('plugins/custom-objects/custom-object-type-fields', field)
        return [{ object_types: [OWN], date_field: 'gone' }, `${CO}/custom-object-type-fields/${id}/`]
      },
    ],
    [
      'in a custom field',
      async () => {
        const id = await api.make('extras/custom-fields', { name: 'gone', type: 'date', object_types: ['dcim.site'] })
        return [{ object_types: ['dcim.site'], date_field: 'cf_gone' }, `/api/extras/custom-fields/${id}/`]
      },
    ],
  ]
  it.each(removals)('can be renamed and switched off, but not on again: %s', async (_kind, make) => {
    const [rule, field] = await make()
    const path = `/api/extras/event-rules/${await store('extras/event-rules', { ...RULE, ...rule })}/`
    const removal = await api.ask('DELETE', field)
    expect(removal.status, removal.text).toBe(204)
    const statusOf = async (body: object) => (await api.ask('PATCH', path, { body })).status
    expect(await statusOf({ name: `Renamed ${path}` })).toBe(200)
    expect(await statusOf({ enabled: true })).toBe(200)
    expect(await statusOf({ enabled: false, description: 'off' })).toBe(200)
    expect(await statusOf({ enabled: true })).toBe(400)
    expect(await statusOf({ object_types: ['dcim.rack'] })).toBe(400)
    expect(await statusOf({ date_field: 'nonsense' })).toBe(400)
    expect((await api.ask('DELETE', path)).status).toBe(204)
  })
})
