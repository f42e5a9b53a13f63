import type { RelatedCountField } from '../../schema/field.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { innerAlias } from './alias.ts'
import { reaches } from './reach.ts'

/** Number of rows that the field counts for the row `alias`; for orders, pages count in one query. */
export function countOf(
  registry: Registry,
  model: Model,
  field: RelatedCountField,
  alias: Sql,
): Sql {
  const counted = registry.model(field.of)
  const inner = innerAlias(alias)
  const isHere = (id: Sql): Sql =>
    field.cumulative
      ? sql`${id} in (select below.id from ${table(model)} below where below._ancestors @> array[${alias}.id])`
      : sql`${id} = ${alias}.id`
  return sql`(select count(*) from ${table(counted)} ${inner} where ${reaches(counted, inner, field.via, isHere)})`
}
