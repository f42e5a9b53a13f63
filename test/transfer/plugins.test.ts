import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSecrets } from '../../src/config/secrets.ts'
import { createVault } from '../../src/identity/vault.ts'
import type { Json, JsonObject } from '../../src/schema/json.ts'
import { importFromService, type ServiceSource } from '../../src/transfer/import-from-service.ts'
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
        size: { kind: 'choice', choices: [['s', 'Small'], ['__proto__', 'Odd'], ['1', 'One']], default: 's' },
        state: { kind: 'choice', choices: [['up', 'Up'], ['down', 'Down']], structured: true, optional: true },
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
  ],
}

/** A service in front of the source: `edit` changes its documents, `fail` lets it answer with status 500. */
interface Front {
  readonly url: string
  edit: (path: string, document: Json) => Json
  fails: (path: string) => boolean
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
    expect(said).toMatch(/bgp: the pack bgp\n {2}gear: derived, 2 object types/)
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
})
