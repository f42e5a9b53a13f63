import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowDifferences, storedRows } from '../history/stored-rows.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

/** The rows, without the times of writes and without branches themselves. */
const withoutTimes = (rows: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, lines]) =>
      name.startsWith('core.branch')
        ? []
        : [[name, lines.map((line) => line.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, ''))]],
    ),
  )

const FIELDS = '/api/extras/custom-fields/'
const OF_SITES = { type: 'text', object_types: ['dcim.site'] }

describe('branches', () => {
  let api: Api
  let site: number
  beforeAll(async () => {
    api = await startApi()
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams', facility: 'A1' })
  })
  afterAll(() => api.close())

  let count = 0
  /** Opens a branch, and returns its id and the header that selects it. */
  const branchOff = async () => {
    const name = `Branch ${++count}`
    const { json } = await api.ask('POST', '/api/core/branches/', { body: { name } })
    return { id: Number(json.id), name, headers: { 'X-NetBox-Branch': String(json.schema_id) } }
  }
  type Branch = Awaited<ReturnType<typeof branchOff>>
  const makeIn = async ({ headers }: Branch, path: string, body: object): Promise<number> => {
    const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body, headers })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  const act = (branch: Branch, action: string, body: object = {}) =>
    api.ask('POST', `/api/core/branches/${branch.id}/${action}/`, { body })
  const read = async (path: string, branch?: Branch): Promise<Document> =>
    (await api.ask('GET', `/api/${path}`, branch && { headers: branch.headers })).json
  const namesOf = ({ results }: Document) => [...(results ?? [])].map(({ name }) => name)

  describe('a request for a branch', () => {
    it.each([
      ['by its name in a parameter', (branch: Branch) => [`?branch=${encodeURIComponent(branch.name)}`, {}] as const],
      ['by its id in a parameter', (branch: Branch) => [`?branch=${branch.headers['X-NetBox-Branch']}`, {}] as const],
      ['in a header', (branch: Branch) => ['', branch.headers] as const],
    ])('names its branch %s', async (_, of) => {
      const branch = await branchOff()
      const id = await makeIn(branch, 'dcim/sites', { name: `Site of ${branch.name}`, slug: `of-${branch.id}` })
      const [query, headers] = of(branch)
      expect((await api.ask('GET', `/api/dcim/sites/${id}/${query}`, { headers })).status).toBe(200)
      expect((await api.ask('GET', `/api/dcim/sites/${id}/`)).status).toBe(404)
    })

    it('gets links to other pages of a list in the same branch', async () => {
      const branch = await branchOff()
      const bodies = [1, 2, 3].map((n) => ({
        name: `${branch.name} ${n}`,
        slug: `p-${branch.id}-${n}`,
        description: branch.name,
      }))
      await api.ask('POST', '/api/dcim/sites/', { body: bodies, headers: branch.headers })
      const first = await read(`dcim/sites/?description=${branch.name}&branch=${branch.name}&limit=2`)
      const { json } = await api.ask('GET', String(first.next).slice(api.url.length))
      expect(namesOf(json)).toEqual([`${branch.name} 3`])
    })

    it('runs in its branch when it runs in the background', async () => {
      const branch = await branchOff()
      await api.background.runUntilIdle()
      const body = { name: `Later ${branch.id}`, slug: `later-${branch.id}` }
      const { status, text } = await api.ask('POST', '/api/dcim/sites/?background=true', {
        body,
        headers: branch.headers,
      })
      expect(status, text).toBe(202)
      await api.background.runUntilIdle()
      expect(await read(`dcim/sites/?slug=later-${branch.id}`)).toMatchObject({ count: 0 })
      expect(await read(`dcim/sites/?slug=later-${branch.id}`, branch)).toMatchObject({ count: 1 })
    })

    it.each([
      ['a branch that is not there', '?branch=nowhere', 'There is no branch'],
      ['a branch and a time', '?branch=Branch+1&as_of=2026-01-01', 'Past states of a branch are not stored.'],
    ])('is refused with %s', async (_, query, message) => {
      const { status, text } = await api.ask('GET', `/api/dcim/sites/${query}`)
      expect([status, text]).toEqual([400, expect.stringContaining(message)])
    })

    it('cannot change objects that all branches share', async () => {
      const { headers } = await branchOff()
      const answer = await api.ask('POST', '/api/users/groups/', { headers, body: { name: 'Group' } })
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Branches share groups')])
    })

    it.each(['merge', 'archive'])('is refused after the %s', async (action) => {
      const branch = await branchOff()
      expect((await act(branch, action)).status).toBe(200)
      const { status } = await api.ask('GET', '/api/dcim/sites/', { headers: branch.headers })
      expect(status).toBe(400)
      expect((await act(branch, 'merge')).status).toBe(400)
    })
  })

  describe('in a branch', () => {
    it('lists, filters, counts, orders and searches show the changes of the branch', async () => {
      const branch = await branchOff()
      const location = await makeIn(branch, 'dcim/locations', { name: 'Hall', slug: 'hall', site })
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { description: 'prepared' }, headers: branch.headers })
      expect(await read(`dcim/sites/?description=prepared&fields=id,name`, branch)).toMatchObject({ count: 1 })
      expect(await read(`dcim/sites/?description=prepared`)).toMatchObject({ count: 0 })
      expect(namesOf(await read(`dcim/locations/?site=ams&ordering=-name`, branch))).toEqual(['Hall'])
      expect(await read('search/?q=hall', branch)).toMatchObject({ count: 1 })
      expect(await read('search/?q=hall')).toMatchObject({ count: 0 })
      const { json } = await api.ask('POST', '/graphql/', {
        body: { query: `{ location(id: ${location}) { name site { description } } }` },
        headers: branch.headers,
      })
      expect(json.data).toEqual({ location: { name: 'Hall', site: { description: 'prepared' } } })
    })

    it('objects that the branch has not changed follow main', async () => {
      const branch = await branchOff()
      await makeIn(branch, 'dcim/regions', { name: 'Europe', slug: `europe-${branch.id}` })
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { comments: 'of main' } })
      expect(await read(`dcim/sites/${site}/`, branch)).toMatchObject({ comments: 'of main' })
    })

    it('counters, unique values and protected deletions are those of the branch', async () => {
      const branch = await branchOff()
      const rack = await makeIn(branch, 'dcim/racks', { name: 'R1', site })
      expect(await read(`dcim/sites/${site}/?fields=rack_count`, branch)).toEqual({ rack_count: 1 })
      const double = await api.ask('POST', '/api/dcim/sites/', {
        body: { name: 'Amsterdam', slug: 'x' },
        headers: branch.headers,
      })
      expect([double.status, double.text]).toEqual([400, expect.stringContaining('already exists')])
      const inUse = await api.ask('DELETE', `/api/dcim/sites/${site}/`, { headers: branch.headers })
      expect([inUse.status, inUse.text]).toEqual([409, expect.stringContaining('R1')])
      expect((await api.ask('DELETE', `/api/dcim/racks/${rack}/`, { headers: branch.headers })).status).toBe(204)
      expect(await read(`dcim/sites/${site}/?fields=rack_count`, branch)).toEqual({ rack_count: 0 })
    })

    it('writes can be tried in a dry run, and undone', async () => {
      const branch = await branchOff()
      const path = `/api/dcim/sites/${site}/`
      const tried = await api.ask('PATCH', `${path}?dry_run=true`, { body: { facility: 'B' }, headers: branch.headers })
      expect(tried.json).toMatchObject({ status: 200, counts: { changed: 1 } })
      const written = await api.ask('PATCH', path, { body: { facility: 'B' }, headers: branch.headers })
      expect(await read(`dcim/sites/${site}/`, branch)).toMatchObject({ facility: 'B' })
      const request = written.headers.get('x-request-id')
      const undone = await api.ask('POST', `/api/core/requests/${request}/undo/`, { body: {}, headers: branch.headers })
      expect(undone.status, undone.text).toBe(200)
      expect(await read(`dcim/sites/${site}/`, branch)).toMatchObject({ facility: 'A1' })
    })

    it.each<[string, string, object?]>([
      ['deletion', 'DELETE'],
      ['removal from a type of objects', 'PATCH', { object_types: ['dcim.rack'] }],
    ])('the %s of a custom field cannot be undone, since its values are not kept', async (_, method, body) => {
      const field = await api.make('extras/custom-fields', { ...OF_SITES, name: `field_${++count}` })
      const { headers } = await branchOff()
      const removed = await api.ask(method, `${FIELDS}${field}/`, { body, headers })
      const undo = `/api/core/requests/${removed.headers.get('x-request-id')}/undo/`
      const { status, text } = await api.ask('POST', undo, { body: {}, headers })
      expect([status, text]).toEqual([400, expect.stringContaining('branches do not keep its values')])
    })

    it('a write leaves the cached responses of main and of other branches valid', async () => {
      const [branch, other] = [await branchOff(), await branchOff()]
      const path = 'dcim/sites/?slug=ams&fields=id,comments'
      const places = [undefined, branch, other]
      const comments = async () => {
        const lists = []
        for (const place of places) lists.push((await read(path, place)).results?.[0]?.comments)
        return lists
      }
      const write = (text: string, place?: Branch) =>
        api.ask('PATCH', `/api/dcim/sites/${site}/`, {
          body: { comments: text },
          ...(place && { headers: place.headers }),
        })
      await write('of main')
      for (let count = 0; count < 3; count++) expect(await comments()).toEqual(['of main', 'of main', 'of main'])
      await write('of branch', branch)
      await read(path, branch)
      const { misses } = api.service.cache.statistics()
      await read(path)
      await read(path, other)
      expect(api.service.cache.statistics().misses).toBe(misses)
      expect(await comments()).toEqual(['of main', 'of branch', 'of main'])
      await write('later')
      expect(await comments()).toEqual(['later', 'of branch', 'later'])
    })

    it('no event is sent to the stream', async () => {
      const branch = await branchOff()
      const before = await read('core/events/?limit=1000')
      await makeIn(branch, 'dcim/regions', { name: 'Quiet', slug: `quiet-${branch.id}` })
      const after = await read('core/events/?limit=1000')
      expect([...(after.results ?? [])].length - [...(before.results ?? [])].length).toBe(0)
    })
  })

  describe('conflicts', () => {
    it.each([
      ['mine', 'of the branch'],
      ['theirs', 'of main'],
    ])('resolved with %s leave the value %s', async (keep, value) => {
      const path = `/api/dcim/sites/${site}/`
      await api.ask('PATCH', path, { body: { facility: 'before' } })
      const branch = await branchOff()
      await api.ask('PATCH', path, { body: { facility: 'of the branch', description: 'own' }, headers: branch.headers })
      await api.ask('PATCH', path, { body: { facility: 'of main', comments: value } })
      const found = (await api.ask('GET', `/api/core/branches/${branch.id}/conflicts/`)).json
      expect(found.results).toEqual([
        expect.objectContaining({ object_id: site, field: 'facility', main: 'of main', branch: 'of the branch' }),
      ])
      for (const action of ['sync', 'merge']) {
        const refused = await act(branch, action)
        expect(refused.status).toBe(409)
        expect(refused.json.conflicts).toHaveLength(1)
      }
      const decision = { object_type: 'dcim.site', object_id: site, field: 'facility', keep }
      expect((await act(branch, 'conflicts', decision)).json).toMatchObject({ count: 0 })
      expect((await act(branch, 'sync')).status).toBe(200)
      const both = { facility: value, comments: value, description: 'own' }
      expect(await read(`dcim/sites/${site}/`, branch)).toMatchObject(both)
      expect((await act(branch, 'merge')).status).toBe(200)
      expect(await read(`dcim/sites/${site}/`)).toMatchObject(both)
    })

    it('with an object that main has deleted are resolved by giving up the changes', async () => {
      const gone = await api.make('dcim/sites', { name: 'Gone', slug: 'gone' })
      const branch = await branchOff()
      await api.ask('PATCH', `/api/dcim/sites/${gone}/`, { body: { facility: 'x' }, headers: branch.headers })
      await api.ask('DELETE', `/api/dcim/sites/${gone}/`)
      expect((await act(branch, 'merge')).json.conflicts).toHaveLength(1)
      await act(branch, 'conflicts', { object_type: 'dcim.site', object_id: gone, keep: 'theirs' })
      const { status, text } = await act(branch, 'merge')
      expect(status, text).toBe(200)
    })

    it('keep what main has added to a list', async () => {
      const [one, two] = [
        await api.make('extras/tags', { name: 'One', slug: 'one' }),
        await api.make('extras/tags', { name: 'Two', slug: 'two' }),
      ]
      const branch = await branchOff()
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { tags: [one] }, headers: branch.headers })
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { tags: [two] } })
      expect((await act(branch, 'merge')).status).toBe(200)
      expect(namesOf({ results: (await read(`dcim/sites/${site}/`)).tags } as never)).toEqual(['One', 'Two'])
    })
  })

  describe('a merge', () => {
    it('keeps ids, has one request and can be reverted', async () => {
      const branch = await branchOff()
      const id = await makeIn(branch, 'dcim/sites', { name: 'New', slug: 'new' })
      await makeIn(branch, 'dcim/racks', { name: 'In new', site: id })
      expect((await act(branch, 'merge')).json).toMatchObject({ status: { value: 'completed' } })
      expect(await read(`core/branches/${branch.id}/`)).toMatchObject({ status: { value: 'merged' } })
      expect(await read(`dcim/sites/${id}/?fields=name,rack_count`)).toEqual({ name: 'New', rack_count: 1 })
      const changes = await read(`core/object-changes/?changed_object_type=dcim.site&changed_object_id=${id}`)
      expect([...(changes.results ?? [])].map(({ message }) => message)).toContain(`Merge of branch ${branch.name}`)
      expect((await act(branch, 'revert')).status).toBe(200)
      expect(await read(`core/branches/${branch.id}/`)).toMatchObject({ status: { value: 'ready' } })
      expect((await api.ask('GET', `/api/dcim/sites/${id}/`)).status).toBe(404)
      expect(await read(`dcim/sites/${id}/?fields=name`, branch)).toEqual({ name: 'New' })
    })

    it.each<[string, (field: string, site: string, stays: string) => readonly (readonly [string, string, object?])[]]>([
      [
        'after a change of the object',
        (field, site, stays) => [
          ['PATCH', site, { custom_fields: { [stays]: 'new' } }],
          ['DELETE', field],
        ],
      ],
      [
        'before a change of the object',
        (field, site, stays) => [
          ['DELETE', field],
          ['PATCH', site, { custom_fields: { [stays]: 'new' } }],
        ],
      ],
      [
        'and adds another one',
        (field, site, stays) => [
          ['DELETE', field],
          ['POST', FIELDS, { ...OF_SITES, name: `${stays}_too`, default: 'd' }],
          ['PATCH', site, { description: 'new' }],
        ],
      ],
      [
        'from a type of objects',
        (field, site) => [
          ['PATCH', field, { object_types: ['dcim.rack'] }],
          ['PATCH', site, { description: 'new' }],
        ],
      ],
    ])('that removes a custom field %s gives back its values by the revert', async (_, writes) => {
      const name = `field_${++count}`
      const stays = `${name}_stays`
      const field = await api.make('extras/custom-fields', { ...OF_SITES, name })
      await api.make('extras/custom-fields', { ...OF_SITES, name: stays })
      const values = { [name]: 'kept', [stays]: 'old' }
      const paths: string[] = []
      for (const slug of [`${name}-one`, `${name}-two`]) {
        paths.push(`dcim/sites/${await api.make('dcim/sites', { name: slug, slug, custom_fields: values })}/`)
      }
      const branch = await branchOff()
      for (const [method, path, body] of writes(`${FIELDS}${field}/`, `/api/${paths[0]}`, stays)) {
        const { status, text } = await api.ask(method, path, { body, headers: branch.headers })
        expect(status, text).toBeLessThan(300)
      }
      for (const path of paths) expect((await read(path, branch)).custom_fields).not.toHaveProperty(name)
      expect((await act(branch, 'merge')).status).toBe(200)
      for (const path of paths) expect((await read(path)).custom_fields).not.toHaveProperty(name)
      expect((await act(branch, 'revert')).status).toBe(200)
      for (const path of paths) expect((await read(path)).custom_fields).toMatchObject(values)
    })

    it('has the same result in either order with that of another branch, if they do not conflict', async () => {
      const [one, other] = [await branchOff(), await branchOff()]
      const id = await makeIn(one, 'dcim/racks', { name: 'Of one', site, u_height: 42 })
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { description: 'of one' }, headers: one.headers })
      await makeIn(other, 'dcim/racks', { name: 'Of other', site })
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { comments: 'of other' }, headers: other.headers })
      const merged = async (...order: readonly Branch[]) => {
        for (const branch of order) expect((await act(branch, 'merge')).status).toBe(200)
        const rows = withoutTimes(await storedRows(api.service))
        for (const branch of order.toReversed()) {
          const { status, text } = await act(branch, 'revert')
          expect(status, text).toBe(200)
        }
        return rows
      }
      const rows = await merged(one, other)
      expect(rows['dcim.rack']?.some((line) => line.includes(`"id": ${id}`))).toBe(true)
      expect(rowDifferences(rows, await merged(other, one))).toEqual([])
    })

    it('is refused as a whole if main has taken a unique value', async () => {
      const branch = await branchOff()
      await makeIn(branch, 'dcim/sites', { name: 'First', slug: 'first' })
      await makeIn(branch, 'dcim/sites', { name: 'Taken', slug: 'taken' })
      await api.make('dcim/sites', { name: 'Taken', slug: 'taken' })
      const { status, text } = await act(branch, 'merge')
      expect([status, text]).toEqual([409, expect.stringContaining('Taken')])
      expect(await read('dcim/sites/?slug=first')).toMatchObject({ count: 0 })
    })
  })

  it('a branch is deleted with its rows', async () => {
    const branch = await branchOff()
    await makeIn(branch, 'dcim/sites', { name: 'Short', slug: 'short' })
    expect((await api.ask('DELETE', `/api/core/branches/${branch.id}/`)).status).toBe(204)
    expect((await api.ask('GET', '/api/dcim/sites/', { headers: branch.headers })).status).toBe(400)
  })
})
