import type { Field } from '../schema/field.ts'
import { isBlank } from '../schema/fields/kind.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import { blankRow, type DraftRow } from './rows.ts'

/** Values of `defaultFrom` in a request. */
export interface RequestDefaults {
  /** ISO 8601 UTC. */
  readonly now: string
  /** Id of the user; null for the service itself. */
  readonly user: number | null
}

/** Whether the values of the field are ids in another table. */
export const isList = ({ kind }: Field): boolean => kind === 'manyToMany' || kind === 'tags'

/** Names of the lists of a model's rows, which are stored in other tables. */
export const listsOf = oncePer((model: Model): readonly string[] =>
  [...model.fields].filter(([, field]) => isList(field)).map(([name]) => name),
)

const blankOf = oncePer((model: Model) => blankRow([...model.columns.keys(), ...listsOf(model)]))

/** The initial row of a new object: defaults, nulls and empty lists. */
export function emptyRow(model: Model, defaults: RequestDefaults): DraftRow {
  const row: DraftRow = { ...blankOf(model), id: 0 }
  for (const [name, field] of model.fields) {
    if (field.kind === 'counter') row[name] = 0
    else if (field.kind === 'customFields') row[name] = {}
    else if (isList(field)) row[name] = []
    else if (model.columns.has(name)) row[name] = defaultOf(field, defaults)
  }
  if (model.definition.tree) Object.assign(row, { _level: 0, _ancestors: [], _sort: [] })
  return row
}

/** Value of a field without any input. */
export function defaultOf(field: Field, defaults: RequestDefaults): unknown {
  if ('defaultFrom' in field && field.defaultFrom) return defaults[field.defaultFrom]
  if ('default' in field && field.default !== undefined) return field.default
  if ('nullable' in field && field.nullable) return null
  return isBlank(field) ? (field.kind === 'list' ? [] : '') : null
}
