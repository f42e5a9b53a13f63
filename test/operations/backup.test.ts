import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { coreOver, loadApplication, modelRegistry, registryIn } from '../../src/app/core.ts'
import { ConfigurationError } from '../../src/base/errors.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { schemaOf } from '../../src/db/migrate/schema-of.ts'
import { readSchemaVersion } from '../../src/db/migrate/version.ts'
import { raw, sql } from '../../src/sql/fragment.ts'
import type { Queryable } from '../../src/sql/queryable.ts'
import { insertInto, table, updateTable } from '../../src/sql/table.ts'
import { type BackupOptions, writeBackup } from '../../src/transfer/backup/backup.ts'
import { restoreBackup, verifyBackup } from '../../src/transfer/backup/restore.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { type Api, startApiOver } from '../support/api.ts'
import { databaseOfTest, openTestDatabase } from '../support/database.ts'
import { withOwnModels } from '../support/own-models.ts'

const INVENTORY = join(import.meta.dirname, '../data/inventory')
const registry = modelRegistry()
const application = await loadApplication(readSettings({}))
/** With the packs that are on. */
const modelsIn = (database: Queryable) => registryIn(database, application)
const SECRET_KEY = 'q3JhXv0Zk9cWmT7yLr2Bn5EdUs8GfPa1HiOwKx4MjQ6tVzCbRlSe'
const ODD = `a 'quoted' "text" \\ with {braces}, NULL,\r\n\ttabs, ß ﬁ 字 🚀 `

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-backup-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

const settingsIn = (directory: string) => readSettings({ DATA_DIR: directory })

const options = (directory: string, more: Partial<BackupOptions> = {}): BackupOptions => ({
  registry,
  settings: settingsIn(directory),
  program: '4.6.8',
  withSecrets: true,
  ...more,
})

const restore = (database: Database, file: string, directory: string, replace = false) =>
  restoreBackup(database, file, { registryIn: modelsIn, settings: settingsIn(directory), replace })

/** A database with the inventory of the tests, models of users, unusual values, a session, and gaps after the last ids. */
async function fill(database: Database, directory: string): Promise<Api> {
  const settings = settingsIn(directory)
  const { service, vault } = await coreOver(
    database,
    settings,
    loadSecrets(settings, () => undefined),
  )
  await importDataSet(service, INVENTORY, { vault })
  await database.execute(sql`
    ${updateTable('dcim.site')} set comments = ${ODD}, custom_field_data = ${JSON.stringify({ odd: ODD, none: null, big: 12345678901234 })}::jsonb`)
  await database.execute(sql`
    ${insertInto('dcim.site')} (id, name, slug, created, last_updated)
    values (5000, '', 'empty', null, '2026-01-02T03:04:05.678901Z'), (5001, 'NULL', 'null', now(), now())`)
  await database.query(sql`
    select setval(pg_get_serial_sequence('dcim_site', 'id'), 7000)`)
  await database.execute(sql`
    ${insertInto('users.session')} (digest, user_id, password_digest, created, expires)
    select 'd', min(id), 'p', now(), now() from ${table('users.user')}`)
  const api = await withOwnModels(await startApiOver(database, { DATA_DIR: directory }))
  await makeGadgets(api)
  return api
}

/** Objects of models of users, and what remains of removed ones. */
async function makeGadgets(api: Api): Promise<void> {
  const base = 'plugins/custom-objects'
  const gadget = await api.make(`${base}/gadgets`, {
    label: ODD.slice(0, 9),
    serial: 7,
    site: 5000,
    manual: 'https://x.example',
    tariffs: ['gold'],
  })
  const tenant = await api.make('tenancy/tenants', { name: 'Keeper', slug: 'keeper' })
  await api.make(`${base}/gadget-parts`, { gadget, position: 1, spares: [gadget], grade: 'gold', tenant })
  const thing = await api.make(`${base}/gadget_parts`, {})
  expect(thing).toBeGreaterThan(0)
  const removed = await api.ask('GET', `/api/${base}/custom-object-type-fields/?name=tenant&name=manual&fields=id`)
  for (const { id } of removed.json.results ?? []) {
    const { status, text } = await api.ask('DELETE', `/api/${base}/custom-object-type-fields/${id}/`)
    expect(status, text).toBe(204)
  }
  const { json } = await api.ask('GET', `/api/${base}/custom-object-types/?name=bare_thing`)
  const { status, text } = await api.ask('DELETE', `/api/${base}/custom-object-types/${json.results?.[0]?.id}/`)
  expect(status, text).toBe(204)
}

/** Files of scripts, as a directory has them. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'rename.py': 'print(1)\n',
  'site_rules/__init__.py': '',
  'b.txt': ODD,
}

function writeScripts(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}

const scriptsIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    globSync('**/*', { cwd: directory })
      .filter((path) => statSync(join(directory, path)).isFile())
      .map((path) => [path, readFileSync(join(directory, path), 'utf8')]),
  )

/** Tables that backups omit. */
const TRANSIENT = new Set(
  [...registry.models.values()].flatMap(({ definition, table }) => (definition.transient ? [table] : [])),
)

/**
 * Every row of every table as text, tables by name. The order of columns depends on the versions that created a table.
 */
async function contentOf(database: Database): Promise<Record<string, unknown[][]>> {
  const content: Record<string, unknown[][]> = {}
  const models = await registryIn(database)
  for (const table of Object.keys(schemaOf(models, { trigrams: false }).tables).sort()) {
    if (TRANSIENT.has(table)) continue
    content[table] = await database.queryArrays(raw(`select to_jsonb(t)::text from ${table} t order by 1`))
  }
  return content
}

/** Constraints, indexes and columns of all tables except those of removed types, which are completed when these return. */
const definitionsOf = async (database: Database) => {
  const tables = new Set(Object.keys(schemaOf(await registryIn(database), { trigrams: false }).tables))
  const definitions = await database.queryArrays(
    raw(`
    select conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select tablename::text, indexname::text, indexdef from pg_indexes
    where schemaname = 'public'
    union all select table_name::text, column_name::text, concat_ws(' ', data_type, is_nullable, column_default)
    from information_schema.columns where table_schema = 'public' order by 1, 2, 3`),
  )
  return definitions.filter(([name]) => tables.has(String(name)))
}

/** A backup made once, what it contains, and the definitions of the tables. */
let backup: { file: string; directory: string; content: unknown; definitions: unknown }
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cadastre-backups-'))
  const database = await openTestDatabase('migrated')
  const place = join(directory, 'data')
  const api = await fill(database, place)
  const file = join(directory, 'backup.tar.gz')
  await writeBackup(database, file, options(place))
  backup = {
    file,
    directory: place,
    content: await contentOf(database),
    definitions: await definitionsOf(database),
  }
  await api.close()
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('a restored backup', () => {
  it('contains every row, table, number, file and secret, and no session', async () => {
    const place = join(temporaryDirectory(), 'data')
    const database = await databaseOfTest()
    const report = await restore(database, backup.file, place)

    expect(await contentOf(database)).toEqual(backup.content)
    expect(await definitionsOf(database)).toEqual(backup.definitions)
    expect(await migrate(database, await modelsIn(database))).toEqual({ isNew: false, changes: 0, absent: [] })
    expect(await database.queryArrays(raw('select count(*) from users_session'))).toEqual([[0]])
    expect(await database.queryArrays(raw(`select nextval('dcim_site_id_seq')`))).toEqual([[7001]])
    for (const file of ['secrets.json', 'media/image-attachments/pier.png']) {
      expect(readFileSync(join(place, file))).toEqual(readFileSync(join(backup.directory, file)))
    }
    expect(report).toMatchObject({ program: '4.6.8', media: 1, otherSecrets: [] })
    expect(statSync(join(place, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  it('contains what is needed to undo the removal of a model of users', async () => {
    const place = join(temporaryDirectory(), 'data')
    const database = await openTestDatabase('empty')
    await restore(database, backup.file, place)
    const api = await startApiOver(database, { DATA_DIR: place })
    onTestFinished(() => api.close())
    const removals = '/api/core/object-changes/?changed_object_type=custom_objects.customobjecttype&action=delete'
    const { json } = await api.ask('GET', removals)
    const path = `/api/core/requests/${json.results?.[0]?.request_id}/undo/`
    const { status, text } = await api.ask('POST', path, { body: {} })
    expect(status, text).toBe(200)
    const things = '/api/plugins/custom-objects/gadget_parts/'
    expect((await api.ask('GET', things)).json.count).toBe(1)
    expect((await api.ask('POST', things, { body: {} })).json.id).toBe(2)
  })
})

describe('restore', () => {
  it('refuses a database that is not empty unless it may be replaced', async () => {
    const place = join(temporaryDirectory(), 'data')
    const database = await databaseOfTest('migrated')
    await database.execute(sql`${insertInto('dcim.region')} (name, slug) values ('Mine', 'mine')`)
    mkdirSync(join(place, 'media'), { recursive: true })
    writeFileSync(join(place, 'media/mine.txt'), 'mine')
    const before = await contentOf(database)

    await expect(restore(database, backup.file, place)).rejects.toThrow('--replace')
    expect(await contentOf(database)).toEqual(before)

    await restore(database, backup.file, place, true)
    expect(await contentOf(database)).toEqual(backup.content)
    expect(existsSync(join(place, 'media/mine.txt'))).toBe(false)
  })

  it.each([
    { name: 'the files of the backup', files: { 'image-attachments/pier.png': 'same' }, isRefused: false },
    { name: 'a file that the backup does not have', files: { 'mine.txt': 'mine' }, isRefused: true },
    { name: 'another file of the same name', files: { 'image-attachments/pier.png': 'mine' }, isRefused: true },
  ] as const)('into a place with $name: refused $isRefused, with files unchanged', async ({ files, isRefused }) => {
    const place = join(temporaryDirectory(), 'data')
    const database = await databaseOfTest()
    for (const [name, content] of Object.entries(files)) {
      const path = join(place, 'media', name)
      mkdirSync(dirname(path), { recursive: true })
      const same = join(backup.directory, 'media', name)
      writeFileSync(path, content === 'same' ? readFileSync(same) : content)
    }
    const before = Object.keys(files).map((name) => readFileSync(join(place, 'media', name)))
    const restoring = restore(database, backup.file, place)
    if (isRefused) await expect(restoring).rejects.toThrow('contains other files than the backup')
    else expect((await restoring).media).toBe(1)
    expect(Object.keys(files).map((name) => readFileSync(join(place, 'media', name)))).toEqual(before)
    expect(await readSchemaVersion(database).catch(() => undefined)).toEqual(isRefused ? undefined : expect.anything())
  })

  const tarOf = (change: (tar: Buffer) => Buffer) => (bytes: Buffer) => gzipSync(change(gunzipSync(bytes)))
  const without = (bytes: Buffer, from: number, to: number) =>
    Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  const flipped = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] ?? 0) ^ 4
    return copy
  }
  /** A text of the archive, exchanged for another one of the same length. */
  const exchanged = (text: string, other: string) =>
    tarOf((tar) => Buffer.from(tar.toString('latin1').replace(text, other), 'latin1'))
  const damages: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    'ends in the middle': (bytes) => bytes.subarray(0, bytes.length / 2),
    'ends a little too early': (bytes) => bytes.subarray(0, -3),
    'has a flipped bit at the beginning': (bytes) => flipped(bytes, 3),
    'has a flipped bit at a tenth': (bytes) => flipped(bytes, Math.floor(bytes.length / 10)),
    'has a flipped bit in the middle': (bytes) => flipped(bytes, Math.floor(bytes.length / 2)),
    'has a flipped bit at the end': (bytes) => flipped(bytes, bytes.length - 6),
    'lacks compressed bytes': (bytes) => without(bytes, 5_000, 6_000),
    'lacks a block': tarOf((tar) => without(tar, 51_200, 51_712)),
    'lacks many blocks': tarOf((tar) => without(tar, 5_120, 102_400)),
    'lacks its first block': tarOf((tar) => tar.subarray(512)),
    'is appended to itself': (bytes) => Buffer.concat([bytes, bytes]),
    'is appended to itself after decompression': tarOf((tar) => Buffer.concat([tar, tar])),
    'is followed by other bytes': (bytes) => Buffer.concat([bytes, Buffer.from('more')]),
    'has a row that is not JSON': exchanged('["1",', '["1"x'),
    'has a value of another type': exchanged('["1",', '["x",'),
    'is empty': () => Buffer.alloc(0),
    'is not compressed': gunzipSync,
    'is another compressed file': () => gzipSync('hello'),
  }

  describe('of a damaged backup', () => {
    let database: Database
    beforeAll(async () => {
      database = await openTestDatabase('migrated')
      await database.execute(sql`${insertInto('dcim.region')} (name, slug) values ('Mine', 'mine')`)
    })
    afterAll(() => database.close())

    it.each(Object.entries(damages))('changes nothing if it %s', async (_what, damage) => {
      const place = join(temporaryDirectory(), 'data')
      mkdirSync(join(place, 'media'), { recursive: true })
      writeFileSync(join(place, 'media/mine.txt'), 'mine')
      const damaged = join(temporaryDirectory(), 'damaged.tar.gz')
      writeFileSync(damaged, damage(readFileSync(backup.file)))
      const restoring = verifyBackup(damaged).then(() => restore(database, damaged, place, true))
      await expect(restoring).rejects.toThrow(ConfigurationError)
      expect(await database.queryArrays(raw('select name from dcim_region'))).toEqual([['Mine']])
      expect(globSync('**', { cwd: place }).sort()).toEqual(['.', 'media', 'media/mine.txt'])
    })
  })

  it('leaves everything unchanged if the backup is damaged', async () => {
    const place = join(temporaryDirectory(), 'data')
    const database = await databaseOfTest('migrated')
    mkdirSync(join(place, 'media'), { recursive: true })
    writeFileSync(join(place, 'media/mine.txt'), 'mine')
    const before = await contentOf(database)
    const whole = readFileSync(backup.file)
    const half = join(place, 'half.tar.gz')
    writeFileSync(half, whole.subarray(0, whole.length / 2))

    await expect(restore(database, half, place, true)).rejects.toThrow('is damaged or not a backup')
    expect(await contentOf(database)).toEqual(before)
    expect(await readSchemaVersion(database)).toBeDefined()
    expect(readFileSync(join(place, 'media/mine.txt'), 'utf8')).toBe('mine')
    expect(existsSync(join(place, 'media.restoring'))).toBe(false)
  })
})

describe('restore', () => {
  it('refuses a database that a running service uses', async () => {
    const database = await databaseOfTest()
    await database.subscribe({
      invalidate: () => undefined,
      suspend: () => undefined,
      resume: () => undefined,
    })
    const place = join(temporaryDirectory(), 'data')
    const restoring = restore(database, backup.file, place, true)
    await expect(restoring).rejects.toThrow('stop it first')
  })

  it('does not touch tables of other programs', async () => {
    const database = await databaseOfTest()
    await database.script('create table theirs (id int)')
    const restoring = restore(database, backup.file, temporaryDirectory(), true)
    await expect(restoring).rejects.toThrow('tables of another program (theirs')
  })

  it('does not replace the secrets unless asked to', async () => {
    const place = temporaryDirectory()
    writeFileSync(join(place, 'secrets.json'), '{}', { mode: 0o600 })
    const database = await databaseOfTest()
    await expect(restore(database, backup.file, place)).rejects.toThrow('other secrets')
    expect(readFileSync(join(place, 'secrets.json'), 'utf8')).toBe('{}')
  })

  it.each([
    { name: 'text', content: Buffer.from('hello'), why: 'is damaged or not a backup' },
    { name: 'gzipped text', content: gzipSync('hello'), why: /damaged|no backup/ },
  ])('refuses $name', async ({ content, why }) => {
    const place = temporaryDirectory()
    const file = join(place, 'no.tar.gz')
    writeFileSync(file, content)
    const database = await databaseOfTest()
    await expect(restore(database, file, join(place, 'data'))).rejects.toThrow(why)
  })
})

describe('backup', () => {
  it('is a consistent snapshot, whatever is written meanwhile', async () => {
    const place = temporaryDirectory()
    const database = await databaseOfTest('migrated')
    const insert = (n: number) =>
      database.transaction(async (transaction) => {
        await transaction.execute(sql`${insertInto('dcim.region')} (name, slug) values (${`r${n}`}, ${`r${n}`})`)
        await transaction.execute(sql`${insertInto('dcim.sitegroup')} (name, slug) values (${`g${n}`}, ${`g${n}`})`)
      })
    for (let n = 0; n < 20; n++) await insert(n)
    const file = join(place, 'backup.tar.gz')
    let isDone = false
    const backing = writeBackup(database, file, options(place)).finally(() => {
      isDone = true
    })
    for (let n = 20; !isDone; n++) await insert(n)
    await backing
    const restored = await databaseOfTest()
    await restore(restored, file, join(place, 'data'))
    const [[regions, groups] = []] = await restored.queryArrays(
      raw('select (select count(*) from dcim_region), (select count(*) from dcim_sitegroup)'),
    )
    expect(regions).toBe(groups)
    expect(Number(regions)).toBeGreaterThanOrEqual(20)
  })

  it('is readable only by its owner, overwrites nothing, and leaves no partial file', async () => {
    const place = temporaryDirectory()
    const database = await databaseOfTest()
    const file = join(place, 'backup.tar.gz')
    await expect(writeBackup(database, file, options(place))).rejects.toThrow('is empty')
    expect(existsSync(`${file}.partial`)).toBe(false)
    await migrate(database, registry)
    await writeBackup(database, file, options(place))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(writeBackup(database, file, options(place))).rejects.toThrow('exists already')
  })

  it.each([
    { name: 'kept in the directory', environment: {}, isKept: true, place: 'inside' },
    { name: 'partly given', environment: { SECRET_KEY }, isKept: true, place: 'partlyInside' },
    {
      name: 'all given',
      environment: { SECRET_KEY, API_TOKEN_PEPPERS: JSON.stringify({ 1: SECRET_KEY }) },
      isKept: false,
      place: 'environment',
    },
    { name: 'elsewhere', environment: {}, isKept: false, place: 'unknown' },
  ])('says where to find the secrets that are $name', async ({ environment, isKept, place }) => {
    const directory = temporaryDirectory()
    const database = await databaseOfTest('migrated')
    const settings = readSettings({ DATA_DIR: directory, ...environment })
    if (isKept) loadSecrets(settings, () => undefined)
    const file = join(directory, 'backup.tar.gz')
    const report = await writeBackup(database, file, options(directory, { settings }))
    expect(report.secrets).toBe(place)
    expect(existsSync(join(directory, 'secrets.json'))).toBe(isKept)
  })

  it('omits the secrets on demand, and a restore reports that they differ', async () => {
    const place = temporaryDirectory()
    const database = await databaseOfTest('migrated')
    const { secretKey } = loadSecrets(settingsIn(place), () => undefined)
    const file = join(place, 'backup.tar.gz')
    const report = await writeBackup(database, file, options(place, { withSecrets: false }))
    expect(report.secrets).toBe('leftOut')
    expect(gunzipSync(readFileSync(file)).includes(secretKey)).toBe(false)
    const restored = await databaseOfTest()
    const { otherSecrets } = await restore(restored, file, join(place, 'data'))
    expect(otherSecrets).toEqual(['SECRET_KEY', 'API_TOKEN_PEPPERS 1'])
  })
})

describe('scripts', () => {
  const backedUp = async () => {
    const [database, from] = [await databaseOfTest(), temporaryDirectory()]
    await migrate(database, registry)
    writeScripts(join(from, 'scripts'), SCRIPTS)
    const file = join(from, 'backup.tar.gz')
    return { file, report: await writeBackup(database, file, options(from)) }
  }

  it('in DATA_DIR are part of a backup and come back with it', async () => {
    const { file, report } = await backedUp()
    expect(report.scripts).toBe(3)
    await verifyBackup(file)
    const to = temporaryDirectory()
    const restored = await restore(await databaseOfTest(), file, to)
    expect([restored.scripts, scriptsIn(join(to, 'scripts'))]).toEqual([3, SCRIPTS])
  })

  it.each([
    ['are refused if other files have their names', { 'rename.py': 'other' }, false, undefined],
    ['replace others with --replace', { 'rename.py': 'other', 'left.py': '' }, true, SCRIPTS],
    ['stay beside files with other names', { 'own.py': '1' }, false, { ...SCRIPTS, 'own.py': '1' }],
  ])('%s', async (_title, present, replace, expected) => {
    const { file } = await backedUp()
    const to = temporaryDirectory()
    writeScripts(join(to, 'scripts'), present)
    const work = restore(await databaseOfTest(), file, to, replace)
    if (expected) await work
    else await expect(work).rejects.toThrow(ConfigurationError)
    expect(scriptsIn(join(to, 'scripts'))).toEqual(expected ?? present)
  })

  it('in a directory of SCRIPTS_ROOT are left out, which the report says', async () => {
    const [database, from] = [await databaseOfTest(), temporaryDirectory()]
    await migrate(database, registry)
    const root = join(from, 'elsewhere')
    writeScripts(root, SCRIPTS)
    const settings = readSettings({ DATA_DIR: from, SCRIPTS_ROOT: root })
    const report = await writeBackup(database, join(from, 'b.tar.gz'), options(from, { settings }))
    expect(report.scripts).toBeUndefined()
  })
})

it('a user of the database who may not create tables is refused in one sentence', async () => {
  const database = await databaseOfTest()
  await database.script(`
    drop role if exists reader_of_tests; create role reader_of_tests;
    revoke create on schema public from public;
    grant reader_of_tests to current_user`)
  await database.script('set role reader_of_tests')
  await expect(migrate(database, registry)).rejects.toThrow(/may not create tables in the schema public/)
})
