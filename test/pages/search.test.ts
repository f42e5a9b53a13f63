import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { openMemory } from '../support/database.ts'

let api: Api
beforeAll(async () => {
  api = await startApi(openMemory)
  const create = (path: string, body: unknown) => api.ask('POST', `/api/${path}/`, { body })
  await create('dcim/sites', { name: 'North <b>', slug: 'north', facility: 'NORTH-1' })
  await create('dcim/regions', { name: 'Northern', slug: 'northern' })
  const tenants = Array.from({ length: 60 }, (_, index) => ({
    name: `north ${index}`,
    slug: `t${index}`,
  }))
  await create('tenancy/tenants', tenants)
})
afterAll(() => api.close())

const page = async (query: string) =>
  await api.ask('GET', `/search/${query}`, { headers: { accept: 'text/html' } })

it.each([
  ['', 200, ['<h1>Search</h1>'], ['Nothing was found']],
  ['?q=nowhere', 200, ['Nothing was found.'], []],
  // Best matches of all types, with links that narrow them.
  [
    '?q=north',
    200,
    ['North &lt;b&gt;', 'obj_types=tenancy.tenant', 'All 60 Tenants', 'of <strong>62</strong>'],
    ['<b>'],
  ],
  [
    '?q=north&obj_types=dcim.region',
    200,
    ['href="/dcim/regions/1/"', 'obj_types=tenancy.tenant', 'aria-current="true"'],
    ['/dcim/sites/1/', 'All 1 '],
  ],
  ['?q=north&obj_types=tenancy.tenant', 200, ['rel="next"', 'offset=50'], []],
  ['?q=north&obj_types=tenancy.tenant&offset=50', 200, ['rel="prev"'], ['rel="next"']],
  // A match in another field than the name is named and marked.
  ['?q=north-1&lookup=iexact', 200, ['Facility: ', '<mark>NORTH-1</mark>'], []],
  ['?q=(&lookup=iregex', 400, ['Enter a valid regular expression.', 'value="("'], []],
  ['?q=a&obj_types=dcim.ship', 400, ['No object type is named dcim.ship.'], []],
])('/search/%s', async (query, status, present, absent) => {
  const answer = await page(query)
  expect(answer.status).toBe(status)
  for (const text of present) expect(answer.text).toContain(text)
  for (const text of absent) expect(answer.text).not.toContain(text)
})

it('leads people without a login to the login', async () => {
  const { status, headers } = await api.ask('GET', '/search/?q=a', {
    headers: { accept: 'text/html' },
    token: null,
  })
  expect([status, headers.get('location')]).toEqual([303, '/login/?next=%2Fsearch%2F%3Fq%3Da'])
})
