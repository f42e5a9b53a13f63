import type { Column } from '../../schema/column.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { Json } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { isSaveTime } from '../../write/record/undo-data.ts'
import { isDerived } from '../../write/validate/rules.ts'
import { hasSameValue } from '../records/recorded-change.ts'
import { type BranchConflict, type Keep, stateOf } from './branch-conflicts.ts'
import { type CustomFields, customValues } from './custom-fields.ts'
import type { Columns, OverlayRow } from './overlay-rows.ts'

/** Three states of something that merges as a whole. */
export interface States {
  readonly base: Json
  readonly main: Json
  readonly branch: Json
}

/**
 * The three-way rule. What the branch has not changed stays as main has it, and what only the branch has changed, or
 * both in the same way, becomes as the branch has it. If both have changed it in different ways, people decide.
 */
export function outcomeOf({ base, main, branch }: States): 'main' | 'branch' | 'contested' {
  if (hasSameValue(base, branch)) return 'main'
  return hasSameValue(base, main) || hasSameValue(main, branch) ? 'branch' : 'contested'
}

/** A value of an object: a column, a generic relation with its two columns, or one custom field. */
export interface Cell extends States {
  readonly type: string
  readonly id: number
  /** Name of the field; `custom_fields.<name>` for a custom field. */
  readonly field: string
  /** Keys of its columns in rows. */
  readonly keys: readonly string[]
  /** Name of the custom field. */
  readonly customField?: string
  readonly isSecret: boolean
}

/** The values of a row that users set. `fields`: undefined to take all custom fields as one value. */
export const cellsOf = (row: OverlayRow, fields: CustomFields | undefined): readonly Cell[] =>
  unitsOf(row.model).flatMap(({ columns, isCustom, ...unit }): readonly Cell[] => {
    const valueIn = (state: Columns | undefined): Json => {
      const values = columns.map(({ name }) => state?.[name] ?? null)
      return values.length === 1 ? (values[0] ?? null) : values
    }
    const states = { base: valueIn(row.base ?? row.main), main: valueIn(row.main), branch: valueIn(row.branch) }
    const cell = { type: row.model.name, id: row.id, ...unit, ...states }
    if (!isCustom || !fields) return [cell]
    return customValues(fields, states).map(({ name, ...values }) => ({
      ...{ ...cell, ...values, field: `${cell.field}.${name}`, customField: name },
    }))
  })

/** Whether the branch's value is set. `judge` decides about a conflict. */
export const takesBranch = (cell: Cell, judge: (conflict: BranchConflict) => Keep): boolean => {
  const outcome = outcomeOf(cell)
  return outcome === 'branch' || (outcome === 'contested' && judge(conflictOf(cell)) === 'mine')
}

function conflictOf({ type, id, field, base, main, branch, isSecret }: Cell): BranchConflict {
  const disclosed = isSecret ? {} : { base, main, branch }
  return { reason: 'changed', type, id, field, ...disclosed, state: stateOf(main, branch) }
}

interface Unit extends Pick<Cell, 'field' | 'keys' | 'isSecret'> {
  readonly columns: readonly Column[]
  readonly isCustom: boolean
}

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
    keys: list.map(({ key }) => key),
    isSecret: list.some((column) => 'writeOnly' in column.field && column.field.writeOnly === true),
    isCustom: list.some((column) => column.field.kind === 'customFields'),
  }))
})
