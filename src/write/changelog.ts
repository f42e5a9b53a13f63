import { setImmediate } from 'node:timers/promises'
import { momentsAfter } from '../clock.ts'
import type { Json } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { statementTemplate, templateOfValues } from '../sql/statement-template.ts'
import { insertInto, ONLY_INSERTS, table } from '../sql/table.ts'
import { type ChainedInserts, chainedStatement } from '../storage/last-statement.ts'
import { currentNumber } from '../versions/number.ts'
import type { WriteContext } from './context.ts'
import { noteChanges } from './events.ts'
import type { ObjectContext } from './object-context.ts'
import { objectTypeIds } from './object-type-ids.ts'
import { relatedObject } from './related-object.ts'
import type { StoredRow } from './rows.ts'
import { type SnapshotNames, snapshotOf, snapshotsOf } from './snapshot.ts'
import { type DependentRow, undoDataOf } from './undo-data.ts'

/** The change of one object, with the stored rows before and after. */
export interface ObjectChange {
  readonly model: Model
  readonly previous: StoredRow | undefined
  readonly next: StoredRow | undefined
  readonly message: string
  /** Of a deletion: names for readers of the record. */
  readonly context?: ObjectContext | undefined
  /** Rows without records of their own that are deleted together with the object. */
  readonly dependents?: readonly DependentRow[] | undefined
}

const LONGEST_NAME = 200
/** Cannot occur in JSON, which escapes it: documents joined by it need no further escapes. */
const BETWEEN = '\u001f'
/** Data before a creation and after a deletion. */
const NOTHING = '{}'

/** Records per statement: while the server inserts some, the next are made. Each takes some kilobytes here and in the server meanwhile. */
const RECORDS_AT_ONCE = 500

/** Whether changes of the model's objects are recorded, or events for event rules. */
export const isRecorded = (model: Model): boolean =>
  model.has('changeLogging') || model.has('eventRules')

/**
 * Creates one record for each change of an object whose model keeps a log, and an event for each record, in the given order, with
 * one statement for some hundreds; and notes the changes for event rules.
 */
export async function recordChanges(
  context: WriteContext,
  changes: readonly ObjectChange[],
): Promise<void> {
  const recorded = changes.filter(({ model }) => isRecorded(model))
  if (recorded.length === 0) return
  const names = await snapshotNames(context, recorded)
  const { transaction } = context
  let inserted: Promise<unknown> = Promise.resolve()
  for (let start = 0; start < recorded.length; start += RECORDS_AT_ONCE) {
    const part = recorded.slice(start, start + RECORDS_AT_ONCE)
    const inserts = recordPart(context, part, names)
    // No further part is in memory.
    await inserted
    if (!inserts) continue
    // The caller need not wait for the last statement.
    if (start + RECORDS_AT_ONCE >= recorded.length) sendRecords(context, inserts, part.length)
    else {
      inserted = transaction.execute(chainedStatement(inserts))
      inserted.catch(() => undefined)
      // So that it is sent before the next records are made.
      await setImmediate()
    }
  }
  await noteChanges(context, recorded, names)
}

/** A single record is mostly the last thing of a write. Of several the server inserts the first ones while the write goes on. */
function sendRecords({ transaction }: WriteContext, inserts: ChainedInserts, count: number): void {
  if (count === 1) transaction.sendBeforeEnd(inserts)
  else transaction.send(chainedStatement(inserts))
}

/** The inserts of the records of the changes, and of their events; undefined if there are none, or for a dry run. */
function recordPart(
  context: WriteContext,
  changes: readonly ObjectChange[],
  names: SnapshotNames,
): ChainedInserts | undefined {
  const { service, wouldChange } = context
  if (!service.registry.models.has(SYSTEM.objectChange)) return undefined
  const records = changes.flatMap((change) => makeRecord(context, change, names))
  if (records.length === 0) return undefined
  if (!wouldChange) return insertRecords(context, records)
  wouldChange.records.push(...records)
  return undefined
}

/**
 * The rows that an insert of change records returns, as events. The ids of the records follow one another, except where another transaction has
 * taken some meanwhile: there is one row of events for each run of them, so for nearly all statements one.
 */
const ALL_RUNS = sql`(
  select min(id) as change, count(*) as count
  from (select id, id - row_number() over (order by id) as run from recorded) numbered
  group by run) runs order by runs.change`

/** The same of a single record, as most writes have. */
const ONE_RUN = sql`(select id as change, 1 as count from recorded) runs`

/** The insert of records, from the values of `recordValues`. */
const recordInsert = (values: readonly unknown[]): Sql => sql`
    ${insertInto(SYSTEM.objectChange, ONLY_INSERTS)} (time, user_id, user_name, request_id, action,
      changed_object_type, changed_object_id, related_object_type, related_object_id,
      object_repr, message, prechange_data, postchange_data, object_context, undo_data)
    select q.time, ${values[0]}::bigint, ${values[1]}::text, ${values[2]}::uuid,
      q.action, q.type, q.id, q.related_type, q.related_id, q.name, q.message,
      q.before::json, q.after::json, nullif(q.context, '')::json, nullif(q.undo, '')::json
    from rows from (unnest(${values[3]}::timestamptz[], ${values[4]}::text[], ${values[5]}::text[],
      ${values[6]}::bigint[], ${values[7]}::text[], ${values[8]}::bigint[],
      ${values[9]}::text[], ${values[10]}::text[]),
      string_to_table(${values[11]}, ${BETWEEN}),
      string_to_table(${values[12]}, ${BETWEEN}),
      string_to_table(${values[13]}, ${BETWEEN}),
      string_to_table(${values[14]}, ${BETWEEN}))
      as q(time, action, type, id, related_type, related_id, name, message, before, after, context, undo)
      returning id`

const eventInsert = (runs: Sql, now: unknown): Sql => sql`
    ${insertInto(SYSTEM.event, ONLY_INSERTS)} (kind, change, count, created, transaction)
    select 'change', runs.change, runs.count, ${now}::timestamptz, ${currentNumber}
    from ${runs}`

/** The inserts are part of nearly every write, so their text is built once. */
const recordTemplate = templateOfValues(15, recordInsert)
const ofOneRecord = statementTemplate((now) => eventInsert(ONE_RUN, now))
const ofSeveralRecords = statementTemplate((now) => eventInsert(ALL_RUNS, now))

function insertRecords(context: WriteContext, records: readonly ChangeRecord[]): ChainedInserts {
  const events = records.length === 1 ? ofOneRecord : ofSeveralRecords
  return {
    first: recordTemplate(recordValues(context, records)),
    name: 'recorded',
    second: events(context.now),
  }
}

function recordValues(
  { actor, requestId, now, recorded }: WriteContext,
  records: readonly ChangeRecord[],
): readonly unknown[] {
  // Records are listed by time, so each has its own timestamp, in the order of the changes.
  const later = momentsAfter(now)
  const moments = records.map((_, index) => later(recorded.count + index))
  recorded.count += records.length
  const column = <Key extends keyof ChangeRecord>(key: Key) => records.map((record) => record[key])
  return [
    ...[actor.id === 0 ? null : actor.id, actor.username, requestId, moments],
    ...[column('action'), column('type'), column('id'), column('relatedType'), column('relatedId')],
    ...[column('name'), column('message')],
    ...[column('before'), column('after'), column('context'), column('undo')].map((texts) =>
      texts.join(BETWEEN),
    ),
  ]
}

/** A row of the change log, as far as the changes of one request differ. */
export interface ChangeRecord {
  readonly action: 'create' | 'update' | 'delete'
  readonly type: string
  readonly id: number
  readonly relatedType: string | null
  readonly relatedId: number | null
  readonly name: string
  readonly message: string
  /** JSON text. */
  readonly before: string
  readonly after: string
  /** JSON text, or empty. */
  readonly context: string
  readonly undo: string
}

/** The record; none if nothing has changed, or if the model keeps no log. */
function makeRecord(
  { service }: WriteContext,
  { model, previous, next, message, context, dependents }: ObjectChange,
  names: SnapshotNames,
): ChangeRecord[] {
  const row = next ?? previous
  if (!row || !model.has('changeLogging')) return []
  const [before, after] = bothSnapshots(model, previous, next, names)
  if (before === after && service.settings.changelogSkipEmptyChanges) return []
  const related = relatedObject(model, row)
  const undo = undoDataOf(model, previous, next)
  return [
    {
      action: previous ? (next ? 'update' : 'delete') : 'create',
      type: model.name,
      id: row.id,
      relatedType: related?.type ?? null,
      relatedId: related?.id ?? null,
      name: shortened(row.display),
      message,
      before,
      after,
      context: context ? JSON.stringify(context) : '',
      undo: undo ? JSON.stringify(dependents ? { ...undo, dependents } : undo) : '',
    },
  ]
}

function bothSnapshots(
  model: Model,
  previous: StoredRow | undefined,
  next: StoredRow | undefined,
  names: SnapshotNames,
): readonly [string, string] {
  if (previous && next) return snapshotsOf(model, [previous, next], names)
  const textOf = (row: StoredRow | undefined) => (row ? snapshotOf(model, row, names) : NOTHING)
  return [textOf(previous), textOf(next)]
}

/** Never splits a surrogate pair. */
const shortened = (name: string): string =>
  name.length <= LONGEST_NAME ? name : [...name].slice(0, LONGEST_NAME).join('')

/** The rows as a change record shows them, by id. */
export async function snapshotValues(
  context: WriteContext,
  model: Model,
  rows: readonly StoredRow[],
): Promise<ReadonlyMap<number, Readonly<Record<string, Json>>>> {
  const names = await snapshotNames(
    context,
    rows.map((previous) => ({ model, previous, next: undefined })),
  )
  return new Map(
    rows.map((row) => [row.id, JSON.parse(snapshotOf(model, row, names)) as Record<string, Json>]),
  )
}

async function snapshotNames(
  context: WriteContext,
  changes: readonly Pick<ObjectChange, 'model' | 'previous' | 'next'>[],
): Promise<SnapshotNames> {
  const ids = new Set<number>()
  for (const { model, previous, next } of changes) {
    if (!model.fields.has('tags') || model.fields.get('tags')?.kind !== 'tags') continue
    for (const row of [previous, next]) for (const id of asIds(row?.tags)) ids.add(id)
  }
  const tags =
    ids.size === 0
      ? []
      : await context.transaction.query<{ id: number; name: string }>(
          sql`select id, name from ${table(SYSTEM.tag)} where id = any(${[...ids]}::bigint[])`,
        )
  return {
    types: await objectTypeIds(context),
    tags: new Map(tags.map(({ id, name }) => [id, name])),
  }
}

const asIds = (value: unknown): readonly number[] => (Array.isArray(value) ? value : [])
