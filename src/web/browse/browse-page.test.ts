import { expect, it } from 'vitest'
import { type BrowsePage, browsePage, type Exchange } from './browse-page.ts'

const exchange: Exchange = {
  method: 'GET',
  target: '/api/dcim/sites/?limit=0',
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'application/json']],
  body: '{"count":1}',
  plain: '/api/dcim/sites/?limit=0&format=json',
}

const page: BrowsePage = {
  title: 'Sites',
  heading: 'Sites',
  description: '',
  basePath: '',
  address: '/api/dcim/sites/',
  viewer: { username: 'admin' },
  tabs: [],
  asksForLogin: false,
  controls: undefined,
  aside: undefined,
  exchange,
}

it('shows a response unchanged', () => {
  expect(browsePage(page)).toContain('<j-n>"count"</j-n>: <j-d>1</j-d>')
})

it('links to a response that is too long to be shown', () => {
  const body = JSON.stringify('x'.repeat(1_000_000))
  const text = browsePage({ ...page, exchange: { ...exchange, body } })
  expect(text.length).toBeLessThan(5_000)
  expect(text).toContain('<a href="/api/dcim/sites/?limit=0&amp;format=json">Open it separately</a>')
})

it('reports that a response has no body', () => {
  expect(browsePage({ ...page, exchange: { ...exchange, body: undefined } })).toContain('No body.')
})
