import type { Column } from '../../schema/column.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { StoredRow } from '../rows.ts'
import { sameValue } from '../values.ts'
import type { Saved } from './insert-update.ts'

/**
 * Frees the unique values of rows that are about to get others, or to be deleted: the database compares each row as
 * soon as it is written, so values that rotate between objects would collide midway. The rows keep a placeholder until
 * `saveObjects` writes them.
 */
export async function parkUnique(
  { transaction }: WriteContext,
  {
    model,
    drafts,
    gone,
  }: { readonly model: Model; readonly drafts: readonly Saved[]; readonly gone: readonly StoredRow[] },
): Promise<void> {
  const changed = drafts.flatMap(({ next, previous }) => (previous ? [{ next, previous }] : []))
  const columns = parkable(model).filter((column) =>
    changed.some(({ next, previous }) => !sameValue(column, next[column.key], previous[column.key])),
  )
  const isAlone = drafts.length + gone.length < 2
  if (isAlone) return
  const park = async (rows: readonly { readonly id: number }[], parked: readonly Column[]) => {
    if (rows.length === 0 || parked.length === 0) return
    const change = { rows: rows.map(({ id }) => id), columns: parked.map(({ name }) => name) }
    const assignments = parked.map((column) => sql`${identifier(column.name)} = ${placeholder(column)}`)
    await transaction.execute(sql`
      ${updateTable(model, change)} t set ${join(assignments)}
      from unnest(${change.rows}::bigint[]) with ordinality as q(id, position) where t.id = q.id`)
  }
  await park(
    changed.map(({ previous }) => previous),
    columns,
  )
  if (drafts.length > 0) await park(gone, parkable(model))
}

/** Columns of unique constraints that can hold a placeholder. */
const parkable = oncePer((model: Model): readonly Column[] => {
  const names = new Set([
    ...[...model.fields].flatMap(([name, field]) => ('unique' in field && field.unique ? [name] : [])),
    ...(model.definition.unique ?? []).flatMap(({ fields }) => fields),
  ])
  return [...model.columns.values()].filter(({ key, type }) => names.has(key) && (isText(type) || isNumber(type)))
})

const isText = (type: string): boolean => /^(text|varchar|character)/.test(type)
const isNumber = (type: string): boolean => /^(smallint|integer|bigint|numeric|real|double)/.test(type)

/** A value that no object has: people enter neither control characters nor such numbers. */
function placeholder({ type }: Column): Sql {
  if (isText(type)) return sql`chr(1) || t.id::text`
  // Positions in racks have three digits before the point.
  return type.startsWith('numeric')
    ? sql`(-1 - q.position % 999)::${raw(type)}`
    : sql`(-32769 + q.position)::${raw(type)}`
}
