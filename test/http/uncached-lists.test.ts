import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Model } from '../../src/schema/registry.ts'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { type Api, startApi } from '../support/api.ts'
import { forEachStorage } from '../support/database.ts'
import { spyOnReads } from '../support/read-spies.ts'

forEachStorage('lists without caches', (open) => {
  let api: Api

  beforeAll(async () => {
    api = await startApi(open, { CACHE_SIZE: '0' })
    await loadDemo(api.service)
  })
  afterAll(() => api.close())

  const textOf = async (path: string): Promise<string> => {
    const { status, text } = await api.ask('GET', path)
    expect(status, path).toBe(200)
    return text
  }

  it('are the same before and after their tables are known to be small', async () => {
    const models = [...api.service.registry.models.values()]
    const isListed = (model: Model) =>
      model.path !== '' && (model.definition.methods ?? ['GET']).includes('GET')
    for (const { path } of models.filter(isListed)) {
      const paths = ['limit=20', 'limit=3&offset=2', 'limit=5&brief=1', 'limit=4&ordering=-id']
      for (const query of paths.map((each) => `/api/${path}/?${each}`)) {
        const first = await textOf(query)
        expect(await textOf(query), query).toBe(first)
      }
    }
  })

  describe('of small tables', () => {
    /** The statements of the second of two requests. */
    const statementsOf = async (path: string): Promise<readonly string[]> => {
      await textOf(path)
      const reads = spyOnReads(api.service.database)
      await textOf(path)
      const texts = reads.statements().map(({ text }) => text)
      reads.restore()
      return texts
    }

    it.each(['dcim/devices', 'core/object-changes', 'dcim/sites', 'ipam/prefixes'])(
      'select the rows of a page at once: %s',
      async (path) => {
        const texts = await statementsOf(`/api/${path}/?limit=5`)
        expect(texts).not.toEqual([])
        expect(texts.filter((text) => /^select t\.id from/.test(text))).toEqual([])
      },
    )

    it.each(['dcim/sites', 'dcim/devices', 'dcim/interfaces', 'dcim/cables', 'dcim/front-ports'])(
      'select what belongs to the rows with them: %s',
      async (path) => {
        const texts = await statementsOf(`/api/${path}/?limit=5`)
        expect(
          texts.map((text) => /^(with found|select count)/.exec(text)?.[0]).toSorted(),
        ).toEqual(['select count', 'with found'])
      },
    )

    it('send no statement about the rows of an empty list', async () => {
      const texts = await statementsOf('/api/dcim/devices/?limit=5&name=none')
      expect(texts.map((text) => /^select (count|t\.id)/.exec(text)?.[1]).toSorted()).toEqual([
        'count',
        't.id',
      ])
    })
  })
})
