import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../../src/config/settings.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { createService, type Service } from '../../src/service.ts'
import { importDataSet } from '../../src/transfer/import-directory.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'

/** Milliseconds after which the server cancels a statement. */
const LIMIT = 500
const DATA = join(import.meta.dirname, '../data/inventory')
const SLOW = `perform pg_sleep(${(2 * LIMIT) / 1000});`
const registry = buildRegistry(MODELS, BEHAVIOURS)

async function limitedService(): Promise<Service> {
  const url = await createTestDatabase('migrated')
  const settings = readSettings({ DATA_DIR: mkdtempSync(join(tmpdir(), 'cadastre-limit-')) })
  const database = openPostgres({ url, poolSize: 2, statementTimeout: LIMIT })
  onTestFinished(async () => {
    await database.close()
    await dropTestDatabase(url)
    rmSync(settings.dataDir, { recursive: true })
  })
  return createService(registry, database, settings)
}

/** Work on whole tables, each of which contains a statement that takes longer than the limit. */
const cases: readonly (readonly [name: string, work: (service: Service) => Promise<unknown>])[] = [
  [
    'a migration',
    ({ database }) => {
      const run = async ({ script }: { script(text: string): Promise<void> }) => script(`do $$ begin ${SLOW} end $$`)
      return migrate(database, registry, [{ name: 'slow', run }])
    },
  ],
  [
    'an import',
    async (service) => {
      await service.database.script(`
        create function wait() returns trigger language plpgsql as $$ begin ${SLOW} return null; end $$;
        create trigger wait before insert on extras_tag for each statement execute function wait()`)
      return await importDataSet(service, DATA)
    },
  ],
]

it.each(cases)('%s is not cancelled by the time limit of statements', async (_name, work) => {
  await expect(work(await limitedService())).resolves.toBeDefined()
})
