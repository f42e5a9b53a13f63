import { setImmediate } from 'node:timers/promises'
import { type Json, parseJson } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { cachedDefinitions } from '../cached.ts'
import type { WriteContext } from '../context.ts'
import { relatedObject } from '../related-object.ts'
import { asIds, type StoredRow } from '../rows.ts'
import { requireNoPolicy } from '../validate/policies.ts'
import { insertRecords } from './change-record.ts'
import type { ChangeRecord } from './changes.ts'
import type { ObjectContext } from './object-context.ts'
import { type SnapshotNames, snapshotOf, snapshotsOf } from './snapshot.ts'
import { type DependentRow, undoDataOf } from './undo-data.ts'

/** The change of one object, with the stored rows before and after. */
export interface ObjectChange {
  readonly model: Model
  readonly previous: StoredRow | undefined
  readonly next: StoredRow | undefined
  readonly message: string
  /** For a deletion: names for people who read the record. */
  readonly context?: ObjectContext | undefined
  /** Rows without change records that are deleted together with the object. */
  readonly dependents?: readonly DependentRow[] | undefined
}

const LONGEST_NAME = 200
/** Data before a creation and after a deletion. */
const NOTHING = '{}'

/**
 * Records per statement: while the server inserts some, the next ones are built. Until then, each takes some kilobytes
 * here and in the server.
 */
const RECORDS_AT_ONCE = 200

/** Whether changes of the model's objects are recorded, or events for event rules. */
export const isRecorded = (model: Model): boolean => model.has('changeLogging') || model.has('eventRules')

/** Whether effects maintain the row, so that its changes have no records. */
export const isDerivedRow = (
  { definition: { derivedRows } }: Model,
  row: Readonly<Record<string, unknown>> | undefined,
): boolean => derivedRows !== undefined && row?.[derivedRows] === true

/**
 * Creates one record for each change of an object whose model has a change log, and one event per record, in the same
 * order, with one statement for some hundred records; records the changes for event rules.
 */
export async function recordChanges(context: WriteContext, changes: readonly ObjectChange[]): Promise<void> {
  const recorded = changes.filter(
    ({ model, next, previous }) => isRecorded(model) && !isDerivedRow(model, next ?? previous),
  )
  if (recorded.length === 0) return
  await requireNoPolicy(context, recorded)
  const names = await snapshotNames(context, recorded)
  const { transaction } = context
  let inserted: Promise<unknown> = Promise.resolve()
  for (let start = 0; start < recorded.length; start += RECORDS_AT_ONCE) {
    const batch = recorded.slice(start, start + RECORDS_AT_ONCE)
    const insert = recordPart(context, batch, names)
    // At most one further part is in memory.
    await inserted
    if (!insert) continue
    // The caller need not wait for the last statement.
    if (start + RECORDS_AT_ONCE >= recorded.length) transaction.send(insert)
    else {
      inserted = transaction.execute(insert)
      inserted.catch(() => undefined)
      // Sent before the next records are built.
      await setImmediate()
    }
  }
  await context.journal.noteChanges(recorded, names)
}

/** The insert of the records of the changes, and of their events; undefined if there are none, or for a dry run. */
function recordPart(context: WriteContext, changes: readonly ObjectChange[], names: SnapshotNames): Sql | undefined {
  const { service, wouldChange } = context
  if (!service.registry.models.has(SYSTEM.objectChange)) return undefined
  const records = changes.flatMap((change) => makeRecord(context, change, names))
  if (records.length === 0) return undefined
  if (!wouldChange) return insertRecords(context, records)
  wouldChange.records.push(...records)
  return undefined
}

/** The record; none if nothing has changed, or if the model has no change log. */
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
      name: firstCharacters(row.display, LONGEST_NAME),
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
  return new Map(rows.map((row) => [row.id, parseJson(snapshotOf(model, row, names)) as Record<string, Json>]))
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

/** Ids of object types by name, for the few places that show ids. */
async function objectTypeIds(context: WriteContext): Promise<ReadonlyMap<string, number>> {
  const { service, transaction } = context
  if (!service.registry.models.has(SYSTEM.objectType)) return new Map()
  return await cachedDefinitions(context, 'numbers of object types', async () => {
    const rows = await transaction.query<{ id: number; name: string }>(
      sql`select id, app_label || '.' || model as name from ${table(SYSTEM.objectType)}`,
    )
    return new Map(rows.map(({ id, name }) => [name, id]))
  })
}
