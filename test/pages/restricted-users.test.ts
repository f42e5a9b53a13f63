import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { created } from '../support/requests.ts'

const api = await startApiWithOwnModels()
afterAll(() => api.close())
const types = collections(api.service.registry)
  .map(({ name }) => name)
  .filter((name) => name !== 'extras.taggeditem' && name !== 'users.groupmapping')

/** The subject of a user's permission; with a constraint that no row satisfies, the user can do nothing. */
interface Grant {
  readonly actions: readonly string[]
  readonly object_types: readonly string[]
  readonly constraints?: object
}
const VIEW_ALL: Grant = { actions: ['view'], object_types: types }
const NOTHING = { id__in: [0] }

const USERS: Readonly<Record<string, readonly Grant[]>> = {
  'may view everything': [VIEW_ALL],
  'may view everything, and change objects that do not exist': [
    VIEW_ALL,
    { actions: ['change', 'delete', 'run', 'sync'], object_types: types, constraints: NOTHING },
  ],
  'may view devices and their places': [
    { actions: ['view'], object_types: ['dcim.device', 'dcim.site', 'dcim.rack', 'dcim.location'] },
  ],
  'may add interfaces of devices': [
    { actions: ['view'], object_types: ['dcim.device', 'dcim.interface'] },
    { actions: ['add'], object_types: ['dcim.interface'] },
  ],
  'has no permission': [],
}

beforeAll(async () => {
  await new ExampleObjects(api).createAll()
})

/** Token of a new user with these permissions. */
async function tokenOf(username: string, grants: readonly Grant[]): Promise<string> {
  const { id: user } = await created(api, 'users/users', { username, password: 'A-long-Passw0rd' })
  for (const [index, grant] of grants.entries()) {
    await created(api, 'users/permissions', { name: `${username} ${index}`, users: [user], ...grant })
  }
  const { key, token } = await created(api, 'users/tokens', { user, version: 1 })
  return String(token ?? key)
}

/** Target of a link, a form or a button. */
interface Way {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** The page that offers it. */
  readonly from: string
  /** Name and value of the button; empty without any. */
  readonly button: readonly [string, string]
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&')

/** Everything that leads on from a page: its links, and the first submit button of each form. */
function waysIn(from: string, text: string): readonly Way[] {
  const way = (method: Way['method'], address = '', button: string | undefined): Way => {
    const [name, value] = [attribute(button ?? '', 'name') ?? '', attribute(button ?? '', 'value') ?? '']
    return { method, url: new URL(address, new URL(from, api.url)), from, button: [name, value] }
  }
  const links = [...text.matchAll(/<a\b[^>]*>/g)].map(([tag]) => way('GET', attribute(tag, 'href'), undefined))
  const forms = [...text.matchAll(/(<form\b[^>]*>)(.*?)<\/form>/gs)].flatMap(([, tag = '', content = '']) => {
    const buttons = [...content.matchAll(/<button\b[^>]*>/g)].map(([each]) => each)
    const elsewhere = buttons.filter((button) => attribute(button, 'formaction') !== undefined)
    const sent = elsewhere.map((button) => way('POST', attribute(button, 'formaction'), button))
    return attribute(tag, 'method') === 'post' ? [way('POST', attribute(tag, 'action'), buttons[0]), ...sent] : sent
  })
  return [...links, ...forms]
}

/** Those that differ only in ids and values count as one. Groups of rows are tried alone: they go with any other link. */
function kindOf({ method, url: { pathname, searchParams } }: Way): string {
  const names = [...new Set(searchParams.keys())].sort()
  const kept = names.length > 1 ? names.filter((name) => name !== 'group_by') : names
  return `${method} ${pathname.replaceAll(/\d+/g, ':id')}?${kept}`
}

/** Pages about the API, files, an invented link, the logout, and buttons that may end the token of the requests. */
const LEFT_OUT = /^[A-Z]+ \/(api|media|static|logout|graphql)\b|link_url|^POST \/users?\/(api-)?tokens\/\d+\b/

describe.each(Object.entries(USERS))('a user who %s', (name, grants) => {
  it('gets no link and no button that leads to a refusal', async () => {
    const token = await tokenOf(`user-${Object.keys(USERS).indexOf(name)}`, grants)
    const refused: string[] = []
    const met = new Set<string>()
    const left: Way[] = [...waysIn('/', '<a href="/">')]
    for (let way = left.pop(); way !== undefined; way = left.pop()) {
      const { method, url, from, button } = way
      if (url.origin !== api.url || LEFT_OUT.test(`${method} ${url.pathname}`) || met.has(kindOf(way))) continue
      met.add(kindOf(way))
      const page = `${url.pathname}${url.search}`
      const form = new FormData()
      form.append(...button)
      const body = method === 'POST' ? { body: form } : {}
      const { status, text } = await api.ask(method, page, { token, headers: { accept: 'text/html' }, ...body })
      if ([403, 404, 405].includes(status) || status >= 500) refused.push(`${status} ${method} ${page} (on ${from})`)
      if (status === 200) left.push(...waysIn(page, text))
    }
    expect(met.size).toBeGreaterThan(10)
    expect(refused).toEqual([])
  })
})
