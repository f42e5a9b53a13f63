import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { modelRegistry } from '../../src/core.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { databaseOver, type EngineFiles, startInMemory } from '../../src/db/pglite.ts'
import type { PgliteEngine } from '../../src/db/pglite-engine.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { applicationOf } from '../../src/plugins/application.ts'
import { buildSearchIndex } from '../../src/read/search/build-index.ts'
import { identifier, sql } from '../../src/sql/fragment.ts'
import { type DatabaseFile, databaseFiles, MemoryFiles } from './memory-files.ts'
import { postgresUrl, urlOfDatabase } from './postgres-url.ts'

/** Content of a new test database: nothing, or the tables of all models without any object. */
export type Beginning = 'empty' | 'migrated'

/** Read once by each worker; all its databases share them until they write to them. */
const embedded = new Map<Beginning, Promise<readonly DatabaseFile[]>>()

/** A new embedded database in memory, based on files that were created before. */
export async function openEmbeddedCopy(beginning: Beginning, files?: EngineFiles): Promise<Database> {
  return await databaseOver(await startEmbeddedCopy(beginning), () => undefined, files)
}

/** As above, but only the engine. */
export const startEmbeddedCopy = async (beginning: Beginning): Promise<PgliteEngine> =>
  await startInMemory(new MemoryFiles(await embeddedFiles(beginning)))

export function embeddedFiles(beginning: Beginning): Promise<readonly DatabaseFile[]> {
  const files = embedded.get(beginning) ?? readOrMakeFiles(beginning)
  embedded.set(beginning, files)
  return files
}

async function readOrMakeFiles(beginning: Beginning): Promise<readonly DatabaseFile[]> {
  const directory = beginning === 'empty' ? emptyDirectory() : inject('preparedDirectory')
  const file = join(directory, `${beginning}.tar`)
  if (!existsSync(file)) await keepEmbedded(beginning, file)
  return await databaseFiles(await readFile(file))
}

/**
 * Kept after the run: creating an empty database takes seconds, and the result depends only on the version of PGlite.
 */
function emptyDirectory(): string {
  const pglite = join('node_modules', '@electric-sql/pglite/package.json')
  const { version }: { readonly version: string } = JSON.parse(readFileSync(pglite, 'utf8'))
  const directory = join('node_modules', '.cache/cadastre', `pglite-${version}`)
  mkdirSync(directory, { recursive: true })
  return directory
}

/** Creates the tables of all models, as the first start does. */
export async function prepare(database: Database): Promise<void> {
  const application = applicationOf([])
  const registry = modelRegistry(application)
  // All steps are included: a start compares them, and would otherwise create the views of branches again.
  await migrate(database, registry, application.steps)
  await buildSearchIndex(database, registry)
}

async function keepEmbedded(beginning: Beginning, file: string): Promise<void> {
  const engine = await (beginning === 'empty' ? startInMemory() : startEmbeddedCopy('empty'))
  if (beginning === 'migrated') await prepare(await databaseOver(engine, () => undefined))
  // Otherwise each start from these files would replay the log.
  await engine.exec('checkpoint')
  const archive = await engine.dumpDataDir('none')
  const files = new Uint8Array(await archive.arrayBuffer())
  await engine.close()
  // Several workers may get here at once: each creates its own, and the first one is kept, since others may already be
  // reading it.
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

/** Something done on the server of the run, outside the test databases. */
export async function onServer(work: (server: Database) => Promise<void>): Promise<void> {
  const server = openPostgres({ url: await postgresUrl(), poolSize: 1, statementTimeout: 0 })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

/** Copies files: in memory, this takes a third as long as copying through the log, despite the checkpoint. */
const create = (server: Database, name: string, template: string): Promise<void> =>
  server.script(sql`create database ${identifier(name)} template ${identifier(template)} strategy file_copy`.text)

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
    await server.script(sql`alter database ${identifier(unfinished)} rename to ${identifier(name)}`.text)
  } catch (error) {
    // Another worker may have created it first.
    if (!(await isThere(server, name))) throw error
    await server.script(sql`drop database ${identifier(unfinished)}`.text)
  }
}
