import { currentTimestamp } from '../../base/clock.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { Transaction } from '../../db/database.ts'
import { memberPredicates } from '../../read/groups/memberships.ts'
import { definedCustomFields } from '../../read/query/custom-field-parameters.ts'
import { type DateOffset, dateText, dateValueOf, dueTime, isCustomDate } from '../../read/query/date-fields.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, ONLY_INSERTS, table } from '../../sql/table.ts'
import { eventObjects } from '../../write/record/event-objects.ts'
import { NAMES_ITS_TARGET, RULE_GROUPS } from '../../write/record/event-rules.ts'
import { hurryEvents } from '../../write/record/urgent-events.ts'

/** The event of an object whose date a rule has reached. */
const DATE_REACHED = 'date_reached'

/** Milliseconds between two searches for dates that have been reached. */
const INTERVAL = 60_000

/** Objects that one transaction handles. */
const AT_ONCE = 500

/** Dates can be due this much earlier or later than the offset says, because of time zones and changes of the clock. */
const DAY = 86_400_000

/** An event rule about dates. */
export interface DateRule extends DateOffset {
  readonly id: number
  readonly types: readonly string[]
  readonly field: string
  /** Dates that had been reached by then are not acted upon. */
  readonly since: string
  /** Ids of dynamic groups: an object must be a member of one of them, if there are any. */
  readonly groups: readonly number[]
  /** Name of the user who changed the rule last; scripts run with the permissions of this user. */
  readonly author: string | null
}

/** The rules `r` about dates that satisfy the condition. */
export const dateRules = async (queryable: Queryable, where: Sql): Promise<readonly DateRule[]> =>
  await queryable.query<DateRule & Record<string, unknown>>(sql`
    select r.id, r.object_types as types, r.date_field as field, r.date_offset as "offset", r.date_unit as unit,
      r.dates_since as since, ${RULE_GROUPS} as groups, (
        select c.user_name from ${table(SYSTEM.objectChange)} c
        where c.changed_object_type = ${SYSTEM.eventRule} and c.changed_object_id = r.id
        order by c.time desc, c.id desc limit 1) as author
    from ${table(SYSTEM.eventRule)} r
    where ${DATE_REACHED} = any(r.event_types) and r.date_field <> '' and r.dates_since is not null and ${where}
    order by r.id`)

/**
 * Rows `t` of the model with the columns id, value (text) and due, for the rule; undefined if the model does not have
 * the rule's date. `interval`: only values between these points in time.
 */
export async function datedRows(
  { registry, settings }: Pick<Service, 'registry' | 'settings'>,
  database: Queryable,
  model: Model,
  rule: DateRule,
  interval?: readonly [from: Date, to: Date],
): Promise<Sql | undefined> {
  const customFields = isCustomDate(rule.field) ? await definedCustomFields(database) : []
  const date = dateValueOf(model, rule.field, customFields)
  if (!date) return undefined
  const { sql: value, type } = date
  const conditions = [sql`${value} is not null`]
  if (interval) {
    // On the value itself, so that an index on the field can be used.
    const [from, to] = interval.map((time) =>
      type === 'date' ? sql`${time}::timestamptz::date` : sql`${time}::timestamptz`,
    )
    conditions.push(sql`${value} >= ${from}`, sql`${value} <= ${to}`)
  }
  if (rule.groups.length > 0) {
    const members = [...(await memberPredicates({ registry, database }, model, rule.groups)).values()]
    conditions.push(members.length === 0 ? sql`false` : sql`(${join(members, ' or ')})`)
  }
  return sql`
    select t.id, ${dateText(value, type)} as value, ${dueTime(value, type, rule, settings.timeZone)} as due
    from ${table(model)} t where ${join(conditions, ' and ')}`
}

/** Condition on rows `d` of `datedRows` and actions `a`: the action is that for the row. */
export const isActionFor = (rule: DateRule, model: Model): Sql => sql`
  a.event_rule_id = ${rule.id}::bigint and a.object_type = ${model.name} and a.object_id = d.id
  and a.field = ${rule.field} and a.date = d.value and a."offset" = ${rule.offset}::int and a.unit = ${rule.unit}`

/**
 * Finds the objects whose dates the rules have reached, and stores an event for each, on which the rule engine then
 * acts. Several processes may do this at the same time: each object, rule and date gets one event.
 */
export const dateRuleWork = (started: Service): BackgroundWork => ({
  name: 'rules about dates',
  idleMs: INTERVAL,
  wokenBy: [SYSTEM.eventRule],
  turn: async () => {
    const service = currentService(started)
    const isActive = sql`r.enabled and r.action_object_id is not null and ${NAMES_ITS_TARGET}`
    let isMore = false
    for (const rule of await dateRules(service.database, isActive)) {
      for (const type of rule.types) {
        const model = service.registry.models.get(type)
        if (!model) continue
        const count = await service.database.transaction((transaction) =>
          storeReached(service, transaction, rule, model),
        )
        isMore ||= count === AT_ONCE
      }
    }
    return isMore ? 'again' : 'idle'
  },
})

/** Stores the events of dates that the rule has reached, once each. Returns their number, at most AT_ONCE. */
async function storeReached(service: Service, transaction: Transaction, rule: DateRule, model: Model): Promise<number> {
  const now = currentTimestamp(service.clock)
  const distance = rule.offset * (rule.unit === 'days' ? DAY : DAY / 24)
  const interval = [
    new Date(Date.parse(rule.since) - distance - 2 * DAY),
    new Date(service.clock.now() - distance + 2 * DAY),
  ] as const
  const rows = await datedRows(service, transaction, model, rule, interval)
  if (!rows) return 0
  const reached = await transaction.query<{ object_id: number; date: string }>(sql`
    ${insertInto(SYSTEM.dateAction, ONLY_INSERTS)}
      (event_rule_id, object_type, object_id, field, date, "offset", unit, acted)
    select ${rule.id}::bigint, ${model.name}, d.id, ${rule.field}, d.value, ${rule.offset}::int, ${rule.unit}, ${now}::timestamptz
    from (${rows}) d
    where d.due <= ${now}::timestamptz and d.due > ${rule.since}::timestamptz
      and not exists (select from ${table(SYSTEM.dateAction)} a where ${isActionFor(rule, model)})
    order by d.due, d.id limit ${AT_ONCE}
    on conflict do nothing
    returning object_id, date`)
  if (reached.length === 0) return 0
  const ids = reached.map((row) => row.object_id)
  const objects = await eventObjects({ service, transaction }, model, ids, { isNamed: true })
  const payloads = reached.flatMap(({ object_id: id, date }) => {
    const object = objects.get(id)
    return object === undefined ? [] : [payloadOf(rule, model, { id, date, object, now })]
  })
  hurryEvents(service, transaction)
  await transaction.execute(sql`
    ${insertInto(SYSTEM.event, ONLY_INSERTS)} (kind, payload, created)
    select 'object', q.payload::json, ${now}::timestamptz
    from unnest(${payloads}::text[]) with ordinality as q(payload, place) order by q.place`)
  return reached.length
}

interface Reached {
  readonly id: number
  readonly date: string
  /** JSON text. */
  readonly object: string
  readonly now: string
}

/** JSON text of an event for the rule engine, as that of a change (write/record/events.ts), with the date. */
function payloadOf({ id: rule, field, author }: DateRule, model: Model, { id, date, object, now }: Reached): string {
  const head = JSON.stringify({ event: DATE_REACHED, object_type: model.name, object_id: id }).slice(0, -1)
  const tail = JSON.stringify({
    ...{ request: null, request_id: null, username: null, run_as: author },
    ...{ timestamp: now.replace('Z', '+00:00'), rules: [rule], date: { field, value: date } },
  }).slice(1)
  return `${head},"data":${object},${tail}`
}
