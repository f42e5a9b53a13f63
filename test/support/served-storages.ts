import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/db/database.ts'
import { createServerDatabase } from './database.ts'
import { directoryOfTest } from './directory.ts'
import { embeddedFiles } from './prepared.ts'

/** A new DATA_DIR, as the first start leaves it: creating the database takes five seconds of processor time. */
export async function dataDirectoryOfTest(): Promise<string> {
  const directory = directoryOfTest()
  for (const { path, content } of await embeddedFiles('migrated')) {
    const file = join(directory, 'database', path)
    if (content === undefined) mkdirSync(file, { recursive: true, mode: 0o700 })
    else writeFileSync(file, content, { mode: 0o600 })
  }
  return directory
}

/** The storages of programs that tests start. `settings` leads to a new database with the tables of all models. */
export const SERVED_STORAGES: readonly {
  readonly storage: Database['kind']
  settings(): Promise<Readonly<Record<string, string>>>
}[] = [
  { storage: 'pglite', settings: async () => ({ DATA_DIR: await dataDirectoryOfTest() }) },
  {
    storage: 'postgres',
    settings: async () => ({
      DATA_DIR: directoryOfTest(),
      DATABASE_URL: await createServerDatabase('migrated'),
    }),
  },
]
