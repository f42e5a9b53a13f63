import type { WriteContext } from '../../write/context.ts'
import { objectKey } from '../../write/related-object.ts'
import type { RecordedChange } from '../records/recorded-change.ts'
import type { RecordedNames } from '../records/recorded-row.ts'

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
