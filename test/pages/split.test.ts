import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId } from '../support/requests.ts'

let api: Api
const ids: Record<string, number> = {}
beforeAll(async () => {
  api = await startApi()
  const made = async (prefix: string, more: object = {}): Promise<void> => {
    ids[prefix] = await createdId(api, 'ipam/prefixes', { prefix, ...more })
  }
  const { json: role } = await api.ask('POST', '/api/ipam/roles/', {
    body: { name: 'Users', slug: 'users' },
  })
  await made('10.0.0.0/24', { status: 'container', role: role.id })
  await made('10.0.0.64/26')
  await made('10.1.0.0/30')
  await made('10.1.0.0/31')
  await made('10.1.0.2/31')
  await made('10.2.0.0/16')
})
afterAll(() => api.close())

const page = async (prefix: string, length = '') => {
  const path = `/ipam/prefixes/${ids[prefix]}/split/?length=${length}`
  return await api.ask('GET', path, { headers: { accept: 'text/html' } })
}
const split = async (prefix: string, length: string) => {
  const body = new FormData()
  body.append('length', length)
  const path = `/ipam/prefixes/${ids[prefix]}/split/`
  return await api.ask('POST', path, { body, headers: { accept: 'text/html' } })
}

it.each([
  ['what is free', '10.0.0.0/24', '26', ['10.0.0.0/26', '10.0.0.128/26', '10.0.0.192/26']],
  ['nothing of a length that does not fit', '10.0.0.0/24', '24', []],
  ['nothing if no space is free', '10.1.0.0/30', '31', []],
  ['nothing that would be too much', '10.2.0.0/16', '30', []],
])('a preview of a split lists %s', async (_name, prefix, length, expected) => {
  const { status, text } = await page(prefix, length)
  expect(status).toBe(200)
  expect([...text.matchAll(/<li>([\d./]+)<\/li>/g)].map(([, part]) => part)).toEqual(expected)
})

it('a split creates the prefixes, with the role of the original', async () => {
  expect((await split('10.0.0.0/24', '26')).status).toBe(303)
  const { json } = await api.ask('GET', '/api/ipam/prefixes/?within=10.0.0.0/24')
  expect([...(json.results ?? [])].map(({ prefix, role }) => `${prefix} ${role?.name ?? '-'}`)).toEqual([
    '10.0.0.0/26 Users',
    '10.0.0.64/26 -',
    '10.0.0.128/26 Users',
    '10.0.0.192/26 Users',
  ])
  expect((await page('10.0.0.0/24')).text).toContain('This prefix has no free space to split')
})
