import { describe, expect, it } from 'vitest'
import { ApiError } from '../../base/errors.ts'
import { parseWindow } from './window.ts'

const usual = { paginateCount: 50, maxPageSize: 1000 }
const cases = [
  { name: 'nothing', query: '', window: { limit: 50, offset: 0 } },
  { name: 'both', query: 'limit=10&offset=20', window: { limit: 10, offset: 20 } },
  { name: 'the last of several', query: 'limit=10&limit=20', window: { limit: 20, offset: 0 } },
  { name: 'unusable ones', query: 'limit=-1&offset=x', window: { limit: 50, offset: 0 } },
  { name: 'as many as allowed', query: 'limit=0', window: { limit: 1000, offset: 0 } },
  { name: 'more than allowed', query: 'limit=5000', window: { limit: 1000, offset: 0 } },
  { name: 'from an id on', query: 'start=7', window: { limit: 50, offset: 0, start: 7 } },
]
const uncapped = [
  { name: 'all', query: 'limit=0', window: { limit: undefined, offset: 0 } },
  { name: 'many', query: 'limit=5000', window: { limit: 5000, offset: 0 } },
]

describe('the window', () => {
  it.each(cases)('$name', ({ query, window }) => {
    expect(parseWindow(new URLSearchParams(query), usual)).toEqual(window)
  })

  it.each(uncapped)('without a cap: $name', ({ query, window }) => {
    const settings = { ...usual, maxPageSize: 0 }
    expect(parseWindow(new URLSearchParams(query), settings)).toEqual(window)
  })

  it.each(['start=-1', 'start=x', 'start=1&offset=2', 'start=1&ordering=name'])(
    'is refused for a list: %s',
    (query) => {
      const parse = () => parseWindow(new URLSearchParams(query), usual)
      expect(parse).toThrow(ApiError)
      expect(parse).toThrow(
        expect.objectContaining({
          reason: { kind: 'invalid', messages: [expect.stringMatching(/./)] },
        }),
      )
    },
  )
})
