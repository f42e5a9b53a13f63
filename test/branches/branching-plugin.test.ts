import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const EVE = 'e'.repeat(40)

/** What clients of the branching plug-in read (pynetbox.extensions.BranchingExtension). */
describe('the lists of the branching plug-in', () => {
  let api: Api
  let site: number
  let gone: number
  let branch: { readonly id: number; readonly headers: Readonly<Record<string, string>> }
  const list = async (path: string, token?: string) => {
    const { status, json, text } = await api.ask('GET', `/api/plugins/branching/${path}`, token ? { token } : {})
    expect(status, text).toBe(200)
    return json
  }
  beforeAll(async () => {
    api = await startApi()
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    gone = await api.make('dcim/sites', { name: 'Berlin', slug: 'ber' })
    const { json } = await api.ask('POST', '/api/plugins/branching/branches/', { body: { name: 'Plan' } })
    await api.make('core/branches', { name: 'Empty' })
    branch = { id: Number(json.id), headers: { 'X-NetBox-Branch': String(json.schema_id) } }
    const write = (method: string, path: string, body?: object) =>
      api.ask(method, `/api/dcim/${path}`, { body, headers: branch.headers })
    for (const facility of ['draft', 'of branch']) await write('PATCH', `sites/${site}/`, { facility })
    await write('DELETE', `sites/${gone}/`)
    await write('POST', 'regions/', { name: 'Europe', slug: 'europe' })
    const { json: passing } = await write('POST', 'regions/', { name: 'Passing', slug: 'passing' })
    await write('DELETE', `regions/${passing.id}/`)
    await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: 'of main' } })
    const user = await api.make('users/users', { username: 'eve', password: 'Long-enough-1' })
    await api.make('users/tokens', { user, key: EVE, version: 1, token: EVE })
    for (const [object_types, constraints] of [
      [['core.branch', 'core.objectchange'], null],
      [['dcim.site'], { slug: 'ber' }],
    ])
      await api.make('users/permissions', { name: 'p', users: [user], object_types, actions: ['view'], constraints })
  })
  afterAll(() => api.close())

  it('show each changed object once, with its states and conflicts', async () => {
    const { count, results } = await list(`changes/?branch_id=${branch.id}`)
    expect(count).toBe(3)
    const brief = (results ?? []).map(({ object_type, object_id, action }) => [object_type, object_id, action?.value])
    expect(brief).toEqual([
      ['dcim.site', site, 'update'],
      ['dcim.site', gone, 'delete'],
      ['dcim.region', expect.any(Number), 'create'],
    ])
    const [changed, deleted, created] = [...(results ?? [])]
    expect(changed).toMatchObject({
      ...{ object_repr: 'Amsterdam', branch: { id: branch.id, name: 'Plan' }, conflicts: ['facility'] },
      original_data: { facility: '' },
      modified_data: { facility: 'of branch' },
      current_data: { facility: 'of main' },
      diff: { original: { facility: '' }, modified: { facility: 'of branch' }, current: { facility: 'of main' } },
    })
    expect(deleted).toMatchObject({ original_data: { name: 'Berlin' }, modified_data: null, conflicts: null })
    expect(created).toMatchObject({ original_data: null, modified_data: { name: 'Europe' }, current_data: null })
    for (const each of results ?? []) expect(await list(`changes/${each.id}/`)).toEqual(each)
    // An earlier change of the same object, one of main, and none at all.
    for (const id of [Number(changed?.id) - 1, 1, 987654321, 'x', '1'.repeat(30)]) {
      expect((await api.ask('GET', `/api/plugins/branching/changes/${id}/`)).status).toBe(404)
    }
  })

  it.each([
    ['branch=Empty', 0],
    ['action=delete', 1],
    ['object_type=dcim.region', 1],
    ['has_conflicts=true', 1],
    ['limit=2', 3],
  ])('are filtered by %s', async (query, count) => {
    expect((await list(`changes/?${query}`)).count).toBe(count)
  })

  it('leave out objects that the user may not view', async () => {
    const { results } = await list('changes/', EVE)
    expect((results ?? []).map(({ object_id }) => object_id)).toEqual([gone])
    expect(JSON.stringify(results)).not.toMatch(/Amsterdam|Europe/)
  })

  it('name the models of which branches have their own rows', async () => {
    const { results } = await list('branchable-models/?limit=0')
    expect([...(results ?? [])]).toContainEqual({
      ...{ app_label: 'dcim', model: 'site', verbose_name: 'site', verbose_name_plural: 'sites' },
    })
    expect([...(results ?? [])].some(({ app_label }) => String(app_label) === 'users')).toBe(false)
  })

  it('show what has been done with branches', async () => {
    const act = (action: string, body: object = {}) =>
      api.ask('POST', `/api/plugins/branching/branches/${branch.id}/${action}/`, { body })
    await act('sync', { acknowledge_conflicts: true })
    const rehearsed = await act('revert', { commit: false })
    expect(rehearsed.status).toBe(400)
    await act('merge', { acknowledge_conflicts: true })
    const tried = await act('revert', { commit: false })
    expect([tried.status, tried.json.status?.value], tried.text).toEqual([200, 'completed'])
    expect((await api.ask('GET', `/api/dcim/sites/${gone}/`)).status).toBe(404)
    expect((await act('revert')).status).toBe(200)
    expect((await api.ask('GET', `/api/dcim/sites/${gone}/`)).status).toBe(200)
    await act('archive')
    const { results } = await list(`branch-events/?branch_id=${branch.id}`)
    expect((results ?? []).map(({ type }) => type?.value)).toEqual([
      ...['provisioned', 'synced', 'merged', 'reverted', 'archived'],
    ])
    expect(results?.[0]).toMatchObject({ branch: { name: 'Plan' }, user: { username: 'admin' } })
  })

  describe('with actions that are only tried', () => {
    const act = (id: number, action: string, body: object = {}) =>
      api.ask('POST', `/api/plugins/branching/branches/${id}/${action}/`, { body })
    const facilityOf = async (headers = {}) =>
      (await api.ask('GET', `/api/dcim/sites/${site}/`, { headers })).json.facility
    const branchOff = async (name: string) => {
      const { json } = await api.ask('POST', '/api/plugins/branching/branches/', { body: { name } })
      const headers = { 'X-NetBox-Branch': String(json.schema_id) }
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: name }, headers })
      return { id: Number(json.id), headers }
    }

    const CHANGED = expect.arrayContaining([expect.objectContaining({ object_type: 'dcim.site' })])
    it.each<[string, readonly string[], string, unknown]>([
      ['sync', [], 'completed', { status: 200, result: { count: 1 }, conflicts: [] }],
      ['merge', [], 'completed', { status: 200, result: { count: 1 }, changed: CHANGED }],
      ['revert', ['merge'], 'completed', { status: 200, changed: CHANGED }],
      ['sync', ['change on main'], 'failed', { status: 409, conflicts: [{ field: 'facility' }] }],
      ['merge', ['change on main'], 'failed', { status: 409, result: { conflicts: [{ field: 'facility' }] } }],
      ['revert', ['merge', 'change on main'], 'failed', { status: 409 }],
    ])('respond to %s after %j with a job that is %s and reports the effects', async (action, before, status, data) => {
      const { id, headers } = await branchOff(`${action} ${before.join()}`)
      const main = (body: object) => api.ask('PATCH', `/api/dcim/sites/${site}/`, { body })
      await main({ description: `before ${action} ${before.join()}` })
      for (const step of before) {
        const { status: done, text } = await (step === 'merge' ? act(id, step) : main({ facility: `Main ${id}` }))
        expect(done, text).toBe(200)
      }
      const facilities = [await facilityOf(), await facilityOf(headers)]
      const { json: branchBefore } = await api.ask('GET', `/api/core/branches/${id}/`)
      const { json, text } = await act(id, action, { commit: false })
      expect([json.object_type, json.object_id, json.status?.value], text).toEqual(['core.branch', id, status])
      expect(json.data).toMatchObject({ commit: false, ...Object(data) })
      expect(await list(`branch-events/?branch_id=${id}&type=${action}`)).toMatchObject({ count: 0 })
      expect([await facilityOf(), await facilityOf(headers)]).toEqual(facilities)
      expect((await api.ask('GET', `/api/core/branches/${id}/`)).json).toEqual(branchBefore)
    })

    it('show the report only to the user who asked for it', async () => {
      await api.make('users/permissions', {
        ...{ name: 'jobs', users: [(await api.ask('GET', '/api/users/users/?username=eve')).json.results?.[0]?.id] },
        ...{ object_types: ['core.job'], actions: ['view'] },
      })
      const { json } = await act((await branchOff('private')).id, 'merge', { commit: false })
      expect((await api.ask('GET', `/api/core/jobs/${json.id}/`)).status).toBe(200)
      expect((await api.ask('GET', `/api/core/jobs/${json.id}/`, { token: EVE })).status).toBe(404)
    })

    it.each(['sync', 'merge'])('refuse to %s a closed branch', async (action) => {
      const { id } = await branchOff(`closed ${action}`)
      await act(id, 'archive')
      const { status, json } = await act(id, action, { commit: false })
      expect([status, json.detail]).toEqual([400, 'The branch is archived.'])
    })
  })
})
