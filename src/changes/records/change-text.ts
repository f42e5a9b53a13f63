import type { Json, JsonObject } from '../../schema/json.ts'
import { ALL_PARTS, type VisibleParts } from '../stream/change-row.ts'
import { type ChangeValues, changedNames, type RecordedChange, valuesAfter, valuesBefore } from './recorded-change.ts'

/** The value of a field before and after a change. */
interface FieldChange extends JsonObject {
  readonly before: Json
  readonly after: Json
}

/** A change as timelines and undos list it: who, when, and the fields that differ. */
export interface ChangeSummary {
  readonly change_id: number
  readonly url: string
  readonly time: string
  readonly action: RecordedChange['action']
  readonly user_id: number | null
  readonly user_name: string
  readonly request_id: string
  readonly message: string
  readonly object_type: string
  readonly object_id: number
  readonly object_repr: string
  /** By field; null if the object did not exist, or if the reader may not see it. */
  readonly changes: Readonly<Record<string, FieldChange>>
}

/** The summary with the visible parts of the record. Name and message describe the object after the change. */
export function changeSummary(change: RecordedChange, base: string, visible: VisibleParts = ALL_PARTS): ChangeSummary {
  const isNamed = visible.after || change.action === 'delete'
  return {
    change_id: change.id,
    url: `${base}/api/core/object-changes/${change.id}/`,
    time: change.time,
    action: change.action,
    user_id: change.user_id,
    user_name: change.user_name,
    request_id: change.request_id,
    message: isNamed ? change.message : '',
    object_type: change.type,
    object_id: change.object_id,
    object_repr: isNamed ? change.object_repr : '',
    changes: fieldChanges(visible.before ? valuesBefore(change) : {}, visible.after ? valuesAfter(change) : {}),
  }
}

const fieldChanges = (before: ChangeValues, after: ChangeValues): Readonly<Record<string, FieldChange>> =>
  Object.fromEntries(
    changedNames(before, after).map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  )
