import type { Model, Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto, table } from '../sql/table.ts'
import type { ImportedRow } from './parse-row.ts'

/**
 * Inserts the join table rows of new rows; relations declared at their other end are left out. The tables' foreign
 * keys check later that the targets exist.
 */
export async function insertRelations(
  queryable: Queryable,
  registry: Registry,
  model: Model,
  rows: readonly ImportedRow[],
): Promise<void> {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'manyToMany' || field.inverse !== undefined || field.write === 'slug') continue
    const relation = registry.joinTable(model, name, field)
    const { owners, targets } = pairs(rows, name)
    if (owners.length === 0) continue
    await queryable.execute(sql`
      ${insertInto(relation)} (${identifier(relation.ownColumn)}, ${identifier(relation.otherColumn)})
      select q.own, q.other from unnest(${owners}::bigint[], ${targets}::bigint[]) as q (own, other)
      on conflict do nothing`)
  }
}

/** True if some relations of the model are written as slugs. */
export const hasRelationsBySlug = (model: Model): boolean =>
  [...model.fields.values()].some((field) => field.kind === 'manyToMany' && field.write === 'slug')

/** As `insertRelations`, for relations that are written as slugs: once all possible targets are present. */
export async function insertRelationsBySlug(
  queryable: Queryable,
  registry: Registry,
  model: Model,
  rows: readonly ImportedRow[],
): Promise<void> {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'manyToMany' || field.write !== 'slug') continue
    const relation = registry.joinTable(model, name, field)
    const { owners, targets } = pairs(rows, name)
    if (owners.length === 0) continue
    await queryable.execute(sql`
      ${insertInto(relation)} (${identifier(relation.ownColumn)}, ${identifier(relation.otherColumn)})
      select q.own, t.id from unnest(${owners}::bigint[], ${targets}::text[]) as q (own, slug)
      join ${table(registry.model(field.to))} t on t.slug = q.slug
      on conflict do nothing`)
  }
}

/** Inserts the tags of new rows, for data sets without a file of tagged items. */
export async function insertTags(
  queryable: Queryable,
  registry: Registry,
  model: Model,
  rows: readonly ImportedRow[],
): Promise<void> {
  const { owners, targets } = pairs(rows, 'tags')
  if (owners.length === 0) return
  await queryable.execute(sql`
    ${insertInto(registry.model(SYSTEM.taggedItem))} (object_type, object_id, tag_id)
    select ${model.name}, q.own, q.tag
    from unnest(${owners}::bigint[], ${targets}::bigint[]) as q (own, tag)
    on conflict do nothing`)
}

interface Pairs {
  readonly owners: readonly number[]
  readonly targets: readonly (number | string)[]
}

function pairs(rows: readonly ImportedRow[], name: string): Pairs {
  const all = rows.flatMap((row) =>
    // parseRow guarantees lists.
    ((row[name] ?? []) as readonly (number | string)[]).map((other) => [row.id, other] as const),
  )
  return { owners: all.map(([own]) => own), targets: all.map(([, other]) => other) }
}
