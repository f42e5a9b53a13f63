import { describe, expect, it } from 'vitest'
import { type SliceExtent, sliceLinks } from './slice-links.ts'
import { parseWindow } from './window.ts'

// The request and the content of the page → its neighbours.
const cases: readonly {
  readonly name: string
  readonly query: string
  readonly extent: SliceExtent
  readonly next: string | null
  readonly previous: string | null
}[] = [
  {
    name: 'the first of several',
    query: 'limit=2',
    extent: { count: 5, length: 2 },
    next: 'limit=2&offset=2',
    previous: null,
  },
  {
    name: 'without a limit of its own',
    query: '',
    extent: { count: 51, length: 50 },
    next: 'limit=50&offset=50',
    previous: null,
  },
  {
    name: 'one in the middle, parameters sorted',
    query: 'limit=2&offset=2&brief=true&b=1&a=x%20y&a=%C3%A4~%2A',
    extent: { count: 5, length: 2 },
    next: 'a=x+y&a=%C3%A4~%2A&b=1&brief=true&limit=2&offset=4',
    previous: 'a=x+y&a=%C3%A4~%2A&b=1&brief=true&limit=2',
  },
  {
    name: 'the last, its neighbour starting before the beginning',
    query: 'limit=3&offset=2',
    extent: { count: 5, length: 3 },
    next: null,
    previous: 'limit=3',
  },
  {
    name: 'past the end',
    query: 'limit=2&offset=9',
    extent: { count: 4, length: 0 },
    next: null,
    previous: 'limit=2&offset=7',
  },
  {
    name: 'more than the cap',
    query: 'limit=5000&fields=id',
    extent: { count: 1702, length: 1000 },
    next: 'fields=id&limit=1000&offset=1000',
    previous: null,
  },
  {
    name: 'a full page, with an estimate that is too low',
    query: 'limit=2&offset=4',
    extent: { count: 6, length: 2, isEstimated: true },
    next: 'limit=2&offset=6',
    previous: 'limit=2&offset=2',
  },
  {
    name: 'a page that is not full, with an estimate that is too high',
    query: 'limit=2&offset=4',
    extent: { count: 9, length: 1, isEstimated: true },
    next: null,
    previous: 'limit=2&offset=2',
  },
  {
    name: 'a full page from an id on',
    query: 'limit=2&start=3&brief=1',
    extent: { count: null, length: 2, lastId: 4 },
    next: 'brief=1&limit=2&start=5',
    previous: null,
  },
  {
    name: 'a page from an id on that is not full',
    query: 'limit=2&start=3',
    extent: { count: null, length: 1, lastId: 3 },
    next: null,
    previous: null,
  },
]

describe('links between pages', () => {
  it.each(cases)('$name', ({ query, extent, next, previous }) => {
    const url = new URL(`https://example.com/api/dcim/sites/?${query}`)
    const window = parseWindow(url.searchParams, { paginateCount: 50, maxPageSize: 1000 })
    const full = (link: string | null) => link && `https://example.com/api/dcim/sites/?${link}`
    expect(sliceLinks(url, window, extent)).toEqual({ next: full(next), previous: full(previous) })
  })
})
