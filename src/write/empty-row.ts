import type { Field } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { DraftRow } from './rows.ts'

/** A new object before its body is read: defaults, nulls and empty lists. */
export function emptyRow(model: Model): DraftRow {
  const row: DraftRow = { id: 0 }
  for (const key of model.columns.keys()) if (key !== 'id') row[key] = null
  for (const [name, field] of model.fields) {
    if (field.kind === 'counter') row[name] = 0
    else if (field.kind === 'customFields') row[name] = {}
    else if (field.kind === 'manyToMany' || field.kind === 'tags') row[name] = []
    else if (model.columns.has(name)) row[name] = defaultOf(field)
  }
  if (model.definition.tree) Object.assign(row, { _level: 0, _ancestors: [], _sort: [] })
  return row
}

/** What a field holds while nobody has said anything. */
export function defaultOf(field: Field): unknown {
  if ('default' in field && field.default !== undefined) return field.default
  if ('nullable' in field && field.nullable) return null
  return isBlank(field) ? (field.kind === 'list' ? [] : '') : null
}

/** Whether the field accepts the empty text, or the empty list. */
export const isBlank = (field: Field): boolean => 'blank' in field && field.blank === true
