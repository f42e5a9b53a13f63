import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { modelRegistry } from '../../src/core.ts'
import { migrate } from '../../src/migrate/migrate.ts'
import { raw, sql } from '../../src/sql/fragment.ts'
import type { Database } from '../../src/storage/database.ts'
import { type DatabaseFile, databaseFiles } from '../../src/storage/memory-files.ts'
import { databaseOver, openPglite } from '../../src/storage/pglite.ts'
import { preparedFiles, startInMemory } from '../../src/storage/prepared-database.ts'
import { databaseOfTest, openMemory } from '../support/database.ts'

const TABLES = `from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'`

/** The parts of a database, each as a query whose rows do not depend on the order in which it was made. */
const PARTS: Readonly<Record<string, string>> = {
  server: 'select version()',
  databases: 'select datname, pg_encoding_to_char(encoding), datcollate, datctype from pg_database',
  extensions: 'select extname, extversion from pg_extension',
  collations: `select collname, collprovider, collcollate, colllocale from pg_collation
    where collnamespace = 'public'::regnamespace`,
  columns: `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attidentity, a.attcollation::regcollation::text, pg_get_expr(d.adbin, d.adrelid)
    ${TABLES} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.relkind = 'r'`,
  constraints: `select c.relname, k.conname, pg_get_constraintdef(k.oid)
    ${TABLES} join pg_constraint k on k.conrelid = c.oid`,
  indexes: `select c.relname, pg_get_indexdef(c.oid) ${TABLES} where c.relkind = 'i'`,
  objectTypes: `select app_label, model, app_name, model_name, model_name_plural, public, features,
    rest_api_endpoint from core_objecttype`,
  version: 'select schema::jsonb, steps from cadastre_schema',
}

async function contentOf(database: Database): Promise<Record<string, readonly string[]>> {
  const content: Record<string, readonly string[]> = {}
  for (const [name, query] of Object.entries(PARTS)) {
    const rows = await database.queryArrays(sql`${raw(query)}`)
    content[name] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return content
}

// Where this fails: npx node scripts/prepare-database.ts
it('a first start has the tables of the declarations and no objects', {
  timeout: 120_000,
}, async () => {
  const prepared = await databaseOfTest(() => openPglite({ directory: undefined }))
  await migrate(prepared, modelRegistry())
  const declared = await databaseOfTest(openMemory, 'migrated')

  const content = await contentOf(prepared)
  const expected = await contentOf(declared)
  for (const name of Object.keys(PARTS)) {
    expect.soft(content[name], name).toEqual(expected[name])
  }
  const [counts] = await prepared.query(sql`
    select (select count(*) from users_user) as users, (select count(*) from core_objectchange) as changes`)
  expect(counts).toEqual({ users: 0, changes: 0 })
})

const digestOf = (files: readonly DatabaseFile[]): string => {
  const hash = createHash('sha256')
  for (const { path, content } of files) hash.update(path).update(content ?? '')
  return hash.digest('hex')
}

it('databases in memory that begin with the same files do not see what the others write', async () => {
  const files = await databaseFiles(await preparedFiles())
  const before = digestOf(files)
  const open = async () => databaseOver(await startInMemory(files), () => undefined)
  const first = await databaseOfTest(open)
  await first.script(`
    insert into core_objecttype (app_label, model, app_name, model_name, model_name_plural, public, features)
      select 'toy', 'case', '', '', '', true, '{}' from generate_series(1, 1000);
    checkpoint`)
  const second = await databaseOfTest(open)
  const count = sql`select count(*) as count ${raw("from core_objecttype where app_label = 'toy'")}`
  expect(await first.query(count)).toEqual([{ count: 1000 }])
  expect(await second.query(count)).toEqual([{ count: 0 }])
  expect(digestOf(files)).toBe(before)
})
