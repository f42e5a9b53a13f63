import { randomUUID } from 'node:crypto'
import { describe, onTestFinished } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { identifier, sql } from '../../src/sql/fragment.ts'
import { urlOfDatabase } from './postgres-url.ts'
import { type Beginning, createServerCopy, onServer, openEmbeddedCopy } from './prepared.ts'

/** Opens a database that no other test uses, empty by default. The caller closes it. */
export type OpenDatabase = (beginning?: Beginning) => Promise<Database>

export const openMemory: OpenDatabase = (beginning = 'empty') => openEmbeddedCopy(beginning)

/** A new database on the server of the run; dropped when it is closed. */
export const openServerDatabase: OpenDatabase = async (beginning) => {
  const url = await createServerDatabase(beginning)
  const database = openPostgres({ url, poolSize: 10, statementTimeout: 0 })
  return {
    ...database,
    close: async () => {
      await database.close()
      await dropServerDatabase(url)
    },
  }
}

/** Creates a database on the server of the run and returns its URL. */
export async function createServerDatabase(beginning: Beginning = 'empty'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await createServerCopy(name, beginning)
  return await urlOfDatabase(name)
}

export const dropServerDatabase = (url: string): Promise<void> =>
  onServer((server) =>
    server.script(sql`drop database if exists ${identifier(new URL(url).pathname.slice(1))} with (force)`.text),
  )

const STORAGES: readonly { storage: Database['kind']; open: OpenDatabase }[] = [
  { storage: 'pglite', open: openMemory },
  { storage: 'postgres', open: openServerDatabase },
]

/** `describe` for each storage; `open` gives new databases, each to be closed in afterAll or at the end. */
export const forEachStorage = (name: string, suite: (open: OpenDatabase, storage: Database['kind']) => void): void => {
  describe.each(STORAGES)(`${name} ($storage)`, ({ open, storage }) => suite(open, storage))
}

/** A new database that is closed when the current test ends. */
export async function databaseOfTest(open: OpenDatabase, beginning: Beginning = 'empty'): Promise<Database> {
  const database = await open(beginning)
  onTestFinished(() => database.close())
  return database
}
