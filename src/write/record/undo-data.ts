import type { Column } from '../../schema/column.ts'
import type { Json } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { StoredRow } from '../rows.ts'
import { isDerived } from '../validate/rules.ts'
import { sameValue } from '../values.ts'
import { isLogged } from './snapshot.ts'

/** Data of a row that an undo needs besides the snapshot in its change record. */
export interface UndoData {
  /** Values by row key that the snapshot lacks, or contains in a form from which they cannot be restored. */
  readonly row: Readonly<Record<string, Json>>
  /** The time of the recorded save, by row key: while the object still has it, nothing has changed the object since. */
  readonly saved?: Readonly<Record<string, Json>>
  /** Rows without change records of their own that were deleted together with the object. */
  readonly dependents?: readonly DependentRow[]
}

/** A row of a model that keeps no change records. */
export interface DependentRow {
  readonly model: string
  readonly row: Readonly<Record<string, Json>>
}

/** The undo data of an update or a deletion; undefined for a creation, which needs none. */
export function undoDataOf(
  model: Model,
  previous: StoredRow | undefined,
  next: StoredRow | undefined,
): UndoData | undefined {
  if (!previous) return undefined
  const row: Record<string, Json> = {}
  const saved: Record<string, Json> = {}
  for (const column of exactColumns(model)) {
    const value = previous[column.key]
    if (next && sameValue(column, value, next[column.key])) continue
    row[column.key] = (value ?? null) as Json // columns hold JSON, see values.ts
    if (next && isSaveTime(column)) saved[column.key] = next[column.key] as Json // a text
  }
  if (model.fields.get('tags')?.kind === 'tags') {
    const tags = previous.tags as readonly number[] // by rows.ts
    if (!next || String(tags) !== String(next.tags)) row.tags = tags
  }
  return next ? { row, saved } : { row }
}

/** Whether every save sets the column to its time. */
export const isSaveTime = ({ field }: Column): boolean => field.kind === 'dateTime' && field.auto === 'save'

/** Columns whose values cannot be read back from a snapshot, except computed ones and secrets. */
const exactColumns = oncePer((model: Model): readonly Column[] =>
  [...model.columns.values()].filter(
    (column) => column.key !== 'id' && !isDerived(model, column) && !isSecret(column) && !isReadable(column),
  ),
)

/** Passwords and keys never enter change records, not even encrypted. */
const isSecret = ({ field }: Column): boolean =>
  ('writeOnly' in field && field.writeOnly === true) ||
  (field.kind === 'json' && field.hidden === true && field.unlogged === true)

/** Whether a snapshot contains the column's exact value. */
const isReadable = (column: Column): boolean =>
  isLogged(column) &&
  column.field.kind !== 'dateTime' &&
  column.field.kind !== 'objectTypes' &&
  !(column.field.kind === 'list' && column.field.of !== 'integer')

/**
 * Whether undo data contains the rows of the model that a deletion deletes as dependents. Rows that the service fetches
 * or computes again are left out.
 */
export const isKeptAsDependent = oncePer(
  ({ name, definition, columns }: Model): boolean =>
    !definition.internal &&
    name !== SYSTEM.dataFile &&
    name !== SYSTEM.job &&
    ![...columns.values()].some(({ field }) => field.kind === 'foreignKey' && field.to === SYSTEM.dataFile),
)
