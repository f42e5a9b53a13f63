import { currentNumber } from '../../db/versions/number.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { ChangeRecord } from './changes.ts'

/** Cannot occur in JSON, which escapes it: documents joined by it need no further escapes. */
const BETWEEN = '\u001f'

/**
 * The rows that an insert of change records returns, as events. The ids of the records are consecutive, unless another
 * transaction has taken some in the meantime: each run of ids has one row of events, so nearly all statements need only
 * one.
 */
const ALL_RUNS = sql`(
  select min(id) as change, count(*) as count
  from (select id, id - row_number() over (order by id) as run from recorded) numbered
  group by run) runs order by runs.change`

/** The same for a single record, as in most writes. */
const ONE_RUN = sql`(select id as change, 1 as count from recorded) runs`

const INTO = sql`
    ${insertInto(SYSTEM.objectChange, ONLY_INSERTS)} (time, user_id, user_name, request_id, action,
      changed_object_type, changed_object_id, related_object_type, related_object_id,
      object_repr, message, prechange_data, postchange_data, object_context, undo_data)`

/** The insert of records, from the values in the order of `valuesOfAll`. */
const insertOfAll = ([
  user,
  userName,
  request,
  times,
  actions,
  types,
  ids,
  relatedTypes,
  relatedIds,
  names,
  messages,
  before,
  after,
  contexts,
  undos,
]: readonly unknown[]): Sql => sql`${INTO}
    select q.time, ${user}::bigint, ${userName}::text, ${request}::uuid,
      q.action, q.type, q.id, q.related_type, q.related_id, q.name, q.message,
      q.before::json, q.after::json, nullif(q.context, '')::json, nullif(q.undo, '')::json
    from rows from (unnest(${times}::timestamptz[], ${actions}::text[], ${types}::text[],
      ${ids}::bigint[], ${relatedTypes}::text[], ${relatedIds}::bigint[],
      ${names}::text[], ${messages}::text[]),
      string_to_table(${before}, ${BETWEEN}),
      string_to_table(${after}, ${BETWEEN}),
      string_to_table(${contexts}, ${BETWEEN}),
      string_to_table(${undos}, ${BETWEEN}))
      as q(time, action, type, id, related_type, related_id, name, message, before, after, context, undo)
      returning id`

/** The insert of one record, from the values in the order of `valuesOfOne`: it is faster without tables of values. */
const insertOfOne = ([
  user,
  userName,
  request,
  time,
  action,
  type,
  id,
  relatedType,
  relatedId,
  name,
  message,
  before,
  after,
  context,
  undo,
]: readonly unknown[]): Sql => sql`${INTO}
    values (${time}::timestamptz, ${user}::bigint, ${userName}::text, ${request}::uuid,
      ${action}::text, ${type}::text, ${id}::bigint, ${relatedType}::text, ${relatedId}::bigint,
      ${name}::text, ${message}::text, ${before}::json, ${after}::json, ${context}::json, ${undo}::json)
    returning id`

/** Inserts the records and their events. There is at least one record. */
export function insertRecords(context: WriteContext, records: readonly ChangeRecord[]): Sql {
  const times = context.journal.nextTimes(records.length)
  const [first] = records
  const [inserted, runs] =
    first && records.length === 1
      ? [insertOfOne(valuesOfOne(context, first, times[0])), ONE_RUN]
      : [insertOfAll(valuesOfAll(context, records, times)), ALL_RUNS]
  return sql`
    with recorded as (${inserted})
    ${insertInto(SYSTEM.event, ONLY_INSERTS)} (kind, change, count, created, transaction)
    select 'change', runs.change, runs.count, ${context.now}::timestamptz, ${currentNumber}
    from ${runs}`
}

const valuesOfRequest = ({ actor, requestId }: WriteContext): readonly unknown[] => [
  actor.id === 0 ? null : actor.id,
  actor.username,
  requestId,
]

const valuesOfOne = (context: WriteContext, record: ChangeRecord, time: string | undefined): readonly unknown[] => [
  ...valuesOfRequest(context),
  ...[time, record.action, record.type, record.id, record.relatedType, record.relatedId],
  ...[record.name, record.message, record.before, record.after],
  ...[record.context || null, record.undo || null],
]

function valuesOfAll(
  context: WriteContext,
  records: readonly ChangeRecord[],
  times: readonly string[],
): readonly unknown[] {
  const column = <Key extends keyof ChangeRecord>(key: Key) => records.map((record) => record[key])
  return [
    ...[...valuesOfRequest(context), times],
    ...[column('action'), column('type'), column('id'), column('relatedType'), column('relatedId')],
    ...[column('name'), column('message')],
    ...[column('before'), column('after'), column('context'), column('undo')].map((texts) => texts.join(BETWEEN)),
  ]
}
