import { setTimeout } from 'node:timers/promises'
import { ConfigurationError } from '../../base/errors.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { tableName } from '../../sql/table.ts'
import type { Database, Transaction } from '../database.ts'
import { StatementFailed } from '../failures.ts'
import { isServed } from '../listeners.ts'
import { liftTimeLimit } from '../time-limit.ts'
import { type AbsentPlugin, absentPlugins, divideByPlugin, joinSchemas } from './absent-plugins.ts'
import { type BranchViews, changedBranchViews } from './branches.ts'
import { createCollations } from './collations.ts'
import { obstaclesOf, obstaclesText } from './compatibility.ts'
import { differenceOf } from './diff.ts'
import { afterStep, dueSteps } from './due-steps.ts'
import { beginHistory, defineNumbers } from './history.ts'
import { keptParts } from './kept-parts.ts'
import { seedObjectTypes } from './object-types.ts'
import { quotedList } from './quote.ts'
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

/** How a migration treats running processes. */
interface MigrateOptions {
  /** Change the tables even if running processes of the earlier version cannot work with them afterwards. */
  readonly whileServed?: boolean | undefined
}

interface WithinOptions extends MigrateOptions {
  /** Milliseconds to wait for each table that other connections are using; without it there is no limit. */
  readonly lockTimeout?: number
}

/** Id of the advisory lock, chosen at random: two nodes that start together migrate one after the other. */
const LOCK = 7_268_316_021

/**
 * Milliseconds. Much less than PostgreSQL's `deadlock_timeout` of a second, after which it would cancel one of two
 * transactions that wait for each other, possibly a request of another process.
 */
const LOCK_TIMEOUT = 300
/** PostgreSQL's lock_not_available. */
const LOCKED = '55P03'
const RETRY_DELAY = 1_000
/** About five minutes, in which a backup can finish. */
const MAX_ATTEMPTS = 300

/**
 * Brings the tables in line with the declarations, in one transaction; fast if nothing differs. Other processes may
 * serve requests in the meantime: as long as they use the tables, the migration keeps starting again. Throws
 * ConfigurationError naming the data that would be lost if tables or columns are no longer declared and no step
 * (steps.ts) removes them, and if running processes could not work with the tables afterwards.
 */
export async function migrate(
  database: Database,
  registry: Registry,
  steps: readonly MigrationStep[] = STEPS,
  options: MigrateOptions = {},
): Promise<Migration> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await database.transaction((transaction) =>
        migrateWithin(transaction, registry, steps, { ...options, lockTimeout: LOCK_TIMEOUT }),
      )
    } catch (error) {
      if (!(error instanceof StatementFailed) || error.code !== LOCKED) throw error
      if (attempts === MAX_ATTEMPTS) {
        throw new ConfigurationError(
          'The tables cannot be changed, because another program, perhaps a backup, has been using them for minutes. Wait until it has finished, then start again.',
        )
      }
    }
    await setTimeout(RETRY_DELAY)
  }
}

/** As `migrate`, within a transaction of the caller. */
export async function migrateWithin(
  transaction: Transaction,
  registry: Registry,
  steps: readonly MigrationStep[] = STEPS,
  options: WithinOptions = {},
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
      : await changeTables(transaction, registry, { version, declared, steps, options })
  await seedObjectTypes(transaction, registry, { refresh })
  return migration
}

/** The rest of a migration if the tables match their declarations. */
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
    options,
  }: {
    readonly version: Version | undefined
    readonly declared: StoredSchema
    readonly steps: readonly MigrationStep[]
    readonly options: WithinOptions
  },
): Promise<TableChanges> {
  const before = version?.schema ?? EMPTY_SCHEMA
  const due = version ? dueSteps(steps, new Set(version.steps), before) : []
  const { present, absent } = divideByPlugin(due.reduce(afterStep, before), registry)
  const kept = keptParts(present, declared)
  const { statements, mustBeEmpty, problems } = differenceOf(present, kept)
  if (problems.length > 0) {
    throw new ConfigurationError(
      `The database was created by another version of the program and cannot be used: ${problems.join('; ')}.`,
    )
  }
  if (!options.whileServed) {
    await refuseWhileServed(transaction, obstaclesOf(divideByPlugin(before, registry).present, kept))
  }
  // Steps may change any table.
  const views = changedBranchViews(
    registry,
    declared,
    due.length > 0 ? undefined : before.views,
    alteredTables(before, kept),
  )
  await lockTables(transaction, changedTables(before, statements, due), views, options)
  for (const { run } of due) await run(transaction)
  for (const { table, column } of mustBeEmpty) await checkEmpty(transaction, table, column)
  if (!version) await createCollations(transaction)
  await defineNumbers(transaction)
  await transaction.script([...statements, views.create].join(';\n'))
  await beginHistory(transaction)
  await writeVersion(
    transaction,
    { ...joinSchemas(kept, absent), ...(declared.views && { views: declared.views }) },
    // Tables of a plugin that is not loaded stay recorded: it may be loaded again.
    [...new Set([...(version?.steps ?? []), ...steps.map(({ name }) => name)])],
  )
  return {
    ...{ isNew: !version, changes: statements.length, absent: absentPlugins(absent) },
    refresh: namesDiffer(present, declared),
  }
}

/** Tables whose columns differ. */
const alteredTables = (before: StoredSchema, after: StoredSchema): readonly string[] =>
  Object.entries(after.tables).flatMap(([table, { columns }]) =>
    JSON.stringify(columns) === JSON.stringify(before.tables[table]?.columns) ? [] : [table],
  )

/** Whether the schemas have other tables or columns. */
function namesDiffer({ tables: before }: StoredSchema, { tables: after }: StoredSchema): boolean {
  const differ = (left: object | undefined, right: object): boolean => {
    const names = Object.keys(right)
    return !left || Object.keys(left).length !== names.length || names.some((name) => !Object.hasOwn(left, name))
  }
  return (
    differ(before, after) ||
    Object.entries(after).some(([table, { columns }]) => differ(before[table]?.columns, columns))
  )
}

/** Throws ConfigurationError if there are obstacles and other processes serve requests over this database. */
async function refuseWhileServed(transaction: Transaction, obstacles: readonly string[]): Promise<void> {
  if (obstacles.length === 0 || !(await isServed(transaction))) return
  throw new ConfigurationError(
    `Running processes of the earlier version cannot work with the tables of this one (${obstaclesText(obstacles)}): stop them first, or start with "serve --migrate-while-served" and let their requests fail.`,
  )
}

/** Existing tables that the statements and steps change or refer to. */
function changedTables(
  { tables, indexes }: StoredSchema,
  statements: readonly string[],
  steps: readonly MigrationStep[],
): readonly string[] {
  const inStatements = statements.flatMap((text) => [...text.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name))
  const inSteps = steps.flatMap(({ removes = [], renames = {}, adds = {} }) =>
    [...removes, ...Object.keys(renames), ...Object.keys(adds)].map((path) => path.split('.')[0] ?? path),
  )
  const names = [...inStatements, ...inSteps].map((name) => indexes[name]?.table ?? name)
  return [...new Set(names)].filter((name) => tables[name]).sort()
}

/** Takes all locks at the beginning, so that requests do not wait for a migration that is waiting for them. */
async function lockTables(
  transaction: Transaction,
  names: readonly string[],
  views: BranchViews,
  { lockTimeout }: WithinOptions,
): Promise<void> {
  if (lockTimeout !== undefined) {
    await transaction.query(volatile`select set_config('lock_timeout', ${String(lockTimeout)}, true)`)
  }
  if (views.drop !== '') await transaction.script(views.drop)
  if (names.length > 0) await transaction.script(`lock table ${quotedList(names)} in access exclusive mode`)
}

/**
 * Takes the schema lock until the end of the transaction: no other process changes tables meanwhile. Throws
 * ConfigurationError if the user of the database may not create tables.
 */
export async function lockSchema(transaction: Transaction): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
  const refusal = await missingRights(transaction)
  if (refusal !== undefined) throw new ConfigurationError(refusal)
}

/** What the user of the database lacks to create tables, as a sentence; undefined if nothing is missing. */
export async function missingRights(database: Queryable): Promise<string | undefined> {
  const [[user, name, mayCreate] = []] = await database.queryArrays(
    volatile`select current_user::text, current_database()::text, has_schema_privilege('public', 'create')`,
  )
  if (mayCreate === true) return undefined
  const statement = `alter database ${JSON.stringify(name)} owner to ${JSON.stringify(user)}`
  return `The user ${user} may not create tables in the schema public of the database ${name}: make it the owner (${statement}).`
}

async function checkEmpty(transaction: Transaction, table: string, column: string): Promise<void> {
  const [row] = await transaction.queryArrays(sql`select exists (select from ${tableName(table)})`)
  if (row?.[0] === true) {
    throw new ConfigurationError(
      `The column ${table}.${column} is new and required, but the table has rows: a step has to fill it.`,
    )
  }
}
