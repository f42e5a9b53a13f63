import { genericKeys } from '../../schema/generic-keys.ts'
import type { Json } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { type DependentRow, isKeptAsDependent } from '../record/undo-data.ts'
import { objectKey } from '../related-object.ts'
import type { StoredRow } from '../rows.ts'

/**
 * The rows of a deletion that get no change records, by the key of the first object with a record that they refer to.
 */
export function dependentRows(
  deleted: ReadonlyMap<Model, readonly StoredRow[]>,
): ReadonlyMap<string, readonly DependentRow[]> {
  const recorded = new Set(
    [...deleted].flatMap(([model, rows]) =>
      model.has('changeLogging') ? rows.map(({ id }) => objectKey(model.name, id)) : [],
    ),
  )
  const rowsByOwner = new Map<string, DependentRow[]>()
  for (const [model, rows] of deleted) {
    if (model.has('changeLogging') || !isKeptAsDependent(model)) continue
    for (const row of rows) {
      const holder = referencesOf(model, row).find((key) => recorded.has(key))
      if (holder === undefined) continue
      const dependent = { model: model.name, row: valuesOf(model, row) }
      rowsByOwner.set(holder, [...(rowsByOwner.get(holder) ?? []), dependent])
    }
  }
  return rowsByOwner
}

/** The row's values by row key. */
export const valuesOf = (model: Model, row: StoredRow): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    // Columns hold JSON, see values.ts.
    [...model.columns.keys()].map((key) => [key, (row[key] ?? null) as Json]),
  )

/** Keys of the objects that the row itself refers to. */
export const referencesOf = (model: Model, row: Readonly<Record<string, unknown>>): string[] =>
  relationsOf(model).flatMap(({ to, id }) => {
    const type = typeof to === 'string' ? to : row[to.key]
    const target = row[id]
    return typeof type === 'string' && typeof target === 'number' ? [objectKey(type, target)] : []
  })

interface Relation {
  /** The model, or the key of its name. */
  readonly to: string | { readonly key: string }
  readonly id: string
}

const relationsOf = oncePer((model: Model): readonly Relation[] =>
  [...model.fields].flatMap(([name, field]): Relation[] => {
    if (field.kind === 'foreignKey') return [{ to: field.to, id: name }]
    if (field.kind !== 'genericForeignKey') return []
    const { type, id } = genericKeys(name, field)
    return [{ to: { key: type }, id }]
  }),
)
