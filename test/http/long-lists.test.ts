import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ADMIN_TOKEN, type Api, startApi } from '../support/api.ts'

const COUNT = 1_300
const ALL = '/api/extras/tags/?limit=0'

describe('lists without a limit', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ MAX_PAGE_SIZE: '0' })
    const body = Array.from({ length: COUNT }, (_, index) => ({
      name: `Tag ${index}`,
      slug: `tag-${index}`,
      description: 'é'.repeat(index % 7),
    }))
    expect((await api.ask('POST', '/api/extras/tags/', { body })).status).toBe(201)
  })
  afterAll(() => api.close())

  it('have the same objects as the pages, in the same order', async () => {
    const { status, headers, json } = await api.ask('GET', ALL)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(json).toMatchObject({ count: COUNT, next: null, previous: null })
    const pages = await Promise.all(
      [0, 650].map((offset) => api.ask('GET', `/api/extras/tags/?limit=650&offset=${offset}`)),
    )
    expect(json.results).toEqual(pages.flatMap((page) => page.json.results ?? []))
  })

  it.each([ALL, '/extras/tags/?export', '/extras/tags/?export=json'])(
    'do not displace what other requests have cached (%s)',
    async (path) => {
      const { cache } = api.service
      cache.clear()
      expect((await api.ask('GET', path)).status).toBe(200)
      expect(cache.statistics().entries).toBeLessThan(COUNT / 10)
    },
  )

  it('can be requested with an indent, and as an HTML page', async () => {
    const plain = await api.ask('GET', ALL)
    const indented = await api.ask('GET', ALL, {
      headers: { accept: 'application/json; indent=2' },
    })
    expect(indented.text.length).toBeGreaterThan(plain.text.length)
    expect(indented.json).toEqual(plain.json)
    const page = await api.ask('GET', ALL, { headers: { accept: 'text/html' } })
    expect([page.status, page.text.includes('Tag 1299')]).toEqual([200, true])
  })

  it('have headers but no body for HEAD', async () => {
    const { status, text } = await api.ask('HEAD', ALL)
    expect([status, text]).toEqual([200, ''])
  })

  it('are refused if they fail before the start of the response', async () => {
    const { status, json } = await api.ask('GET', `${ALL}&id=x`)
    expect([status, Object.keys(json)]).toEqual([400, ['id']])
  })

  it('close the connection if they fail later, so that clients notice', async () => {
    const { database } = api.service
    const ask = database.queryArrays
    let parts = 0
    api.service.cache.clear()
    const broken = vi.spyOn(database, 'queryArrays').mockImplementation(async (statement) => {
      if (statement.text.includes('from "extras_tag" t where t.id = any(')) parts += 1
      if (parts > 2) throw new Error('The database is on fire')
      return await ask(statement)
    })
    onTestFinished(() => broken.mockRestore())
    await expect(api.ask('GET', ALL)).rejects.toThrow()
    expect(parts).toBe(3)
    broken.mockRestore()
    expect((await api.ask('GET', ALL)).json.results).toHaveLength(COUNT)
  })

  it('are not read further after the client has disconnected', async () => {
    const request = get(`${api.url}${ALL}`, { headers: { authorization: `Token ${ADMIN_TOKEN}` } })
    const [response] = await once(request, 'response')
    response.destroy()
    expect((await api.ask('GET', ALL)).json.results).toHaveLength(COUNT)
  })
})
