import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { applicationOf } from '../../src/app/plugins/application.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { buildSearchIndex } from '../../src/read/search/build-index.ts'
import { identifier, sql } from '../../src/sql/fragment.ts'
import { postgresUrl, urlOfDatabase } from './postgres-url.ts'

/** Content of a new test database: nothing, or the tables of all models without any object. */
export type Beginning = 'empty' | 'migrated'

/** Opens a database that no other test uses, on the server of the run. The caller closes it, which drops it. */
export async function openTestDatabase(beginning: Beginning = 'empty'): Promise<Database> {
  const url = await createTestDatabase(beginning)
  const database = openPostgres({ url, poolSize: 10, statementTimeout: 0 })
  return {
    ...database,
    close: async () => {
      await database.close()
      await dropTestDatabase(url)
    },
  }
}

/** As `openTestDatabase`, for one test. */
export async function databaseOfTest(beginning: Beginning = 'empty'): Promise<Database> {
  const database = await openTestDatabase(beginning)
  onTestFinished(() => database.close())
  return database
}

/** Creates a database on the server of the run and returns its URL. */
export async function createTestDatabase(beginning: Beginning = 'empty'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const template = TEMPLATES[beginning]
  await onServer(async (server) => {
    if (beginning === 'migrated' && !(await exists(server, template))) await createTemplate(server, template)
    await copy(server, template, name)
  })
  return await urlOfDatabase(name)
}

export const dropTestDatabase = (url: string): Promise<void> =>
  onServer((server) =>
    server.script(sql`drop database if exists ${identifier(new URL(url).pathname.slice(1))} with (force)`.text),
  )

/** As `createTestDatabase`, for one test. */
export async function databaseUrlOfTest(beginning: Beginning = 'empty'): Promise<string> {
  const url = await createTestDatabase(beginning)
  onTestFinished(() => dropTestDatabase(url))
  return url
}

/** Creates the tables of all models, as the first start does. */
export async function createTables(database: Database): Promise<void> {
  const application = applicationOf([])
  const registry = modelRegistry(application)
  // All steps are included: a start compares them, and would otherwise create the views of branches again.
  await migrate(database, registry, application.steps)
  await buildSearchIndex(database, registry)
}

const TEMPLATES = { empty: 'template1', migrated: 'migrated' } as const

/** Work on the server of the run, outside the test databases. */
async function onServer(work: (server: Database) => Promise<void>): Promise<void> {
  const server = openPostgres({ url: await postgresUrl(), poolSize: 1, statementTimeout: 0 })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

const exists = async (server: Database, name: string): Promise<boolean> =>
  (await server.query(sql`select from pg_database where datname = ${name}`)).length > 0

/** Copies files: in memory, this takes a third as long as copying through the log, despite the checkpoint. */
const copy = (server: Database, template: string, name: string): Promise<void> =>
  server.script(sql`create database ${identifier(name)} template ${identifier(template)} strategy file_copy`.text)

async function createTemplate(server: Database, name: string): Promise<void> {
  const unfinished = `${name}_${randomUUID().replaceAll('-', '')}`
  await copy(server, TEMPLATES.empty, unfinished)
  const database = openPostgres({ url: await urlOfDatabase(unfinished), poolSize: 1, statementTimeout: 0 })
  await createTables(database)
  await database.close()
  try {
    await server.script(sql`alter database ${identifier(unfinished)} rename to ${identifier(name)}`.text)
  } catch (error) {
    // Another worker may have created it first.
    if (!(await exists(server, name))) throw error
    await server.script(sql`drop database ${identifier(unfinished)}`.text)
  }
}
