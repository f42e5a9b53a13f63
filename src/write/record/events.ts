import { meetsConditions } from '../../schema/conditions.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { ObjectChange } from './changelog.ts'
import type { ChangeEvent, ObjectEventType, RuleMatch, Snapshots } from './changes.ts'
import { eventObjects } from './event-objects.ts'
import { type EnabledRule, eventRulesOf } from './event-rules.ts'
import { groupMembers } from './group-members.ts'
import { type NotifiedEvent, notifyUsers } from './notify-users.ts'
import { eventSnapshotOf, type SnapshotNames } from './snapshot.ts'
import { hurryEvents } from './urgent-events.ts'
import { viewersOf } from './viewers.ts'

/** The event of several changes of one object. A create followed by an update is a create; a delete replaces both. */
export const coalesced = (first: ChangeEvent | undefined, last: ChangeEvent): ChangeEvent =>
  first === undefined
    ? last
    : {
        ...last,
        type: last.type === 'object_deleted' ? last.type : first.type,
        before: first.before,
        gone: last.gone ?? first.gone,
      }

/** Records changes of objects, in their order, if there are enabled rules for their models. */
export async function noteChanges(
  context: WriteContext,
  changes: readonly ObjectChange[],
  names: SnapshotNames,
): Promise<void> {
  const ruled = new Map<Model, boolean>()
  for (const { model, previous, next } of changes) {
    const hasRules = ruled.get(model) ?? (await eventRulesOf(context, model)).length > 0
    ruled.set(model, hasRules)
    const row = next ?? previous
    if (!hasRules || !row) continue
    const before = previous ? eventSnapshotOf(model, previous, names) : null
    const after = next ? eventSnapshotOf(model, next, names) : null
    const type = typeOf({ before, after })
    const { id, display } = row
    note(context, { model, id, type, display, before, after, gone: undefined })
  }
}

/**
 * Records newly inserted objects, so that their events come before those of objects that are changed because of them.
 * Their snapshots are added with their change records.
 */
export async function noteCreations(context: WriteContext, model: Model, ids: readonly number[]): Promise<void> {
  if ((await eventRulesOf(context, model)).length === 0) return
  const created = { type: 'object_created', display: '' } as const
  for (const id of ids) note(context, { model, id, ...created, before: null, after: null, gone: undefined })
}

function typeOf({ before, after }: Snapshots): ObjectEventType {
  if (after === null) return 'object_deleted'
  return before === null ? 'object_created' : 'object_updated'
}

/**
 * As `noteChanges`, for objects that are about to be deleted: they are described while they exist, and so are the users
 * who may be notified. Their snapshots are added with their change records.
 */
export async function noteDeletions(context: WriteContext, model: Model, ids: readonly number[]): Promise<void> {
  const rules = await eventRulesOf(context, model)
  if (rules.length === 0) return
  const groups = rules.flatMap(({ group, events }) =>
    group !== undefined && events.includes('object_deleted') ? [group] : [],
  )
  for (const group of new Set(groups)) {
    for (const [id, users] of await groupViewers(context, group, model, ids)) {
      context.departingViewers.set(`${group} ${keyOf(model, id)}`, users)
    }
  }
  for (const isNamed of [true, false]) {
    const some = ids.filter((id) => context.named.has(keyOf(model, id)) === isNamed)
    const objects = await eventObjects(context, model, some, { isNamed })
    for (const id of some) context.departing.set(keyOf(model, id), objects.get(id))
  }
}

/**
 * Describes objects for their events in their current state, unless their save has already done so. The effects of the
 * save, such as counters and the paths of cables, are then not shown, as in the reference.
 */
export async function describeSaved(
  context: WriteContext,
  model: Model,
  ids: readonly number[],
  type: ObjectEventType,
): Promise<void> {
  const rules = await eventRulesOf(context, model)
  if (!rules.some(({ events }) => events.includes(type))) return
  for (const isNamed of [true, false]) {
    const some = ids.filter((id) => {
      const key = keyOf(model, id)
      return !context.described.has(key) && context.named.has(key) === isNamed
    })
    for (const [id, object] of await eventObjects(context, model, some, { isNamed })) {
      context.described.set(keyOf(model, id), object)
    }
  }
}

/** Discards descriptions of objects that are saved again. */
export function dropDescriptions({ described }: WriteContext, model: Model, ids: readonly number[]): void {
  for (const id of ids) described.delete(keyOf(model, id))
}

function note({ events, departing }: WriteContext, event: ChangeEvent): void {
  const key = keyOf(event.model, event.id)
  events.set(key, coalesced(events.get(key), { ...event, gone: departing.get(key) }))
}

const keyOf = (model: Model, id: number): string => `${model.name} ${id}`

/** Records that the request names these objects: it changes or deletes them directly, not only as dependents. */
export function noteNamed({ named }: WriteContext, model: Model, ids: readonly number[]): void {
  for (const id of ids) named.add(keyOf(model, id))
}

/** An event with the JSON text of its object, and the rules for it. */
interface DescribedEvent {
  readonly event: ChangeEvent
  readonly object: string
  readonly rules: readonly EnabledRule[]
}

/**
 * Completes the events of the request: notifies groups, and stores the events for other rules, which act after the
 * commit. To be called at the end of the transaction: objects without a description are described in their state at
 * that point. Changes in a branch have no events; its merge does.
 */
export async function publishEvents(context: WriteContext): Promise<void> {
  if (context.events.size === 0 || context.service.branch) return
  const described = await describe(context)
  if (context.wouldChange) context.wouldChange.matches.push(...matchesOf(described))
  else {
    await notifyGroups(context, described)
    storeEvents(context, described)
  }
  context.events.clear()
  context.described.clear()
  context.departing.clear()
  context.departingViewers.clear()
}

async function describe(context: WriteContext): Promise<readonly DescribedEvent[]> {
  const events = [...context.events.values()]
  const objects = new Map<ChangeEvent, string>()
  const rules = new Map<ChangeEvent, readonly EnabledRule[]>()
  for (const [model, ofModel] of Map.groupBy(events, (event) => event.model)) {
    const enabled = await eventRulesOf(context, model)
    const matching = ofModel.filter((event) => {
      const forEvent = enabled.filter(({ events: types }) => types.includes(event.type))
      if (forEvent.length > 0) rules.set(event, forEvent)
      return forEvent.length > 0
    })
    for (const isNamed of [true, false]) {
      const alive = matching.filter(
        ({ gone, id }) =>
          !gone && !context.described.has(keyOf(model, id)) && context.named.has(keyOf(model, id)) === isNamed,
      )
      const ids = alive.map(({ id }) => id)
      const found = await eventObjects(context, model, ids, { isNamed })
      for (const event of alive) setIfFound(objects, event, found.get(event.id))
    }
    for (const event of matching) {
      const described = context.described.get(keyOf(model, event.id))
      setIfFound(objects, event, event.gone ?? described)
    }
  }
  // In the order of the first changes, across models.
  return events.flatMap((event) => {
    const object = objects.get(event)
    return object ? [{ event, object, rules: rules.get(event) ?? [] }] : []
  })
}

/** The rules that apply, for a dry run. */
const matchesOf = (described: readonly DescribedEvent[]): readonly RuleMatch[] =>
  described.flatMap((each) =>
    each.rules
      .filter((rule) => meets(rule, each))
      .map(({ id: rule }) => ({
        rule,
        type: each.event.type,
        model: each.event.model,
        id: each.event.id,
      })),
  )

function setIfFound<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | undefined): void {
  if (value !== undefined) map.set(key, value)
}

/** Notifies the members of groups who may view the objects. */
async function notifyGroups(context: WriteContext, described: readonly DescribedEvent[]): Promise<void> {
  const notified = described.flatMap((each) =>
    each.rules.flatMap((rule) =>
      rule.group !== undefined && meets(rule, each) ? [{ group: rule.group, ...each }] : [],
    ),
  )
  for (const [group, events] of Map.groupBy(notified, (each) => each.group)) {
    const once = new Map(events.map((each) => [keyOf(each.event.model, each.event.id), each]))
    for (const [model, list] of Map.groupBy(once.values(), ({ event }) => event.model)) {
      const alive = list.flatMap(({ event }) => (event.gone ? [] : [event.id]))
      const viewers = await groupViewers(context, group, model, alive)
      const notifications = list.map(({ event }): NotifiedEvent => {
        const { id, type, display, gone } = event
        const key = `${group} ${keyOf(model, id)}`
        const users = gone ? context.departingViewers.get(key) : viewers.get(id)
        return { objectType: model.name, objectId: id, type, display, users: users ?? [] }
      })
      await notifyUsers(context.transaction, notifications, context.now)
    }
  }
}

/** The members of the notification group who may view each object. */
const groupViewers = (
  { service, transaction }: WriteContext,
  group: number,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> =>
  viewersOf(service, transaction, { model, ids }, groupMembers(service, group))

function meets({ conditions }: EnabledRule, { event, object }: DescribedEvent): boolean {
  if (conditions === null) return true
  return (
    meetsConditions(conditions, {
      data: JSON.parse(object) as Json, // written by the serialiser
      snapshots: {
        prechange: event.before === null ? null : (JSON.parse(event.before) as Json),
        postchange: event.after === null ? null : (JSON.parse(event.after) as Json),
      },
    }) === true
  )
}

/** Events per statement: each payload takes some kilobytes here and in the server while it is sent. */
const MOST_AT_ONCE = 1_000
/** Cannot occur in JSON, which escapes it: payloads joined by it need no further escapes. */
const BETWEEN = '\u001f'

/**
 * Stores the events for which a rule does more than notify users. The statement is not awaited: if it fails, so does
 * the commit.
 */
function storeEvents(context: WriteContext, described: readonly DescribedEvent[]): void {
  const { transaction, now } = context
  const payloads = described.flatMap((each) => {
    const rules = each.rules.filter(({ group }) => group === undefined)
    return rules.length === 0 ? [] : [payloadOf(context, each, rules)]
  })
  if (payloads.length > 0) hurryEvents(context.service, transaction)
  for (let start = 0; start < payloads.length; start += MOST_AT_ONCE) {
    const part = payloads.slice(start, start + MOST_AT_ONCE).join(BETWEEN)
    transaction.send(sql`
      ${insertInto(SYSTEM.event, ONLY_INSERTS)} (kind, payload, created)
      select 'object', q.payload::json, ${now}::timestamptz
      from string_to_table(${part}, ${BETWEEN}) with ordinality as q(payload, place)
      order by q.place`)
  }
}

/** JSON text of an event for the rule engine. `data` and `snapshots` are inserted as they were written. */
function payloadOf(
  { actor, requestId, origin, now }: WriteContext,
  { event: { type, model, id, before, after }, object }: DescribedEvent,
  rules: readonly EnabledRule[],
): string {
  const { username } = actor
  const request = origin ? { id: requestId, ...origin, user: username } : null
  const head = JSON.stringify({ event: type, object_type: model.name, object_id: id }).slice(0, -1)
  const rest = JSON.stringify({
    request,
    request_id: requestId,
    username,
    timestamp: now.replace('Z', '+00:00'),
    rules: rules.map((rule) => rule.id),
  }).slice(1)
  return `${head},"data":${object},"snapshots":{"prechange":${before},"postchange":${after}},${rest}`
}
