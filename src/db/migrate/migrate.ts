import { ConfigurationError } from '../../errors.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { tableName } from '../../sql/table.ts'
import type { Database, Transaction } from '../database.ts'
import { liftTimeLimit } from '../time-limit.ts'
import { type AbsentPlugin, absentPlugins, divideByPlugin, joinSchemas } from './absent-plugins.ts'
import { applySteps } from './apply-steps.ts'
import { branchViews, DROP_BRANCH_VIEWS } from './branches.ts'
import { createCollations } from './collations.ts'
import { differenceOf } from './diff.ts'
import { beginHistory, defineNumbers } from './history.ts'
import { seedObjectTypes } from './object-types.ts'
import { schemaOf } from './schema-of.ts'
import { type MigrationStep, STEPS } from './steps.ts'
import { EMPTY_SCHEMA, type StoredSchema } from './stored-schema.ts'
import { enableTrigrams } from './trigrams.ts'
import { isStoredVersion, readSchemaVersion, type Version, writeVersion } from './version.ts'

/** Result of a migration. */
export interface Migration {
  /** The database was empty before. */
  readonly isNew: boolean
  /** Number of statements that changed tables, constraints or indexes. */
  readonly changes: number
  /** Plugins that are not loaded and whose tables have been left as they are. */
  readonly absent: readonly AbsentPlugin[]
}

/** Id of the advisory lock, chosen at random: two nodes that start together migrate one after the other. */
const LOCK = 7_268_316_021

/**
 * Brings the tables in line with the declarations, in one transaction; fast if nothing differs. Throws
 * ConfigurationError naming the data that would be lost if tables or columns are no longer declared and no step
 * (steps.ts) removes them.
 */
export async function migrate(
  database: Database,
  registry: Registry,
  steps: readonly MigrationStep[] = STEPS,
): Promise<Migration> {
  return await database.transaction((transaction) => migrateWithin(transaction, registry, steps))
}

/** As `migrate`, within a transaction of the caller. */
export async function migrateWithin(
  transaction: Transaction,
  registry: Registry,
  steps: readonly MigrationStep[] = STEPS,
): Promise<Migration> {
  await liftTimeLimit(transaction)
  await lockSchema(transaction)
  const declared = schemaOf(registry, { trigrams: await enableTrigrams(transaction) })
  const version = await readSchemaVersion(transaction)
  const names = steps.map(({ name }) => name)
  // Most starts change nothing: if the texts are equal, the parts need not be compared, nor a text of some 900 kB
  // stored.
  const { refresh, ...migration } =
    version && isStoredVersion(version, declared, names)
      ? await keepTables(transaction)
      : await changeTables(transaction, registry, { version, declared, steps })
  await seedObjectTypes(transaction, registry, { refresh })
  return migration
}

/** The rest of a migration if the tables are as they are declared. */
async function keepTables(transaction: Transaction): Promise<TableChanges> {
  await defineNumbers(transaction)
  await beginHistory(transaction)
  return { isNew: false, changes: 0, absent: [], refresh: false }
}

interface TableChanges extends Migration {
  /** Descriptions of object types that came with a data set stay until the declarations change. */
  readonly refresh: boolean
}

/** Changes the tables as far as they differ from the declared ones. */
async function changeTables(
  transaction: Transaction,
  registry: Registry,
  {
    version,
    declared,
    steps,
  }: {
    readonly version: Version | undefined
    readonly declared: StoredSchema
    readonly steps: readonly MigrationStep[]
  },
): Promise<TableChanges> {
  await transaction.script(DROP_BRANCH_VIEWS)
  const done = new Set(version?.steps)
  const stored = version ? await applySteps(transaction, steps, done, version.schema) : { ...EMPTY_SCHEMA }
  const { present, absent } = divideByPlugin(stored, registry)
  const { statements, mustBeEmpty, problems } = differenceOf(present, declared)
  if (problems.length > 0) {
    throw new ConfigurationError(
      `The database was made by another version of the program and cannot be used: ${problems.join('; ')}.`,
    )
  }
  for (const { table, column } of mustBeEmpty) await checkEmpty(transaction, table, column)
  if (!version) await createCollations(transaction)
  await defineNumbers(transaction)
  await transaction.script([...statements, branchViews(registry, declared.tables)].join(';\n'))
  await beginHistory(transaction)
  await writeVersion(
    transaction,
    joinSchemas(declared, absent),
    // Tables of a plugin that is not loaded stay recorded: it may be loaded again.
    [...new Set([...(version?.steps ?? []), ...steps.map(({ name }) => name)])],
  )
  return {
    ...{ isNew: !version, changes: statements.length, absent: absentPlugins(absent) },
    refresh: columnNames(present) !== columnNames(declared),
  }
}

/** Names of all tables and columns, as text for a comparison. */
const columnNames = ({ tables }: StoredSchema): string =>
  JSON.stringify(
    Object.entries(tables)
      .map(([table, { columns }]) => [table, Object.keys(columns).sort()])
      .sort(),
  )

/** Takes the schema lock until the end of the transaction: no other process changes tables meanwhile. */
export async function lockSchema(transaction: Transaction): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
}

async function checkEmpty(transaction: Transaction, table: string, column: string): Promise<void> {
  const [row] = await transaction.queryArrays(sql`select exists (select from ${tableName(table)})`)
  if (row?.[0] === true) {
    throw new ConfigurationError(
      `The column ${table}.${column} is new and required, but the table holds rows: a step has to fill it.`,
    )
  }
}
