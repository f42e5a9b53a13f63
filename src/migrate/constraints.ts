import { constraintNames, foreignKeysOf } from '../schema/constraint-names.ts'
import type { Unique } from '../schema/model.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { quoted, quotedList } from './quote.ts'
import type { StoredIndex, StoredPart } from './stored-schema.ts'

/**
 * A unique constraint, or a unique index where PostgreSQL cannot express the constraint (an expression, a condition).
 */
export type UniquePart =
  | { readonly kind: 'constraint'; readonly name: string; readonly part: StoredPart }
  | { readonly kind: 'index'; readonly name: string; readonly part: StoredIndex }

export const uniqueParts = (model: Model): readonly UniquePart[] =>
  [...constraintNames(model)].map(([name, unique]) => uniquePart(model, name, unique))

function uniquePart(model: Model, name: string, unique: Unique): UniquePart {
  const { table } = model
  const columns = unique.fields.map((field) => columnName(model, field))
  const nulls = unique.nullsEqual ? ' nulls not distinct' : ''
  const conditions = [
    ...(unique.whereNull ?? []).map((field) => `${quoted(columnName(model, field))} is null`),
    ...(unique.whereNotNull ?? []).map(
      (field) => `${quoted(columnName(model, field))} is not null`,
    ),
    ...(unique.whereNotEmpty ?? []).map((field) => `${quoted(columnName(model, field))} <> ''`),
  ]
  if (!unique.ignoreCase && conditions.length === 0) {
    return {
      kind: 'constraint',
      name,
      part: { table, definition: `unique${nulls} (${quotedList(columns)})` },
    }
  }
  const terms = unique.fields.map((field, at) => {
    const column = quoted(columns[at] ?? field)
    return unique.ignoreCase?.includes(field) ? `lower(${column})` : column
  })
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  return {
    kind: 'index',
    name,
    part: { table, unique: true, definition: `(${terms.join(', ')})${nulls}${where}` },
  }
}

/** Column name for a key of rows. Throws for a key without a column. */
export function columnName(model: Model, key: string): string {
  const column = model.columns.get(key)
  if (!column) throw new Error(`${model.name}: no column ${key}`)
  return column.name
}

/**
 * Foreign keys of the model's table. They are checked at commit and never cascade: the write pipeline deletes
 * dependents itself, because each deletion leaves a change record.
 */
export function foreignKeys(
  registry: Registry,
  model: Model,
): Readonly<Record<string, StoredPart>> {
  const keys: Record<string, StoredPart> = {}
  for (const [name, { column, to }] of foreignKeysOf(model)) {
    keys[name] = referenceConstraint(model.table, column, registry.model(to).table)
  }
  return keys
}

export const referenceConstraint = (table: string, column: string, target: string): StoredPart => ({
  table,
  definition: `foreign key (${quoted(column)}) references ${quoted(target)} deferrable initially deferred`,
})
