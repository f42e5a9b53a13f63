import { ConfigurationError } from '../../base/errors.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { absentPlugins, divideByPlugin } from './absent-plugins.ts'
import type { Migration } from './migrate.ts'
import { type PendingMigration, pendingMigration } from './pending.ts'
import type { MigrationStep } from './steps.ts'
import { readSchemaVersion } from './version.ts'

/**
 * Replaces `migrate` on a standby, whose tables only its primary can change. Throws ConfigurationError if they are not
 * those of this version.
 */
export async function requireCurrentTables(
  queryable: Queryable,
  registry: Registry,
  steps: readonly MigrationStep[],
): Promise<Migration> {
  const { state } = await pendingMigration(queryable, registry, steps)
  const version = await readSchemaVersion(queryable)
  if (state === 'current' && version) {
    const { absent } = divideByPlugin(version.schema, registry)
    return { isNew: false, changes: 0, absent: absentPlugins(absent) }
  }
  throw new ConfigurationError(`The database is a standby, and ${PROBLEMS[state === 'current' ? 'empty' : state]}`)
}

const PROBLEMS: Readonly<Record<Exclude<PendingMigration['state'], 'current'>, string>> = {
  empty: 'it is empty. Start the service on its primary first.',
  behind: 'its tables are older than this version. Start this version on its primary first.',
  foreign: 'another version of the program has changed its tables. Start that version instead.',
}
