import { isJsonObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts'
import type { Vault } from '../../schema/vault.ts'
import { type Sql, sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, table, updateTable } from '../../sql/table.ts'
import { dataSource } from './data-source.ts'

/** Shown in place of a secret parameter; a body that contains it keeps the stored secret. */
const SECRET_MASK = '********'

/** What NetBox writes into change records instead of a new secret; imported records keep it. */
const CHANGED_MASK = '***CHANGED***'

/** Parameters that are stored encrypted and shown masked. */
export const SECRET_PARAMETERS: readonly string[] = ['password', 'aws_secret_access_key']

/** Columns of a data source that hold its parameters. */
interface StoredParameters {
  readonly parameters: Json
  readonly sealed_parameters: Json
}

/** Parameters by name; none if the value is not an object. */
export const namedParameters = (value: Json): JsonObject => (isJsonObject(value) ? value : {})

/** Names of the secret parameters for which a body contains the mask. */
export const maskedNames = (parameters: Json): readonly string[] =>
  SECRET_PARAMETERS.filter((name) => namedParameters(parameters)[name] === SECRET_MASK)

/** The columns to store: new secrets are encrypted, masked ones keep the value of `stored`. */
export function sealParameters(vault: Vault, parameters: Json, stored: Json): StoredParameters {
  const byName = namedParameters(parameters)
  const storedByName = namedParameters(stored)
  const sealed = SECRET_PARAMETERS.flatMap((name): (readonly [string, Json])[] => {
    const value = byName[name]
    if (typeof value !== 'string' || value === '') return []
    if (value !== SECRET_MASK) return [[name, vault.encryptText(value)]]
    return storedByName[name] === undefined ? [] : [[name, storedByName[name]]]
  })
  if (sealed.length === 0) return { parameters, sealed_parameters: null }
  const masked = Object.fromEntries(sealed.map(([name]) => [name, SECRET_MASK]))
  return {
    parameters: { ...byName, ...masked },
    sealed_parameters: Object.fromEntries(sealed),
  }
}

/**
 * Encrypts the secrets of rows that were not written through the API: imported ones, and those of earlier versions. Run
 * it in a transaction: the replaced versions are masked too.
 */
export async function sealStoredParameters(database: Queryable, vault: Vault): Promise<void> {
  const rows = await database.query<{ id: number; parameters: string; sealed: string | null }>(sql`
    select id, parameters, sealed_parameters as sealed from ${table(dataSource.name)}
    where parameters is not null`)
  let isSealed = false
  for (const row of rows) {
    const parameters = parseJson(row.parameters) as Json
    const before = row.sealed === null ? null : (parseJson(row.sealed) as Json)
    const next = sealParameters(vault, parameters, before)
    if (JSON.stringify(next.parameters) === JSON.stringify(parameters)) continue
    await database.execute(sql`
      ${updateTable(dataSource.name)}
      set parameters = ${JSON.stringify(next.parameters)}::jsonb,
        sealed_parameters = ${JSON.stringify(next.sealed_parameters)}::jsonb
      where id = ${row.id}::bigint`)
    isSealed = true
  }
  if (isSealed) await maskPastParameters(database)
}

const PAST_VERSIONS = 'core_datasource_history'
const CHANGES = 'core.objectchange'

/**
 * Masks secrets that earlier versions of the program stored in plain text: in past versions of data sources and in
 * change records.
 */
export async function maskPastParameters(database: Queryable): Promise<void> {
  if (await isTable(database, PAST_VERSIONS)) {
    await database.execute(volatile`
      update ${systemTable(PAST_VERSIONS)} set parameters = ${masked(sql`parameters`)}
      where ${hasSecret(sql`parameters`)}`)
  }
  if (!(await isTable(database, CHANGES.replace('.', '_')))) return
  for (const column of [sql`prechange_data`, sql`postchange_data`]) {
    const parameters = sql`${column}::jsonb -> 'parameters'`
    await database.execute(sql`
      ${updateTable(CHANGES)}
      set ${column} = jsonb_set(${column}::jsonb, '{parameters}', ${masked(parameters)})
      where changed_object_type = ${dataSource.name} and ${hasSecret(parameters)}`)
  }
}

async function isTable(database: Queryable, name: string): Promise<boolean> {
  const [row] = await database.queryArrays(volatile`select to_regclass(${name}) is not null`)
  return row?.[0] === true
}

const masked = (parameters: Sql): Sql =>
  sql`(${parameters})::jsonb || (select jsonb_object_agg(key, ${SECRET_MASK}::text) from jsonb_each((${parameters})::jsonb) where ${isPlain})`

const hasSecret = (parameters: Sql): Sql => sql`
  case when jsonb_typeof((${parameters})::jsonb) = 'object'
    then exists (select from jsonb_each((${parameters})::jsonb) where ${isPlain}) else false end`

/** A pair of jsonb_each that is a secret. */
const isPlain = sql`key = any(${SECRET_PARAMETERS}::text[]) and value not in ('null'::jsonb, '""'::jsonb, to_jsonb(${SECRET_MASK}::text), to_jsonb(${CHANGED_MASK}::text))`
