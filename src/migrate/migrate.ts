import { ConfigurationError } from '../errors.ts'
import type { Registry } from '../schema/registry.ts'
import { sql } from '../sql/fragment.ts'
import { tableName } from '../sql/table.ts'
import type { Database, Transaction } from '../storage/database.ts'
import { applySteps } from './apply-steps.ts'
import { createCollations } from './collations.ts'
import { differenceOf } from './diff.ts'
import { seedObjectTypes } from './object-types.ts'
import { schemaOf } from './schema-of.ts'
import { type MigrationStep, STEPS } from './steps.ts'
import { EMPTY_SCHEMA, type StoredSchema } from './stored-schema.ts'
import { enableTrigrams } from './trigrams.ts'
import { readSchemaVersion, writeVersion } from './version.ts'

/** What a migration did. */
export interface Migration {
  /** The database was empty before. */
  readonly isNew: boolean
  /** Number of statements that changed tables, constraints or indexes. */
  readonly changes: number
}

/** Any number that no other program's locks use: two nodes that start together migrate one by one. */
const LOCK = 7_268_316_021

/**
 * Brings the tables in line with the declarations, in one transaction; fast where nothing differs.
 * Throws ConfigurationError naming what would be lost, when tables or columns are not declared any
 * more and no step (see steps.ts) says what becomes of them.
 */
export async function migrate(
  database: Database,
  registry: Registry,
  steps: readonly MigrationStep[] = STEPS,
): Promise<Migration> {
  return await database.transaction((transaction) => migrateWithin(transaction, registry, steps))
}

/** As `migrate`, as a part of something greater. */
export async function migrateWithin(
  transaction: Transaction,
  registry: Registry,
  steps: readonly MigrationStep[] = STEPS,
): Promise<Migration> {
  await lockSchema(transaction)
  const declared = schemaOf(registry, { trigrams: await enableTrigrams(transaction) })
  const known = await readSchemaVersion(transaction)
  const done = new Set(known?.steps)
  const stored = known
    ? await applySteps(transaction, steps, done, known.schema)
    : { ...EMPTY_SCHEMA }
  const { statements, mustBeEmpty, problems } = differenceOf(stored, declared)
  if (problems.length > 0) {
    throw new ConfigurationError(
      `The database was made by another version of the program and cannot be used: ${problems.join('; ')}.`,
    )
  }
  for (const { table, column } of mustBeEmpty) await checkEmpty(transaction, table, column)
  if (!known) await createCollations(transaction)
  if (statements.length > 0) await transaction.script(statements.join(';\n'))
  await writeVersion(
    transaction,
    declared,
    steps.map(({ name }) => name),
  )
  // Types that a data set has brought stay as they are there, until declarations change.
  const refresh = columnNames(stored) !== columnNames(declared)
  await seedObjectTypes(transaction, registry, { refresh })
  return { isNew: !known, changes: statements.length }
}

/** What tables and columns there are, to be compared. */
const columnNames = ({ tables }: StoredSchema): string =>
  JSON.stringify(
    Object.entries(tables)
      .map(([table, { columns }]) => [table, Object.keys(columns).sort()])
      .sort(),
  )

/** Until the end of the transaction nobody else changes tables. */
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
