import type { Model } from '../../schema/registry.ts'

/** The parts of a change record that differ within one request. */
export interface ChangeRecord {
  readonly action: 'create' | 'update' | 'delete'
  readonly type: string
  readonly id: number
  readonly relatedType: string | null
  readonly relatedId: number | null
  readonly name: string
  readonly message: string
  /** JSON text. */
  readonly before: string
  readonly after: string
  /** JSON text, or empty. */
  readonly context: string
  readonly undo: string
}

export type ObjectEventType = 'object_created' | 'object_updated' | 'object_deleted'

/** JSON texts of an object before and after its change; null if it did not exist. */
export interface Snapshots {
  readonly before: string | null
  readonly after: string | null
}

/** The change of an object within a request, for event rules. */
export interface ChangeEvent extends Snapshots {
  readonly model: Model
  readonly id: number
  readonly type: ObjectEventType
  /** Text of the object in notifications. */
  readonly display: string
  /** JSON text of a deleted object before its deletion; undefined for an existing one. */
  readonly gone: string | undefined
}

/** An event rule that applies to the change of an object. */
export interface RuleMatch {
  readonly rule: number
  readonly type: ObjectEventType
  readonly model: Model
  readonly id: number
}
