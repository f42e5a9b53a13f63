import { afterAll, expect, it } from 'vitest'
import { startApi } from '../support/api.ts'
import { created, createdId, readPage } from '../support/requests.ts'

const api = await startApi({ PACKS: 'lifecycle,access-lists' })
afterAll(() => api.close())

const PACKS = '/core/packs/'

const pathOf = async (name: string): Promise<string> =>
  `${PACKS}${(await api.ask('GET', `/api/core/packs/?name=${name}`)).json.results?.[0]?.id}/`

function send(path: string, values: Readonly<Record<string, string | Blob>>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(values)) body.append(name, value)
  return api.ask('POST', path, { body })
}

/** The card of a pack in the catalogue. */
async function cardOf(label: string, token?: string): Promise<string> {
  const cards = (await readPage(api, PACKS, token)).split('<section class="card"').slice(1)
  const card = cards.find((markup) => markup.includes(`<bdi>${label}</bdi></a></h2>`))
  expect(card, label).toBeDefined()
  return card ?? ''
}

const addUser = async (username: string, actions: readonly string[]): Promise<string> => {
  const user = await createdId(api, 'users/users', { username, password: 'A-long-Passw0rd' })
  await created(api, 'users/permissions', { name: username, users: [user], actions, object_types: ['core.pack'] })
  const { key, token } = await created(api, 'users/tokens', { user, version: 1 })
  return String(token ?? key)
}

it('the catalogue says what each pack adds, and has links to the lists of those that are on', async () => {
  const off = await cardOf('BGP')
  for (const text of [
    '1.0.0',
    'Off',
    'BGP sessions',
    'AS path list rules',
    '6 rules',
    'data only',
    '/api/plugins/bgp/',
  ])
    expect(off).toContain(text)
  expect(off).not.toContain('href="/plugins/bgp/')
  expect(await cardOf('Inventory')).toContain('with code')
  const on = await cardOf('Life cycle')
  expect(on).toContain('href="/plugins/lifecycle/vendor/"')
  expect(on).toMatch(/<button[^>]* disabled>Switch off<\/button>.*The setting PACKS keeps it on\./)
  expect(await readPage(api, PACKS)).toContain('href="/docs/use/packs/"')
  expect(await readPage(api, `${PACKS}?enabled=true`)).toContain('<table')
})

it('switching asks first: what is added, then what stays and keeps other objects', async () => {
  const path = await pathOf('bgp')
  expect(await readPage(api, `${path}switch/`)).toMatch(/This is added.*Prefix list rules/s)
  expect((await api.ask('GET', '/api/plugins/bgp/')).status).toBe(404)
  const switched = await send(`${path}switch/`, { enabled: 'true' })
  expect([switched.status, switched.headers.get('location')]).toEqual([303, expect.stringContaining(path)])
  expect(await cardOf('BGP')).toContain('href="/plugins/bgp/bgpsession/"')
  const tenant = await createdId(api, 'tenancy/tenants', { name: 'Tenant', slug: 'tenant' })
  await createdId(api, 'plugins/bgp/community', { value: '65000:1', tenant })
  const question = await readPage(api, `${path}switch/`)
  expect(question).toContain('Its data stays.')
  expect(question).toContain('1 community<')
  expect(question).toContain('cannot be deleted meanwhile: tenants, sites, roles.')
  expect((await send(`${path}switch/`, { enabled: 'false' })).status).toBe(303)
  expect((await api.ask('GET', '/api/plugins/bgp/')).status).toBe(404)
  const refused = await send(`${await pathOf('lifecycle')}switch/`, { enabled: 'false' })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('The setting PACKS names this pack')])
})

const OWN = `name: cages
label: Cages
models:
  - name: cage
    path: cages
    labels: [cage, cages]
    fields:
      name: {kind: text, max: 50}
`

it('a pack of your own is pasted or uploaded, and a later version replaces it', async () => {
  const pasted = await send(`${PACKS}new/`, { text: OWN, enabled: 'true' })
  expect(pasted.status, pasted.text).toBe(303)
  const page = await readPage(api, await pathOf('cages'))
  expect(page).toContain('href="/plugins/cages/cages/"')
  expect(page).toMatch(/<pre class="code"[^>]*>name: cages\n/)
  expect(page).not.toContain('{&quot;')
  const file = new File([OWN.replace('label: Cages', 'label: Locked cages')], 'pack.yaml')
  expect((await send(`${PACKS}new/`, { file, text: '', enabled: 'true' })).status).toBe(303)
  expect(await cardOf('Locked cages')).toContain('href="/plugins/cages/cages/"')
})

it.each([
  ['no YAML', 'name: [', /This is not YAML: /],
  ['a field of no kind', OWN.replace('kind: text', 'kind: riddle'), /models\/0\/fields\/name.*\./],
  [
    'the name of a pack that ships',
    OWN.replace('name: cages', 'name: bgp'),
    /A pack in a folder cannot be changed here\./,
  ],
  ['a relation to nothing', OWN.replace('kind: text, max: 50', 'kind: object, to: dcim.nothing'), /dcim\.nothing/],
])('%s is refused next to the text, which is kept', async (_, text, sentence) => {
  const { status, text: page } = await send(`${PACKS}new/`, { text, enabled: 'true' })
  expect(status).toBe(400)
  expect(page).toMatch(/name="text"[^>]*aria-invalid="true"/)
  expect(page.slice(page.indexOf('name="text"'), page.indexOf('name="file"'))).toMatch(sentence)
  expect(page).toContain(text.split('\n')[0])
})

it('only users who may change packs have buttons', async () => {
  const [reader, changer] = [await addUser('reader', ['view']), await addUser('changer', ['view', 'change'])]
  const path = await pathOf('bgp')
  expect(await cardOf('BGP', reader)).not.toContain('Switch on')
  expect(await readPage(api, path, reader)).not.toContain('Switch on')
  expect(await readPage(api, PACKS, reader)).not.toContain('Add your own')
  expect((await api.ask('GET', `${path}switch/`, { token: reader })).status).toBe(403)
  expect(await cardOf('BGP', changer)).toContain('Switch on')
  expect(await cardOf('Life cycle', reader)).not.toContain('href="/plugins/')
})

it('lists of packs begin with a name that leads to the object', async () => {
  const list = await createdId(api, 'plugins/access-lists/access-lists', { name: 'EDGE', type: 'standard' })
  const rule = await createdId(api, 'plugins/access-lists/standard-acl-rules', {
    ...{ access_list: list, sequence: 10, action: 'remark', remark: 'None' },
  })
  expect(await readPage(api, '/plugins/access-lists/standard-acl-rules/')).toContain(
    `href="/plugins/access-lists/standard-acl-rules/${rule}/"`,
  )
})

it('objects that a page lists by a generic relation are not counted as related ones too', async () => {
  const [site, role, manufacturer] = await Promise.all([
    createdId(api, 'dcim/sites', { name: 'Site', slug: 'site' }),
    createdId(api, 'dcim/device-roles', { name: 'Role', slug: 'role' }),
    createdId(api, 'dcim/manufacturers', { name: 'Maker', slug: 'maker' }),
  ])
  const type = await createdId(api, 'dcim/device-types', { manufacturer, model: 'Type', slug: 'type' })
  const device = await createdId(api, 'dcim/devices', { name: 'Device', site, role, device_type: type })
  const list = await createdId(api, 'plugins/access-lists/access-lists', { name: 'CORE', type: 'standard' })
  await createdId(api, 'plugins/access-lists/assignments', {
    ...{ access_list: list, direction: 'none', assigned_object_type: 'dcim.device', assigned_object_id: device },
  })
  const [, page = ''] = (await readPage(api, `/dcim/devices/${device}/`)).split('<main')
  expect(page.match(/>ACL assignments<\/a>/g)).toHaveLength(1)
})
