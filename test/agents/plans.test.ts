import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { type Called, modernMessage, toolsOf } from './client.ts'

/** An agent of Ann, who may propose changes of sites; her token writes only by plans. */
describe('plans', () => {
  let api: Api
  let plan: (args: Readonly<Record<string, unknown>>) => Promise<Called>
  let token: string
  let site: number
  const lines: string[] = []
  const log = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  beforeAll(async () => {
    api = await startApi({ MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '0', LOG_LEVEL: 'info' }, log)
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    const user = await api.make('users/users', { username: 'ann', password: 'Long-enough-1' })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1, plans_only: true } })
    token = String(json.key)
    const permission = (
      object_types: readonly string[],
      actions: readonly string[],
      constraints: object | null = null,
    ) => api.make('users/permissions', { name: 'p', users: [user], object_types, actions, constraints })
    await permission(['core.branch', 'core.changerequest', 'core.changereview'], ['view', 'add'])
    await permission(['dcim.site', 'dcim.region'], ['view', 'propose'])
    await permission(['core.branch'], ['merge'])
    const call = toolsOf(api, token)
    plan = (args) => call('plan', args)
  })
  afterAll(() => api.close())

  const branches = async () => Number((await api.ask('GET', '/api/core/branches/')).json.count)
  const sites = async () => Number((await api.ask('GET', '/api/dcim/sites/')).json.count)
  const create = (slug: string, more: object = {}) => ({
    ...{ method: 'POST', path: 'dcim/sites/', body: { name: slug, slug, ...more } },
  })

  it.each([
    ['POST', '/api/dcim/sites/', { name: 'x', slug: 'x' }],
    ['POST', '/api/core/branches/', { name: 'x' }],
    ['POST', '/api/core/change-requests/', { title: 'x' }],
    ['POST', '/api/apply/', { objects: {} }],
    ['POST', '/api/users/tokens/', {}],
    ['PATCH', '/api/users/config/', { ui: { theme: 'dark' } }],
  ])('the token of an agent cannot %s %s', async (method, path, body) => {
    expect((await api.ask(method, path, { token, body })).status).toBe(403)
  })

  it('a plan changes only its branch, and a person merges and reverts it', async () => {
    const { document, isError, text } = await plan({
      title: 'A second site',
      description: 'For the new lab',
      writes: [create('ber'), { method: 'PATCH', path: `/api/dcim/sites/${site}`, body: { facility: 'F9' } }],
      reviewers: [1],
    })
    expect(isError, text).toBe(false)
    expect(document).toMatchObject({
      ...{ status: 'open', author: 'ann', conflicts: [], refused_by_rules: [], merge_blocked_by: null },
      counts: { created: 1, changed: 1, deleted: 0 },
      results: [{ display: 'ber' }, { id: site }],
    })
    expect(JSON.stringify(document.changes)).toContain('"facility":{"before":"","after":"F9"}')
    expect(document.url).toBe(`${api.url}/core/change-requests/${document.plan}/`)
    expect(await sites()).toBe(1)
    const branch = document.branch?.id
    expect((await api.ask('POST', `/api/core/branches/${branch}/merge/`, { token, body: {} })).status).toBe(403)
    expect((await api.ask('POST', `/api/core/branches/${branch}/merge/`, { body: {} })).status).toBe(200)
    expect(await sites()).toBe(2)
    const status = await toolsOf(api, token)('plan_status', { plan: document.plan })
    expect(status.document).toMatchObject({ status: 'merged' })
    const plans = await toolsOf(api, token)('plan_status')
    expect(plans.document.plans, plans.text).toMatchObject([{ title: 'A second site' }])
    expect((await api.ask('POST', `/api/core/branches/${branch}/revert/`, { body: {} })).status).toBe(200)
    expect(await sites()).toBe(1)
  })

  it('a plan can be a document, and can be tried', async () => {
    const before = await branches()
    const objects = {
      'dcim.site': [{ name: 'Cork', slug: 'cork', region: { slug: 'south' } }],
      'dcim.region': [{ name: 'South', slug: 'south' }],
    }
    const tried = await plan({ title: 'Cork', document: { objects }, try: true })
    expect(tried.document, tried.text).toMatchObject({ tried: true, counts: { created: 2 } })
    expect(await branches()).toBe(before)
    const planned = await plan({ title: 'Cork', document: { objects } })
    expect(planned.document, planned.text).toMatchObject({ status: 'open', counts: { created: 2 } })
  })

  it.each<[string, readonly object[], string]>([
    ['a merge', [{ method: 'POST', path: 'core/branches/1/merge/', body: {} }], 'cannot contain'],
    ['a token', [{ method: 'POST', path: 'users/tokens/', body: {} }], 'cannot contain'],
    ['a review', [{ method: 'POST', path: 'core/change-reviews/', body: {} }], 'cannot contain'],
    ['a policy', [{ method: 'DELETE', path: 'core/change-policies/1/' }], 'cannot contain'],
    ['a script', [{ method: 'POST', path: 'extras/scripts/1/', body: {} }], 'cannot contain'],
    ['a query', [{ method: 'POST', path: 'dcim/sites/?branch=', body: {} }], 'cannot contain'],
    ['a way up', [{ method: 'DELETE', path: 'dcim/sites/../../core/branches/1/' }], 'cannot contain'],
    ['a read', [{ method: 'GET', path: 'dcim/sites/' }], 'must be equal to one of'],
    ['a body that is refused', [create('x'), { method: 'POST', path: 'dcim/sites/', body: { name: 'y' } }], 'index 1'],
    ['a type without permission', [{ method: 'POST', path: 'dcim/racks/', body: { name: 'r', site: 1 } }], 'index 0'],
    ['nothing', [], 'fewer than 1'],
  ])('a plan with %s is refused, and nothing of it remains', async (_name, writes, words) => {
    const before = await branches()
    const { isError, document, text } = await plan({ title: 'Refused', writes })
    expect(isError, text).toBe(true)
    expect(document.error).toContain(words)
    expect([await branches(), await sites()]).toEqual([before, 1])
  })

  it('a plan may have a long title of any characters', async () => {
    const { isError, text } = await plan({
      ...{ title: `x${'🦊'.repeat(120)}`, description: `x${'🦊'.repeat(180)}` },
      writes: [create('fox')],
    })
    expect(isError, text).toBe(false)
  })

  it('a policy is named before the merge, and conflicts and refusals are listed', async () => {
    const policy = await api.make('core/change-policies', { name: 'Two eyes', object_types: ['dcim.site'] })
    const planned = await plan({
      title: 'Both',
      writes: [create('dub'), { method: 'PATCH', path: `dcim/sites/${site}/`, body: { facility: 'F2' } }],
    })
    expect(planned.document.merge_blocked_by).toContain('Two eyes')
    await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: 'F3' } })
    const taken = await api.make('dcim/sites', { name: 'dub', slug: 'dublin' })
    const { document } = await toolsOf(api, token)('plan_status', { plan: planned.document.plan })
    expect((document.conflicts ?? []).map(({ reason }) => String(reason)).toSorted()).toEqual(['changed', 'taken'])
    await api.ask('DELETE', `/api/dcim/sites/${taken}/`)
    await api.ask('DELETE', `/api/core/change-policies/${policy}/`)
  })

  it('plans at the same time do not disturb one another', async () => {
    const before = await sites()
    const plans = await Promise.all(
      Array.from({ length: 6 }, (_, n) => plan({ title: 'Same', writes: [create(`p${n % 3}`)] })),
    )
    expect(plans.map(({ isError }) => isError)).toEqual(Array.from({ length: 6 }, () => false))
    expect(new Set(plans.map(({ document }) => Number(document.plan))).size).toBe(6)
    expect(await sites()).toBe(before)
  })

  it('a plan whose client disconnects leaves nothing', async () => {
    const requests = async () => Number((await api.ask('GET', '/api/core/change-requests/')).json.count)
    const before = [await branches(), await requests()]
    const writes = Array.from({ length: 300 }, (_, n) => create(`late-${n}`))
    const { headers, body } = modernMessage('tools/call', { name: 'plan', arguments: { title: 'Late', writes } })
    const client = new AbortController()
    const sent = fetch(`${api.url}/mcp`, {
      ...{ method: 'POST', body: JSON.stringify(body), signal: client.signal },
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    const ended = expect(sent).rejects.toThrow()
    await eventually(async () => expect(await branches()).toBeGreaterThan(before[0] ?? 0))
    client.abort()
    await ended
    await eventually(async () => expect([await branches(), await requests()]).toEqual(before))
  })

  it('a plan of 500 writes is merged, and reverted exactly', async () => {
    const snapshot = async () => (await api.ask('GET', '/api/dcim/sites/?limit=1000')).text
    const before = await snapshot()
    const writes = Array.from({ length: 500 }, (_, n) =>
      n % 5 === 0 ? { method: 'PATCH', path: `dcim/sites/${site}/`, body: { facility: `G${n}` } } : create(`site-${n}`),
    )
    const { document, isError, text } = await plan({ title: 'Many', writes })
    expect(isError, text).toBe(false)
    expect(document).toMatchObject({ counts: { created: 400, changed: 1 }, cut: { max_bytes: 20_000 } })
    expect(await snapshot()).toBe(before)
    const merge = await api.ask('POST', `/api/core/branches/${document.branch?.id}/merge/`, { body: {} })
    expect(merge.status, merge.text).toBe(200)
    expect(await snapshot()).not.toBe(before)
    expect((await api.ask('POST', `/api/core/branches/${document.branch?.id}/revert/`, { body: {} })).status).toBe(200)
    expect(await snapshot()).toBe(before)
  })

  it('an agent merges its plan only if a policy lets agents merge everything that it changes', async () => {
    const permission = await api.make('users/permissions', {
      ...{ name: 'write', users: [2], object_types: ['dcim.site', 'dcim.region'], actions: ['add', 'change'] },
    })
    const writes = [create('gent')]
    const merge = async (more: readonly object[] = []) =>
      (await plan({ title: 'At once', merge: true, writes: [...writes, ...more] })).document
    expect(await merge()).toMatchObject({
      ...{ status: 'open', merge_blocked_by: null },
      merge_refused: { detail: 'No policy lets agents merge these changes of sites.' },
    })
    const policy = await api.make('core/change-policies', {
      ...{ name: 'Planned sites', object_types: ['dcim.site'], agents_may_merge: true },
      constraints: { status: 'planned' },
    })
    expect(await merge()).toHaveProperty('merge_refused')
    writes[0] = create('gent', { status: 'planned' })
    expect(await merge([create('ghent', { status: 'active' })])).toHaveProperty('merge_refused')
    const region = { method: 'POST', path: 'dcim/regions/', body: { name: 'R', slug: 'r' } }
    expect(await merge([region])).toHaveProperty('merge_refused')
    const before = await sites()
    expect(await merge()).toMatchObject({ status: 'merged' })
    expect(await sites()).toBe(before + 1)
    writes[0] = create('aalst', { status: 'planned' })
    const all = await api.make('core/change-policies', { name: 'All sites', object_types: ['dcim.site'] })
    expect((await merge()).merge_refused?.detail).toContain('The policy "All sites" does not allow the merge')
    for (const id of [policy, all]) await api.ask('DELETE', `/api/core/change-policies/${id}/`)
    const { document } = await toolsOf(api)('plan', { title: 'By a superuser', merge: true, writes })
    expect(document).toHaveProperty('merge_refused')
    expect((await api.ask('POST', '/api/dcim/sites/', { token, body: { name: 'x', slug: 'x' } })).status).toBe(403)
    await api.ask('DELETE', `/api/users/permissions/${permission}/`)
  })

  it('a token that only reads cannot plan, and every call is in the audit log', async () => {
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user: 1, write_enabled: false } })
    const refused = await toolsOf(api, String(json.key))('plan', { title: 'No', writes: [create('no')] })
    expect(refused).toMatchObject({ isError: true, document: { status: 403 } })
    const calls = lines.filter((line) => line.includes('"event":"agentCall"')).map((line) => JSON.parse(line))
    expect(calls.at(-1)).toMatchObject({ tool: 'plan', outcome: 'refused', user: 'admin', token: json.id })
    await api.ask('POST', '/mcp', { token: null, ...modernMessage('tools/list') })
    expect(lines.some((line) => line.includes(token))).toBe(false)
  })
})
