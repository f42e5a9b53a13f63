import type { Model } from '../../schema/registry.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { TreeMatchCondition } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import { reaches } from './reach.ts'
import { RefusedValue } from './refused-value.ts'

/** Predicate: the node at the end of the path stands in the given relation to the node that is named. */
export function compileTreeMatch(
  { path, tree, id, match }: TreeMatchCondition,
  { registry, model, alias }: FilterContext,
): Sql {
  const nodes = registry.model(tree)
  const named = sql`${id}::bigint`
  // A node that is hidden is none: nothing stands in a relation to it.
  const isThere = sql`${named} in (select own.id from ${table(nodes)} own)`
  const where = sql`${isThere} and ${relationTo(nodes, named, match)}`
  return reaches(
    model,
    alias,
    path,
    (node) => sql`${node} in (select n.id from ${table(nodes)} n where ${where})`,
  )
}

/** Predicate over the nodes `n`. `_ancestors` ends with the node itself. */
function relationTo({ definition, columns, ...model }: Model, id: Sql, match: string): Sql {
  const parentColumn = columns.get(definition.tree?.parent ?? 'parent')?.name ?? 'parent_id'
  const parent = sql`n.${identifier(parentColumn)}`
  const named = (value: Sql) =>
    sql`(select ${value} from ${table({ name: model.name, table: model.table })} own where own.id = ${id})`
  switch (match) {
    case 'EXACT':
      return sql`n.id = ${id}`
    case 'DESCENDANTS':
      return sql`${id} = any(n._ancestors) and n.id <> ${id}`
    case 'SELF_AND_DESCENDANTS':
      return sql`${id} = any(n._ancestors)`
    case 'CHILDREN':
      return sql`${parent} = ${id}`
    case 'SIBLINGS':
      return sql`n.id <> ${id} and ${parent} is not distinct from ${named(sql`own.${identifier(parentColumn)}`)}`
    case 'ANCESTORS':
      return sql`n.id in (select unnest(own._ancestors) from ${table({ name: model.name, table: model.table })} own where own.id = ${id}) and n.id <> ${id}`
    case 'PARENT':
      return sql`n.id = ${named(sql`own.${identifier(parentColumn)}`)}`
    default:
      throw new RefusedValue(`Nodes are not matched by ${match}.`)
  }
}
