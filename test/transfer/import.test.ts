import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { TIMESTAMP_TABLE } from '../../src/db/versions/number.ts'
import { isPassword } from '../../src/identity/password.ts'
import { createVault } from '../../src/identity/vault.ts'
import { createService, type Service } from '../../src/service.ts'
import { raw, sql } from '../../src/sql/fragment.ts'
import { type ImportReport, importDataSet } from '../../src/transfer/import-directory.ts'
import { openTestDatabase } from '../support/database.ts'

const DATA = join(import.meta.dirname, '../data/inventory')
const registry = modelRegistry()

const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'cadastre-import-'))

/** An empty service and what a test does with it. */
async function prepare() {
  const settings = readSettings({ DATA_DIR: temporaryDirectory() })
  const database = await openTestDatabase('migrated')
  const service: Service = createService(registry, database, settings)
  const vault = createVault(
    loadSecrets(settings, () => undefined),
    false,
  )
  return {
    service,
    vault,
    load: (directory: string) => importDataSet(service, directory, { vault }),
    rows: (statement: string) => database.queryArrays(raw(statement)),
    close: async () => {
      await database.close()
      rmSync(settings.dataDir, { recursive: true })
    },
  }
}

/** Every row of every table of the database, without the times of transactions, even of those that changed nothing. */
async function everything({ database }: Service): Promise<Record<string, unknown>> {
  const tables = await database.queryArrays(
    sql`select tablename from pg_tables where schemaname = 'public' and tablename <> ${TIMESTAMP_TABLE} order by 1`,
  )
  const content: Record<string, unknown> = {}
  for (const [table] of tables) {
    content[String(table)] = await database.queryArrays(raw(`select x::text from ${table} x order by 1`))
  }
  return content
}

/** A copy of the data set with one file changed. */
function changed(file: string, change: (text: string) => string): string {
  const directory = temporaryDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true }))
  cpSync(DATA, directory, { recursive: true })
  const path = join(directory, file)
  writeFileSync(path, change(existsSync(path) ? readFileSync(path, 'utf8') : ''))
  return directory
}

describe('import of a directory', () => {
  let loaded: Awaited<ReturnType<typeof prepare>>
  let report: ImportReport

  beforeAll(async () => {
    loaded = await prepare()
    report = await loaded.load(DATA)
  })
  afterAll(() => loaded.close())

  it('leaves statistics', async () => {
    const { rows } = loaded
    expect(await rows(`select reltuples from pg_class where oid = 'public.dcim_site'::regclass`)).toEqual([[2]])
  })

  it('keeps ids, timestamps and values, and derives relations from nested objects', async () => {
    const { rows } = loaded
    expect(report.leftOut).toEqual(['plugins/widgets'])
    expect(report.media).toBe(1)
    expect(report.imported.find(({ endpoint }) => endpoint === 'dcim/devices')).toEqual({
      endpoint: 'dcim/devices',
      rows: 2,
      added: 2,
    })
    expect(
      await rows(`select id, region_id, status, time_zone, latitude, custom_field_data::text,
        last_updated from dcim_site order by id`),
    ).toEqual([
      [
        21,
        3,
        'active',
        'Europe/Riga',
        '56.950000',
        '{"twin": 22, "floor": 4, "keeper": null}',
        '2024-02-02T10:11:12.131415Z',
      ],
      [22, 9, 'planned', null, null, '{"twin": null, "floor": null, "keeper": null}', null],
    ])
    // Shown as null, but stored as for a new device, so that it is sorted in the same way.
    expect(await rows('select face from dcim_device where id = 32')).toEqual([['']])
    expect(await rows('select vid_ranges from ipam_vlangroup')).toEqual([[['[1,11)', '[100,200)']]])
    expect(await rows('select object_type, object_id, tag_id from extras_taggeditem order by 1, 2, 3')).toEqual([
      ['dcim.device', 31, 1],
      ['dcim.device', 31, 2],
      ['dcim.site', 21, 2],
    ])
    expect(await rows('select user_id, group_id from users_user_groups')).toEqual([[5, 1]])
    expect(await rows('select image from extras_imageattachment')).toEqual([['image-attachments/pier.png']])
  })

  it('accepts objects that refer to each other', async () => {
    const { rows } = loaded
    expect(
      await rows(`select c.master_id, d.virtual_chassis_id from dcim_virtualchassis c
        join dcim_device d on d.id = c.master_id`),
    ).toEqual([[31, 6]])
  })

  it('computes derived values', async () => {
    const { rows } = loaded
    expect(await rows('select name, _level, _ancestors from dcim_region order by _sort')).toEqual([
      ['North', 0, [7]],
      ['Coast 10', 1, [7, 9]],
      ['Coast 2', 1, [7, 3]],
    ])
    expect(await rows('select id, interface_count from dcim_device order by id')).toEqual([
      [31, 1],
      [32, 1],
    ])
    expect(
      await rows(`select i._site_id, p.is_complete, p.path -> -1 ->> 0
        from dcim_interface i join dcim_cablepath p on p.id = i._path_id order by i.id`),
    ).toEqual([
      [21, true, 'dcim.interface:52'],
      [21, true, 'dcim.interface:51'],
    ])
    expect(await rows('select id, _depth, _children, _site_id, _region_id from ipam_prefix order by id')).toEqual([
      [61, 0, 1, null, null],
      [62, 1, 0, 21, 3],
    ])
    expect(await rows('select _abs_weight from dcim_devicetype')).toEqual([[2500]])
  })

  it('reads hidden fields and secrets from extra files', async () => {
    const { rows, vault } = loaded
    const [[isSuperuser, password] = []] = await rows('select is_superuser, password from users_user')
    expect(isSuperuser).toBe(true)
    expect(await isPassword('a long secret', String(password))).toBe(true)
    const digests = vault.digests('0123456789012345678901234567890123c0ffee')
    expect(await rows('select digest, _ending, allowed_ips from users_token')).toEqual([
      [digests[0], 'c0ffee', ['192.0.2.0/24']],
    ])
    expect(await rows('select related_object_type, related_object_id from core_objectchange')).toEqual([
      ['dcim.region', 3],
    ])
  })

  it('keeps the numbers of object types and gives new numbers to the others', async () => {
    const { rows } = loaded
    expect(
      await rows(`select id, app_label || '.' || model from core_objecttype
        where model in ('site', 'thing') order by id`),
    ).toEqual([
      [57, 'dcim.site'],
      [900, 'gone.thing'],
    ])
    const types = [...registry.models.values()].filter((each) => !each.definition.internal).length
    expect(await rows(`select count(*), count(distinct (app_label, model)) from core_objecttype`)).toEqual([
      [types + 1, types + 1],
    ])
  })

  it('numbers new rows above the imported ones', async () => {
    const { rows } = loaded
    expect(await rows(`insert into dcim_manufacturer (name, slug) values ('x', 'x') returning id`)).toEqual([[2]])
    expect(await rows(`insert into extras_tag (name, slug) values ('x', 'x') returning id`)).toEqual([[3]])
  })

  it('changes nothing when it is repeated', async () => {
    const { load, service } = loaded
    const before = await everything(service)
    const again = await load(DATA)
    expect(again.imported.filter(({ added }) => added > 0)).toEqual([])
    expect(again.media).toBe(0)
    expect(await everything(service)).toEqual(before)
  })

  it('is not changed by the next start', async () => {
    const { service } = loaded
    const before = await everything(service)
    await migrate(service.database, registry)
    expect(await everything(service)).toEqual(before)
  })

  it('does not overwrite what users have changed since', async () => {
    const { load, rows, service } = loaded
    await service.database.script(`
      update dcim_site set name = 'Port' where id = 21;
      delete from extras_taggeditem`)
    await load(DATA)
    expect(await rows('select name from dcim_site where id = 21')).toEqual([['Port']])
    expect(await rows('select count(*) from extras_taggeditem')).toEqual([[0]])
  })
})

const SITE = '{"id":23,"name":"Twin","slug":"twin","status":{"value":"active"},"custom_fields":{}'
const broken = [
  {
    name: 'a line that is not JSON',
    file: 'dcim/regions.jsonl',
    add: '{"id":',
    message: /^dcim\/regions\.jsonl, line 4: .*JSON/,
  },
  {
    name: 'a reference to nothing',
    file: 'dcim/sites.jsonl',
    add: `${SITE},"region":{"id":99}}`,
    message: /^dcim\/sites\.jsonl, line 3: region: no region has the id 99$/,
  },
  {
    name: 'a name that is taken',
    file: 'dcim/sites.jsonl',
    add: `${SITE.replace('Twin', 'Harbour')}}`,
    message: /^dcim\/sites\.jsonl, line 3: Key \(name\)=\(Harbour\) already exists\.$/,
  },
  {
    name: 'an unknown choice',
    file: 'dcim/sites.jsonl',
    add: `${SITE.replace('active', 'sunk')}}`,
    message: /^dcim\/sites\.jsonl, line 3: status: "sunk" is not one of the choices$/,
  },
  {
    name: 'a value that the column cannot hold',
    file: 'ipam/prefixes.jsonl',
    add: '{"id":63,"prefix":"10.1.2.3/16","status":{"value":"active"}}',
    message: /^ipam\/prefixes\.jsonl, line 3: invalid cidr value/,
  },
  {
    name: 'a missing value',
    file: 'ipam/prefixes.jsonl',
    add: '{"id":63,"prefix":null,"status":{"value":"active"}}',
    message: /^ipam\/prefixes\.jsonl, line 3: prefix: a value is missing$/,
  },
  {
    name: 'an id that stands twice',
    file: 'dcim/sites.jsonl',
    add: `${SITE.replace('23', '21')}}`,
    message: /^dcim\/sites\.jsonl, line 3: line 1 has the same id$/,
  },
  {
    name: 'an unknown custom field',
    file: 'dcim/sites.jsonl',
    add: SITE.replace('"custom_fields":{}', '"custom_fields":{"depth":1}}'),
    message: /^dcim\/sites\.jsonl, line 3: custom_fields: no custom field is named depth$/,
  },
  {
    name: 'a tree that is a circle',
    file: 'dcim/regions.jsonl',
    add: '{"id":10,"name":"a","slug":"a","parent":{"id":11}}\n{"id":11,"name":"b","slug":"b","parent":{"id":10}}',
    message: /^dcim\/regions\.jsonl, line 4: the way up leads back to the object itself$/,
  },
  {
    name: 'a tag that does not exist',
    file: 'extras/tagged-objects.jsonl',
    add: '{"id":1,"object_type":"dcim.site","object_id":21,"tag":{"id":44}}',
    message: /^extras\/tagged-objects\.jsonl, line 1: tag: no tag has the id 44$/,
  },
]

describe('a broken data set', () => {
  let empty: Awaited<ReturnType<typeof prepare>>

  beforeAll(async () => {
    empty = await prepare()
  })
  afterAll(() => empty.close())

  it.each(broken)('is refused for $name, and nothing stays of it', async (row) => {
    const { load, service } = empty
    const before = await everything(service)
    const directory = changed(row.file, (text) => `${text}${row.add}\n`)
    await expect(load(directory)).rejects.toThrow(row.message)
    expect(await everything(service)).toEqual(before)
    expect(existsSync(join(service.settings.dataDir, 'media/image-attachments/pier.png'))).toBe(false)
  })
})
