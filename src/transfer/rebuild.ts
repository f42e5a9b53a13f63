import type { Model, Registry } from '../schema/registry.ts'
import { sortKey } from '../schema/tree.ts'
import { identifier, join, type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table, updateTable } from '../sql/table.ts'

/** A node of a tree whose parents form a cycle. */
interface LostNode {
  readonly model: Model
  readonly id: number
}

/**
 * Recomputes every derived column, for rows inserted without the write pipeline: trees, counters, and values that
 * models maintain themselves. Returns a node that cannot be reached from a root, if there is one.
 */
export async function rebuildAll(queryable: Queryable, registry: Registry): Promise<LostNode | undefined> {
  for (const model of registry.models.values()) {
    const id = await rebuildTree(queryable, model)
    if (id !== undefined) return { model, id }
    await rebuildCounters(queryable, registry, model)
  }
  for (const { behaviour } of registry.models.values()) await behaviour?.rebuild?.(queryable)
  return undefined
}

/** Recomputes the model's counters. One statement. */
async function rebuildCounters(queryable: Queryable, registry: Registry, model: Model): Promise<void> {
  const counters: { readonly name: Sql; readonly counted: Sql; readonly grouped: Sql }[] = []
  for (const [name, field] of model.fields) {
    if (field.kind !== 'counter') continue
    const alias = identifier(`c${counters.length}`)
    const counted = registry.model(field.of)
    const via = identifier(counted.columns.get(field.via)?.name ?? `${field.via}_id`)
    counters.push({
      name: identifier(name),
      counted: sql`coalesce(${alias}.rows, 0)`,
      grouped: sql`left join (
        select ${via} as id, count(*) as rows from ${table(counted)} group by 1
      ) ${alias} on ${alias}.id = x.id`,
    })
  }
  if (counters.length === 0) return
  const current = counters.map(({ name }) => sql`t.${name}`)
  const fresh = counters.map(({ name }) => sql`q.${name}`)
  await queryable.execute(sql`
    ${updateTable(model)} t set ${join(counters.map(({ name }) => sql`${name} = q.${name}`))}
    from (
      select x.id, ${join(counters.map(({ name, counted }) => sql`${counted} as ${name}`))}
      from ${table(model)} x ${join(
        counters.map(({ grouped }) => grouped),
        ' ',
      )}
    ) q
    where t.id = q.id and (${join(current)}) is distinct from (${join(fresh)})`)
}

/**
 * Recomputes depth, ancestors and names of every node. Returns the id of a node that cannot be reached from any root,
 * because its parents form a cycle; undefined if there is none.
 */
async function rebuildTree(queryable: Queryable, model: Model): Promise<number | undefined> {
  const { tree } = model.definition
  if (!tree) return undefined
  const nodes = table(model)
  const parent = identifier(model.columns.get(tree.parent)?.name ?? `${tree.parent}_id`)
  const key = sortKey(tree)
  await queryable.execute(sql`
    with recursive place (id, level, ancestors, sort) as (
      select t.id, 0, array[t.id], ${key} from ${nodes} t where t.${parent} is null
      union all
      select t.id, p.level + 1, p.ancestors || t.id, p.sort || ${key}
      from place p join ${nodes} t on t.${parent} = p.id
    )
    ${updateTable(model)} t
    set _level = place.level, _ancestors = place.ancestors, _sort = place.sort
    from place
    where t.id = place.id
      and (t._level, t._ancestors, t._sort) is distinct from (place.level, place.ancestors, place.sort)`)
  const [row] = await queryable.query<{ id: number }>(
    sql`select id from ${nodes} t where not _ancestors @> array[t.id] order by id limit 1`,
  )
  return row?.id
}
