import { ApiError } from '../../base/errors.ts'
import { isStored } from '../../schema/column.ts'
import type { Field, Fields } from '../../schema/field.ts'
import type { Model, Referrer } from '../../schema/registry.ts'
import type { Read, Refusal, Rule } from '../../schema/rule.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { deleteFrom, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { isRecorded, type ObjectChange, recordChanges } from '../record/changelog.ts'
import { objectContexts } from '../record/object-context.ts'
import { notifySubscribers } from '../record/subscriptions.ts'
import { noteCustomFieldsForSearch } from '../record/unindexed-changes.ts'
import { type ObjectReference, objectKey } from '../related-object.ts'
import { type DraftRow, loadRows, type StoredRow } from '../rows.ts'
import { runAfterWrite, runBeforeDelete } from '../save/effects.ts'
import { saveObjects } from '../save/save-objects.ts'
import { brokenRule } from '../validate/custom-rules.ts'
import { groupInUse } from '../validate/dynamic-groups.ts'
import { makeRead } from '../validate/rule-reads.ts'
import { deleteRows } from './delete-rows.ts'
import { dependentRows } from './dependent-rows.ts'
import { type Dependents, findDependents } from './find-dependents.ts'
import { findLostData } from './lost-data.ts'

/** A rule of the model or of the configuration refuses the deletion of the object. */
export class DeletionRefused extends ApiError {
  readonly object: ObjectReference

  constructor(object: ObjectReference, detail: string) {
    super({ kind: 'inUse', detail })
    this.object = object
  }
}

/**
 * Deletes objects with all their dependents; rows that merely refer to them lose the reference. `messages` are the
 * messages for change records of the objects themselves, by id.
 */
export async function deleteCascade(
  context: WriteContext,
  model: Model,
  ids: readonly number[],
  messages: ReadonlyMap<number, string>,
): Promise<void> {
  const dependents = await findDependents(context, new Map([[model, new Set(ids)]]))
  await deleteWithDependents(
    context,
    dependents,
    (affected, id) => (affected === model ? messages.get(id) : undefined) ?? '',
  )
}

/**
 * Deletes objects with the dependents that have been found. `rows`: their rows, if they have been loaded. `messageOf`
 * returns the messages for their change records, which `record` writes.
 */
export async function deleteWithDependents(
  context: WriteContext,
  dependents: Dependents & { readonly rows?: Deleted },
  messageOf: (model: Model, id: number) => string,
  record = (changes: readonly ObjectChange[]) => recordChanges(context, changes),
): Promise<void> {
  const rows = dependents.rows ?? (await loadDeleted(context, dependents))
  await refuseByRules(context, rows)
  // Only a report names it, and it may be a part of every object of a model.
  const lost = context.wouldChange && (await findLostData(context, dependents.deleted))
  const contexts = await objectContexts(context, rows)
  const unrecorded = dependentRows(rows)
  for (const [dependent, list] of rows) {
    await runBeforeDelete(
      context,
      dependent,
      list.map((previous) => ({ previous, next: undefined })),
    )
    const goingIds = list.map(({ id }) => id)
    await notifySubscribers(context, dependent, goingIds, 'object_deleted')
    await context.journal.noteDeletions(dependent, goingIds)
  }
  await emptyReferences(context, dependents)
  await unlink(context, dependents)
  // Dependents were found after the objects that they depend on, but are recorded before them.
  const order = [...rows].reverse().map(([dependent, list]) => [dependent, list.toReversed()] as const)
  deleteRows(context, rows)
  for (const [dependent, list] of order) {
    const gone = list.map(({ id }) => id)
    context.wouldChange?.noteDeleted(dependent, gone)
  }
  if (lost) context.wouldChange?.noteLost(lost)
  await record(
    order.flatMap(([dependent, list]) =>
      list.map(
        (previous): ObjectChange => ({
          model: dependent,
          previous,
          next: undefined,
          message: messageOf(dependent, previous.id),
          context: contexts.get(objectKey(dependent.name, previous.id)),
          dependents: unrecorded.get(objectKey(dependent.name, previous.id)),
        }),
      ),
    ),
  )
  for (const [dependent, list] of order) {
    await runAfterWrite(
      context,
      dependent,
      'delete',
      list.map((previous) => ({ previous, next: undefined })),
    )
    noteCustomFieldsForSearch(
      context,
      dependent,
      list.map((previous) => ({ previous, next: undefined })),
    )
  }
}

type Deleted = ReadonlyMap<Model, readonly StoredRow[]>

async function loadDeleted({ service, transaction }: WriteContext, { deleted }: Dependents): Promise<Deleted> {
  const rows = new Map<Model, readonly StoredRow[]>()
  for (const [model, ids] of deleted) {
    const lockedRows = await loadRows(service, transaction, model, [...ids], { lock: true })
    const byId = new Map(lockedRows.map((row) => [row.id, row]))
    // In the order of discovery: nodes of a tree from the root down.
    rows.set(
      model,
      [...ids].flatMap((id) => byId.get(id) ?? []),
    )
  }
  return rows
}

/** Runs the model's deletion rules. */
async function refuseByRules(context: WriteContext, rows: Deleted): Promise<void> {
  const { service, transaction, now } = context
  const read = makeRead(service, transaction, new Map(), context.security)
  const goingIds = new Set([...rows].flatMap(([{ name }, list]) => list.map(({ id }) => objectKey(name, id))))
  for (const [model, list] of rows) {
    for (const rule of (model.behaviour?.deletionRules ?? []) as readonly Rule<Fields>[]) {
      const refusals = await Promise.all(
        list.map((row) =>
          rule({
            next: row,
            previous: row,
            sent: new Set(),
            read,
            settings: service.settings,
            now,
            user: context.actor.username,
            batch: list,
            deletes: ({ name }, id) => goingIds.has(objectKey(name, id)),
          }),
        ),
      )
      for (const [index, refusal] of refusals.entries()) {
        if (refusal) throw new DeletionRefused({ type: model.name, id: list[index]?.id ?? 0 }, sentenceOf(refusal))
      }
    }
    const used = await groupInUse(context, model, list)
    if (used) throw new DeletionRefused({ type: model.name, id: used.id }, used.sentence)
    await refuseProtected(context, read, model, list)
  }
}

/** Refuses to delete objects that do not meet the configured conditions. */
async function refuseProtected(
  context: WriteContext,
  read: Read,
  model: Model,
  rows: readonly StoredRow[],
): Promise<void> {
  const { protectionRules } = context.service.settings
  if (protectionRules[model.name] === undefined) return
  for (const row of rows) {
    const broken = await brokenRule(context, read, protectionRules, { model, row })
    if (!broken) continue
    const reason = `${broken.path}: ${broken.sentences.join(' ')}`
    const detail = `A protection rule prevents the deletion of ${model.definition.labels[0]} ${row.id}. ${reason}`
    throw new DeletionRefused({ type: model.name, id: row.id }, detail)
  }
}

const sentenceOf = (refusal: Refusal): string => Object.values(refusal).flat().join(' ')

/** Clears the references to deleted rows; each row is saved once, with its change record. */
async function emptyReferences(context: WriteContext, { emptied }: Dependents): Promise<void> {
  const { service, transaction } = context
  for (const [model, list] of Map.groupBy(emptied, ({ referrer }) => referrer.model)) {
    const isVisible = list.some(({ referrer }) => !isHidden(referrer))
    const ids = [...new Set(list.map(({ id }) => id))]
    const stored = await loadRows(service, transaction, model, ids, { lock: true })
    const byId = new Map(stored.map((row) => [row.id, { ...row } as DraftRow])) // a mutable copy
    for (const { referrer, id } of list) {
      for (const key of keysOf(referrer)) {
        const row = byId.get(id)
        if (row) row[key] = emptyValue(model, key)
      }
    }
    const items = stored.flatMap((previous) => {
      const next = byId.get(previous.id)
      return next ? [{ next, previous }] : []
    })
    if (isVisible) await saveObjects(context, model, items, { on: 'update', by: 'effect' })
    else await emptyHidden(context, model, list)
  }
}

/** Cached columns are cleared without change records, like other set-based updates. */
async function emptyHidden({ transaction }: WriteContext, model: Model, list: Dependents['emptied']): Promise<void> {
  for (const [referrer, references] of Map.groupBy(list, (reference) => reference.referrer)) {
    for (const key of keysOf(referrer)) {
      const column = model.columns.get(key)
      if (!column) continue
      await transaction.execute(sql`
        ${updateTable(model)} set ${identifier(column.name)} = null
        where id = any(${references.map(({ id }) => id)}::bigint[])`)
    }
  }
}

const isHidden = ({ field }: Referrer): boolean => 'hidden' in field && field.hidden === true

const keysOf = (referrer: Referrer): readonly string[] =>
  referrer.kind === 'genericForeignKey' ? [referrer.typeColumn.key, referrer.idColumn.key] : [referrer.name]

const emptyValue = (model: Model, key: string): unknown => {
  const field: Field | undefined = model.fields.get(key)
  return field && isStored(field) && !field.nullable ? (field.default ?? null) : null
}

/** Removes the objects from other objects' lists; the owners of the lists get change records. */
async function unlink(context: WriteContext, { unlinked }: Dependents): Promise<void> {
  const { service, transaction } = context
  for (const [model, list] of Map.groupBy(unlinked, ({ referrer }) => referrer.model)) {
    const ids = [...new Set(list.map(({ id }) => id))]
    const before = await loadRows(service, transaction, model, ids)
    for (const [referrer, references] of Map.groupBy(list, (reference) => reference.referrer)) {
      if (referrer.kind !== 'manyToMany') continue
      const targets = [...new Set(references.map(({ target }) => target))]
      await transaction.execute(sql`
        ${deleteFrom(referrer.table)}
        where ${identifier(referrer.table.otherColumn)} = any(${targets}::bigint[])`)
    }
    if (!isRecorded(model)) continue
    const after = new Map((await loadRows(service, transaction, model, ids)).map((row) => [row.id, row]))
    await recordChanges(
      context,
      before.map((previous) => ({ model, previous, next: after.get(previous.id), message: '' })),
    )
  }
}
