import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, hiddenFields } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

let api: Api
let admin: Browser
let viewer: Browser
beforeAll(async () => {
  api = await startApi()
  const user = await api.make('users/users', { username: 'viewer', password: PASSWORD })
  const may = (object_types: readonly string[], constraints: object | null) =>
    api.make('users/permissions', {
      name: object_types.join(),
      object_types,
      actions: ['view'],
      users: [user],
      constraints,
    })
  await may(['dcim.site'], null)
  await may(['ipam.fhrpgroup'], { name: 'mine' })
  admin = new Browser(api.url)
  await admin.logIn('admin', 'admin')
  viewer = new Browser(api.url)
  await viewer.logIn('viewer', PASSWORD)
})
afterAll(() => api.close())

const menuOf = async (browser: Browser, path = '/user/profile/'): Promise<string> =>
  /<nav class="sidebar"[^>]*>(.*?)<\/nav>/s.exec((await browser.visit(path)).text)?.[1] ?? ''

const linksIn = (markup: string): readonly string[] =>
  [...markup.matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) => href)

describe('favorites', () => {
  const favorites = async (browser: Browser) =>
    linksIn(/<div class="sidebar-top">(.*?)<\/div>/s.exec(await menuOf(browser))?.[1] ?? '')
  const press = async (browser: Browser, list: string) => {
    const { text } = await browser.visit(list)
    const [, value = ''] = /name="favorite" value="(\w+)"/.exec(text) ?? []
    const form = { ...hiddenFields(text), favorite: value, return_url: list }
    return await browser.visit(`${list.replace(/\?.*/, '')}favorite/`, { form })
  }

  it('are at the top of the menu, in the order in which a user adds them, until they are removed', async () => {
    expect(await favorites(admin)).toEqual([])
    const { location } = await press(admin, '/dcim/sites/?status=active')
    expect(location).toBe('/dcim/sites/?status=active')
    await press(admin, '/ipam/prefixes/')
    expect(await favorites(admin)).toEqual(['/dcim/sites/', '/ipam/prefixes/'])
    expect(await favorites(viewer)).toEqual([])
    const { text } = await admin.visit('/dcim/sites/')
    expect(text).toContain('value="false" aria-pressed="true" aria-label="Favorite"')
    await press(admin, '/dcim/sites/')
    expect(await favorites(admin)).toEqual(['/ipam/prefixes/'])
  })

  it('are preferences of the user, next to others', async () => {
    await api.ask('PATCH', '/api/users/config/', { body: { menu: { favorites: ['dcim.rack', 'no.model', 7] } } })
    expect(await favorites(admin)).toEqual(['/dcim/racks/'])
    await press(admin, '/dcim/sites/')
    const { json } = await api.ask('GET', '/api/users/config/')
    expect(json.menu).toEqual({ favorites: ['dcim.rack', 'no.model', 'dcim.site'] })
  })

  it('do not lead to lists that the user may not view', async () => {
    await press(viewer, '/dcim/sites/')
    expect(await favorites(viewer)).toEqual(['/dcim/sites/'])
    await api.ask('PATCH', '/api/users/permissions/1/', { body: { enabled: false } })
    expect(await favorites(viewer)).toEqual([])
    await api.ask('PATCH', '/api/users/permissions/1/', { body: { enabled: true } })
  })
})

describe('rare lists', () => {
  const folded = async (browser: Browser, path?: string) =>
    linksIn(
      [...(await menuOf(browser, path)).matchAll(/<details class="more">(.*?)<\/details>/gs)]
        .map(([all]) => all)
        .join(''),
    )

  it('are folded until they have objects', async () => {
    expect(await folded(admin)).toEqual(expect.arrayContaining(['/ipam/fhrp-groups/', '/dcim/cooling-feeds/']))
    expect(await folded(admin)).not.toContain('/dcim/devices/')
    await api.make('ipam/fhrp-groups', { name: 'g', protocol: 'vrrp2', group_id: 1 })
    expect(await folded(admin)).not.toContain('/ipam/fhrp-groups/')
    expect(await menuOf(admin)).toContain('href="/ipam/fhrp-groups/"')
  })

  it('are not folded on their pages', async () => {
    expect(await folded(admin, '/dcim/cooling-feeds/')).not.toContain('/dcim/cooling-feeds/')
  })

  it('do not reveal whether there are objects that a user may not view', async () => {
    expect(await folded(viewer)).toEqual([])
    const { json } = await api.ask('GET', '/api/ipam/fhrp-groups/')
    await api.ask('DELETE', `/api/ipam/fhrp-groups/${json.results?.[0]?.id}/`)
    expect(await folded(viewer)).toEqual([])
  })
})

it.each([
  ['/dcim/sites/', ['organization']],
  ['/ipam/prefixes/', ['ipam']],
  ['/user/profile/', []],
])('on %s only the subject of the page is open', async (path, open) => {
  admin.cookies.set('menu', 'wide.devices.ipam')
  const subjects = [...(await menuOf(admin, path)).matchAll(/<details data-subject="([\w-]+)" open>/g)]
  expect(subjects.map(([, name]) => name)).toEqual(open)
  admin.cookies.delete('menu')
})
