import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** A text that only one branch contains. */
const MARKS = ['mark-of-one', 'mark-of-two'] as const

describe('the changes of one branch', () => {
  let api: Api
  let site: number
  const branches: { readonly mark: string; readonly headers: Readonly<Record<string, string>> }[] = []
  const made: Readonly<Record<string, number>>[] = []
  beforeAll(async () => {
    api = await startApi()
    site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    for (const mark of MARKS) {
      const { json } = await api.ask('POST', '/api/core/branches/', { body: { name: `B${made.length + 1}` } })
      const headers = { 'X-NetBox-Branch': String(json.schema_id) }
      const write = async (method: string, path: string, body: object): Promise<number> => {
        const { status, text, json } = await api.ask(method, `/api/${path}/`, { body, headers })
        expect(status, text).toBeLessThan(300)
        return Number(json.id)
      }
      const tag = await write('POST', 'extras/tags', { name: mark, slug: mark })
      await write('PATCH', `dcim/sites/${site}`, { description: mark, tags: [tag], changelog_message: mark })
      const location = await write('POST', 'dcim/locations', { name: mark, slug: mark, site })
      const rack = await write('POST', 'dcim/racks', { name: mark, site, location })
      const prefix = await write('POST', 'ipam/prefixes', { prefix: `10.${made.length}.0.0/24`, description: mark })
      await write('POST', 'extras/journal-entries', {
        assigned_object_type: 'dcim.site',
        assigned_object_id: site,
        comments: mark,
      })
      branches.push({ mark, headers })
      made.push({ tag, location, rack, prefix })
    }
  })
  afterAll(() => api.close())

  const places = ['main', ...MARKS] as const
  const ask = (place: string, path: string, options: Parameters<Api['ask']>[2] = {}) =>
    api.ask(options.body === undefined ? 'GET' : 'POST', path, {
      ...options,
      headers: { ...options.headers, ...branches.find(({ mark }) => mark === place)?.headers },
    })
  const query =
    '{ location_list { name } rack_list { name } site_list { description tags { name } } tag_list { name } }'

  it.each<[string, string, object?]>([
    ['lists', '/api/dcim/locations/'],
    ['brief lists', '/api/dcim/racks/?brief=true'],
    ['filtered lists', '/api/dcim/sites/?description__ic=mark'],
    ['lists by a relation', '/api/dcim/racks/?site=ams&ordering=location'],
    ['details', '/api/dcim/sites/1/'],
    ['lists of tags', '/api/extras/tags/'],
    ['tagged objects', '/api/extras/tagged-objects/'],
    ['the journal', '/api/extras/journal-entries/'],
    ['the change log', '/api/core/object-changes/'],
    ['the search', '/api/search/?q=mark-of'],
    ['GraphQL', '/graphql/', { query }],
    ['exports', '/dcim/sites/?export'],
    ['exports of tables', '/dcim/locations/?export=table'],
    ['pages of lists', '/dcim/racks/'],
    ['pages of objects', '/dcim/sites/1/'],
    ['pages of histories', '/dcim/sites/1/changelog/'],
    ['the page of the change log', '/core/changelog/'],
    ['the page of the search', '/search/?q=mark-of'],
  ])('are shown only there: %s', async (_, path, body) => {
    for (const place of places) {
      // Requested twice: the second response comes from the cache.
      for (let count = 0; count < 2; count++) {
        const isPage = !path.startsWith('/api/') && path !== '/graphql/'
        const { status, text } = await ask(place, path.replace('/1/', `/${site}/`), {
          ...(body && { body }),
          ...(isPage && { headers: { accept: 'text/html' } }),
        })
        expect(status, text).toBe(200)
        const shown = MARKS.filter((mark) => text.replace(/[?&;]q=mark-of/g, '').includes(mark))
        expect(shown, `${path} on ${place}`).toEqual(place === 'main' ? [] : [place])
      }
    }
  })

  it('are counted and found only there', async () => {
    for (const [index, place] of places.entries()) {
      const counts = await Promise.all(
        ['dcim/locations', 'dcim/racks', 'ipam/prefixes', 'extras/tags'].map(
          async (path) => (await ask(place, `/api/${path}/?limit=1`)).json.count,
        ),
      )
      expect(counts, place).toEqual(Array(4).fill(place === 'main' ? 0 : 1))
      const { json } = await ask(place, `/api/dcim/sites/${site}/?fields=rack_count`)
      expect(json, place).toEqual({ rack_count: place === 'main' ? 0 : 1 })
      const paths = ['tag extras/tags', 'location dcim/locations', 'rack dcim/racks', 'prefix ipam/prefixes']
      for (const [owner, ids] of made.entries()) {
        for (const [name = '', path] of paths.map((each) => each.split(' '))) {
          const { status } = await ask(place, `/api/${path}/${ids[name]}/`)
          expect(status, `${path} of ${owner} on ${place}`).toBe(index === owner + 1 ? 200 : 404)
        }
      }
    }
  })
})
