import type { Action } from '../../api/actions/action.ts'
import type { Model } from '../../schema/registry.ts'

/** The endpoint of one object: its model, and the actions below its path. */
export interface ObjectEndpoint {
  readonly model: Model
  readonly actions: readonly Action[]
}
