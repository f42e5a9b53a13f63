import { ConfigurationError } from '../errors.ts'
import type { Registry } from '../schema/registry.ts'
import { identifier, sql } from '../sql/fragment.ts'
import type { Database, Transaction } from '../storage/database.ts'
import { applySteps } from './apply-steps.ts'
import { createCollations } from './collations.ts'
import { differenceOf } from './diff.ts'
import { seedObjectTypes } from './object-types.ts'
import { schemaOf } from './schema-of.ts'
import { STEPS, type Step } from './steps.ts'
import { EMPTY_SCHEMA, type StoredSchema } from './stored-schema.ts'

/** What a migration did. */
export interface Migration {
  /** The database was empty before. */
  readonly isNew: boolean
  /** Number of statements that changed tables, constraints or indexes. */
  readonly changes: number
}

/** Any number that no other program's locks use: two nodes that start together migrate one by one. */
const LOCK = 7_268_316_021

/** What was in the database before; one row. */
const CREATE_VERSION_TABLE = `
  create table if not exists cadastre_schema (
    id smallint primary key default 1 check (id = 1),
    schema text not null,
    steps text[] not null,
    applied timestamptz not null
  )`

/**
 * Brings the tables in line with the declarations, in one transaction; fast where nothing differs.
 * Throws ConfigurationError naming what would be lost, when tables or columns are not declared any
 * more and no step (see steps.ts) says what becomes of them.
 */
export async function migrate(
  database: Database,
  registry: Registry,
  steps: readonly Step[] = STEPS,
): Promise<Migration> {
  const declared = schemaOf(registry)
  return await database.transaction(async (transaction) => {
    await transaction.query(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`)
    const known = await readVersion(transaction)
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
    await writeVersion(transaction, declared, steps)
    // Types that a data set has brought stay as they are there, until declarations change.
    await seedObjectTypes(transaction, registry, { refresh: statements.length > 0 })
    return { isNew: !known, changes: statements.length }
  })
}

interface Version {
  readonly schema: StoredSchema
  readonly steps: readonly string[]
}

async function readVersion(transaction: Transaction): Promise<Version | undefined> {
  const [found] = await transaction.query<{ table: string | null }>(
    sql`select to_regclass('cadastre_schema')::text as table`,
  )
  if (found?.table == null) return undefined
  const [row] = await transaction.query<{ schema: string; steps: string[] }>(
    sql`select schema, steps from cadastre_schema`,
  )
  // The text was written by writeVersion.
  return row && { schema: JSON.parse(row.schema) as StoredSchema, steps: row.steps }
}

async function writeVersion(
  transaction: Transaction,
  schema: StoredSchema,
  steps: readonly Step[],
): Promise<void> {
  await transaction.script(CREATE_VERSION_TABLE)
  const text = JSON.stringify(schema)
  const names = steps.map(({ name }) => name)
  await transaction.execute(sql`
    insert into cadastre_schema (schema, steps, applied) values (${text}, ${names}::text[], now())
    on conflict (id) do update set schema = excluded.schema, steps = excluded.steps, applied = now()
    where cadastre_schema.schema <> excluded.schema or cadastre_schema.steps <> excluded.steps`)
}

async function checkEmpty(transaction: Transaction, table: string, column: string): Promise<void> {
  const [row] = await transaction.queryArrays(sql`select exists (select from ${identifier(table)})`)
  if (row?.[0] === true) {
    throw new ConfigurationError(
      `The column ${table}.${column} is new and required, but the table holds rows: a step has to fill it.`,
    )
  }
}
