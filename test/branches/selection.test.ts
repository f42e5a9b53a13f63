import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const ANN = 'a'.repeat(40)

/** Which of the places a request reads and writes. Ann may view and propose sites, but may view no branches. */
describe('the branch of a request', () => {
  let api: Api
  let site: number
  let ann: number
  const branch = { id: 0, schemaId: '' }
  beforeAll(async () => {
    api = await startApi()
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams', description: 'on main' })
    Object.assign(branch, await branchOff('Next week'))
    await api.ask('PATCH', `/api/dcim/sites/${site}/`, {
      body: { description: 'in the branch' },
      headers: inBranch(branch),
    })
    ann = await api.make('users/users', { username: 'ann', password: 'Long-enough-1' })
    await api.make('users/tokens', { user: ann, key: ANN, version: 1, token: ANN })
    await allow(['dcim.site'], ['view', 'propose'])
    await allow(['core.changerequest', 'users.token'], ['view', 'add', 'change'])
  })
  afterAll(() => api.close())

  const allow = (object_types: readonly string[], actions: readonly string[]) =>
    api.make('users/permissions', { name: 'p', users: [ann], object_types, actions })
  const branchOff = async (name: string) => {
    const { status, text, json } = await api.ask('POST', '/api/core/branches/', { body: { name } })
    expect(status, text).toBe(201)
    return { id: Number(json.id), schemaId: String(json.schema_id) }
  }
  const inBranch = ({ schemaId }: { readonly schemaId: string }) => ({ 'X-NetBox-Branch': schemaId })
  const path = () => `/api/dcim/sites/${site}/`
  const described = async (query: string, headers = {}) =>
    (await api.ask('GET', `${path()}${query}`, { headers })).json.description
  const later = () => new Date(Date.now() - 1).toISOString()

  it.each<[string, (time: string) => string]>([
    ['once', (time) => `as_of=${time}`],
    ['after an empty value', (time) => `as_of=&as_of=${time}`],
    ['after another time', (time) => `as_of=2026-01-01T00:00:00Z&as_of=${time}`],
  ])('has no past, which is refused when given %s', async (_, query) => {
    for (const address of [path(), '/api/dcim/sites/']) {
      const { status, text } = await api.ask('GET', `${address}?${query(later())}`, { headers: inBranch(branch) })
      expect([status, text]).toEqual([400, expect.stringContaining('Past states of a branch are not stored')])
    }
    const question = { query: `{ site(id: ${site}) { description } }` }
    const options = { body: question, headers: inBranch(branch) }
    expect((await api.ask('POST', `/graphql/?${query(later())}`, options)).status).toBe(400)
  })

  it('is shown without a past if the last time is empty', async () => {
    expect(await described(`?as_of=${later()}&as_of=`, inBranch(branch))).toBe('in the branch')
  })

  it.each([
    ['branch', 'in the branch'],
    ['_branch', 'in the branch'],
  ])('is named by the parameter %s, in links too', async (name, description) => {
    expect(await described(`?${name}=${branch.schemaId}`)).toBe(description)
    const body = { body: { comments: name } }
    expect((await api.ask('PATCH', `${path()}?${name}=${branch.schemaId}`, body)).status).toBe(200)
    expect(await described('')).toBe('on main')
    expect((await api.ask('GET', path())).json.comments).toBe('')
    expect((await api.ask('GET', `${path()}?${name}=nowhere`)).status).toBe(400)
  })

  it('is the one with this schema_id, even if an older branch has it as its name', async () => {
    const older = await branchOff('Older')
    const younger = await branchOff('Younger')
    const rename = (name: string) => api.ask('PATCH', `/api/core/branches/${older.id}/`, { body: { name } })
    expect((await rename(younger.schemaId)).status).toBe(400)
    expect((await api.ask('DELETE', `/api/core/branches/${younger.id}/`)).status).toBe(204)
    const { status, text } = await rename(younger.schemaId)
    expect([status, text]).toEqual([400, expect.stringContaining('does not look like a schema_id')])
    expect((await api.ask('POST', '/api/core/branches/', { body: { name: 'w33k4811' } })).status).toBe(400)
    expect((await rename('switches')).status).toBe(200)
    expect((await api.ask('GET', `${path()}?branch=switches`)).status).toBe(200)
  })

  it.each<[string, string, (id: number, name: string) => readonly [path: string, body: unknown]]>([
    ['a whole object', 'PUT', (id, name) => [`${id}/`, { name }]],
    ['a list', 'PATCH', (id, name) => ['', [{ id, name }]]],
    ['a new object or an existing one', 'PUT', (_, name) => ['?match=name', { name }]],
    ['a list of new objects', 'POST', (_, name) => ['', [{ name: `${name}?` }, { name: ` ${name} ` }]]],
  ])('cannot get the schema_id of another one as its name by %s', async (_, method, request) => {
    const [older, younger] = [await branchOff(`O ${method} ${_}`), await branchOff(`Y ${method} ${_}`)]
    const [rest, body] = request(older.id, younger.schemaId)
    expect((await api.ask(method, `/api/core/branches/${rest}`, { body })).status).toBe(400)
    const upper = { name: younger.schemaId.toUpperCase() }
    expect((await api.ask('PATCH', `/api/core/branches/${older.id}/`, { body: upper })).status).toBe(200)
    expect((await api.ask('DELETE', `/api/core/branches/${younger.id}/`)).status).toBe(204)
    for (const options of [{ headers: inBranch(younger) }, {}]) {
      const query = 'headers' in options ? '' : `?branch=${younger.schemaId}`
      expect((await api.ask('GET', `${path()}${query}`, options)).status).toBe(400)
    }
  })

  it.each<[string, string, (id: number) => object]>([
    ['a new token', 'users/tokens', (id) => ({ user: ann, version: 1, branch: id })],
    ['a change request', 'core/change-requests', (id) => ({ title: 'What is this?', branch: id })],
  ])('cannot be named by %s of a user who may not view it', async (_, collection, body) => {
    const ask = (id: number) => api.ask('POST', `/api/${collection}/`, { body: body(id), token: ANN })
    const refused = await ask(branch.id)
    const missing = await ask(99_999)
    expect([refused.status, missing.status]).toEqual([400, 400])
    expect(refused.text.replace(String(branch.id), '')).toBe(missing.text.replace('99999', ''))
  })

  it('is closed to a bound token whose user may no longer view it', async () => {
    const key = 'b'.repeat(40)
    await api.make('users/tokens', { user: ann, version: 1, key, token: key, branch: branch.id })
    const read = () => api.ask('GET', path(), { token: key })
    const refused = await read()
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('you may not view')])
    const write = await api.ask('PATCH', path(), { token: key, body: { comments: 'x' } })
    expect(write.status).toBe(403)
    const question = { query: `{ site(id: ${site}) { description } }` }
    for (const [method, address, body] of [
      ['POST', '/graphql/', question],
      ['GET', `${path()}?branch=`],
      ['GET', '/api/core/object-changes/'],
      ['GET', '/api/search/?q=branch'],
      ['GET', '/dcim/sites/?export'],
      ['GET', `/dcim/sites/${site}/`],
    ] as const) {
      const { status, text } = await api.ask(method, address, { token: key, body })
      expect([address, status, text.includes('in the branch')]).toEqual([address, 403, false])
    }
    const permission = await allow(['core.branch'], ['view'])
    expect((await read()).json.description).toBe('in the branch')
    await api.ask('DELETE', `/api/users/permissions/${permission}/`)
    expect((await read()).status).toBe(403)
  })

  it.each<[string, (schemaId: string) => readonly [object, object]]>([
    ['a branch and then main', (schemaId) => [{ 'X-NetBox-Branch': schemaId }, {}]],
    ['main and then a branch', (schemaId) => [{}, { 'X-NetBox-Branch': schemaId }]],
  ])('gets a write of its own for one idempotency key, in %s', async (name, headers) => {
    const slug = name.replaceAll(' ', '-')
    const [first, second] = headers(branch.schemaId)
    const options = (given: object) => ({
      body: { assigned_object_type: 'dcim.site', assigned_object_id: site, comments: name },
      headers: { 'Idempotency-Key': slug, ...(given as Readonly<Record<string, string>>) },
    })
    for (const place of [first, second]) {
      const { status, headers } = await api.ask('POST', '/api/extras/journal-entries/', options(place))
      expect([status, headers.get('idempotent-replayed')]).toEqual([201, null])
      const again = await api.ask('POST', '/api/extras/journal-entries/', options(place))
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    }
    for (const [place, count] of [[{}, 1] as const, [inBranch(branch), 2] as const]) {
      const { results } = (await api.ask('GET', '/api/extras/journal-entries/', { headers: place })).json
      expect([...(results ?? [])].filter(({ comments }) => String(comments) === name)).toHaveLength(count)
    }
  })

  it('does not share its idempotency keys with main, whatever the key', async () => {
    const ask = (key: string, headers = {}) =>
      api.ask('POST', '/api/extras/tags/', {
        body: { name: 'Keyed', slug: 'keyed' },
        headers: { 'Idempotency-Key': key, ...headers },
      })
    expect((await ask('k', inBranch(branch))).status).toBe(201)
    for (const key of [`${branch.id} k`, `" k"`, 'k']) {
      const { status, headers } = await ask(key)
      expect([key, headers.get('idempotent-replayed')]).toEqual([key, null])
      if (status === 201)
        await api.ask(
          'DELETE',
          `/api/extras/tags/${(await api.ask('GET', '/api/extras/tags/?slug=keyed')).json.results?.[0]?.id}/`,
        )
      else expect(status).toBe(400)
    }
  })

  it('does not replay a response of another API version', async () => {
    const ask = (version: string) =>
      api.ask('POST', '/api/extras/tags/', {
        body: { name: 'Version', slug: 'version' },
        headers: { 'Idempotency-Key': 'version', accept: `application/json; version=${version}` },
      })
    expect([(await ask('4.6')).status, (await ask('4.7')).status]).toEqual([201, 422])
  })

  it('is part of the ETag, as the version of the API is', async () => {
    const { schemaId } = await branchOff('Tags')
    const places: readonly Readonly<Record<string, string>>[] = [
      {},
      { 'X-NetBox-Branch': schemaId },
      { accept: 'application/json; version=4.7' },
      { 'X-NetBox-Branch': schemaId, accept: 'application/json; version=4.7' },
    ]
    const tags = await Promise.all(
      places.map(async (headers) => String((await api.ask('GET', path(), { headers })).headers.get('etag'))),
    )
    expect(new Set(tags).size, String(tags)).toBe(places.length)
    for (const [index, headers] of places.entries()) {
      for (const [position, tag] of tags.entries()) {
        const known = await api.ask('GET', path(), { headers: { ...headers, 'If-None-Match': tag } })
        expect(known.status, `${tag} ${index}`).toBe(index === position ? 304 : 200)
        // A change is based on the state that the tag names, whatever the version of the API.
        if (places[position]?.['X-NetBox-Branch'] === headers['X-NetBox-Branch']) continue
        for (const [method, body] of [['PATCH', { comments: 'x' }] as const, ['DELETE', undefined] as const]) {
          const { status } = await api.ask(method, path(), { body, headers: { ...headers, 'If-Match': tag } })
          expect(status, `${method} ${tag}`).toBe(412)
        }
      }
    }
    const headers = { 'X-NetBox-Branch': schemaId, 'If-Match': tags[1] ?? '' }
    expect((await api.ask('PATCH', path(), { body: { comments: 'x' }, headers })).status).toBe(200)
  })

  it('stays that of a job when branches exchange their names', async () => {
    const [one, two] = [await branchOff('One'), await branchOff('Two')]
    const { status, text } = await api.ask('POST', '/api/dcim/sites/?background=true', {
      body: [{ name: 'Later', slug: 'later' }],
      headers: inBranch(one),
    })
    expect(status, text).toBe(202)
    for (const [{ id }, name] of [[one, 'Three'] as const, [two, 'One'] as const, [one, 'Two'] as const]) {
      expect((await api.ask('PATCH', `/api/core/branches/${id}/`, { body: { name } })).status).toBe(200)
    }
    await api.background.runUntilIdle()
    const counts = await Promise.all(
      [one, two].map(
        async (place) => (await api.ask('GET', '/api/dcim/sites/?slug=later', { headers: inBranch(place) })).json.count,
      ),
    )
    expect(counts).toEqual([1, 0])
  })

  it('is known to caches between client and service', async () => {
    const vary = (await api.ask('GET', path())).headers.get('vary')
    for (const name of ['Accept', 'Authorization', 'X-NetBox-Branch']) expect(vary?.split(', ')).toContain(name)
  })

  it('cannot be archived once it is merged, so that the merge can still be reverted', async () => {
    const merged = await branchOff('Merged')
    const act = (action: string) => api.ask('POST', `/api/core/branches/${merged.id}/${action}/`, { body: {} })
    for (const [action, status] of Object.entries({ merge: 200, archive: 400, revert: 200 })) {
      expect((await act(action)).status, action).toBe(status)
    }
    expect((await act('archive')).status).toBe(200)
    for (const action of ['archive', 'merge', 'sync', 'revert']) expect((await act(action)).status, action).toBe(400)
  })
})
