import { isJsonObject, type Json, ownValue } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

/** An event of the stream on which a rule acts. */
export interface RecordedEvent {
  readonly id: number
  /** `object_created`, … */
  readonly event: string
  readonly objectType: string
  readonly objectId: number
  /** Name of the user who caused it. */
  readonly username: string | null
  readonly timestamp: string
  /** The object as the API shows it; for a job its data. */
  readonly data: Json
  /** The object before and after the event; null if it did not exist, and for jobs. */
  readonly before: Json
  readonly after: Json
  /** The date that has been reached. */
  readonly date?: { readonly field: string; readonly value: string } | undefined
}

/** The events with these ids, in their order, without those that have been deleted. */
export async function recordedEvents(queryable: Queryable, ids: readonly number[]): Promise<readonly RecordedEvent[]> {
  const rows = await queryable.query<{ id: number; payload: string }>(
    sql`select id, payload from ${table(SYSTEM.event)} where id = any(${ids}::bigint[]) order by position`,
  )
  return rows.map(({ id, payload }) => eventOf(id, payload))
}

function eventOf(id: number, text: string): RecordedEvent {
  const payload = JSON.parse(text) as Payload // written by write/record/events.ts and automation/jobs/events.ts
  const { snapshots, data } = payload
  return {
    id,
    event: payload.event,
    objectType: payload.object_type,
    objectId: payload.object_id,
    username: payload.username,
    timestamp: payload.timestamp,
    data,
    before: snapshots?.prechange ?? null,
    after: snapshots?.postchange ?? null,
    date: payload.date,
  }
}

interface Payload {
  readonly event: string
  readonly object_type: string
  readonly object_id: number
  readonly username: string | null
  readonly timestamp: string
  readonly data: Json
  readonly date?: RecordedEvent['date']
  readonly snapshots?: { readonly prechange: Json; readonly postchange: Json }
}

/** The text under this name in the event's data; undefined if there is none. */
export function recordedText({ data }: RecordedEvent, name: string): string | undefined {
  const value = isJsonObject(data) ? ownValue(data, name) : undefined
  return typeof value === 'string' ? value : undefined
}
