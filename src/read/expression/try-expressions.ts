import { StatementFailed } from '../../db/failures.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { T } from '../query/alias.ts'
import { columnOf } from '../query/column.ts'
import type { CompiledExpression } from './compile-expression.ts'

export const NOT_COMPUTABLE = 'The database cannot compute this expression.'

/**
 * Computes the expressions of a model once: as values, in comparisons and in an order, for an object and for one
 * without values. False if the database refuses one of them. Within a transaction, that has then failed.
 */
export async function canCompute(
  database: Queryable,
  model: Model,
  expressions: readonly CompiledExpression[],
): Promise<boolean> {
  const values = expressions.map((expression) => sql`(${expression.sql(columnOf(model, T))})`)
  const uses = values.flatMap((value) => [value, sql`${value} = ${value}`])
  try {
    await database.query(sql`
      select ${join(uses)} from (select null) one left join (select * from ${table(model)} limit 1) t on true
      order by ${join(values)}`)
    return true
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error
    return false
  }
}

/** Reads the names of all custom fields, as `<model>.<name>`, when they are first asked for. */
export function existingCustomFields(database: Queryable): () => Promise<ReadonlySet<string>> {
  const read = async (): Promise<ReadonlySet<string>> => {
    const fields = await database.query<{ name: string; object_types: readonly string[] }>(
      sql`select f.name, f.object_types from ${table(SYSTEM.customField)} f`,
    )
    return new Set(fields.flatMap(({ name, object_types: types }) => types.map((type) => `${type}.${name}`)))
  }
  let reading: Promise<ReadonlySet<string>> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}

/** Names a custom field that the expressions read and that does not exist; undefined if there is none. */
export async function unknownCustomField(
  existing: () => Promise<ReadonlySet<string>>,
  expressions: readonly Pick<CompiledExpression, 'customFields'>[],
): Promise<string | undefined> {
  const names = new Set(expressions.flatMap(({ customFields }) => [...customFields]))
  if (names.size === 0) return undefined
  const fields = await existing()
  const unknown = [...names].find((name) => !fields.has(name))
  return unknown && `There is no custom field ${unknown.slice(unknown.lastIndexOf('.') + 1)}.`
}
