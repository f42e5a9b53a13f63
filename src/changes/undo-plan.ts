import type { Model } from '../schema/registry.ts'
import type { WriteContext } from '../write/context.ts'
import type { DependentRow } from '../write/record/undo-data.ts'
import { objectKey } from '../write/remove/dependent-rows.ts'
import type { RecordedChange } from './recorded-change.ts'
import type { RecordedNames } from './recorded-row.ts'

/** The state that all steps of an undo share. */
export interface Undo {
  readonly context: WriteContext
  /** The changes to undo, the oldest first. */
  readonly changes: readonly RecordedChange[]
  /** Message for the change records of the undo. */
  readonly message: string
  readonly names: RecordedNames
  /** Keys of the objects that do not exist after the undo. */
  readonly removed: ReadonlySet<string>
  /** Keys of the objects that the undo restores. */
  readonly restored: ReadonlySet<string>
  /** Names of fields that keep their present values, by the key of their object; absent for none. */
  readonly kept?: ReadonlyMap<string, ReadonlySet<string>>
  /** Rows without change records that are restored besides those that the changes name. */
  readonly dependents?: readonly DependentRow[]
}

/** Changes of one kind and model that are undone together, each of a different object. */
export interface UndoStep {
  readonly model: Model
  readonly action: RecordedChange['action']
  readonly changes: readonly RecordedChange[]
}

/** The key of the object that was changed. */
export const keyOfChange = ({ type, object_id }: RecordedChange): string => objectKey(type, object_id)

/**
 * Keys of the objects that do not exist once the changes have been undone (`create`), or that exist again (`delete`).
 * Objects that the changes have created and deleted exist only during the undo.
 */
export const objectsTakenBack = (
  changes: readonly RecordedChange[],
  action: 'create' | 'delete',
): ReadonlySet<string> => {
  const first = new Map<string, RecordedChange>()
  const last = new Map<string, RecordedChange>()
  for (const change of changes) {
    const key = keyOfChange(change)
    if (!first.has(key)) first.set(key, change)
    last.set(key, change)
  }
  const isCreated = (key: string) => first.get(key)?.action === 'create'
  const isDeleted = (key: string) => last.get(key)?.action === 'delete'
  return new Set(
    [...first.keys()].filter((key) => (action === 'create' ? isCreated(key) : isDeleted(key) && !isCreated(key))),
  )
}

/** The steps of the undo: the changes in reverse order, adjacent changes of one kind together. */
export function undoSteps({ context: { service }, changes }: Undo): readonly UndoStep[] {
  const steps: { model: Model; action: UndoStep['action']; changes: RecordedChange[] }[] = []
  for (const change of changes.toReversed()) {
    const model = service.registry.model(change.type)
    const step = steps.at(-1)
    const hasSameValue =
      step?.model === model &&
      step.action === change.action &&
      !step.changes.some(({ object_id }) => object_id === change.object_id)
    if (hasSameValue) step.changes.push(change)
    else steps.push({ model, action: change.action, changes: [change] })
  }
  return steps
}
