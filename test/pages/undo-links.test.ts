import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { readForm } from './read-form.ts'

let api: Api
let role: number
let device: number
beforeAll(async () => {
  api = await startApi()
  const create = async (path: string, body: object): Promise<number> => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  const named = (name: string) => ({ name, slug: name })
  const site = await create('dcim/sites', named('akron'))
  role = await create('dcim/device-roles', named('core'))
  const manufacturer = await create('dcim/manufacturers', named('acme'))
  const device_type = await create('dcim/device-types', { manufacturer, model: 'x', slug: 'x' })
  device = await create('dcim/devices', { name: 'sw1', site, role, device_type })
  for (const name of ['b', 'c']) await create('dcim/sites', named(name))
})
afterAll(() => api.close())

const page = (path: string, token?: string) =>
  api.ask('GET', path, { headers: { accept: 'text/html' }, ...(token !== undefined && { token }) })

/** Sends the form of a page with these values. */
async function save(path: string, values: Readonly<Record<string, string | readonly string[]>>) {
  const form = new FormData()
  const stored = [...readForm((await page(path)).text).values].filter(([name]) => !(name in values))
  const changed = Object.entries(values).map(([name, value]) => [name, [value].flat()] as const)
  for (const [name, texts] of [...stored, ...changed]) {
    for (const text of texts) form.append(name, text)
  }
  return await api.ask('POST', path, { body: form })
}

const noticeIn = (text: string): string =>
  /<p class="notice good toast" role="status"><span>(.*?)<\/span>/s.exec(text)?.[1] ?? ''
const withoutTags = (markup: string): string => markup.replace(/<[^>]*>/g, '')
const undoLink = (text: string): string =>
  /<a href="([^"]*)">Undo<\/a>/.exec(noticeIn(text))?.[1]?.replaceAll('&amp;', '&') ?? ''

const names = async (): Promise<unknown> =>
  (await api.ask('GET', '/api/dcim/sites/?ordering=name')).json.results?.map(({ name }) => name)

async function bulk(path: string, fields: Readonly<Record<string, string>>) {
  const form = new FormData()
  const selected = { ids: '2,3', query: 'status=active', do: 'apply' }
  for (const [name, text] of Object.entries({ ...selected, ...fields })) form.append(name, text)
  return await api.ask('POST', `/dcim/sites/${path}/`, { body: form })
}

interface Case {
  readonly what: string
  readonly act: () => ReturnType<typeof save>
  readonly sentence: string
  /** Address after the undo. */
  readonly back: string
  /** Number of changes that the undo undoes; 1 if absent. */
  readonly changes?: number
}

const CASES: readonly Case[] = [
  {
    what: 'a change',
    act: () => save('/dcim/sites/1/edit/', { name: 'Akron 2' }),
    sentence: 'Site Akron 2 was saved.',
    back: '/dcim/sites/1/?saved=undone',
  },
  {
    what: 'a new object',
    act: () => save('/dcim/sites/add/', { name: 'D', slug: 'd' }),
    sentence: 'Site D was created.',
    back: '/dcim/sites/?saved=undone',
  },
  {
    what: 'a deletion',
    act: () => save('/dcim/sites/3/delete/', {}),
    sentence: 'The Site was deleted.',
    back: '/dcim/sites/3/?saved=undone',
  },
  {
    what: 'several changes',
    act: () => bulk('edit', { facility: 'F' }),
    sentence: '2 sites changed.',
    back: '/dcim/sites/?status=active&saved=undone',
    changes: 2,
  },
  {
    what: 'several new names',
    act: () => bulk('rename', { find: '^', replace: 'x-', use_regex: 'true' }),
    sentence: '2 sites renamed.',
    back: '/dcim/sites/?status=active&saved=undone',
    changes: 2,
  },
  {
    what: 'several deletions',
    act: () => bulk('delete', {}),
    sentence: '2 sites deleted.',
    back: '/dcim/sites/?status=active&saved=undone',
    changes: 2,
  },
  {
    what: 'an import',
    act: () =>
      save('/dcim/sites/import/', {
        step: 'import',
        data: 'name,slug,status\nE,e,active\nF,f,active',
      }),
    sentence: '2 sites imported.',
    back: '/dcim/sites/?saved=undone',
    changes: 2,
  },
  {
    what: 'a journal entry',
    act: () => save('/dcim/sites/1/journal/', { comments: 'Seen' }),
    sentence: 'The journal entry was added.',
    back: '/dcim/sites/1/journal/?saved=undone',
  },
  {
    what: 'a new member of a chassis',
    act: async () => {
      const chassis = await api.make('dcim/virtual-chassis', { name: 'Stack' })
      return await save(`/dcim/virtual-chassis/${chassis}/members/`, { device: String(device), vc_position: '1' })
    },
    sentence: 'Changes saved.',
    back: '/dcim/virtual-chassis/1/?saved=undone',
  },
]

it.each(CASES)('$what is told, with an undo that leads back', async ({ act, sentence, back, changes = 1 }) => {
  const before = await names()
  const saved = await act()
  expect(saved.status, saved.text).toBe(303)
  const told = await page(saved.headers.get('location') ?? '')
  expect(withoutTags(noticeIn(told.text))).toBe(`${sentence} Undo`)
  expect(told.text).not.toContain('saved_request:')
  expect(told.text).not.toContain('This list has no filter')
  const undo = undoLink(told.text)
  expect((await page(undo)).text).toContain('What happens')
  const undone = await save(undo, {})
  expect(undone.headers.get('location'), undone.text).toBe(`${back}&saved_count=${changes}`)
  expect(noticeIn((await page(undone.headers.get('location') ?? '')).text)).toBe(
    changes === 1 ? '1 change undone.' : `${changes} changes undone.`,
  )
  expect(await names()).toEqual(before)
})

it('several interfaces created from a pattern lead to a list of just these, or to the device', async () => {
  const path = `/dcim/interfaces/add/?device=${device}&type=virtual`
  const alone = await save(path, { name: 'eth[0-2]' })
  const list = await page(alone.headers.get('location') ?? '')
  expect(withoutTags(noticeIn(list.text))).toBe('3 interfaces created. Undo')
  expect(list.text).toContain('of <strong>3</strong>')
  const tab = `/dcim/devices/${device}/interfaces/`
  const add = /href="(\/dcim\/interfaces\/add\/\?[^"]*)"/.exec((await page(tab)).text)?.[1] ?? ''
  const there = await save(add.replaceAll('&amp;', '&'), { name: 'lo[0-1]', type: 'virtual' })
  expect(there.headers.get('location'), there.text).toMatch(`${tab}?saved=created-all`)
  const shown = await page(there.headers.get('location') ?? '')
  expect(withoutTags(noticeIn(shown.text))).toBe('2 interfaces created. Undo')
})

it.each(['x', '00000000-0000-4000-8000-000000000000', ''])('a URL with the request %j offers no undo', async (id) => {
  const { status, text } = await page(`/dcim/sites/?saved=done&saved_request=${id}`)
  expect([status, noticeIn(text)]).toEqual([200, 'Changes saved.'])
})

it('users who may not view changes are offered no undo', async () => {
  const body = { username: 'ann', password: 'A-long-password-1' }
  const user = (await api.ask('POST', '/api/users/users/', { body })).json.id
  await api.ask('POST', '/api/users/permissions/', {
    body: { name: 'sites', object_types: ['dcim.site'], actions: ['view'], users: [user] },
  })
  const token = (await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key
  const saved = await save('/dcim/sites/1/edit/', { name: 'Akron 3' })
  const { text } = await page(saved.headers.get('location') ?? '', String(token))
  expect(withoutTags(noticeIn(text))).toBe('Site Akron 3 was saved.')
})

it('each change of a changelog offers its undo', async () => {
  const { json } = await api.ask('PATCH', `/api/dcim/devices/${device}/`, { body: { serial: 'S-1' } })
  expect(json.serial).toBe('S-1')
  const { text } = await page(`/dcim/devices/${device}/changelog/`)
  const [, link = ''] = /href="([^"]*\/undo\/)">Undo<\/a>/.exec(text) ?? []
  expect(withoutTags((await page(link)).text)).toContain('S-1')
})

it('an undo that would overwrite a later change says whose, when, and both values', async () => {
  const { json } = await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Undone', slug: 'undone' } })
  const patch = (body: object) => api.ask('PATCH', `/api/dcim/sites/${json.id}/`, { body })
  await patch({ status: 'planned', facility: 'A' })
  await patch({ status: 'retired' })
  const changes = await api.ask('GET', `/api/core/object-changes/?changed_object_id=${json.id}&ordering=id`)
  const [, earlier, later] = changes.json.results ?? []
  const { text, status } = await page(`/core/changelog/${earlier?.id}/undo/`)
  expect(status).toBe(409)
  const [, reason = ''] = /This cannot be undone now<\/h2>\s*<ul><li>(.*?)<\/li>/s.exec(text) ?? []
  expect(withoutTags(reason).replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/, '<time>')).toBe(
    'Undone: Status was changed by admin at <time>: Planned → Retired.',
  )
  expect(reason).toContain(`/dcim/sites/${json.id}/`)
  expect(reason).toContain(`/core/changelog/${later?.id}/`)
})
