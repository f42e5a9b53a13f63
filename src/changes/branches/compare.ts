import type { Column } from '../../schema/column.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { isSaveTime } from '../../write/record/undo-data.ts'
import { isDerived } from '../../write/validate/rules.ts'
import { hasSameValue } from '../records/recorded-change.ts'
import { type BranchConflict, stateOf } from './branch-conflicts.ts'
import { type CustomFieldNames, changedCustomValues } from './custom-values.ts'
import type { OverlayRow } from './overlay-rows.ts'

/** A value that merges as a whole: a column, a generic relation with its two columns, or one custom field. */
export interface ComparedValue {
  /** Name of the field; `custom_fields.<name>` for a custom field. */
  readonly field: string
  /** Keys of its columns in rows. */
  readonly keys: readonly string[]
  readonly base: Json
  readonly main: Json
  readonly branch: Json
  readonly isSecret: boolean
}

/** The values of a row that the branch has changed. `names`: undefined for a model without custom fields. */
export function changedValues(row: OverlayRow, names: CustomFieldNames | undefined): readonly ComparedValue[] {
  const { model, base, main, branch } = row
  if (!base || !branch) return []
  return unitsOf(model).flatMap(({ field, columns, isSecret, isCustom }) => {
    const of = (state: typeof base | undefined): Json =>
      columns.length === 1
        ? (state?.[columns[0]?.name ?? ''] ?? null)
        : columns.map(({ name }) => state?.[name] ?? null)
    const states = { base: of(base), main: of(main), branch: of(branch) }
    if (isCustom && names) {
      return changedCustomValues(names, states).map((value) => ({
        ...{ ...value, field: `${field}.${value.name}`, keys: [field], isSecret: false },
      }))
    }
    const keys = columns.map(({ key }) => key)
    return hasSameValue(states.base, states.branch) ? [] : [{ ...states, field, keys, isSecret }]
  })
}

/** Whether both sides have changed the value, in different ways. */
export const isContested = ({ base, main, branch }: ComparedValue): boolean =>
  !hasSameValue(base, main) && !hasSameValue(main, branch)

/** Whether main has changed the row since the branch first did. */
export const hasMainChanged = ({ model, base, main }: OverlayRow): boolean =>
  base !== undefined &&
  main !== undefined &&
  unitsOf(model).some(({ columns }) =>
    columns.some(({ name }) => !hasSameValue(base[name] ?? null, main[name] ?? null)),
  )

/** Both sides have changed the value. */
export function valueConflict({ model, id }: OverlayRow, value: ComparedValue): BranchConflict {
  const { field, base, main, branch, isSecret } = value
  const disclosed = isSecret ? {} : { base, main, branch }
  return { reason: 'changed', type: model.name, id, field, ...disclosed, state: stateOf(main, branch) }
}

interface Unit {
  readonly field: string
  readonly columns: readonly Column[]
  readonly isSecret: boolean
  readonly isCustom: boolean
}

/** The values of a model's rows that users set. */
const unitsOf = oncePer((model: Model): readonly Unit[] => {
  const generic = new Map(
    [...model.fields].flatMap(([name, field]) => {
      if (field.kind !== 'genericForeignKey') return []
      const { type, id } = genericKeys(name, field)
      return [[type, id] as const, [id, id] as const]
    }),
  )
  const columns = [...model.columns.values()].filter(
    (column) => column.key !== 'id' && !column.key.startsWith('_') && !isDerived(model, column) && !isSaveTime(column),
  )
  return [...Map.groupBy(columns, ({ key }) => generic.get(key) ?? key)].map(([field, list]) => ({
    field,
    columns: list,
    isSecret: list.some((column) => 'writeOnly' in column.field && column.field.writeOnly === true),
    isCustom: list.some((column) => column.field.kind === 'customFields'),
  }))
})

/** Relations of a row to other objects: the key of the object, and how the row changes when it is gone. */
export interface Reference {
  readonly field: string
  readonly type: string
  readonly id: number
  /** Values of the row without the reference; undefined if it cannot exist without it. */
  readonly cleared: Readonly<Record<string, null>> | undefined
  /** The row is deleted together with the object. */
  readonly isOwned: boolean
}

/** The references of a row, or of some of its values. */
export function referencesIn(model: Model, row: Readonly<Record<string, unknown>>): readonly Reference[] {
  return [...model.fields].flatMap(([name, field]): readonly Reference[] => {
    if (field.kind === 'foreignKey' && isMerged(model, name)) {
      const id = row[name]
      if (typeof id !== 'number') return []
      const cleared = field.nullable ? { [name]: null } : undefined
      return [{ field: name, type: field.to, id, cleared, isOwned: field.onDelete === 'cascade' }]
    }
    if (field.kind !== 'genericForeignKey') return []
    const keys = genericKeys(name, field)
    const [type, id] = [row[keys.type], row[keys.id]]
    if (typeof type !== 'string' || typeof id !== 'number') return []
    const cleared = field.nullable ? { [keys.type]: null, [keys.id]: null } : undefined
    return [{ field: keys.id, type, id, cleared, isOwned: field.onDelete === 'cascade' }]
  })
}

const isMerged = (model: Model, name: string): boolean => {
  const column = model.columns.get(name)
  return column !== undefined && !name.startsWith('_') && !isDerived(model, column)
}

/** The present values of custom fields with those that the branch has changed; null removes a value. */
export const editCustomValues =
  (changes: Readonly<Record<string, Json>>) =>
  (present: unknown): unknown => {
    const values = isJsonObject(present) ? present : {}
    return { ...values, ...changes }
  }
