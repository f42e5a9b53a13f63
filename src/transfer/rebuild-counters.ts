import type { Model, Registry } from '../schema/registry.ts'
import { identifier, join, type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table, updateTable } from '../sql/table.ts'

/** Recomputes the model's counters. One statement. */
export async function rebuildCounters(
  queryable: Queryable,
  registry: Registry,
  model: Model,
): Promise<void> {
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
