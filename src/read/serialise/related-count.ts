import type { RelatedCountField } from '../../schema/field.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { reverseJoin } from './reverse-join.ts'

/** Counts the rows that point at each row of the page, in one query for the page. */
export function writeCount(builder: PlanBuilder, field: RelatedCountField): WriteValue {
  if (field.cumulative && !builder.form.countsSubtrees) return () => '0'
  const { registry } = builder.service
  const statement = field.cumulative
    ? subtreeStatement(registry, builder.model, field)
    : countStatement(registry, builder.model, field)
  const load = builder.addQuery(statement)
  const position = builder.loadByIds(async (page, reader) => {
    const counts = await load(page, reader)
    return { get: (id) => String(counts.get(id)?.[0]?.[0] ?? 0) }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '0'
}

function countStatement(registry: Registry, model: Model, { of, via }: RelatedCountField) {
  const counted = registry.model(of)
  const { joins, key, where, isMany } = reverseJoin(counted, via, model)
  const count = raw(isMany ? 'count(distinct t.id)' : 'count(*)')
  return (ids: Sql): Sql => sql`
    select ${key}, ${count} from ${table(counted)} t${joins}
    where ${where} and ${key} = any(${ids}::bigint[]) group by 1`
}

/** Statement of the counts in trees: an object that refers to a node counts for all its ancestors too. */
function subtreeStatement(registry: Registry, model: Model, { of, via }: RelatedCountField) {
  const counted = registry.model(of)
  const { joins, key, where } = reverseJoin(counted, via, model)
  return (ids: Sql): Sql => sql`
    select a.id, count(distinct t.id) from ${table(counted)} t${joins}
    join ${table(model)} n on n.id = ${key}
    cross join lateral unnest(n._ancestors) a(id)
    where ${where} and n._ancestors && ${ids}::bigint[] and a.id = any(${ids}::bigint[]) group by 1`
}
