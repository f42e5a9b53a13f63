import { grantedRows, permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { NO_ROWS, type RowPredicate } from '../../read/query/row-predicate.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { empty, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { ChangeRecord } from '../record/changes.ts'
import { affectedObjects, visibleDisplays } from './affected-objects.ts'
import type { DryRunReport, ExpectedAction } from './dry-run.ts'
import type { WouldChange } from './would-change.ts'

type Displays = Awaited<ReturnType<typeof visibleDisplays>>

/** The visible effects of a dry run that must be read before it is rolled back. */
interface VisibleEffects {
  /** Displays of new and changed objects. */
  readonly displays: Displays
  readonly records: readonly ChangeRecord[]
  readonly actions: readonly ExpectedAction[]
}

/** Reads the visible effects of a dry run, at its end and within its transaction. */
export async function visibleEffects(context: WriteContext, effects: WouldChange): Promise<VisibleEffects> {
  const { transaction } = context
  const [created, changed, records, actions] = await Promise.all([
    visibleDisplays(context, transaction, effects.created),
    visibleDisplays(context, transaction, effects.changed),
    visibleRecords(context, effects.records),
    visibleActions(context, effects),
  ])
  return { displays: merged(created, changed), records, actions }
}

/**
 * The effects that the user may view. `committed`: the data without the effects, which still contains deleted objects.
 */
export async function reportOf(
  context: Pick<WriteContext, 'actor' | 'service'>,
  { created, changed, deleted }: WouldChange,
  { displays, records, actions }: VisibleEffects,
  committed: Queryable,
): Promise<DryRunReport> {
  const { actor, service } = context
  // A user with permission for all objects could view these before.
  const limited = new Map(
    [...changed].filter(([model]) => permittedRowsOrNone(actor, 'view', model, service.settings) !== 'all'),
  )
  const [before, going] = await Promise.all([
    visibleDisplays(context, committed, limited),
    visibleDisplays(context, committed, deleted),
  ])
  const isVisible = (type: string, id: number): boolean => {
    const { models } = service.registry
    const model = models.get(type)
    if (!model) return false
    const wasThere = limited.get(model)?.has(id) !== true || before.get(model)?.has(id) === true
    return going.get(model)?.has(id) === true || (displays.get(model)?.has(id) === true && wasThere)
  }
  return {
    created: affectedObjects(created, displays),
    changed: affectedObjects(changed, displays, (model, id) => [...(changed.get(model)?.get(id) ?? [])]).filter(
      ({ type, id }) => isVisible(type, id),
    ),
    deleted: affectedObjects(deleted, going),
    records: records.filter(({ type, id }) => isVisible(type, id)),
    actions: actions.filter(({ object }) => isVisible(object.type, object.id)),
  }
}

const merged = (left: Displays, right: Displays): Displays =>
  new Map(
    [...new Set([...left.keys(), ...right.keys()])].map((model) => [
      model,
      new Map([...(left.get(model) ?? []), ...(right.get(model) ?? [])]),
    ]),
  )

/** Records that the user's permissions select, whether or not their objects are visible. */
async function visibleRecords(
  context: WriteContext,
  records: readonly ChangeRecord[],
): Promise<readonly ChangeRecord[]> {
  const model = context.service.registry.models.get(SYSTEM.objectChange)
  const permitted = model && recordsGranted(context, model)
  if (!permitted || permitted === NO_ROWS || records.length === 0) return []
  if (permitted === 'all') return records
  const rows = records.map(({ action, type, id, name, message, relatedType, relatedId }, index) => ({
    id: index,
    time: context.now,
    user_id: context.actor.id === 0 ? null : context.actor.id,
    user_name: context.actor.username,
    request_id: context.requestId,
    ...{ action, message, changed_object_type: type, changed_object_id: id, object_repr: name },
    ...{ related_object_type: relatedType, related_object_id: relatedId },
  }))
  const permittedRows = await context.transaction.query<{ id: number }>(sql`
    select t.id from json_populate_recordset(null::${table(model)}, ${JSON.stringify(rows)}::json) t
    where ${permitted}`)
  const ids = new Set(permittedRows.map(({ id }) => id))
  return records.filter((_, index) => ids.has(index))
}

/** The model's own condition on its object is left to the caller: deleted objects no longer exist. */
function recordsGranted({ actor, service }: WriteContext, model: Model): RowPredicate | 'all' {
  const { settings } = service
  return permittedRowsOrNone(actor, 'view', model, settings) === NO_ROWS
    ? NO_ROWS
    : grantedRows(actor, 'view', model, settings)
}

/** The actions of rules that the user may view. */
async function visibleActions(
  { actor, service, transaction }: WriteContext,
  { matches }: WouldChange,
): Promise<readonly ExpectedAction[]> {
  if (matches.length === 0) return []
  const model = service.registry.model(SYSTEM.eventRule)
  const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
  const rows = await transaction.query<{
    id: number
    name: string
    actionType: string
    targetType: string
    target: number
  }>(sql`
    select t.id, t.name, t.action_type as "actionType", t.action_object_type as "targetType",
      t.action_object_id as target
    from ${table(model)} t
    where t.id = any(${[...new Set(matches.map(({ rule }) => rule))]}::bigint[])
      ${permitted === 'all' ? empty : sql`and ${permitted}`}`)
  const rules = new Map(rows.map((row) => [row.id, row]))
  return matches.flatMap(({ rule, type, model: { name: objectType }, id }) => {
    const eventRule = rules.get(rule)
    if (!eventRule) return []
    return [
      {
        rule: { id: rule, name: eventRule.name },
        eventType: type,
        actionType: eventRule.actionType,
        target: { type: eventRule.targetType, id: eventRule.target },
        object: { type: objectType, id },
      },
    ]
  })
}
