import type { ChangeRow } from './change-row.ts'

/** Types of events by the action of the change record. */
export const EVENT_OF_ACTION: Readonly<Record<ChangeRow['action'], string>> = {
  create: 'object_created',
  update: 'object_updated',
  delete: 'object_deleted',
}

/** The reverse of `EVENT_OF_ACTION`. */
export const ACTION_OF_EVENT: ReadonlyMap<string, string> = new Map(
  Object.entries(EVENT_OF_ACTION).map(([action, event]) => [event, action]),
)
