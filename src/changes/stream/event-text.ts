import type { Registry } from '../../schema/registry.ts'
import { type ChangeRow, dataOf, type VisibleParts } from './change-row.ts'
import { EVENT_OF_ACTION } from './event-names.ts'

/** An event in the form for readers. */
export interface EventText {
  readonly position: number
  /** JSON. */
  readonly text: string
}

/**
 * The event as JSON, with the visible parts of its record. Name and message describe the object after the change, so
 * they are empty for a reader who may only see its former state.
 */
export function eventText(registry: Registry, row: ChangeRow, visible: VisibleParts, base: string): EventText {
  const isDeletion = row.action === 'delete'
  const isNamed = visible.after || isDeletion
  const path = registry.models.get(row.type)?.path ?? ''
  const head = {
    position: row.position,
    event: EVENT_OF_ACTION[row.action],
    time: row.time,
    request_id: row.request_id,
    user_id: row.user_id,
    user_name: row.user_name,
    object_type: row.type,
    object_id: row.object_id,
    object_url: path === '' || isDeletion ? null : `${base}/api/${path}/${row.object_id}/`,
    object_repr: isNamed ? row.object_repr : '',
    message: isNamed ? row.message : '',
    change_id: row.id,
  }
  const before = visible.before ? dataOf(row.before) : undefined
  const after = visible.after ? dataOf(row.after) : undefined
  // The data is JSON already.
  const data = `"prechange_data":${before ?? 'null'},"postchange_data":${after ?? 'null'}`
  return { position: row.position, text: `${JSON.stringify(head).slice(0, -1)},${data}}` }
}
