import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { created, createdId, createdIds, readPage } from '../support/requests.ts'

let api: Api
/** Tokens of people: Alice acts, Bob reads, Eve may not view sites. */
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}
let site: number
let bob: Browser

beforeAll(async () => {
  api = await startApi()
  for (const username of ['alice', 'bob', 'eve']) {
    const user = await createdId(api, 'users/users', { username, password: 'Correct-horse-7' })
    ids[username] = user
    tokens[username] = String((await created(api, 'users/tokens', { user })).key)
  }
  const permit = (name: string, users: readonly string[], body: object) =>
    created(api, 'users/permissions', { name, users: users.map((user) => ids[user]), ...body })
  const types = [
    'dcim.site',
    'ipam.vlan',
    'ipam.vlangroup',
    'extras.journalentry',
    'core.changerequest',
    'core.branch',
    'core.changereview',
  ]
  await permit('act', ['alice'], { object_types: types, actions: ['view', 'add', 'change', 'delete'] })
  await permit('view', ['bob'], { object_types: types, actions: ['view'] })
  await permit('view requests', ['eve'], { object_types: ['extras.journalentry'], actions: ['view'] })
  site = await createdId(api, 'dcim/sites', { name: 'Akron', slug: 'akron' })
  const group = await createdId(api, 'extras/notification-groups', {
    name: 'operators',
    users: [ids.bob, ids.eve],
  })
  await created(api, 'extras/event-rules', {
    name: 'notify',
    object_types: ['ipam.vlan', 'dcim.site'],
    event_types: ['object_created', 'object_updated', 'object_deleted'],
    action_type: 'notification',
    action_object_type: 'extras.notificationgroup',
    action_object_id: group,
  })
  bob = new Browser(api.url)
  await bob.logIn('bob', 'Correct-horse-7')
})
afterAll(() => api.close())

const as = async (person: string, method: string, path: string, body: unknown) => {
  const { status, text, json } = await api.ask(method, `/api/${path}/`, { body, token: tokens[person] ?? '' })
  expect(status, text).toBeLessThan(300)
  return json
}

const rowsOf = async (person: string): Promise<readonly string[]> => {
  const page = await readPage(api, '/user/notifications/', tokens[person])
  return [...page.matchAll(/<tr><td class="select">(.*?)<\/tr>/gs)].map(([row]) =>
    row
      .replace(/<summary>(.*?)<\/summary>.*?<\/details>/gs, '$1')
      .replace(/<time.*?<\/time>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

const forget = async (person: string) => {
  const { json } = await api.ask('GET', '/api/extras/notifications/?limit=0', { token: tokens[person] ?? '' })
  const body = (json.results ?? []).map(({ id }) => ({ id }))
  if (body.length > 0) await api.ask('DELETE', '/api/extras/notifications/', { body, token: tokens[person] ?? '' })
}

beforeEach(async () => {
  for (const person of ['alice', 'bob', 'eve']) await forget(person)
})

describe('the notifications of one request are one line', () => {
  const vlans = (count: number) => Array.from({ length: count }, (_, index) => ({ vid: index + 1, name: `V${index}` }))
  it.each([
    ['created', '30 VLANs created alice —', async () => void (await as('alice', 'POST', 'ipam/vlans', vlans(30)))],
    [
      'updated',
      '3 sites updated alice —',
      async () => {
        const sites = await createdIds(
          api,
          'dcim/sites',
          [1, 2, 3].map((n) => ({ name: `S${n}`, slug: `s${n}` })),
        )
        await forget('bob')
        await as(
          'alice',
          'PATCH',
          'dcim/sites',
          sites.map((id) => ({ id, facility: 'F' })),
        )
      },
    ],
    [
      'deleted',
      '2 VLANs deleted alice —',
      async () => {
        const gone = await createdIds(api, 'ipam/vlans', [
          { vid: 100, name: 'a' },
          { vid: 101, name: 'b' },
        ])
        await forget('bob')
        await api.ask('DELETE', '/api/ipam/vlans/', { body: gone.map((id) => ({ id })), token: tokens.alice ?? '' })
      },
    ],
    [
      'created alone',
      'Site Alone created alice —',
      async () => void (await as('alice', 'POST', 'dcim/sites', { name: 'Alone', slug: 'alone' })),
    ],
  ])('if objects are %s', async (_what, line, act) => {
    await act()
    expect(await rowsOf('bob')).toEqual([line])
    expect(await rowsOf('eve')).toEqual([])
    const page = await readPage(api, '/user/notifications/', tokens.bob)
    const bell = /Notifications: \d+ unread/.exec((await bob.visit('/user/notifications/')).text)?.[0]
    expect(bell).toBe('Notifications: 1 unread')
    // Its check box stands for all of them.
    const [, chosen = ''] = /name="id" value="([^"]*)"/.exec(page) ?? []
    const body = new FormData()
    body.append('id', chosen)
    body.append('action', 'read')
    await api.ask('POST', '/user/notifications/', { body, token: tokens.bob ?? '' })
    const { json } = await api.ask('GET', '/api/extras/notifications/?limit=0', { token: tokens.bob ?? '' })
    expect((json.results ?? []).filter(({ read }) => read === null)).toEqual([])
  })
})

describe('@name notifies that user', () => {
  const journal = (comments: string) =>
    as('alice', 'POST', 'extras/journal-entries', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: site,
      comments,
    })
  let branches = 0
  const request = async (more: object) => {
    branches += 1
    const branch = await created(api, 'core/branches', { name: `Plan ${branches}` })
    return Number((await as('alice', 'POST', 'core/change-requests', { title: 'Plan', branch: branch.id, ...more })).id)
  }
  it.each<[string, () => Promise<unknown>, readonly string[]]>([
    ['in a journal entry', () => journal('Ask @bob.'), ['Mentioned: Akron alice —']],
    [
      'in the comments of a change request',
      () => request({ comments: '@bob, please look' }),
      ['Mentioned: Plan alice —'],
    ],
    [
      'in a review',
      async () => {
        const change_request = await request({})
        await as('alice', 'POST', 'core/change-reviews', { change_request, verdict: 'comment', text: '(@bob?)' })
      },
      ['Mentioned: Plan alice —'],
    ],
    ['but not in an address', () => journal('mail to alice@bob'), []],
    ['but not a name that does not exist', () => journal('@bobby knows'), []],
    [
      'but not again if the text is changed elsewhere',
      async () => {
        const { id } = await journal('Ask @bob')
        await forget('bob')
        await as('alice', 'PATCH', `extras/journal-entries/${id}`, { comments: 'Ask @bob today' })
      },
      [],
    ],
    [
      'but whoever is added to a text',
      async () => {
        const { id } = await journal('Ask')
        await as('alice', 'PATCH', `extras/journal-entries/${id}`, { comments: 'Ask @bob' })
      },
      ['Mentioned: Akron alice —'],
    ],
  ])('%s', async (_where, act, lines) => {
    await act()
    expect(await rowsOf('bob')).toEqual(lines)
  })

  it.each([
    ['of a site that the user may not view', () => journal('@eve')],
    ['of a change request that the user may not view', () => request({ comments: '@eve' })],
    ['as a reviewer of a change request that the user may not view', () => request({ reviewers: [ids.eve] })],
  ])('but reveals nothing %s', async (_what, act) => {
    await act()
    expect(await rowsOf('eve')).toEqual([])
  })

  it('but not the author', async () => {
    await journal('Note to @alice')
    expect(await rowsOf('alice')).toEqual([])
  })
})
