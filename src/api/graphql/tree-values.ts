import { GraphQLInt } from 'graphql'
import type { Model } from '../../schema/registry.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type ModelType, required } from './model-type.ts'

/** Adds the places of nodes to the type of a tree. */
export function addTreeValues({ model, add }: ModelType): undefined {
  for (const [name, select] of treeValues(model)) {
    add(name, required(GraphQLInt), { kind: 'value', select, text: String })
  }
}

/**
 * The places of the node `t` as NetBox stores them: the depth, the number of its tree among the trees, and the numbers with
 * which a walk around the tree enters and leaves the node. The last three are counted over all nodes for each row.
 */
function treeValues(model: Model): ReadonlyMap<string, Sql> {
  if (!model.definition.tree) return new Map()
  const sort = identifier('_sort')
  const nodes = table(model)
  const before = (node: Sql, other: Sql) =>
    sql`(${node}.${sort}, ${node}.id) < (${other}.${sort}, ${other}.id)`
  const precede = sql`(select count(*) from ${nodes} n where n._ancestors[1] = t._ancestors[1] and ${before(sql`n`, sql`t`)})`
  const left = sql`(2 * ${precede} - t._level + 1)`
  const below = sql`(select count(*) from ${nodes} n where t.id = any(n._ancestors) and n.id <> t.id)`
  const trees = sql`(select count(*) from ${nodes} n join ${nodes} root on root.id = t._ancestors[1] where n._level = 0 and (n.id = root.id or ${before(sql`n`, sql`root`)}))`
  return new Map([
    ['lft', left],
    ['rght', sql`(${left} + 2 * ${below} + 1)`],
    ['tree_id', trees],
    ['level', sql`t._level`],
  ])
}
