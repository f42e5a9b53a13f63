import { projectionOf } from '../output/projection.ts'
import { fetchObjects } from '../output/read-objects.ts'
import { dataWithin } from '../output/read-source.ts'
import { displayOf } from '../query/display.ts'
import { meetsConditions } from '../schema/conditions.ts'
import { isJsonObject, type Json } from '../schema/json.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, sql } from '../sql/fragment.ts'
import { insertInto, table } from '../sql/table.ts'
import { cachedDefinitions } from './cached.ts'
import type { WriteContext } from './context.ts'

export type EventType = 'object_created' | 'object_updated' | 'object_deleted'

/** Change of an object in a request, for event rules, which run at the end of the request. */
export interface ChangeEvent {
  readonly model: Model
  readonly id: number
  readonly type: EventType
  /** The object before its deletion. */
  readonly gone: Described | undefined
}

interface Described {
  readonly display: string
  /** The object as a response shows it; undefined if no rule needs it. */
  readonly data: Json | undefined
}

/** An event rule that notifies the members of a group. */
interface NotifyingRule {
  readonly types: readonly string[]
  readonly events: readonly string[]
  readonly conditions: Json
  readonly group: number
}

/**
 * Collects changes for event rules, if there are any: the first of several changes determines the event, but a
 * deletion overrides it. Called while deleted objects still exist.
 */
export async function noteEvents(
  context: WriteContext,
  model: Model,
  ids: readonly number[],
  type: EventType,
): Promise<void> {
  const rules = await rulesOf(context, model)
  if (rules.length === 0) return
  const isDeletion = type === 'object_deleted'
  const gone = isDeletion ? await describe(context, model, ids, rules) : undefined
  for (const id of ids) {
    const key = `${model.name} ${id}`
    const first = isDeletion ? type : (context.events.get(key)?.type ?? type)
    context.events.set(key, { model, id, type: first, gone: gone?.get(id) })
  }
}

/** Runs the event rules for the changes of the request. */
export async function deliverEvents(context: WriteContext): Promise<void> {
  for (const [model, events] of Map.groupBy(context.events.values(), (event) => event.model)) {
    const rules = await rulesOf(context, model)
    const alive = events.flatMap(({ id, gone }) => (gone ? [] : [id]))
    const described = await describe(context, model, alive, rules)
    for (const rule of rules) {
      const matching = events.flatMap(({ id, type, gone }) => {
        const object = gone ?? described.get(id)
        return object && rule.events.includes(type) && meets(rule, object)
          ? [{ id, type, display: object.display }]
          : []
      })
      if (matching.length > 0) await notifyGroup(context, model, rule.group, matching)
    }
  }
  context.events.clear()
}

const isAsked = ({ conditions }: NotifyingRule): boolean =>
  isJsonObject(conditions) && Object.keys(conditions).length > 0

const meets = (rule: NotifyingRule, { data }: Described): boolean =>
  !isAsked(rule) || (data !== undefined && meetsConditions(rule.conditions, data) === true)

async function rulesOf(context: WriteContext, model: Model): Promise<readonly NotifyingRule[]> {
  if (!model.has('eventRules') || !context.service.registry.models.has(SYSTEM.eventRule)) return []
  const rules = await cachedDefinitions(context, 'notifying rules', async () => {
    const rows = await context.transaction.query<{
      types: string[]
      events: string[]
      conditions: string | null
      group: number
    }>(sql`
      select object_types as types, event_types as events, conditions,
        action_object_id as "group"
      from ${table(SYSTEM.eventRule)}
      where enabled and action_type = 'notification' and action_object_type = ${SYSTEM.notificationGroup}
        and action_object_id is not null
      order by name`)
    return rows.map(
      ({ conditions, ...rule }): NotifyingRule => ({
        ...rule,
        conditions: conditions === null ? null : (JSON.parse(conditions) as Json), // a JSON column
      }),
    )
  })
  return rules.filter(({ types }) => types.includes(model.name))
}

async function describe(
  { service, transaction }: WriteContext,
  model: Model,
  ids: readonly number[],
  rules: readonly NotifyingRule[],
): Promise<ReadonlyMap<number, Described>> {
  if (ids.length === 0) return new Map()
  const projection = projectionOf(service, model, { brief: false, excludeContext: false })
  const texts = rules.some(isAsked)
    ? await fetchObjects(dataWithin(service, transaction), ids, projection, '')
    : new Map<number, string>()
  const rows = await transaction.query<{ id: number; display: string }>(sql`
    select t.id, ${displayOf(model, sql`t`)} as display from ${table(model)} t
    where t.id = any(${ids}::bigint[])`)
  return new Map(
    rows.map(({ id, display }) => {
      const text = texts.get(id)
      return [id, { display, data: text === undefined ? undefined : (JSON.parse(text) as Json) }]
    }),
  )
}

/** Notifies the group's users and the users of its groups. An existing notification keeps its read state. */
async function notifyGroup(
  { service, transaction, now }: WriteContext,
  model: Model,
  group: number,
  events: readonly { readonly id: number; readonly type: EventType; readonly display: string }[],
): Promise<void> {
  const users = joinOf(SYSTEM.notificationGroup, 'users')
  const groups = joinOf(SYSTEM.notificationGroup, 'groups')
  const memberships = joinOf(SYSTEM.user, 'groups')
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    select ${model.name}::text, q.id, m.id, ${now}::timestamptz, q.type, left(q.display, 200)
    from unnest(${events.map(({ id }) => id)}::bigint[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ display }) => display)}::text[]) as q(id, type, display)
    cross join (
      select ${users.other} as id from ${users.table} where ${users.own} = ${group}::bigint
      union
      select ${memberships.own} from ${memberships.table}
      where ${memberships.other} in (
        select ${groups.other} from ${groups.table} where ${groups.own} = ${group}::bigint)
    ) m
    on conflict (object_type, object_id, user_id)
    do update set event_type = excluded.event_type, object_repr = excluded.object_repr`)

  function joinOf(owner: string, name: string) {
    const of = service.registry.model(owner)
    const field = of.fields.get(name)
    if (field?.kind !== 'manyToMany') throw new Error(`${owner} has no list ${name}`)
    const relation = service.registry.joinTable(of, name, field)
    return {
      table: table(relation),
      own: identifier(relation.ownColumn),
      other: identifier(relation.otherColumn),
    }
  }
}
