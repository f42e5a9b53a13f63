import type { Action } from '../../api/actions/action.ts'
import { ACTIONS } from '../../api/actions/index.ts'
import { historyActions } from '../../api/actions/object-history.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { MODELS } from '../../models/index.ts'
import type { Application } from './application.ts'

/**
 * Endpoints beyond create, read, update and delete. Separate from the application, because only code that serves
 * requests needs them.
 */
export const applicationActions = ({ plugins }: Application): readonly Action[] => [
  ...ACTIONS,
  ...historyActions([...MODELS, ...plugins.flatMap(({ models }) => models)]),
  ...plugins.flatMap(({ actions }) => actions),
]

/** Endpoints of plugins that the OpenAPI document does not describe, by path. */
export const applicationEndpoints = ({ plugins }: Application): ReadonlyMap<string, Endpoint> =>
  new Map(plugins.flatMap(({ endpoints }) => [...(endpoints ?? [])]))
