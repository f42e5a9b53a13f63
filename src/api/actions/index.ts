import { linkedObjects } from '../custom-models/linked-objects.ts'
import { removedData } from '../custom-models/removed-data.ts'
import type { Action } from './action.ts'
import { applyAction } from './apply.ts'
import { backgroundActions } from './core/background.ts'
import { branchActions } from './core/branches.ts'
import { branchingPluginActions } from './core/branching-plugin.ts'
import { changeCountsAction } from './core/change-counts.ts'
import { changeRequestActions } from './core/change-requests.ts'
import { eventsAction } from './core/events.ts'
import { sourceSync } from './core/synchronise-source.ts'
import { undoActions } from './core/undo.ts'
import { connectedDevice } from './dcim/connected-device.ts'
import { rackElevation } from './dcim/elevation.ts'
import { pathsActions } from './dcim/paths.ts'
import { traceActions } from './dcim/trace.ts'
import { typeActions } from './dcim/types/type-actions.ts'
import { checkExpressionAction } from './extras/check-expression.ts'
import { customFieldChoices } from './extras/choices.ts'
import { dashboardAction } from './extras/dashboard.ts'
import { dueAction } from './extras/due.ts'
import { dynamicGroupMembers } from './extras/dynamic-group-members.ts'
import { renderConfigActions } from './extras/render-config.ts'
import { renderConfigTemplate } from './extras/render-template.ts'
import { scriptActions } from './extras/scripts.ts'
import { objectSyncActions } from './extras/synchronise.ts'
import { webhookDeliveryActions } from './extras/webhook-deliveries.ts'
import { availableAsns } from './ipam/available-asns.ts'
import { availableIpsActions } from './ipam/available-ips.ts'
import { availablePrefixes } from './ipam/available-prefixes.ts'
import { availableVlans } from './ipam/available-vlans.ts'
import { searchAction } from './search.ts'
import { userPreferences } from './users/config.ts'
import { loginPreview } from './users/login-preview.ts'

/** Every endpoint beyond create, read, update and delete, one line each. */
export const ACTIONS: readonly Action[] = [
  applyAction,
  availableAsns,
  ...availableIpsActions,
  availablePrefixes,
  availableVlans,
  ...branchActions,
  ...branchingPluginActions,
  ...changeRequestActions,
  ...backgroundActions,
  changeCountsAction,
  checkExpressionAction,
  connectedDevice,
  customFieldChoices,
  dashboardAction,
  dueAction,
  dynamicGroupMembers,
  eventsAction,
  linkedObjects,
  loginPreview,
  ...pathsActions,
  rackElevation,
  ...renderConfigActions,
  renderConfigTemplate,
  removedData,
  ...scriptActions,
  ...objectSyncActions,
  searchAction,
  sourceSync,
  ...traceActions,
  ...typeActions,
  ...undoActions,
  userPreferences,
  ...webhookDeliveryActions,
]
