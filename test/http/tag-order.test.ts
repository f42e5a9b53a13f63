import { describe, expect, it } from 'vitest'
import { type Api, apiOfTest } from '../support/api.ts'

/** Names in the order of collation `C` for equal weights: the last two begin above U+FFFF. */
const NAMES = ['Zone', 'alpha', 'beta', '\uff21', '\u{1f600}', '\u{1f601}']

async function created(api: Api, path: string, body: object): Promise<number> {
  const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return Number(json.id)
}

const shownTags = async (api: Api, site: number): Promise<readonly unknown[]> => {
  const [list, detail] = await Promise.all([
    api.ask('GET', '/api/dcim/sites/?limit=5'),
    api.ask('GET', `/api/dcim/sites/${site}/`),
  ])
  expect(list.json.results?.[0]?.tags).toEqual(detail.json.tags)
  return (detail.json.tags ?? []).map(({ name }) => name)
}

describe.each(['0', '67108864'])('with a cache of %s bytes', (size) => {
  describe('tags of an object', () => {
    it('are sorted by weight and name, also after a weight or a name has changed', async () => {
      const api = await apiOfTest({ CACHE_SIZE: size })
      const ids: number[] = []
      for (const [index, name] of NAMES.toReversed().entries()) {
        ids.push(await created(api, 'extras/tags', { name, slug: `tag-${index}` }))
      }
      const tags = ids.map((id) => ({ id }))
      const site = await created(api, 'dcim/sites', { name: 'Site', slug: 'site', tags })
      expect(await shownTags(api, site)).toEqual(NAMES)
      const last = `/api/extras/tags/${ids[0]}/`
      await api.ask('PATCH', last, { body: { weight: 1 } })
      expect(await shownTags(api, site)).toEqual(['\u{1f601}', ...NAMES.slice(0, -1)])
      await api.ask('PATCH', last, { body: { weight: 1000, name: 'Alpha' } })
      expect(await shownTags(api, site)).toEqual(['Alpha', ...NAMES.slice(0, -1)])
    })
  })
})
