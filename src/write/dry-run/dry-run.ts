import type { ChangeRecord, ObjectEventType } from '../record/changes.ts'

/** An object that a dry run creates, changes or deletes. */
export interface AffectedObject {
  /** Name of its model. */
  readonly type: string
  readonly id: number
  readonly display: string
  /** Names of the fields that change; undefined unless the object is changed. */
  readonly fields?: readonly string[]
}

/** An action that an event rule would run after the write. */
export interface ExpectedAction {
  readonly rule: { readonly id: number; readonly name: string }
  readonly eventType: ObjectEventType
  readonly actionType: string
  readonly target: { readonly type: string; readonly id: number }
  readonly object: { readonly type: string; readonly id: number }
}

/** The effects of a tried write that its user may view. */
export interface DryRunReport {
  readonly created: readonly AffectedObject[]
  readonly changed: readonly AffectedObject[]
  readonly deleted: readonly AffectedObject[]
  /** In the order of the changes. */
  readonly records: readonly ChangeRecord[]
  readonly actions: readonly ExpectedAction[]
}

/** Requests a write to be tried and rolled back, and receives its effects; none if the write is refused. */
export class DryRun {
  #report: DryRunReport = { created: [], changed: [], deleted: [], records: [], actions: [] }

  get report(): DryRunReport {
    return this.#report
  }

  finish(report: DryRunReport): void {
    this.#report = report
  }
}
