import type { Messages } from '../../base/errors.ts'
import type { ObjectReference } from '../../write/related-object.ts'

/** The reasons why a change cannot be undone. */
export type ConflictReason =
  /** A later change has changed the same field. */
  | 'changed'
  /** The object no longer exists. */
  | 'gone'
  /** The object already exists, so it cannot be restored. */
  | 'exists'
  /** An object that the restored one refers to does not exist. */
  | 'missing'
  /** Another object has the same unique value. */
  | 'duplicate'
  /** Another object refers to the one that would be deleted. */
  | 'referenced'
  /** A rule of the model or of the configuration refuses the object in its former state. */
  | 'refused'

/** A reason to refuse an undo, before it is known which parts the user may see. */
export interface Conflict {
  readonly reason: ConflictReason
  /** The object of the undo. */
  readonly object: ObjectReference
  readonly field?: string | undefined
  readonly messages?: Messages | undefined
  /** The object that refers to it, has the value, or is missing. */
  readonly other?: ObjectReference | undefined
  /** Id of the change record that causes the conflict. */
  readonly cause?: number | undefined
}

/** Thrown within the transaction of an undo, which is then rolled back. */
export class UndoConflicts extends Error {
  override readonly name = 'UndoConflicts'
  readonly conflicts: readonly Conflict[]

  constructor(conflicts: readonly Conflict[]) {
    super('The undo conflicts with other changes')
    this.conflicts = conflicts
  }
}

/** Throws if there are conflicts. */
export function refuseConflicts(conflicts: readonly Conflict[]): void {
  if (conflicts.length > 0) throw new UndoConflicts(conflicts)
}

/** The messages as one text. */
export function textOf(messages: Messages | undefined): string {
  if (messages === undefined) return ''
  if (typeof messages === 'string') return messages
  const parts = Array.isArray(messages)
    ? messages.map((inner: Messages) => textOf(inner))
    : Object.entries(messages).map(([name, inner]) =>
        name.startsWith('__') ? textOf(inner as Messages) : `${name}: ${textOf(inner as Messages)}`,
      )
  return parts.join(' ')
}
