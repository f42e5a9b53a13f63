import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usableRules } from '../../src/read/rules/compile-rule.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { timeAfterChanges } from '../support/requests.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ API_VERSION: '4.7', METRICS_ENABLED: 'true' })
})
afterAll(() => api.close())

const make = async (path: string, body: object): Promise<Document> => {
  const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return json
}
const change = async (path: string, id: unknown, body: object): Promise<void> => {
  const { status, text } = await api.ask('PATCH', `/api/${path}/${id}/`, { body })
  expect(status, text).toBe(200)
}
const findings = async (query = ''): Promise<readonly string[]> => {
  await api.background.runUntilIdle()
  const { json } = await api.ask('GET', `/api/extras/findings/?limit=0&ordering=rule,id${query}`)
  return (json.results ?? []).map(({ rule, object }) => `${rule?.name}: ${object?.display}`)
}

describe('a rule', () => {
  it('has a finding for each object that breaks it, as long as it does', async () => {
    const site = await make('dcim/sites', { name: 'Empty', slug: 'empty' })
    await make('dcim/sites', { name: 'Full', slug: 'full', facility: 'F1' })
    const rule = await make('extras/rules', {
      ...{
        name: 'Facility',
        object_type: 'dcim.site',
        expression: "facility != ''",
        message: 'No facility',
        severity: 'low',
      },
    })
    expect(await findings()).toEqual(['Facility: Empty'])
    await change('dcim/sites', site.id, { facility: 'F2' })
    expect(await findings()).toEqual([])
    await change('dcim/sites', site.id, { facility: '' })
    expect(await findings('&severity=low')).toEqual(['Facility: Empty'])
    await change('extras/rules', rule.id, { enabled: false })
    expect(await findings()).toEqual([])
    await change('extras/rules', rule.id, { enabled: true })
    expect(await findings()).toEqual(['Facility: Empty'])
    await api.ask('DELETE', `/api/dcim/sites/${site.id}/`)
    expect(await findings()).toEqual([])
    await api.ask('DELETE', `/api/extras/rules/${rule.id}/`)
  })
  it.each([
    [
      'that yields no truth value',
      { expression: 'name' },
      { expression: ['The expression yields a text, not true or false.'] },
    ],
    ['with an unknown field', { expression: 'nam = 1' }, { expression: [expect.stringContaining('has no field nam')] }],
    [
      'with an unknown custom field',
      { expression: "cf.none = 'x'" },
      { expression: ['There is no custom field none.'] },
    ],
    [
      'about findings',
      { object_type: 'extras.finding', expression: 'true' },
      { object_type: ['Objects of this type cannot have rules.'] },
    ],
  ])('%s is refused', async (_what, wrong, messages) => {
    const body = { name: 'Wrong', object_type: 'dcim.site', message: 'Wrong', ...wrong }
    const { status, json } = await api.ask('POST', '/api/extras/rules/', { body })
    expect([status, json]).toEqual([400, messages])
  })

  it('has its findings listed by severity, the oldest first, with the filters that people need first', async () => {
    const ids: unknown[] = []
    for (const slug of ['older', 'newer']) {
      ids.push((await make('dcim/sites', { name: slug, slug, facility: 'ordered' })).id)
      for (const severity of slug === 'older' ? ['low', 'info', 'high', 'medium'] : []) {
        const condition = { object_type: 'dcim.site', expression: "facility != 'ordered'", message: 'Wrong' }
        await make('extras/rules', { name: severity, severity, ...condition })
      }
      await api.background.runUntilIdle()
    }
    const { json } = await api.ask('GET', '/api/extras/findings/')
    const listed = (json.results ?? []).map(({ rule, object }) => `${rule?.name} ${object?.display}`)
    const severities = ['high', 'medium', 'low', 'info']
    expect(listed).toEqual(severities.flatMap((severity) => [`${severity} older`, `${severity} newer`]))
    const browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    const { text } = await browser.visit('/extras/findings/')
    const menus = [...text.matchAll(/<details class="filter" data-filter[^>]*><summary[^>]*>([^<]*)/g)].map(
      ([, label]) => label,
    )
    expect(menus.slice(0, 3)).toEqual(['Severity', 'Rule', 'Object type'])
    for (const severity of severities) {
      const { json } = await api.ask('GET', `/api/extras/rules/?name=${severity}`)
      await api.ask('DELETE', `/api/extras/rules/${json.results?.[0]?.id}/`)
    }
    for (const id of ids) await api.ask('DELETE', `/api/dcim/sites/${id}/`)
  })

  it('names what causes a finding, and keeps it while it is accepted', async () => {
    const site = await make('dcim/sites', { name: 'Causing', slug: 'causing' })
    const rack = await make('dcim/racks', { name: 'Tall', site: site.id, u_height: 48 })
    await make('dcim/racks', { name: 'Low', site: site.id, u_height: 20 })
    const rule = await make('extras/rules', {
      ...{ name: 'Low racks', object_type: 'dcim.site', message: 'A rack is too tall' },
      expression: 'all(racks where u_height <= 42)',
    })
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `/api/extras/findings/?rule_id=${rule.id}`)
    expect(json.results).toMatchObject([
      { object_id: site.id, causes: [{ object_type: 'dcim.rack', object_id: rack.id }], accepted_until: null },
    ])
    const counted = async () =>
      /^cadastre_findings\{severity="medium"\} (\d+)$/m.exec((await api.ask('GET', '/metrics')).text)?.[1]
    expect(await counted()).toBe('1')
    const [finding] = json.results ?? []
    const accept = { accepted_until: '2099-01-01T00:00:00Z' }
    const refused = await api.ask('PATCH', `/api/extras/findings/${finding?.id}/`, { body: accept })
    expect([refused.status, refused.json]).toEqual([400, { reason: ['Say why the finding is accepted.'] }])
    await change('extras/findings', finding?.id, { ...accept, reason: 'Ordered' })
    await change('dcim/racks', rack.id, { u_height: 47 })
    await api.background.runUntilIdle()
    const accepted = { reason: 'Ordered', accepted_by: 'admin' }
    expect((await api.ask('GET', `/api/extras/findings/${finding?.id}/`)).json).toMatchObject(accepted)
    expect((await api.ask('POST', '/api/extras/findings/', { body: {} })).status).toBe(405)
    expect(await counted()).toBeUndefined()
    const before = await timeAfterChanges()
    await change('dcim/racks', rack.id, { u_height: 40 })
    expect(await findings(`&rule_id=${rule.id}`)).toEqual([])
    const past = await api.ask('GET', `/api/extras/findings/?rule_id=${rule.id}&as_of=${before}`)
    expect(past.json).toMatchObject({ count: 1 })
    await api.ask('DELETE', `/api/extras/rules/${rule.id}/`)
  })

  it('names who has accepted a finding, as long as it is accepted', async () => {
    const site = await make('dcim/sites', { name: 'Accepted', slug: 'accepted' })
    const rule = await make('extras/rules', {
      ...{ name: 'Described', object_type: 'dcim.site', message: 'No description', severity: 'low' },
      expression: `id != ${site.id} or description != ''`,
    })
    await api.background.runUntilIdle()
    const { json } = await api.ask('GET', `/api/extras/findings/?rule_id=${rule.id}`)
    const path = `/api/extras/findings/${json.results?.[0]?.id}/`
    const user = await make('users/users', { username: 'keeper', password: 'Long-enough-1' })
    for (const [type, actions] of [
      ['extras.finding', ['view', 'change']],
      ['extras.rule', ['view']],
      ['dcim.site', ['view']],
    ] as const) {
      await make('users/permissions', { name: 'p', users: [user.id], object_types: [type], actions })
    }
    const { key } = await make('users/tokens', { user: user.id, version: 1 })
    const ownerAfter = async (body: object, token?: string) => {
      const { status, text, json: changed } = await api.ask('PATCH', path, { body, ...(token && { token }) })
      expect(status, text).toBe(200)
      return changed.accepted_by
    }
    const accept = { accepted_until: '2099-01-01T00:00:00Z', reason: 'Later' }
    expect(await ownerAfter(accept)).toBe('admin')
    expect(await ownerAfter({ ...accept, accepted_by: 'somebody' }, String(key))).toBe('admin')
    expect(await ownerAfter({ reason: 'Much later' }, String(key))).toBe('keeper')
    const page = await api.ask('GET', path.replace('/api', ''), { headers: { accept: 'text/html' } })
    expect(page.text).toContain('keeper')
    expect(await ownerAfter({ accepted_until: null })).toBe('')
    await api.ask('DELETE', `/api/extras/rules/${rule.id}/`)
  })

  it('notifies superusers and its last author once when it cannot be evaluated any more, and is listed first', async () => {
    const user = await make('users/users', { username: 'author', password: 'Long-enough-1' })
    await make('users/users', { username: 'other', password: 'Long-enough-1' })
    await make('users/permissions', {
      ...{ name: 'p', users: [user.id], object_types: ['extras.rule', 'extras.finding', 'dcim.site'] },
      actions: ['view', 'change'],
    })
    const { key } = await make('users/tokens', { user: user.id, version: 1 })
    const field = await make('extras/custom-fields', { name: 'code', type: 'text', object_types: ['dcim.site'] })
    const rule = await make('extras/rules', {
      ...{ name: 'Coded', object_type: 'dcim.site', expression: 'cf.code != null', message: 'No code' },
      severity: 'refuse',
    })
    const token = String(key)
    const changed = await api.ask('PATCH', `/api/extras/rules/${rule.id}/`, { token, body: { description: 'Mine' } })
    expect(changed.status, changed.text).toBe(200)
    await api.background.runUntilIdle()
    const messages = async () => {
      await api.background.runUntilIdle()
      const all = (await api.ask('GET', '/api/extras/notifications/?limit=0')).json.results ?? []
      return all.flatMap((notification) =>
        Number(notification.object_id) === Number(rule.id) && String(notification.object_type) === 'extras.rule'
          ? [`${notification.user?.username}: ${notification.display}`]
          : [],
      )
    }
    expect(await messages()).toEqual([])
    await api.ask('DELETE', `/api/extras/custom-fields/${field.id}/`)
    const expected = ['admin: Cannot be evaluated: Coded', 'author: Cannot be evaluated: Coded']
    expect((await messages()).toSorted()).toEqual(expected)
    await make('dcim/sites', { name: 'More', slug: 'more' })
    expect((await messages()).toSorted()).toEqual(expected)
    const browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    for (const path of ['/', '/extras/rules/', '/extras/findings/scores/', '/user/notifications/']) {
      const { text } = await browser.visit(path)
      expect(text, path).toMatch(/Cannot be evaluated|There is no custom field code/)
    }
    await api.ask('DELETE', `/api/extras/rules/${rule.id}/`)
  })

  it('is compiled together with the others: custom fields are read once', async () => {
    const field = await make('extras/custom-fields', { name: 'row', type: 'text', object_types: ['dcim.site'] })
    const ids: unknown[] = []
    for (const row of [1, 2, 3]) {
      const body = { object_type: 'dcim.site', expression: `cf.row != '${row}'`, message: 'Wrong' }
      ids.push((await make('extras/rules', { name: `Row ${row}`, ...body })).id)
    }
    const { registry, database } = api.service
    const statements: string[] = []
    const query: typeof database.query = (statement, options) => {
      statements.push(statement.text)
      return database.query(statement, options)
    }
    const rules = await usableRules({ registry, database: { ...database, query } })
    expect(rules.length).toBeGreaterThanOrEqual(3)
    expect(statements.filter((text) => text.includes('extras_customfield'))).toHaveLength(1)
    for (const id of ids) await api.ask('DELETE', `/api/extras/rules/${id}/`)
    await api.ask('DELETE', `/api/extras/custom-fields/${field.id}/`)
  })

  it('starts event rules when findings come and go', async () => {
    const webhook = await make('extras/webhooks', { name: 'Findings', payload_url: 'http://192.0.2.1/' })
    await make('extras/event-rules', {
      ...{ name: 'Findings', object_types: ['extras.finding'], event_types: ['object_created', 'object_deleted'] },
      ...{ action_type: 'webhook', action_object_type: 'extras.webhook', action_object_id: webhook.id },
    })
    await make('extras/rules', {
      ...{ name: 'Region', object_type: 'dcim.region', expression: "description != ''", message: 'No description' },
    })
    const region = await make('dcim/regions', { name: 'Event', slug: 'event' })
    await api.background.runUntilIdle()
    await change('dcim/regions', region.id, { description: 'Described' })
    await api.background.runUntilIdle()
    const deliveries = (await api.ask('GET', '/api/extras/webhook-deliveries/?ordering=id')).json.results ?? []
    expect(deliveries.map(({ event_type: event }) => event)).toEqual(['object_created', 'object_deleted'])
  })
})

describe('a rule that refuses', () => {
  let site: Document
  beforeAll(async () => {
    site = await make('dcim/sites', { name: 'Strict', slug: 'strict' })
    await make('extras/rules', {
      ...{ name: 'Names', object_type: 'dcim.rack', expression: "starts_with(name, 'R')", severity: 'refuse' },
      message: 'Names of racks begin with R.',
    })
    await make('extras/rules', {
      ...{ name: 'Units', object_type: 'dcim.site', expression: 'coalesce(sum(racks.u_height), 0) <= 100' },
      ...{ severity: 'refuse', message: 'A site has at most 100 units.' },
    })
  })

  const rack = (name: string, more: object = {}) => ({ name, site: site.id, u_height: 40, ...more })
  const names = { __all__: ['Names of racks begin with R.'] }

  it('refuses each way of writing, with the message at the object', async () => {
    const single = await api.ask('POST', '/api/dcim/racks/', { body: rack('X1') })
    expect([single.status, single.json]).toEqual([400, names])
    const bulk = await api.ask('POST', '/api/dcim/racks/', { body: [rack('R1'), rack('X2')] })
    expect([bulk.status, bulk.json]).toMatchObject([400, { errors: [{ index: 1, errors: names }] }])
    const good = await make('dcim/racks', rack('R2'))
    const changed = await api.ask('PATCH', `/api/dcim/racks/${good.id}/`, { body: { name: 'X3' } })
    expect([changed.status, changed.json]).toEqual([400, names])
    const upserted = await api.ask('POST', '/api/dcim/racks/?upsert=name', { body: [rack('X4')] })
    expect(upserted.status, upserted.text).toBe(400)
    const dry = await api.ask('POST', '/api/dcim/racks/?dry_run=true', { body: rack('X5') })
    expect(dry.json).toMatchObject({ status: 400 })
    const { json } = await api.ask('GET', '/api/dcim/racks/?name__isw=X')
    expect(json.count).toBe(0)
  })

  it('refuses changes of other objects that would break it', async () => {
    await make('dcim/racks', rack('R3'))
    const { status, json } = await api.ask('POST', '/api/dcim/racks/', { body: rack('R4') })
    expect([status, json]).toEqual([
      400,
      { __all__: ['After this change, the site Strict would break a rule: A site has at most 100 units.'] },
    ])
  })

  it('refuses a merge that would break it', async () => {
    const branch = await make('core/branches', { name: 'Two more racks' })
    const other = await make('dcim/racks', {
      ...rack('R5'),
      site: (await make('dcim/sites', { name: 'O', slug: 'o' })).id,
    })
    const moved = await api.ask('PATCH', `/api/dcim/racks/${other.id}/?branch=Two more racks`, {
      body: { site: site.id },
    })
    const merged = await api.ask('POST', `/api/core/branches/${branch.id}/merge/`, { body: {} })
    expect([moved.status, merged.status]).toEqual([200, 400])
  })
  it('names the findings that a branch causes and resolves, and a policy demands that there are none', async () => {
    await make('extras/rules', {
      ...{ name: 'Vendor', object_type: 'dcim.manufacturer', expression: "description != ''", severity: 'high' },
      message: 'No description.',
    })
    const old = await make('dcim/manufacturers', { name: 'Old', slug: 'old' })
    const branch = await make('core/branches', { name: 'Vendors' })
    const inBranch = async (method: string, path: string, body: object) =>
      await api.ask(method, `/api/${path}/?branch=Vendors`, { body })
    await inBranch('PATCH', `dcim/manufacturers/${old.id}`, { description: 'Known' })
    const { json: added } = await inBranch('POST', 'dcim/manufacturers', { name: 'New', slug: 'new' })
    const { json } = await api.ask('GET', `/api/core/branches/${branch.id}/findings/`)
    expect(json.results).toMatchObject([
      { state: 'caused', rule: { name: 'Vendor', severity: 'high' }, object_id: added.id, display: 'New' },
      { state: 'resolved', object_id: old.id },
    ])
    await make('core/change-policies', {
      ...{ name: 'Clean', object_types: ['dcim.manufacturer'], minimum_approvals: 1, no_new_findings: 'medium' },
      author_may_approve: true,
    })
    const request = await make('core/change-requests', { branch: branch.id, title: 'Vendors' })
    await make('core/change-reviews', { change_request: request.id, verdict: 'approve' })
    const refused = await api.ask('POST', `/api/core/branches/${branch.id}/merge/`, { body: {} })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('causes a finding: No description.')])
  })
})
