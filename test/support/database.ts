import { randomUUID } from 'node:crypto'
import { describe, inject, onTestFinished } from 'vitest'
import { identifier, sql, text } from '../../src/sql/fragment.ts'
import type { Database } from '../../src/storage/database.ts'
import { openPglite } from '../../src/storage/pglite.ts'
import { openPostgres } from '../../src/storage/postgres.ts'

/** Opens a new, empty database. Whoever opens it closes it. */
export type OpenDatabase = () => Promise<Database>

export const openMemory: OpenDatabase = () => openPglite({ directory: undefined })

/** A new database on the server of the run; dropped when it is closed. */
export const openServerDatabase: OpenDatabase = async () => {
  const url = await createServerDatabase()
  const database = openPostgres({ url, poolSize: 10, statementTimeout: 30_000 })
  return {
    ...database,
    close: async () => {
      await database.close()
      await dropServerDatabase(url)
    },
  }
}

/** Creates an empty database on the server of the run and returns its URL. */
export async function createServerDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(text(sql`create database ${identifier(name)}`))
  url.pathname = `/${name}`
  return url.href
}

export const dropServerDatabase = (url: string): Promise<void> =>
  onServer(
    text(sql`drop database if exists ${identifier(new URL(url).pathname.slice(1))} with (force)`),
  )

async function onServer(statement: string): Promise<void> {
  const server = openPostgres({ url: inject('postgresUrl'), poolSize: 1, statementTimeout: 30_000 })
  try {
    await server.script(statement)
  } finally {
    await server.close()
  }
}

const STORAGES: readonly { storage: Database['kind']; open: OpenDatabase }[] = [
  { storage: 'pglite', open: openMemory },
  { storage: 'postgres', open: openServerDatabase },
]

/** `describe` for each storage; `open` gives a new database, to be closed in afterAll or at the end. */
export const forEachStorage = (
  name: string,
  suite: (open: OpenDatabase, storage: Database['kind']) => void,
): void => {
  describe.each(STORAGES)(`${name} ($storage)`, ({ open, storage }) => suite(open, storage))
}

/** A new database that is closed when the current test ends. */
export async function databaseOfTest(open: OpenDatabase): Promise<Database> {
  const database = await open()
  onTestFinished(() => database.close())
  return database
}
