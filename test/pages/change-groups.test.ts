import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { created, createdId, createdIds, readPage } from '../support/requests.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const named = (name: string) => ({ name, slug: name.toLowerCase().replaceAll(' ', '-') })
const sites = (names: readonly string[]) => createdIds(api, 'dcim/sites', names.map(named))

async function deviceWithPorts(
  name: string,
  ports: number,
): Promise<{ device: number; interfaces: readonly number[] }> {
  const manufacturer = await createdId(api, 'dcim/manufacturers', named(`Maker of ${name}`))
  const device_type = await createdId(api, 'dcim/device-types', { manufacturer, model: name, slug: name })
  const template = { device_type, type: '1000base-t' }
  const templates = Array.from({ length: ports }, (_, index) => ({ ...template, name: `eth${index}` }))
  if (ports > 0) await createdIds(api, 'dcim/interface-templates', templates)
  const role = await createdId(api, 'dcim/device-roles', named(`Role of ${name}`))
  const site = await createdId(api, 'dcim/sites', named(`Site of ${name}`))
  const device = await createdId(api, 'dcim/devices', { name, device_type, role, site })
  const { json } = await api.ask('GET', `/api/dcim/interfaces/?device_id=${device}&limit=0`)
  return { device, interfaces: (json.results ?? []).map(({ id }) => Number(id)) }
}

const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The entries of a changelog tab, as plain texts. */
const entriesOf = (page: string): readonly string[] =>
  (/<ol class="changes">(.*)<\/ol>/s.exec(page)?.[1] ?? '').split('<li class="card">').slice(1).map(textOf)

/** The cells of the rows of the change log. */
const rowsOf = (page: string): readonly string[] =>
  (/<tbody>(.*?)<\/tbody>/s.exec(page)?.[1] ?? '').split('<tr>').slice(1).map(textOf)

const undoLinkIn = (page: string): string => /href="([^"]*\/undo\/[^"]*)">Undo<\/a>/.exec(page)?.[1] ?? ''

async function send(path: string) {
  const body = new FormData()
  return await api.ask('POST', path, { body })
}

describe('an action on several objects is one entry', () => {
  it.each([
    {
      what: 'renamed interfaces of a device',
      act: async () => {
        const { device, interfaces } = await deviceWithPorts('renamed', 50)
        const body = interfaces.map((id) => ({ id, name: `port${id}` }))
        await api.ask('PATCH', '/api/dcim/interfaces/', { body })
        return `/dcim/devices/${device}/changelog/`
      },
      sentence: '50 interfaces renamed',
      count: 50,
    },
    {
      what: 'a device with its ports',
      act: async () => {
        const { device } = await deviceWithPorts('created', 3)
        return `/dcim/devices/${device}/changelog/`
      },
      sentence: '1 device created, 3 interfaces created',
      count: 4,
    },
    {
      what: 'ports that get the same description',
      act: async () => {
        const { device, interfaces } = await deviceWithPorts('described', 4)
        const body = interfaces.map((id) => ({ id, description: 'uplink' }))
        await api.ask('PATCH', '/api/dcim/interfaces/', { body })
        return `/dcim/devices/${device}/changelog/`
      },
      sentence: '4 interfaces updated',
      count: 4,
    },
    {
      what: 'deleted ports',
      act: async () => {
        const { device, interfaces } = await deviceWithPorts('removed', 2)
        await api.ask('DELETE', '/api/dcim/interfaces/', { body: interfaces.map((id) => ({ id })) })
        return `/dcim/devices/${device}/changelog/`
      },
      sentence: '2 interfaces deleted',
      count: 2,
    },
  ])('in the changelog of the object: $what', async ({ act, sentence, count }) => {
    const tab = await readPage(api, await act())
    const [latest = ''] = entriesOf(tab)
    expect(latest).toContain(sentence)
    expect(latest).toContain(`All ${count} changes of this action`)
    expect(latest.match(/Undo/g)).toHaveLength(1)
    const [row = ''] = rowsOf(await readPage(api, '/core/changelog/'))
    expect(row).toContain(sentence.replace('renamed', 'updated'))
    // The one button undoes all of them.
    const link = undoLinkIn(tab)
    const preview = await readPage(api, link)
    expect(preview).toContain(`<h1>Undo ${count} changes?</h1>`)
    const { status, headers } = await send(link)
    expect(status).toBe(303)
    expect(await readPage(api, headers.get('location') ?? '')).toContain(`${count} changes undone.`)
  })

  it('whose equal changes share a row of the undo', async () => {
    const ids = await sites(['Equal 1', 'Equal 2', 'Equal 3'])
    await api.ask('PATCH', '/api/dcim/sites/', { body: ids.map((id) => ({ id, status: 'retired' })) })
    const tab = await readPage(api, `/dcim/sites/${ids[0]}/changelog/`)
    expect(entriesOf(tab)[0]).toContain('All 3 changes of this action')
    const { json } = await api.ask('GET', `/api/core/object-changes/?changed_object_id=${ids[0]}&limit=1`)
    const preview = await readPage(api, `/core/changelog/${json.results?.[0]?.id}/undo/?request`)
    const [, table = ''] = /<table class="diff change-table">(.*?)<\/table>/s.exec(preview) ?? []
    expect(textOf(table)).toBe(
      'Object Field Before After Changed 3 sites Equal 1 , Equal 2 , Equal 3 Status Retired Active',
    )
  })

  it('of which a user sees only the changes of visible objects', async () => {
    const [shown, , other] = await sites(['Seen', 'Hidden', 'Seen too'])
    const user = await createdId(api, 'users/users', { username: 'viewer', password: 'Correct-horse-7' })
    await created(api, 'users/permissions', {
      name: 'two sites',
      object_types: ['dcim.site'],
      actions: ['view'],
      users: [user],
      constraints: { id__in: [shown, other] },
    })
    await created(api, 'users/permissions', {
      name: 'changes',
      object_types: ['core.objectchange'],
      actions: ['view'],
      users: [user],
    })
    const token = await created(api, 'users/tokens', { user })
    const page = await readPage(api, '/core/changelog/', String(token.key))
    expect(rowsOf(page).filter((row) => row.includes('site'))).toEqual([expect.stringContaining('2 sites created')])
    expect(page).not.toContain('Hidden')
  })
})

it('the pages of a changelog show each action once, in both directions', async () => {
  const ids = await sites(['Paged 1', 'Paged 2', 'Paged 3'])
  for (const facility of ['a', 'b', 'c', 'd', 'e']) {
    // Some actions have three changes, others one.
    const body = ids.slice(0, facility === 'b' || facility === 'd' ? 1 : 3).map((id) => ({ id, facility }))
    await api.ask('PATCH', '/api/dcim/sites/', { body })
  }
  const list = '/core/changelog/?q=Paged&limit=2'
  const visited: string[] = []
  const pages: string[] = []
  for (let address: string | undefined = list; address !== undefined; ) {
    const page: string = await readPage(api, address)
    pages.push(page)
    visited.push(...rowsOf(page).map((row) => /\d sites (?:cre|upd)ated|Paged \d/.exec(row)?.[0] ?? row))
    const next: string | undefined = /rel="next" href="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    address = next && `/core/changelog/${next}`
  }
  const all = '3 sites updated'
  expect(visited).toEqual([all, 'Paged 1', all, 'Paged 1', all, '3 sites created'])
  const previous = /rel="prev" href="([^"]*)"/.exec(pages[2] ?? '')?.[1]?.replaceAll('&amp;', '&')
  expect(rowsOf(await readPage(api, `/core/changelog/${previous}`))).toEqual(rowsOf(pages[1] ?? ''))
})

it.each([
  ['created', (names: readonly string[]) => sites(names), 'Undo 1,500 changes?'],
  [
    'updated',
    async () => {
      const { json } = await api.ask('GET', '/api/dcim/sites/?name__isw=Many&limit=0')
      const body = (json.results ?? []).map(({ id }, index) => ({ id, facility: `F${index}` }))
      await api.ask('PATCH', '/api/dcim/sites/', { body })
    },
    'Undo 1,000 changes?',
  ],
] as const)('the page of an undo of many objects %s is bounded', async (_what, act, title) => {
  await act(Array.from({ length: 1_500 }, (_, index) => `Many ${index}`))
  const { json } = await api.ask('GET', '/api/core/object-changes/?limit=1')
  const page = await readPage(api, `/core/changelog/${json.results?.[0]?.id}/undo/?request`)
  expect(page).toContain(title)
  expect(page.length).toBeLessThan(150_000)
})

it.each([
  ['POST', '', 'Site Titled created'],
  ['PATCH', 'id', 'Site Titled updated'],
  ['DELETE', 'id', 'Site Titled deleted'],
])('the page of a change says what happened (%s)', async (method, _path, title) => {
  const { json: found } = await api.ask('GET', '/api/dcim/sites/?name=Titled')
  const id = found.results?.[0]?.id
  const path = id === undefined ? '/api/dcim/sites/' : `/api/dcim/sites/${id}/`
  await api.ask(method, path, method === 'DELETE' ? undefined : { body: { ...named('Titled'), facility: method } })
  const { json } = await api.ask('GET', '/api/core/object-changes/?limit=1')
  const page = await readPage(api, `/core/changelog/${json.results?.[0]?.id}/`)
  expect(page).toContain(`<bdi>${title}</bdi></h1>`)
  expect(page).toContain(`<title>${title}`)
})
