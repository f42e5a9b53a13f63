import { constraintNames, foreignKeysOf } from '../../schema/constraint-names.ts'
import { deletionOrder } from '../../schema/deletion-order.ts'
import type { Unique } from '../../schema/model.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { quoted, quotedList } from './quote.ts'
import type { StoredIndex, StoredPart } from './stored-schema.ts'

/** A unique constraint, or a unique index if PostgreSQL cannot express the constraint (an expression, a condition). */
type UniquePart =
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
    ...(unique.whereNotNull ?? []).map((field) => `${quoted(columnName(model, field))} is not null`),
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
 * Foreign keys of the model's table. They never cascade: the write pipeline deletes dependents itself, because each deletion leaves
 * a change record. References of inserted rows are checked at commit, so that rows may be inserted in any order.
 */
export function foreignKeys(registry: Registry, model: Model): Readonly<Record<string, StoredPart>> {
  const { restricting } = deletionOrder(registry)
  const keys: Record<string, StoredPart> = {}
  for (const [name, { column, field }] of foreignKeysOf(model)) {
    const isRestricting = restricting.has(name)
    keys[name] = referenceConstraint(model.table, column, {
      table: registry.model(field.to).table,
      isRestricting,
    })
  }
  return keys
}

interface ReferenceTarget {
  readonly table: string
  /**
   * Whether rows are always deleted before those that they refer to. The server then checks right after the deletion,
   * with half as many queries per deleted row as at commit, when it also has to check whether the row exists again.
   */
  readonly isRestricting: boolean
}

export const referenceConstraint = (table: string, column: string, target: ReferenceTarget): StoredPart => {
  const deletion = target.isRestricting ? ' on delete restrict' : ''
  return {
    table,
    definition: `foreign key (${quoted(column)}) references ${quoted(target.table)}${deletion} deferrable initially deferred`,
  }
}
