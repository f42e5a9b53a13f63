import type { Action } from './action.ts'
import { connectedDevice } from './dcim/connected-device.ts'
import { pathsActions } from './dcim/paths.ts'
import { traceActions } from './dcim/trace.ts'

/** Every endpoint beyond create, read, update and delete, one line each. */
export const ACTIONS: readonly Action[] = [connectedDevice, ...pathsActions, ...traceActions]
