import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, startApi } from '../support/api.ts'

const put = (api: Api, path: string, body: unknown) => api.ask('PUT', `/api/${path}`, { body })
const outcomes = ({ json }: Awaited<ReturnType<Api['ask']>>) =>
  [...json].map(({ outcome, object }) => [outcome, object?.name, object?.description])

describe('an upsert', () => {
  it('creates, changes and leaves objects unchanged, and keeps fields that bodies omit', async () => {
    const api = await apiOfTest()
    const sites = [
      { name: 'A', slug: 'a', description: 'one' },
      { name: 'B', slug: 'b' },
    ]
    expect(outcomes(await put(api, 'dcim/sites/?match=slug', sites))).toEqual([
      ['created', 'A', 'one'],
      ['created', 'B', ''],
    ])
    const before = (await api.ask('GET', '/api/dcim/sites/?slug=a')).text
    const again = await put(api, 'dcim/sites/?match=slug', [
      { slug: 'c', name: 'C' },
      { slug: 'b', name: 'B2' },
      { slug: 'a', name: 'A' },
    ])
    expect(outcomes(again)).toEqual([
      ['created', 'C', ''],
      ['updated', 'B2', ''],
      ['unchanged', 'A', 'one'],
    ])
    expect((await api.ask('GET', '/api/dcim/sites/?slug=a')).text).toBe(before)
    const one = await put(api, 'dcim/sites/?match=slug', { slug: 'b', description: 'two' })
    expect(one.json).toMatchObject({
      outcome: 'updated',
      object: { name: 'B2', description: 'two' },
    })
  })

  it('finds objects by relations', async () => {
    const api = await apiOfTest()
    await put(api, 'dcim/sites/?match=slug', [
      { name: 'A', slug: 'a' },
      { name: 'B', slug: 'b' },
    ])
    const hall = (slug: string, description: string) => ({
      name: 'Hall',
      slug: 'hall',
      site: { slug },
      description,
    })
    await put(api, 'dcim/locations/?match=site,slug', [hall('a', ''), hall('b', '')])
    const again = await put(api, 'dcim/locations/?match=site,slug', [hall('a', ''), hall('b', 'x')])
    expect(outcomes(again)).toEqual([
      ['unchanged', 'Hall', ''],
      ['updated', 'Hall', 'x'],
    ])
  })

  it('matches names regardless of case if the model compares them so', async () => {
    const api = await apiOfTest()
    const path = 'virtualization/virtual-machine-types/?match=name'
    await put(api, path, [{ name: 'Small', slug: 'small' }])
    expect(outcomes(await put(api, path, [{ name: 'SMALL', slug: 'small' }]))).toEqual([['updated', 'SMALL', '']])
  })

  it('can be tried in a dry run', async () => {
    const api = await apiOfTest()
    const answer = await put(api, 'dcim/sites/?match=slug&dry_run=true', [{ name: 'A', slug: 'a' }])
    expect(answer.json).toMatchObject({
      status: 200,
      result: [{ outcome: 'created' }],
      counts: { created: 1 },
    })
    expect((await api.ask('GET', '/api/dcim/sites/')).json.count).toBe(0)
  })
})

describe('an invalid upsert', () => {
  const REFUSED = [
    { name: 'a field that does not exist', query: 'match=nonsense', body: [{}], says: 'nonsense' },
    { name: 'a list of related objects', query: 'match=tags', body: [{ tags: [] }], says: 'tags' },
    { name: 'no field', query: 'match=', body: [{}], says: 'no field' },
    {
      name: 'a body without the field',
      query: 'match=slug',
      body: [{ name: 'A' }],
      says: 'required',
    },
    {
      name: 'several objects',
      query: 'match=status',
      body: [{ status: 'active' }],
      says: 'More than one object',
    },
    {
      name: 'one object twice',
      query: 'match=slug',
      body: [{ slug: 'a' }, { slug: 'a', name: 'B' }],
      says: 'Another object',
    },
    {
      name: 'a name that is taken',
      query: 'match=slug',
      body: [{ slug: 'c', name: 'A' }],
      says: 'already exists',
    },
  ]

  let api: Api
  beforeAll(async () => {
    api = await startApi()
    await put(api, 'dcim/sites/?match=slug', [
      { name: 'A', slug: 'a' },
      { name: 'B', slug: 'b' },
    ])
  })
  afterAll(() => api.close())

  it.each(REFUSED)('is refused for $name', async ({ query, body, says }) => {
    const before = (await api.ask('GET', '/api/dcim/sites/')).text
    const answer = await put(api, `dcim/sites/?${query}`, body)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(says)])
    expect((await api.ask('GET', '/api/dcim/sites/')).text).toBe(before)
  })
})
