import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportPlan } from '../../src/transfer/counterparts/plan.ts'
import { totalsOf } from '../../src/transfer/counterparts/plan.ts'
import {
  type ImportOptions,
  type ImportReport,
  importDataSet,
  planImport,
} from '../../src/transfer/import-directory.ts'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'
import { environmentOfTest } from '../support/program.ts'

type Item = Readonly<Record<string, unknown>>
type DataSet = Readonly<Record<string, readonly Item[]>>

const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true })
})

/** Writes a data set to a directory. */
function written(set: DataSet): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-merge-'))
  directories.push(directory)
  for (const [endpoint, items] of Object.entries(set)) {
    const path = join(directory, `${endpoint}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, items.map((item) => `${JSON.stringify(item)}\n`).join(''))
  }
  return directory
}

const load = (api: Api, set: DataSet, options: ImportOptions = {}): Promise<ImportReport> =>
  importDataSet(api.service, written(set), { source: 'https://netbox.example.com', ...options })

const plan = (api: Api, set: DataSet, options: ImportOptions = {}): Promise<ImportPlan> =>
  planImport(api.service, written(set), { source: 'https://netbox.example.com', ...options })

const get = async (api: Api, path: string) => (await api.ask('GET', path)).json

/** The objects of a list. */
const list = async (api: Api, path: string): Promise<readonly Document[]> => (await get(api, path)).results ?? []

const created = (seconds: number) => `2024-03-01T10:00:${String(seconds).padStart(2, '0')}.123456Z`
const site = (id: number, name: string, more: Item = {}): Item => ({
  ...{ id, name, display: name, slug: name.toLowerCase(), status: { value: 'active' }, created: created(id) },
  ...{ description: '', custom_fields: {}, tags: [], region: null, ...more },
})
const device = (id: number, name: string, siteId: number): Item => ({
  ...{ id, name, site: { id: siteId }, role: { id: 1 }, device_type: { id: 1 }, created: created(id) },
  ...{ status: { value: 'active' }, custom_fields: {}, tags: [], serial: '' },
})

/** A network whose first objects all have the id 1. */
const NETWORK: DataSet = {
  'dcim/sites': [site(1, 'DM-NYC'), site(2, 'DM-Akron', { tags: [{ id: 1 }], custom_fields: { twin: { id: 1 } } })],
  'dcim/manufacturers': [{ id: 1, name: 'Juniper', slug: 'juniper', description: '', created: created(1) }],
  'dcim/device-types': [
    { id: 1, model: 'EX2300', slug: 'ex2300', manufacturer: { id: 1 }, u_height: 1, created: created(1) },
  ],
  'dcim/device-roles': [{ id: 1, name: 'Router', slug: 'router', color: 'ff0000', created: created(1) }],
  'dcim/devices': [device(1, 'r1', 1), device(2, 'r2', 2)],
  'dcim/interfaces': [
    { id: 1, device: { id: 1 }, name: 'ge-0', type: { value: 'other' }, created: created(1) },
    { id: 2, device: { id: 2 }, name: 'ge-0', type: { value: 'other' }, created: created(2) },
  ],
  'dcim/cables': [
    {
      ...{ id: 1, status: { value: 'connected' }, created: created(1) },
      a_terminations: [{ object_type: 'dcim.interface', object_id: 1 }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: 2 }],
    },
  ],
  'dcim/cable-terminations': [
    { id: 1, cable: 1, cable_end: 'A', termination_type: 'dcim.interface', termination_id: 1, created: created(1) },
    { id: 2, cable: 1, cable_end: 'B', termination_type: 'dcim.interface', termination_id: 2, created: created(2) },
  ],
  'ipam/ip-addresses': [
    {
      ...{ id: 1, address: '192.0.2.1/24', status: { value: 'active' }, created: created(1) },
      ...{ assigned_object_type: 'dcim.interface', assigned_object_id: 2 },
    },
  ],
  'extras/tags': [{ id: 1, name: 'core', slug: 'core', created: created(1) }],
  'extras/custom-fields': [
    {
      ...{ id: 1, name: 'twin', type: { value: 'object' }, object_types: ['dcim.site'] },
      ...{ related_object_type: 'dcim.site', created: created(1) },
    },
  ],
  'extras/journal-entries': [
    {
      ...{ id: 1, assigned_object_type: 'dcim.site', assigned_object_id: 1, comments: 'About New York' },
      ...{ kind: { value: 'info' }, created: created(1), created_by: 1 },
    },
  ],
  'users/users': [{ id: 1, username: 'nora', date_joined: created(1) }],
  'users/permissions': [
    {
      ...{ id: 1, name: 'sites of NYC', enabled: true, actions: ['view'], object_types: ['dcim.device'] },
      constraints: { site_id: 1, name__startswith: 'r' },
    },
  ],
  'core/object-changes': [
    {
      ...{ id: 1, time: created(3), user: { id: 1 }, user_name: 'nora', request_id: crypto.randomUUID() },
      ...{ action: { value: 'create' }, changed_object_type: 'dcim.device', changed_object_id: 1, object_repr: 'r1' },
      ...{ prechange_data: null, postchange_data: { name: 'r1', site: 1 } },
    },
    {
      ...{ id: 2, time: created(4), user: { id: 1 }, user_name: 'nora', request_id: crypto.randomUUID() },
      ...{ action: { value: 'delete' }, changed_object_type: 'dcim.rack', changed_object_id: 1, object_repr: 'old' },
      ...{ prechange_data: { name: 'old', site: 2 }, postchange_data: null },
    },
  ],
}

describe('an import into a database with other objects of the same ids', () => {
  let api: Api
  let report: ImportReport

  beforeAll(async () => {
    api = await startApi()
    await api.make('dcim/sites', { name: 'HQ', slug: 'hq' })
    await api.make('dcim/racks', { name: 'R1', site: 1 })
    await api.make('extras/tags', { name: 'mine', slug: 'mine' })
    await api.make('dcim/manufacturers', { name: 'Juniper', slug: 'juniper', description: 'ours' })
    await api.make('dcim/device-roles', { name: 'Switch', slug: 'switch', color: '00ff00' })
    report = await load(api, NETWORK)
    return () => api.close()
  })

  it('keeps what is here, and adds all objects of the source', async () => {
    expect(await get(api, '/api/dcim/sites/1/')).toMatchObject({ name: 'HQ' })
    const sites = await list(api, '/api/dcim/sites/?ordering=name')
    expect(sites.map(({ name }) => name)).toEqual(['DM-Akron', 'DM-NYC', 'HQ'])
    expect(await get(api, '/api/dcim/device-roles/?name=Router')).toMatchObject({ count: 1 })
  })

  it('lets references follow', async () => {
    expect(await list(api, '/api/dcim/devices/?ordering=name')).toMatchObject([
      { name: 'r1', site: { name: 'DM-NYC' }, role: { name: 'Router' } },
      { name: 'r2', site: { name: 'DM-Akron' } },
    ])
    const akron = (await list(api, '/api/dcim/sites/?name=DM-Akron'))[0]
    expect(akron).toMatchObject({ tags: [{ name: 'core' }], custom_fields: { twin: { name: 'DM-NYC' } } })
    expect(await list(api, '/api/dcim/cables/')).toMatchObject([
      {
        a_terminations: [{ object: { device: { name: 'r1' } } }],
        b_terminations: [{ object: { device: { name: 'r2' } } }],
      },
    ])
    expect(await list(api, '/api/ipam/ip-addresses/')).toMatchObject([{ assigned_object: { device: { name: 'r2' } } }])
    expect(await list(api, '/api/extras/journal-entries/')).toMatchObject([
      {
        assigned_object: { name: 'DM-NYC' },
        created_by: report.plan.collections.length > 0 ? expect.anything() : null,
      },
    ])
  })

  it('finds objects by their natural keys, and lets them as they are', async () => {
    expect(await list(api, '/api/dcim/manufacturers/')).toMatchObject([
      { name: 'Juniper', description: 'ours', devicetype_count: 1 },
    ])
    const manufacturers = report.plan.collections.find(({ endpoint }) => endpoint === 'dcim/manufacturers')
    expect(manufacturers).toMatchObject({ matched: 1, created: 0, kept: 1 })
  })

  it('gives change records to their objects, also of objects that the source has deleted', async () => {
    const [nyc] = await list(api, '/api/dcim/sites/?name=DM-NYC')
    const [r1] = await list(api, '/api/dcim/devices/?name=r1')
    const records = await list(api, '/api/core/object-changes/?user_name=nora&ordering=time')
    expect(records).toMatchObject([
      { changed_object_type: 'dcim.device', changed_object_id: r1?.id, postchange_data: { site: nyc?.id } },
      { changed_object_type: 'dcim.rack', object_repr: 'old' },
    ])
    expect(records[1]?.changed_object_id).not.toBe(1)
  })

  it('adapts the constraints of permissions', async () => {
    const [nyc] = await list(api, '/api/dcim/sites/?name=DM-NYC')
    expect(await list(api, '/api/users/permissions/?name=sites%20of%20NYC')).toMatchObject([
      { enabled: true, constraints: { site_id: nyc?.id, name__startswith: 'r' } },
    ])
  })

  it('creates nothing the second time', async () => {
    const before = await get(api, '/api/core/object-changes/')
    const again = await load(api, NETWORK)
    expect(totalsOf(again.plan)).toMatchObject({ created: 0, changed: 0, renumbered: 0, matched: 0 })
    expect((await get(api, '/api/core/object-changes/')).count).toBe(before.count)
  })
})

describe('a source that is followed', () => {
  const changedSite = site(1, 'New York', { description: 'by NetBox' })

  it('changes what has changed there, with change records, and keeps what has changed here', async () => {
    const api = await apiOfTest()
    await load(api, NETWORK)
    await api.ask('PATCH', '/api/dcim/sites/1/', { body: { description: 'by me', facility: 'F1' } })
    await api.ask('PATCH', '/api/dcim/devices/1/', { body: { serial: 'S1' } })
    const next: DataSet = {
      ...NETWORK,
      // The old name belongs to another site now.
      'dcim/sites': [changedSite, site(2, 'DM-Akron', { region: { id: 1 } }), site(3, 'DM-NYC')],
      'dcim/regions': [{ id: 1, name: 'Ohio', slug: 'ohio', created: created(9) }],
      'ipam/ip-addresses': NETWORK['ipam/ip-addresses']?.map((item) => ({ ...item, assigned_object_id: 1 })) ?? [],
    }
    const planned = await plan(api, next)
    const sites = planned.collections.find(({ endpoint }) => endpoint === 'dcim/sites')
    expect(sites).toMatchObject({ created: 1, changed: 2, equal: 0, matched: 0 })
    expect(sites?.examples).toContain('New York keeps description')
    const { plan: done } = await load(api, next)
    expect(done).toEqual(planned)
    expect(await list(api, '/api/dcim/sites/?ordering=id')).toMatchObject([
      { id: 1, name: 'New York', description: 'by me', facility: 'F1' },
      { id: 2, name: 'DM-Akron', region: { name: 'Ohio' }, tags: [] },
      { id: 3, name: 'DM-NYC' },
    ])
    expect(await list(api, '/api/ipam/ip-addresses/')).toMatchObject([{ assigned_object_id: 1 }])
    expect(await get(api, '/api/dcim/devices/1/')).toMatchObject({ serial: 'S1' })
    const records = await get(
      api,
      '/api/core/object-changes/?changed_object_type=dcim.site&action=update&user_name=import',
    )
    expect(records.count).toBeGreaterThan(0)
    const again = await plan(api, next)
    expect(totalsOf(again)).toMatchObject({ created: 0, changed: 0, kept: 1 })
    const won = await load(api, next, { prefer: 'source' })
    expect(totalsOf(won.plan)).toMatchObject({ created: 0, changed: 1, kept: 0 })
    expect(await get(api, '/api/dcim/sites/1/')).toMatchObject({ description: 'by NetBox', facility: 'F1' })
  })

  it('moves the end of a cable', async () => {
    const api = await apiOfTest()
    await load(api, NETWORK)
    const port = { id: 3, device: { id: 2 }, name: 'ge-1', type: { value: 'other' }, created: created(30) }
    const [cable = {}] = NETWORK['dcim/cables'] ?? []
    const [first = {}] = NETWORK['dcim/cable-terminations'] ?? []
    const next: DataSet = {
      ...NETWORK,
      'dcim/interfaces': [...(NETWORK['dcim/interfaces'] ?? []), port],
      'dcim/cables': [{ ...cable, b_terminations: [{ object_type: 'dcim.interface', object_id: 3 }] }],
      'dcim/cable-terminations': [
        first,
        {
          id: 3,
          cable: 1,
          cable_end: 'B',
          termination_type: 'dcim.interface',
          termination_id: 3,
          created: created(31),
        },
      ],
    }
    await load(api, next)
    expect(await list(api, '/api/dcim/cables/')).toMatchObject([
      { id: 1, b_terminations: [{ object: { name: 'ge-1' } }] },
    ])
    expect((await get(api, '/api/dcim/cable-terminations/')).count).toBe(2)
    expect(totalsOf(await plan(api, next))).toMatchObject({ created: 0, changed: 0 })
  })

  it('is found in a database that was imported before sources were remembered', async () => {
    const api = await apiOfTest()
    await load(api, NETWORK)
    await api.service.database.script('delete from core_importedobject')
    await api.ask('PATCH', '/api/dcim/sites/1/', { body: { name: 'Renamed', slug: 'renamed' } })
    const { plan: done } = await load(api, NETWORK)
    expect(totalsOf(done)).toMatchObject({ created: 0, changed: 0, kept: 1, renumbered: 0 })
    expect(await get(api, '/api/dcim/sites/1/')).toMatchObject({ name: 'Renamed' })
  })

  it('is refused if its ids mean other objects', async () => {
    const api = await apiOfTest()
    await load(api, NETWORK)
    const other = { 'dcim/sites': [site(1, 'Elsewhere', { created: created(59) })] }
    await expect(load(api, other)).rejects.toThrow(/site 1 \(.*\) of https:\/\/netbox\.example\.com is another object/)
  })
})

describe('an ambiguous object', () => {
  const ADDRESS: DataSet = {
    'ipam/ip-addresses': [{ id: 7, address: '10.0.0.1/24', status: { value: 'active' }, display: '10.0.0.1/24' }],
  }

  it('stops the import with its candidates, until a person chooses', async () => {
    const api = await apiOfTest({ ENFORCE_GLOBAL_UNIQUE: 'false' })
    const first = await api.make('ipam/ip-addresses', { address: '10.0.0.1/24' })
    const second = await api.make('ipam/ip-addresses', { address: '10.0.0.1/24' })
    await expect(load(api, ADDRESS)).rejects.toThrow(
      `ipam.ipaddress:7 10.0.0.1/24: several objects here have the same address, vrf: 10.0.0.1/24 (${first}), 10.0.0.1/24 (${second})`,
    )
    expect(await get(api, '/api/ipam/ip-addresses/')).toMatchObject({ count: 2 })
    const { plan: done } = await load(api, ADDRESS, { choices: new Map([['ipam.ipaddress:7', second]]) })
    expect(totalsOf(done)).toMatchObject({ created: 0, matched: 1 })
    expect(totalsOf(await plan(api, ADDRESS))).toMatchObject({ created: 0, equal: 1, matched: 0 })
  })

  it.each([
    ['another unique value is in use', { 'dcim/sites': [site(5, 'Head', { slug: 'hq' })] }, /has the same slug: HQ/],
    [
      'a custom field has another type',
      { 'extras/custom-fields': [{ id: 5, name: 'floor', type: { value: 'text' }, object_types: ['dcim.site'] }] },
      /of the type integer here, and text at the source/,
    ],
  ])('stops the import if %s', async (_reason, set, message) => {
    const api = await apiOfTest()
    await api.make('dcim/sites', { name: 'HQ', slug: 'hq' })
    await api.make('extras/custom-fields', { name: 'floor', type: 'integer', object_types: ['dcim.site'] })
    await expect(load(api, set)).rejects.toThrow(message)
    expect(await get(api, '/api/dcim/sites/')).toMatchObject({ count: 1 })
  })
})

describe('the command', () => {
  const first: DataSet = { 'dcim/sites': [site(1, 'HQ')] }
  const second: DataSet = { 'dcim/sites': [site(1, 'Far', { created: created(40) })] }

  it('says first what would happen, and refuses --new for a database with objects', async () => {
    const env = { ...process.env, ...(await environmentOfTest()) }
    const run = (args: readonly string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((settle) => {
        const child = execFile(
          process.execPath,
          ['src/cli/main.ts', 'import', ...args],
          { env },
          (error, stdout, stderr) => settle({ code: error ? Number(error.code) : 0, stdout, stderr }),
        )
        child.stdin?.end()
      })
    expect(await run(['--new', written(first)])).toMatchObject({ code: 0 })
    const directory = written(second)
    const refused = await run(['--new', directory])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('The database has objects already, and --new is for one without any')
    const trial = await run(['--plan', directory])
    expect(trial).toMatchObject({ code: 0 })
    expect(trial.stdout).toContain('dcim/sites: 1 created (1 with another id)')
    const asked = await run([directory])
    expect(asked.code).toBe(1)
    expect(asked.stdout).toContain('repeat the command with --yes')
    const done = await run(['--yes', directory])
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toContain('1 imported, 0 already existed, 1 of the new ones have another id here')
    const again = await run([directory])
    expect(again.stdout).toContain('0 imported, 1 already existed;')
  })
})
