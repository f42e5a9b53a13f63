import type { ComputeContext } from '../../schema/computed.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { T } from '../query/alias.ts'
import { compileFilter } from '../query/compile-filter.ts'
import { RefusedValue } from '../query/refused-value.ts'
import { RelatedValues } from '../query/related-values.ts'
import { allVisible } from '../query/row-predicate.ts'

/** The tables with dynamic groups and their members. */
interface Source {
  readonly registry: Registry
  readonly database: Queryable
}

/**
 * Predicates over the rows `t` of a model by the ids of dynamic groups: the row is a member. Groups of other object
 * types, and groups whose filters can no longer be used, are missing. `user`: id of the user for whom `user` filters.
 */
export async function memberPredicates(
  { registry, database }: Source,
  model: Model,
  groups: readonly number[],
  user?: number,
): Promise<ReadonlyMap<number, Sql>> {
  if (groups.length === 0) return new Map()
  const related = new RelatedValues(database, { registry, visibleRows: allVisible })
  const context = { registry, model, alias: T, related, database, visibleRows: allVisible, user }
  const ofModel = await database.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.dynamicGroup)} where id = any(${groups}::bigint[]) and object_type = ${model.name}`)
  const predicates = await Promise.all(
    ofModel.map(async ({ id }) => {
      try {
        return [[id, await compileFilter({ kind: 'dynamicGroup', by: 'id', names: [String(id)] }, context)] as const]
      } catch (error) {
        if (error instanceof RefusedValue) return []
        throw error
      }
    }),
  )
  return new Map(predicates.flat())
}

/** Finds to which of the dynamic groups rows of a model belong; the result has their ids by the id of the row. */
export const membershipsIn =
  (source: Source): ComputeContext['memberships'] =>
  async (name, groups, ids) => {
    const model = source.registry.model(name)
    const predicates = await memberPredicates(source, model, groups)
    if (predicates.size === 0 || ids.length === 0) return new Map()
    const members = [...predicates].map(
      ([group, isMember]) =>
        sql`select t.id, ${group}::bigint from ${table(model)} t where t.id = any(${ids}::bigint[]) and ${isMember}`,
    )
    const rows = await source.database.queryArrays(join(members, ' union all '))
    return new Map(
      [...Map.groupBy(rows, ([id]) => Number(id))].map(([id, list]) => [id, list.map(([, group]) => [group])]),
    )
  }
