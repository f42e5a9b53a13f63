import type { Definition } from '../schema/model.ts'
import type { Behaviour } from '../schema/rule.ts'
import type { ModelView } from '../schema/view.ts'

/** A model with its behaviour and view, as its app lists it. */
export interface RegisteredModel {
  readonly model: Definition
  /** Rules and hooks. Behaviours that need the running service are added by core.ts. */
  readonly behaviour?: Behaviour
  /** Absent: the view is derived from the fields. */
  readonly view?: ModelView
}
