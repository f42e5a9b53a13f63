import type { Action } from './action.ts'

/** Every endpoint beyond create, read, update and delete, one line each. */
export const ACTIONS: readonly Action[] = []
