import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { Transaction } from '../database.ts'
import type { StoredSchema } from './stored-schema.ts'

/** Table with a single row that describes all others. */
export const VERSION_TABLE = 'cadastre_schema'

const CREATE_TABLE = `
  create table if not exists ${VERSION_TABLE} (
    id smallint primary key default 1 check (id = 1),
    schema text not null,
    steps text[] not null,
    applied timestamptz not null
  )`

/** The stored schema, and the names of the steps that have run. */
export interface Version {
  /** Parsed from its text on first use. */
  readonly schema: StoredSchema
  /** The schema as it is stored. */
  readonly text: string
  readonly steps: readonly string[]
}

/** The version of a database; undefined if the program has never used it. */
export async function readSchemaVersion(queryable: Queryable): Promise<Version | undefined> {
  const [lookup] = await queryable.query<{ table: string | null }>(
    sql`select to_regclass(${VERSION_TABLE})::text as table`,
  )
  if (lookup?.table == null) return undefined
  const [row] = await queryable.query<{ schema: string; steps: string[] }>(
    sql`select schema, steps from cadastre_schema`,
  )
  if (!row) return undefined
  const { schema: text, steps } = row
  return {
    get schema() {
      return JSON.parse(text) as StoredSchema // written by writeVersion
    },
    text,
    steps,
  }
}

/** Whether the version says that the schema is stored and the steps have run. */
export const isStoredVersion = (version: Version, schema: StoredSchema, steps: readonly string[]) =>
  steps.every((name) => version.steps.includes(name)) && version.text === JSON.stringify(schema)

/** Records the schema and the steps that have run. */
export async function writeVersion(
  transaction: Transaction,
  schema: StoredSchema,
  steps: readonly string[],
): Promise<void> {
  await transaction.script(CREATE_TABLE)
  await transaction.execute(sql`
    insert into cadastre_schema (schema, steps, applied)
    values (${JSON.stringify(schema)}, ${[...steps]}::text[], now())
    on conflict (id) do update set schema = excluded.schema, steps = excluded.steps, applied = now()
    where cadastre_schema.schema <> excluded.schema or cadastre_schema.steps <> excluded.steps`)
}
