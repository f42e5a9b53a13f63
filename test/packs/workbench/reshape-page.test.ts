import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../../support/api.ts'

let api: Api
let id = 0
beforeAll(async () => {
  api = await startApi()
  id = await api.make('ipam/prefixes', { prefix: '10.0.0.0/24' })
  await api.make('ipam/prefixes', { prefix: '10.0.1.0/24' })
  await api.make('ipam/ip-addresses', { address: '10.0.0.1/24' })
})
afterAll(() => api.close())

const HEADERS = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
const page = async (query: string) =>
  await api.ask('GET', `/ipam/prefixes/${id}/reshape/?${query}`, { headers: { accept: 'text/html' } })
const prefixes = async () => {
  const { json } = await api.ask('GET', '/api/ipam/prefixes/')
  return [...(json.results ?? [])].map(({ prefix }) => String(prefix))
}

it('the tab offers the four operations, and the prefixes beside this one for a merge', async () => {
  const { status, text } = await page('')
  expect(status).toBe(200)
  expect([...text.matchAll(/name="operation" value="(\w+)"/g)].map(([, name]) => name)).toEqual([
    'split',
    'merge',
    'resize',
    'renumber',
  ])
  expect(text).toMatch(/value="2"> 10\.0\.1\.0\/24/)
})

it('a preview draws the prefix before and after, and changes nothing', async () => {
  const { status, text } = await page('operation=split&length=25&original=container&with=masks')
  expect(status).toBe(200)
  expect([...text.matchAll(/<title>([\d./]+): /g)].map(([, network]) => network)).toEqual([
    '10.0.0.0/24',
    '10.0.0.0/25',
    '10.0.0.128/25',
  ])
  expect(text).toContain('Status: Container')
  expect(await prefixes()).toEqual(['10.0.0.0/24', '10.0.1.0/24'])
})

it.each([
  ['operation=resize&prefix=/25&with=masks', undefined],
  ['operation=renumber&prefix=10.0.0.128/25', '10.0.0.128/25 is smaller than 10.0.0.0/24.'],
  ['operation=merge&prefixes=2&with=masks', undefined],
  ['operation=split&prefixes=10.0.9.0/25', '10.0.9.0/25 is not a part of 10.0.0.0/24.'],
])('%s is previewed, or refused with a sentence', async (query, refusal) => {
  const { status, text } = await page(query)
  expect(status).toBe(200)
  if (refusal === undefined) expect(text).toContain('<h2>Preview</h2>')
  else expect(text).toContain(`This cannot be done. ${refusal}`)
})

it('the confirmed operation is carried out and can be undone', async () => {
  const query = 'operation=renumber&prefix=10.7.0.0/24&with=children&with=ranges&with=addresses&with=names'
  const path = `/ipam/prefixes/${id}/reshape/?${query}`
  const { status, headers } = await api.ask('POST', path, { body: '', headers: HEADERS })
  expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^\/ipam\/prefixes\/1\/\?saved=done&/)])
  expect(await prefixes()).toEqual(['10.0.1.0/24', '10.7.0.0/24'])
  const { text } = await api.ask('GET', headers.get('location') ?? '', { headers: { accept: 'text/html' } })
  expect(text).toContain('/undo/')
})
