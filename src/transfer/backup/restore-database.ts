import { ConfigurationError } from '../../base/errors.ts'
import type { Transaction } from '../../db/database.ts'
import { isServed } from '../../db/listeners.ts'
import { createCollations } from '../../db/migrate/collations.ts'
import { differenceOf } from '../../db/migrate/diff.ts'
import { lockSchema } from '../../db/migrate/migrate.ts'
import { EMPTY_SCHEMA, type StoredSchema } from '../../db/migrate/stored-schema.ts'
import { readSchemaVersion, VERSION_TABLE, writeVersion } from '../../db/migrate/version.ts'
import { liftTimeLimit } from '../../db/time-limit.ts'
import { join, sql } from '../../sql/fragment.ts'
import { systemTable, tableName } from '../../sql/table.ts'
import type { Manifest } from './backup-content.ts'

/**
 * Checks that the database is empty, or empties it. Throws ConfigurationError if it may not be emptied, is in use by a
 * running service, or contains tables of another program.
 */
export async function prepareDatabase(
  transaction: Transaction,
  { replace }: { readonly replace: boolean },
): Promise<void> {
  await liftTimeLimit(transaction)
  await lockSchema(transaction)
  await refuseWhileServed(transaction)
  const tables = await tablesOf(transaction)
  if (tables.length === 0) return
  const version = await readSchemaVersion(transaction)
  if (!version) {
    throw new ConfigurationError(
      `The database contains tables of another program (${tables.slice(0, 3).join(', ')}, …): name an empty one.`,
    )
  }
  if (!replace) {
    throw new ConfigurationError(
      'The database is not empty, and nothing has been restored: name an empty one, or use --replace to discard its content.',
    )
  }
  const own = [...Object.keys(version.schema.tables), VERSION_TABLE]
  await transaction.execute(sql`drop table if exists ${join(own.map(tableName))} cascade`)
}

/** The caches of a running service would hold rows of the dropped tables. */
async function refuseWhileServed(transaction: Transaction): Promise<void> {
  if (!(await isServed(transaction))) return
  throw new ConfigurationError('A running service uses the database, and nothing has been restored: stop it first.')
}

async function tablesOf(transaction: Transaction): Promise<readonly string[]> {
  const rows = await transaction.queryArrays(sql`
    select tablename::text from ${systemTable('pg_tables')} where schemaname = 'public' order by 1`)
  return rows.map(([name]) => String(name))
}

/**
 * Creates the backup's tables as that version of the program had them, without indexes, which makes loading rows
 * faster.
 */
export async function createTables(transaction: Transaction, manifest: Manifest): Promise<void> {
  await createCollations(transaction)
  const { statements } = differenceOf(EMPTY_SCHEMA, bareTables(manifest))
  await transaction.script(statements.join(';\n'))
}

/**
 * Records the tables, so that a migration adds what is missing: constraints, indexes, defaults, and newer columns.
 */
export const recordTables = (transaction: Transaction, manifest: Manifest): Promise<void> =>
  writeVersion(transaction, bareTables(manifest), manifest.steps)

const bareTables = ({ tables }: Manifest): StoredSchema => ({ ...EMPTY_SCHEMA, tables })
