import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { createdId } from '../support/requests.ts'

let api: Api
let viewer: string
beforeAll(async () => {
  api = await startApi()
  await createdId(api, 'dcim/sites', { name: 'Akron', slug: 'akron' })
  const user = await createdId(api, 'users/users', { username: 'guest', password: 'Guest-2026-x!' })
  const body = { name: 'view', users: [user], object_types: ['dcim.site'], actions: ['view'] }
  await createdId(api, 'users/permissions', body)
  const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
  viewer = String(json.token ?? json.key)
})
afterAll(() => api.close())

const HTML = { accept: 'text/html' }

describe('a page that cannot be shown', () => {
  it.each([
    ['/dcim/sites/999/', 404, 'There is no site 999. It may have been deleted, or you may not view it.'],
    ['/dcim/sites/999/edit/', 404, 'There is no site 999. It may have been deleted, or you may not view it.'],
    ['/ipam/ip-addresses/7/', 404, 'There is no IP address 7. It may have been deleted, or you may not view it.'],
    [
      '/circuits/circuits/7/changelog/',
      404,
      'There is no circuit 7. It may have been deleted, or you may not view it.',
    ],
    ['/nonsense/', 404, 'There is no page at this address.'],
    ['/dcim/nonsense/', 404, 'There is no page at this address.'],
  ])('says what is missing: %s', async (path, status, sentence) => {
    const answer = await api.ask('GET', path, { headers: HTML })
    expect([answer.status, answer.text.includes(sentence)], answer.text.slice(-400)).toEqual([status, true])
    expect(answer.text).toContain('<h1>Page not found</h1>')
    expect(answer.text).toContain('>Start page</a>')
  })

  it.each([
    ['/dcim/sites/999/', true],
    ['/nonsense/', true],
    ['/dcim/nonsense', true],
    ['/api/nonsense/', false],
  ])('keeps the menu for people who are logged in, except within the API: %s', async (path, hasMenu) => {
    const browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    const { status, text } = await browser.visit(path)
    expect([status, text.includes('class="user-menu"'), text.includes('href="/dcim/racks/"')]).toEqual([
      404,
      hasMenu,
      hasMenu,
    ])
  })

  it.each([
    ['/dcim/devices/', 'view', 'devices'],
    ['/dcim/sites/add/', 'add', 'sites'],
    ['/dcim/sites/import/', 'add', 'sites'],
    ['/dcim/sites/1/edit/', 'change', 'sites'],
    ['/ipam/prefixes/1/delete/', 'delete', 'prefixes'],
  ])('names the permission that the user lacks: %s', async (path, permission, objects) => {
    const { status, text } = await api.ask('GET', path, { headers: HTML, token: viewer })
    expect(status).toBe(403)
    expect(text).toContain(`Ask an administrator for the permission “${permission}” on ${objects}.`)
  })

  it('leads people to the login page if they may see nothing without signing in', async () => {
    const { status, headers } = await api.ask('GET', '/', { headers: HTML, token: null })
    expect([status, headers.get('location')]).toEqual([303, '/login/?next=%2F'])
  })
})
