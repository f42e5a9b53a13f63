import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, unlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { modelRegistry } from '../../src/core.ts'
import { migrate } from '../../src/migrate/migrate.ts'
import { buildSearchIndex } from '../../src/search/build-index.ts'
import { identifier, sql } from '../../src/sql/fragment.ts'
import type { Database } from '../../src/storage/database.ts'
import { type DatabaseFile, databaseFiles } from '../../src/storage/memory-files.ts'
import { databaseOver, type EngineFiles } from '../../src/storage/pglite.ts'
import { openPostgres } from '../../src/storage/postgres.ts'
import { filesOf, preparedFiles, startInMemory } from '../../src/storage/prepared-database.ts'
import { postgresUrl, urlOfDatabase } from './postgres-url.ts'

/** Content of a new test database: nothing, or the tables of all models without any object. */
export type Beginning = 'empty' | 'migrated'

/** Read once by each worker; all its databases share them until they write to them. */
const embedded = new Map<Beginning, Promise<readonly DatabaseFile[]>>()

/** A new embedded database in memory, over files that were made before. */
export async function openEmbeddedCopy(
  beginning: Beginning,
  files?: EngineFiles,
): Promise<Database> {
  const prepared = embedded.get(beginning) ?? embeddedFiles(beginning)
  embedded.set(beginning, prepared)
  return await databaseOver(await startInMemory(await prepared), () => undefined, files)
}

async function embeddedFiles(beginning: Beginning): Promise<readonly DatabaseFile[]> {
  const file = join(inject('preparedDirectory'), `${beginning}.tar`)
  if (!existsSync(file)) await keepEmbedded(beginning, file)
  return await databaseFiles(await readFile(file))
}

/** As a first start does, which the next ones need not repeat. */
async function prepare(database: Database): Promise<void> {
  const registry = modelRegistry()
  await migrate(database, registry)
  await buildSearchIndex(database, registry)
}

/** Leaves what a new database has: an empty schema that any user may use. */
const EMPTIED = `
  drop schema public cascade;
  create schema public authorization pg_database_owner;
  grant usage on schema public to public`

async function keepEmbedded(beginning: Beginning, file: string): Promise<void> {
  // As at a first start: to make the files of a new database takes several times as long.
  const engine = await startInMemory(await databaseFiles(await preparedFiles()))
  const database = await databaseOver(engine, () => undefined)
  if (beginning === 'migrated') await prepare(database)
  else await database.script(EMPTIED)
  const files = await filesOf(engine)
  await database.close()
  // Several workers may get here at once: each makes its own, and the first one stays, since others may be reading it.
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, files)
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    unlinkSync(unfinished)
  }
}

const TEMPLATES = { empty: 'template1', migrated: 'prepared_migrated' } as const

/** Creates a database of that name on the server of the run. */
export async function createServerCopy(name: string, beginning: Beginning): Promise<void> {
  const template = TEMPLATES[beginning]
  await onServer(async (server) => {
    if (beginning === 'migrated' && !(await isThere(server, template))) {
      await keepOnServer(server, template)
    }
    await create(server, name, template)
  })
}

/** Something done on the server of the run, outside the databases of tests. */
export async function onServer(work: (server: Database) => Promise<void>): Promise<void> {
  const server = openPostgres({ url: await postgresUrl(), poolSize: 1, statementTimeout: 0 })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

/** Copies files: in memory that takes a third as long as copying through the log, in spite of the checkpoint that it makes. */
const create = (server: Database, name: string, template: string): Promise<void> =>
  server.script(
    sql`create database ${identifier(name)} template ${identifier(template)} strategy file_copy`
      .text,
  )

const isThere = async (server: Database, name: string): Promise<boolean> =>
  (await server.query(sql`select from pg_database where datname = ${name}`)).length > 0

async function keepOnServer(server: Database, name: string): Promise<void> {
  const unfinished = `${name}_${randomUUID().replaceAll('-', '')}`
  await create(server, unfinished, TEMPLATES.empty)
  const url = await urlOfDatabase(unfinished)
  const database = openPostgres({ url, poolSize: 1, statementTimeout: 0 })
  await prepare(database)
  await database.close()
  try {
    await server.script(
      sql`alter database ${identifier(unfinished)} rename to ${identifier(name)}`.text,
    )
  } catch (error) {
    // Another worker may have created it first.
    if (!(await isThere(server, name))) throw error
    await server.script(sql`drop database ${identifier(unfinished)}`.text)
  }
}
