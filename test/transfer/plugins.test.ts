import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadSecrets } from '../../src/config/secrets.ts'
import { SERVICE_ACTOR } from '../../src/identity/actor.ts'
import { createVault } from '../../src/identity/vault.ts'
import type { Json, JsonObject } from '../../src/schema/json.ts'
import { importFromService, type ServiceSource } from '../../src/transfer/import-from-service.ts'
import { enqueueImport } from '../../src/transfer/import-job.ts'
import { ADMIN_TOKEN, type Api, apiOfTest, type Document, startApi } from '../support/api.ts'

/** The plugin of the source, whose documents are those of a NetBox. */
const GEAR = {
  name: 'gear',
  app: 'netbox_gear',
  label: 'Gear',
  models: [
    {
      name: 'rack',
      path: 'bay/racks',
      labels: ['GEAR rack "A" <b>', 'gear racks'],
      fields: { name: { kind: 'text', max: 50 }, slug: { kind: 'slug', max: 50 } },
    },
    {
      name: 'thing',
      path: 'things',
      labels: ['thing', 'things'],
      contacts: true,
      fields: {
        name: { kind: 'text', max: 20 },
        size: {
          kind: 'choice',
          choices: [
            ['s', 'Small'],
            ['__proto__', 'Odd'],
            ['1', 'One'],
          ],
          default: 's',
        },
        state: {
          kind: 'choice',
          choices: [
            ['up', 'Up'],
            ['down', 'Down'],
          ],
          structured: true,
          optional: true,
        },
        site: { kind: 'object', to: 'dcim.site', optional: true },
        rack: { kind: 'object', to: 'netbox_gear.rack' },
        above: { kind: 'object', to: 'netbox_gear.thing', optional: true },
        sites: { kind: 'objects', to: 'dcim.site' },
        holder: { kind: 'any_object', to: ['*'], optional: true },
        limit: { kind: 'integer', range: [0, 9], optional: true },
        id_id: { kind: 'text', max: 9, optional: true },
        price: { kind: 'decimal', digits: 8, places: 2, optional: true },
        bought: { kind: 'date', optional: true },
        seen: { kind: 'datetime', optional: true },
        extra: { kind: 'json', optional: true },
        ports: { kind: 'ranges' },
        words: { kind: 'texts' },
        link: { kind: 'url', max: 200, optional: true },
        is_new: { kind: 'boolean', default: false },
        length: { kind: 'computed', expression: 'length(name)', type: 'integer' },
      },
      order: ['name'],
    },
    {
      // Derived names in GraphQL would be those of the list of things.
      name: 'thinglist',
      path: 'thing-lists',
      labels: ['thing list', 'thing lists'],
      graphql: { root: 'netbox_gear_thinglist' },
      fields: { name: { kind: 'text', max: 20 } },
    },
  ],
}

/** A service in front of the source: `edit` changes its documents, `fail` lets it answer with status 500. */
interface Front {
  readonly url: string
  readonly edit: (path: string, document: Json) => Json
  readonly fails: (path: string) => boolean
}

async function inFront(target: string): Promise<Front & { close(): void }> {
  const front = {
    url: '',
    edit: (_path: string, document: Json) => document,
    fails: (_path: string) => false,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async ({ url = '', method = 'GET', headers }: IncomingMessage, answer) => {
    if (front.fails(url)) return answer.writeHead(500).end('<h1>Server Error</h1>')
    const reply = await fetch(target + url, { method, headers: { authorization: headers.authorization ?? '' } })
    const text = (await reply.text()).replaceAll(new URL(target).host, headers.host ?? '')
    const edited = front.edit(url, text.startsWith('{') ? JSON.parse(text) : null)
    const status = reply.status === 404 && edited !== null && !('detail' in Object(edited)) ? 200 : reply.status
    return answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(edited))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return front
}

/** What an import said. */
async function importInto(
  api: Api,
  source: string,
  { isTrial = false, agreed = true, ...more }: Partial<ServiceSource> & { isTrial?: boolean; agreed?: boolean } = {},
): Promise<string> {
  const said: string[] = []
  const work = mkdtempSync(join(tmpdir(), 'cadastre-plugins-'))
  const vault = createVault(
    loadSecrets(api.service.settings, () => undefined),
    false,
  )
  const service = (await api.service.redefined?.()) ?? api.service
  try {
    await importFromService(
      { service, vault },
      { source, token: ADMIN_TOKEN, work: join(work, 'set'), ...more },
      { say: (text) => said.push(text) },
      { isTrial, prefer: 'source', agree: async () => agreed && !isTrial },
    )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return said.join('\n')
}

const THINGS = '/api/plugins/gear/things/'

/** A plugin whose documents and names are as odd as they come; its lists are those of the front. */
const PROPERTIES: JsonObject = {
  id: { type: 'integer', readOnly: true },
  url: { type: 'string', readOnly: true },
  display: { type: 'string', readOnly: true },
  name: { type: 'string', maxLength: 30 },
  __proto___: { type: 'string' },
  constructor: { type: 'string' },
  UPPER: { type: 'string' },
  limit: { type: 'integer', nullable: true },
  level: { type: 'integer', enum: [1, 2, null], nullable: true },
  mood: { type: 'string', enum: ['good', 'bad', '', null], nullable: true, description: '* `good` - Good "<b>"' },
  either: {
    oneOf: [
      { type: 'string', format: 'uri' },
      { type: 'string', format: 'date' },
    ],
    nullable: true,
  },
  what: { nullable: true },
  lost: { $ref: '#/components/schemas/Nowhere' },
  total: { type: 'string', readOnly: true },
  parts: { type: 'array', items: { $ref: '#/components/schemas/Site' }, readOnly: true },
  peer_type: { type: 'string', nullable: true },
  peer_id: { type: 'integer', nullable: true },
  a_name_that_is_long_enough_to_be_cut_in_the_names_of_tables_and_columns: { type: 'string', nullable: true },
  a_name_of_a_relation_that_is_long_and_of_several: { type: 'array', items: { $ref: '#/components/schemas/Site' } },
}

const collectionOf = (schema: string, posted = true): JsonObject => ({
  get: {
    parameters: [],
    responses: {
      200: {
        content: {
          'application/json': {
            schema: {
              properties: {
                count: { type: 'integer' },
                results: { type: 'array', items: { $ref: `#/components/schemas/${schema}` } },
              },
            },
          },
        },
      },
    },
  },
  ...(posted && {
    post: { requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } } },
  }),
})

const typeOf = (id: number, model: string, address: string): JsonObject => ({
  ...{ id, app_label: 'odd', model, rest_api_endpoint: address, features: ['contacts'], is_plugin_model: true },
  ...{ display: model, app_name: 'odd', model_name: `${'Ö"<i> '.repeat(40)}${model}`, model_name_plural: `${model}s` },
  ...{ description: '', public: true },
})

const ODD_ROWS: readonly JsonObject[] = [1, 2, 3, 5, 8].map((id) => ({
  ...{ id, display: `Odd ${id}`, name: `n${id}`, constructor: 'x', UPPER: 'x', limit: id, level: 2, mood: 'good' },
  ...{ either: 'https://example.com/', what: [{ __proto__x: 1 }], lost: null, total: '7', parts: [] },
  ...{ peer_type: null, peer_id: null, a_name_of_a_relation_that_is_long_and_of_several: [] },
}))

const withOdd =
  (properties = PROPERTIES, rows = ODD_ROWS) =>
  (path: string, document: Json): Json => {
    const base = (document as JsonObject | null)?.plugins
    const at = new URL(path, 'http://x')
    if (path === '/api/plugins/') {
      const root = String((document as JsonObject).gear).replace(/gear\/$/, '')
      return { ...(document as JsonObject), odd: `${root}odd/`, 'No.Pack': `${root}No.Pack/` }
    }
    if (path.startsWith('/api/core/object-types/') && Array.isArray((document as JsonObject).results)) {
      const { results, ...rest } = document as JsonObject & { results: readonly Json[] }
      const added = [
        typeOf(9001, 'oddity', '/api/plugins/odd/deep/oddities/'),
        typeOf(9002, 'bad', '/api/plugins/No.Pack/x/'),
      ]
      return at.searchParams.get('offset') === '0' || base ? { ...rest, results: [...results, ...added] } : document
    }
    if (path.startsWith('/api/schema/')) {
      const { paths, components } = document as { paths: JsonObject; components: { schemas: JsonObject } }
      const schemas = { ...components.schemas, Oddity: { type: 'object', properties, required: ['name'] } }
      const odd = {
        '/api/plugins/odd/deep/oddities/': collectionOf('Oddity'),
        '/api/plugins/odd/sites/': collectionOf('Site'),
        '/api/plugins/No.Pack/x/': collectionOf('Oddity'),
      }
      return { paths: { ...paths, ...odd }, components: { schemas } } as unknown as Json
    }
    if (at.pathname === '/api/plugins/odd/') return { deep: 'http://elsewhere/' }
    if (at.pathname === '/api/plugins/No.Pack/') return {}
    if (at.pathname !== '/api/plugins/odd/deep/oddities/') return document
    const asked = at.searchParams.getAll('id').map(Number)
    const from = Number(at.searchParams.get('start') ?? 1)
    const found = rows.filter(({ id }) => (asked.length === 0 || asked.includes(Number(id))) && Number(id) >= from)
    const sorted = at.searchParams.get('ordering') === '-id' ? found.toReversed() : found
    const limit = Number(at.searchParams.get('limit'))
    return {
      count: at.searchParams.has('start') ? null : found.length,
      next: sorted.length > limit ? 'http://more/' : null,
      results: sorted.slice(0, limit),
    }
  }

const rowsOf = async (api: Api, path: string): Promise<Document> =>
  JSON.parse((await api.ask('GET', path)).text.replaceAll(api.url, '')).results

/** Without times of saving. */
const compared = (rows: Document): unknown =>
  rows.map((row) => ({ ...row, created: undefined, last_updated: undefined }))

describe('an import from a service with plugins', () => {
  let source: Api
  let front: Awaited<ReturnType<typeof inFront>>
  let ids: Readonly<Record<'site' | 'rack' | 'first' | 'second', number>>
  let written: Api

  beforeAll(async () => {
    source = await startApi()
    const { make, ask } = source
    await make('core/packs', { document: GEAR, enabled: true })
    const [bgp] = await rowsOf(source, '/api/core/packs/?name=bgp')
    await ask('PATCH', `/api/core/packs/${bgp?.id}/`, { body: { enabled: true } })
    await make('plugins/bgp/community', { value: '65000:1' })
    const site = await make('dcim/sites', { name: 'Site', slug: 'site' })
    await make('extras/tags', { name: 'Tag', slug: 'tag', object_types: ['netbox_gear.thing'] })
    await make('extras/custom-fields', { name: 'depth', type: 'integer', object_types: ['netbox_gear.thing'] })
    await make('extras/custom-fields', {
      ...{ name: 'thing', type: 'object', object_types: ['dcim.site'], related_object_type: 'netbox_gear.thing' },
    })
    const gone = await make('plugins/gear/bay/racks', { name: 'Gone', slug: 'gone' })
    await ask('DELETE', `/api/plugins/gear/bay/racks/${gone}/`)
    const rack = await make('plugins/gear/bay/racks', { name: 'Rack', slug: 'rack' })
    const first = await make('plugins/gear/things', {
      ...{ name: 'First', size: '__proto__', state: 'down', site, rack, sites: [site], limit: 7, id_id: 'x' },
      ...{ holder_type: 'dcim.site', holder_id: site, price: 12.5, bought: '2026-01-02', extra: { constructor: [1] } },
      ...{ seen: '2026-01-02T03:04:05Z', ports: [[1, 3]], words: ['a b', '"'], link: 'https://example.com/' },
      ...{ tags: [{ slug: 'tag' }], custom_fields: { depth: 5 }, is_new: true },
    })
    const second = await make('plugins/gear/things', { name: 'Second', rack, above: first })
    await ask('PATCH', `/api/dcim/sites/${site}/`, { body: { custom_fields: { thing: first } } })
    await make('extras/journal-entries', {
      ...{ assigned_object_type: 'netbox_gear.thing', assigned_object_id: first, comments: 'Seen' },
    })
    await make('users/permissions', { name: 'Things', object_types: ['netbox_gear.thing'], actions: ['view'] })
    ids = { site, rack, first, second }
    front = await inFront(source.url)
    written = await startApi()
    await importInto(written, front.url)
  })
  afterAll(async () => {
    front.close()
    await written.close()
    await source.close()
  })

  it('takes the objects along, with all that refers to them, and follows the source afterwards', async () => {
    const api = await apiOfTest()
    const said = await importInto(api, front.url)
    expect(said).toMatch(/bgp: the pack bgp\n {2}gear: derived, 3 object types/)
    for (const path of [THINGS, '/api/plugins/gear/bay/racks/', '/api/plugins/bgp/community/', '/api/dcim/sites/']) {
      expect(compared(await rowsOf(api, path)), path).toEqual(compared(await rowsOf(source, path)))
    }
    for (const path of [
      '/api/extras/journal-entries/?fields=assigned_object_type,assigned_object_id,comments',
      '/api/users/permissions/?name=Things&fields=id,name,object_types,actions',
      '/api/core/object-changes/?changed_object_type=netbox_gear.thing&fields=changed_object_id,action,postchange_data',
      `${THINGS}?tag=tag&fields=id`,
      `${THINGS}?rack_id=${ids.rack}&limit=1&fields=id`,
      `${THINGS}?site=site&fields=id`,
      `${THINGS}?cf_depth=5&fields=id`,
      `${THINGS}?size=__proto__&fields=id`,
    ]) {
      const here = await rowsOf(api, path)
      expect(here.length, path).toBeGreaterThan(0)
      expect(here, path).toEqual(await rowsOf(source, path))
    }

    await source.ask('PATCH', `${THINGS}${ids.second}/`, { body: { name: 'Renamed' } })
    const again = await importInto(api, front.url)
    expect(again).toContain('gear: its models are here already')
    expect((await rowsOf(api, `${THINGS}?id=${ids.second}`))[0]).toMatchObject({ name: 'Renamed', display: 'Renamed' })
  })

  it.each<[string, JsonObject, number, string]>([
    ['a body that is right', { name: 'New' }, 201, '"New"'],
    ['no name', {}, 400, '"name"'],
    ['a name that is too long', { name: 'x'.repeat(21) }, 400, '"name"'],
    ['no rack', { name: 'A', rack: null }, 400, '"rack"'],
    ['a rack that does not exist', { name: 'B', rack: 999 }, 400, '"rack"'],
    ['a size that does not exist', { name: 'C', size: 'constructor' }, 400, '"size"'],
    ['a number that is too large', { name: 'D', limit: 10 }, 400, '"limit"'],
    ['a date that is none', { name: 'E', bought: 'today' }, 400, '"bought"'],
    ['a range that is none', { name: 'F', ports: [[3, 1, 2]] }, 400, '"ports"'],
    ['an address that is none', { name: 'G', link: 'nothing' }, 400, '"link"'],
    ['a holder without an id', { name: 'H', holder_type: 'dcim.site' }, 400, 'holder'],
    ['a name that another object has', { name: 'First' }, 400, '"name"'],
  ])('afterwards answers to %s as types and required fields of the source tell', async (_name, body, status, text) => {
    const answer = await written.ask('POST', THINGS, { body: { rack: ids.rack, ...body } })
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)])
  })

  /** For one test. */
  const edited = (edit: Front['edit'], fails: Front['fails'] = () => false): void => {
    Object.assign(front, { edit, fails })
    onTestFinished(() => {
      Object.assign(front, { edit: (_path: string, document: Json) => document, fails: () => false })
    })
  }
  const ODDITIES = '/api/plugins/odd/deep/oddities/'
  const shown = (rows: Document | readonly JsonObject[]): unknown =>
    rows.map(({ id, display, limit, level, mood, total }: Document | JsonObject) => [
      id,
      display,
      limit,
      level,
      mood,
      total,
    ])

  it('copes with a plugin whose documents are odd, and says what it leaves out', async () => {
    edited(withOdd())
    const api = await apiOfTest()
    const said = await importInto(api, front.url)
    expect(said).toContain('odd: derived, 1 object types')
    expect(said).toContain('No.Pack: left out (no list here can have this address)')
    expect(shown(await rowsOf(api, ODDITIES))).toEqual(shown(ODD_ROWS))
    const made = await api.ask('POST', ODDITIES, { body: { name: 'New', mood: 'bad', peer_type: null, peer_id: null } })
    expect([made.status, made.json.mood]).toEqual([201, 'bad'])
    expect((await api.ask('GET', '/plugins/odd/deep/oddities/')).text).toContain('&lt;i&gt;')

    // Another field, another choice, and one field less.
    const { limit: _, ...rest } = PROPERTIES
    const mood = { type: 'string', enum: ['good', 'bad', 'fine'] }
    const rows = ODD_ROWS.map(({ limit: _limit, ...row }) => ({ ...row, display: 'D', fresh: 'F', mood: 'fine' }))
    edited(withOdd({ ...rest, mood, fresh: { type: 'string', maxLength: 5 } }, rows))
    expect(await importInto(api, front.url)).toContain(
      'odd: follows the source: oddity.mood allows more, oddity.fresh is new',
    )
    const after = await rowsOf(api, `${ODDITIES}?id=1&id=8`)
    expect(after.map(({ fresh, mood, display }: Document) => [fresh, mood, display])).toEqual([
      ['F', 'fine', 'D'],
      ['F', 'fine', 'D'],
    ])
  })

  it('leaves out rows and lists that the source fails to show, and says which', async () => {
    const isBad = (path: string): boolean => {
      const { pathname, searchParams } = new URL(path, 'http://x')
      if (pathname === '/api/plugins/bgp/community/') return true
      if (pathname !== ODDITIES || searchParams.get('fields') === 'id') return false
      const asked = searchParams.getAll('id')
      return asked.length === 0 || asked.includes('3')
    }
    edited(withOdd(), isBad)
    const api = await apiOfTest()
    const said = await importInto(api, front.url)
    expect(said).toContain(
      'because the service fails to show it:\n  plugins/bgp/community\n  plugins/odd/deep/oddities: id 3',
    )
    expect(shown(await rowsOf(api, ODDITIES))).toEqual(shown(ODD_ROWS.filter(({ id }) => id !== 3)))
  })

  it.each<[string, Partial<Front>, RegExp]>([
    [
      'has no document',
      { edit: (path, document) => (path.includes('/schema/') ? {} : document) },
      /no OpenAPI document/,
    ],
    [
      'has a document that is not JSON',
      { edit: (path, document) => (path.includes('/schema/') ? '' : document) },
      /no OpenAPI document/,
    ],
    [
      'fails to make its document',
      { fails: (path) => path.includes('/schema/') },
      /documents of the source cannot be read: .*status 500/,
    ],
  ])('takes everything else along if the source %s', async (_name, { edit, fails }, reason) => {
    edited(edit ?? ((_path, document) => document), fails)
    const api = await apiOfTest()
    const said = await importInto(api, front.url)
    expect(said).toMatch(new RegExp(`bgp: the pack bgp\n {2}gear: left out \\(.*${reason.source}`))
    expect((await rowsOf(api, '/api/dcim/sites/')).length).toBe(1)
    expect((await api.ask('GET', THINGS)).status).toBe(404)
  })

  it('leaves a plugin out on request, in later imports too', async () => {
    const api = await apiOfTest()
    const without = ['plugins/gear', 'plugins/bgp']
    expect(await importInto(api, front.url, { without })).toMatch(/bgp: left out.*\n {2}gear: left out \(on request\)/)
    expect((await api.ask('GET', THINGS)).status).toBe(404)
    await importInto(api, front.url)
    const before = await rowsOf(api, THINGS)
    expect((await api.ask('DELETE', `${THINGS}${before.at(-1)?.id}/`)).text).toBe('')
    const again = await importInto(api, front.url, { without })
    expect(again).toContain('gear: left out')
    expect((await rowsOf(api, THINGS)).length).toBe(before.length - 1)
  })

  it('switches nothing on for a plan, and adds to a database that has objects', async () => {
    const api = await apiOfTest()
    const other = await api.make('dcim/sites', { name: 'Other', slug: 'other' })
    const packs = async () => (await rowsOf(api, '/api/core/packs/')).map(({ name, enabled }) => [name, enabled])
    const before = await packs()
    const said = await importInto(api, front.url, { isTrial: true })
    expect(said).toContain('No pack is switched on for a plan')
    expect((await api.ask('GET', THINGS)).status).toBe(404)
    expect(await packs()).toEqual(before)
    await importInto(api, front.url)
    const [first] = await rowsOf(api, `${THINGS}?name=First`)
    expect([other, first?.site?.display, first?.holder?.display, first?.sites?.[0]?.display]).toEqual([
      ids.site,
      'Site',
      'Site',
      'Site',
    ])
    expect(first?.holder_id).toBe(first?.site?.id)
  })

  it('keeps the objects of a derived pack for one that takes its place', async () => {
    const api = await apiOfTest()
    await importInto(api, front.url)
    const [stored] = await rowsOf(api, '/api/core/packs/?name=gear')
    expect((await api.ask('DELETE', `/api/core/packs/${stored?.id}/`)).status).toBe(204)
    expect((await api.ask('GET', THINGS)).status).toBe(404)
    await api.make('core/packs', { document: GEAR, enabled: true })
    expect(compared(await rowsOf(api, THINGS))).toEqual(compared(await rowsOf(source, THINGS)))
  })

  it('works as a job that a superuser starts on the page', async () => {
    const api = await apiOfTest()
    const { service } = api
    const vault = createVault(
      loadSecrets(service.settings, () => undefined),
      false,
    )
    const [user] = await rowsOf(api, '/api/users/users/')
    const job = await enqueueImport(
      service,
      vault,
      { ...SERVICE_ACTOR, id: Number(user?.id) },
      {
        ...{ source: front.url, token: ADMIN_TOKEN, prefer: 'here' },
      },
    )
    await api.background.runUntilIdle()
    const { status, log_entries: entries } = (await api.ask('GET', `/api/core/jobs/${job}/`)).json
    expect([status?.value, JSON.stringify(entries)]).toEqual([
      'completed',
      expect.stringContaining('gear: derived, 3 object types'),
    ])
    expect((await rowsOf(api, THINGS)).length).toBe(2)
  })
})
