import type { Model, Registry } from '../schema/registry.ts'
import { identifier, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto, table } from '../sql/table.ts'
import type { ImportedRow } from './parse-row.ts'

/** Model of tags on objects. */
export const TAGGED_MODEL = 'extras.taggeditem'

/**
 * Enters what new rows have in join tables; relations that are declared at their other end are left to
 * that. Whether what they name exists is checked later, by the tables' foreign keys.
 */
export async function insertRelations(
  queryable: Queryable,
  registry: Registry,
  model: Model,
  rows: readonly ImportedRow[],
): Promise<void> {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'manyToMany' || field.inverse !== undefined || field.write === 'slug')
      continue
    const relation = registry.joinTable(model, name, field)
    const { own, other } = pairs(rows, name)
    if (own.length === 0) continue
    await queryable.execute(sql`
      ${insertInto(relation)} (${identifier(relation.ownColumn)}, ${identifier(relation.otherColumn)})
      select q.own, q.other from unnest(${own}::bigint[], ${other}::bigint[]) as q (own, other)
      on conflict do nothing`)
  }
}

/** Whether some relations of the model are shown by slugs. */
export const hasRelationsBySlug = (model: Model): boolean =>
  [...model.fields.values()].some((field) => field.kind === 'manyToMany' && field.write === 'slug')

/** As `insertRelations`, for relations that are shown by slugs: when all that they may name is there. */
export async function insertRelationsBySlug(
  queryable: Queryable,
  registry: Registry,
  model: Model,
  rows: readonly ImportedRow[],
): Promise<void> {
  for (const [name, field] of model.fields) {
    if (field.kind !== 'manyToMany' || field.write !== 'slug') continue
    const relation = registry.joinTable(model, name, field)
    const { own, other } = pairs(rows, name)
    if (own.length === 0) continue
    await queryable.execute(sql`
      ${insertInto(relation)} (${identifier(relation.ownColumn)}, ${identifier(relation.otherColumn)})
      select q.own, t.id from unnest(${own}::bigint[], ${other}::text[]) as q (own, slug)
      join ${table(registry.model(field.to))} t on t.slug = q.slug
      on conflict do nothing`)
  }
}

/** Enters the tags of new rows, for data sets that do not list them on their own. */
export async function insertTags(
  queryable: Queryable,
  registry: Registry,
  model: Model,
  rows: readonly ImportedRow[],
): Promise<void> {
  const { own, other } = pairs(rows, 'tags')
  if (own.length === 0) return
  await queryable.execute(sql`
    ${insertInto(registry.model(TAGGED_MODEL))} (object_type, object_id, tag_id)
    select ${model.name}, q.own, q.tag
    from unnest(${own}::bigint[], ${other}::bigint[]) as q (own, tag)
    on conflict do nothing`)
}

interface Pairs {
  readonly own: readonly number[]
  readonly other: readonly (number | string)[]
}

function pairs(rows: readonly ImportedRow[], name: string): Pairs {
  const all = rows.flatMap((row) =>
    // parseRow has made them lists.
    ((row[name] ?? []) as readonly (number | string)[]).map((other) => [row.id, other] as const),
  )
  return { own: all.map(([own]) => own), other: all.map(([, other]) => other) }
}
