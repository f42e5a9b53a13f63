import { describe, expect, it } from 'vitest'
import { startApi } from '../support/api.ts'

describe('choices of a custom field', () => {
  it('are listed page by page, and found by a part of their value or label', async () => {
    const api = await startApi()
    const body = {
      name: 'Sizes',
      extra_choices: [
        ['s', 'Small'],
        ['m', 'Medium'],
        ['l', 'Large'],
      ],
    }
    const made = await api.ask('POST', '/api/extras/custom-field-choice-sets/', { body })
    const path = `/api/extras/custom-field-choice-sets/${made.json.id}/choices/`
    const ids = async (query: string) => {
      const { json } = await api.ask('GET', path + query)
      return [json.count, json.results?.map(({ id }) => id)]
    }
    expect(await ids('')).toEqual([3, ['s', 'm', 'l']])
    expect(await ids('?limit=1&offset=1')).toEqual([3, ['m']])
    expect(await ids('?q=LA')).toEqual([1, ['l']])
    expect((await api.ask('GET', path)).json.results?.[0]).toEqual({ id: 's', display: 'Small' })
    await api.close()
  })
})
