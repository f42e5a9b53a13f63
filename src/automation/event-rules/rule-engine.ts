import { currentTimestamp } from '../../base/clock.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import { eventStreamOf } from '../../changes/stream/event-stream.ts'
import type { Transaction } from '../../db/database.ts'
import { membershipsIn } from '../../read/groups/memberships.ts'
import { displayOf as displayExpression } from '../../read/query/display.ts'
import type { ConditionSubject } from '../../schema/conditions.ts'
import type { Json } from '../../schema/json.ts'
import { parseJson } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { currentService, type Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, table, updateTable } from '../../sql/table.ts'
import { usersOfNotificationGroup } from '../../write/record/notified-users.ts'
import { notifyUsers } from '../../write/record/notify-users.ts'
import { viewersOf } from '../../write/record/viewers.ts'
import { type NewDelivery, queueDeliveries } from '../webhooks/new-deliveries.ts'
import { type ActionRule, actionRules, applies, type EventHead, isFor } from './action-rules.ts'

/** Name of the engine's cursor. */
const CURSOR = 'event rules'
/** Positions that one turn reads. */
const WINDOW = 1_000

/** A script that a rule starts. */
interface ScriptStart {
  /** Id of the script. */
  readonly script: number
  /** Id of the user who caused the event; the script runs with the permissions of this user. */
  readonly user: number
  /** The object, merged over the data of the rule. */
  readonly data: Json
}

/** An e-mail to a notification group about the events of one request. */
interface GroupEmail {
  /** Ids of the events. */
  readonly events: readonly number[]
  /** Id of the request; null for events of jobs. */
  readonly request: string | null
  /** Id of the notification group. */
  readonly group: number
  /** Name of the rule. */
  readonly rule: string
}

/** Actions carried out by jobs. Each is enqueued as part of the transaction. */
interface JobActions {
  startScript(transaction: Transaction, start: ScriptStart): Promise<unknown>
  sendEmail(transaction: Transaction, email: GroupEmail): Promise<unknown>
}

/** An event and a rule that applies to it. */
interface Match {
  readonly event: EventHead
  readonly rule: ActionRule
}

/**
 * The rule engine: reads the events of the stream in the order of their positions and carries out the actions of the rules
 * that apply. Actions are stored in the transaction that advances its position, so that each is carried out once.
 */
export function ruleEngine(service: Service, actions: JobActions): BackgroundWork {
  /** There is nothing to handle between the stored position and this one. */
  let seen = 0
  let stored = 0
  return {
    name: 'event rules',
    idleMs: 5_000,
    wokenBy: [],
    watch: (wake) => void eventStreamOf(service).watch(wake),
    turn: async () => {
      const next = await lookAhead(service.database, seen)
      if (next.position === null) return 'idle'
      // Nearly all events are change records without rules; for these the position is stored only from time to time.
      if (next.isRelevant || next.position - stored >= WINDOW / 2) {
        const consumed = await service.database.transaction((transaction) =>
          consume(currentService(service), transaction, actions),
        )
        if (consumed === undefined) return 'idle'
        stored = consumed
        seen = consumed
        return 'again'
      }
      seen = next.position
      return 'idle'
    },
  }
}

/** The last position of the next events, and whether some of them may concern rules. */
async function lookAhead(
  queryable: Queryable,
  seen: number,
): Promise<{ readonly position: number | null; readonly isRelevant: boolean | null }> {
  const [row] = await queryable.query<{ position: number | null; isRelevant: boolean | null }>(sql`
    select max(w.position) as position, bool_or(w.kind <> 'change') as "isRelevant"
    from (${windowBehind(seen)}) w`)
  return row ?? { position: null, isRelevant: null }
}

const windowBehind = (position: number): Sql => sql`
  select position, kind from ${table(SYSTEM.event)} where position > ${position}::bigint
  order by position limit ${WINDOW}`

/**
 * Handles the next events. Returns the last position up to which all are handled; undefined if another process is
 * handling them.
 */
async function consume(service: Service, transaction: Transaction, actions: JobActions): Promise<number | undefined> {
  const from = await lockCursor(transaction)
  if (from === undefined) return undefined
  const { position } = await lookAhead(transaction, from)
  if (position === null) return from
  const events = await eventsBetween(transaction, from, position)
  if (events.length > 0) await act(service, transaction, events, actions)
  await transaction.execute(sql`
    ${updateTable(SYSTEM.eventCursor)} set position = ${position}::bigint where name = ${CURSOR}`)
  return position
}

/** The last handled position; undefined if another process holds the cursor. */
async function lockCursor(transaction: Transaction): Promise<number | undefined> {
  const lock = () =>
    transaction.query<{ position: number }>(sql`
      select position from ${table(SYSTEM.eventCursor)} where name = ${CURSOR}
      for update skip locked`)
  const [cursor] = await lock()
  if (cursor) return cursor.position
  const created = await transaction.execute(sql`
    ${insertInto(SYSTEM.eventCursor)} (name, position) values (${CURSOR}, 0)
    on conflict (name) do nothing`)
  return created === 0 ? undefined : (await lock())[0]?.position
}

async function eventsBetween(queryable: Queryable, after: number, last: number): Promise<readonly EventHead[]> {
  const rows = await queryable.query<Omit<EventHead, 'rules'> & { readonly rules: string | null }>(
    sql`
    select id, kind, payload->>'event' as event, payload->>'object_type' as "objectType",
      (payload->>'object_id')::bigint as "objectId", payload->>'rules' as rules,
      payload->>'request_id' as request, payload->>'username' as author
    from ${table(SYSTEM.event)}
    where position > ${after}::bigint and position <= ${last}::bigint and kind <> 'change'
    order by position`,
  )
  return rows.map((row) => ({
    ...row,
    rules: row.rules === null ? null : (parseJson(row.rules) as number[]), // written by write/record/events.ts
  }))
}

async function act(
  service: Service,
  transaction: Transaction,
  events: readonly EventHead[],
  actions: JobActions,
): Promise<void> {
  const rules = await actionRules(transaction)
  const candidates = await ofMembers(
    service,
    transaction,
    events.flatMap((event) => rules.filter((rule) => isFor(rule, event)).map((rule): Match => ({ event, rule }))),
  )
  const subjects = await subjectsOf(
    transaction,
    candidates.filter(({ rule }) => rule.conditions !== null || rule.action === 'script'),
  )
  const matches = candidates.filter(({ event, rule }) => {
    const subject = subjects.get(event.id)
    return rule.conditions === null || (subject !== undefined && applies(rule, subject))
  })
  const now = currentTimestamp(service.clock)
  await queueDeliveries(transaction, matches.filter(isAction('webhook')).map(deliveryOf), service)
  for (const { event, rule } of matches.filter(isAction('notification'))) {
    const display = await displayOf(service, transaction, event)
    const users = await viewersOfObject(service, transaction, event, rule)
    const notified = { ...event, type: event.event, display, users, author: event.author ?? '' }
    await notifyUsers(transaction, [notified], { now })
  }
  const emails = Map.groupBy(
    matches.filter(isAction('email')),
    ({ event, rule }) => `${rule.id} ${event.request ?? event.id}`,
  )
  for (const list of emails.values()) {
    const [first] = list
    if (!first) continue
    const { event, rule } = first
    const events = list.map((match) => match.event.id)
    const email = { events, request: event.request, group: rule.target, rule: rule.name }
    await actions.sendEmail(transaction, email)
  }
  for (const { event, rule } of matches.filter(isAction('script'))) {
    const subject = subjects.get(event.id)
    const user = await userOf(transaction, subject)
    // Without a user there are no permissions with which the script could run.
    if (user === undefined) continue
    const date = subject?.date === undefined ? {} : { reached: subject.date }
    const data = mergedData(rule, { ...date, ...(subject?.data as object | null) } as Json)
    await actions.startScript(transaction, { script: rule.target, user, data })
  }
}

/** Leaves out events of jobs whose object is in none of the rule's dynamic groups; the write has checked all others. */
async function ofMembers(
  { registry }: Service,
  database: Queryable,
  candidates: readonly Match[],
): Promise<readonly Match[]> {
  const isLimited = ({ event, rule }: Match) => event.rules === null && rule.groups.length > 0
  const limited = candidates.filter((match) => isLimited(match) && registry.models.has(match.event.objectType))
  const members = new Set<string>()
  for (const [type, list] of Map.groupBy(limited, ({ event }) => event.objectType)) {
    const groups = [...new Set(list.flatMap(({ rule }) => rule.groups))]
    const ids = [...new Set(list.map(({ event }) => event.objectId))]
    for (const [id, rows] of await membershipsIn({ registry, database })(type, groups, ids)) {
      for (const [group] of rows) members.add(`${type} ${id} ${group}`)
    }
  }
  const isMember = ({ event, rule }: Match) =>
    rule.groups.some((group) => members.has(`${event.objectType} ${event.objectId} ${group}`))
  return candidates.filter((match) => !isLimited(match) || isMember(match))
}

const isAction =
  (action: ActionRule['action']) =>
  ({ rule }: Match): boolean =>
    rule.action === action

const deliveryOf = ({ event, rule }: Match): NewDelivery => ({
  event: event.id,
  webhook: rule.target,
  rule: rule.id,
  actionData: rule.data,
})

/** The rule's data, overridden by those of the object. */
function mergedData(rule: ActionRule, data: Json): Json {
  const ruleData = rule.data === null ? {} : (parseJson(rule.data) as object) // an object, see actionRules
  return { ...ruleData, ...(data as object | null) } as Json
}

/** The parts of an event that rules need. */
interface EventSubject extends ConditionSubject {
  readonly username: string | null
  /** Name of the user in whose name a script runs, if nobody has caused the event. */
  readonly run_as?: string | null
  /** The date that has been reached. */
  readonly date?: Json
}

/** Data and snapshots of the events of these matches, by the events' ids. */
async function subjectsOf(queryable: Queryable, matches: readonly Match[]): Promise<ReadonlyMap<number, EventSubject>> {
  const ids = [...new Set(matches.map(({ event }) => event.id))]
  if (ids.length === 0) return new Map()
  const rows = await queryable.query<{ id: number; payload: string }>(sql`
    select id, payload from ${table(SYSTEM.event)} where id = any(${ids}::bigint[])`)
  return new Map(
    rows.map(({ id, payload }) => [id, parseJson(payload) as EventSubject]), // written by write/record/events.ts
  )
}

/** Id of the user who caused the event, if there is one. */
async function userOf(queryable: Queryable, subject: EventSubject | undefined): Promise<number | undefined> {
  const [user] = await queryable.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.user)} where username = ${subject?.username ?? subject?.run_as ?? null}::text`)
  return user?.id
}

/** The members of the rule's group who may view the object. */
async function viewersOfObject(
  service: Service,
  queryable: Queryable,
  { objectType, objectId }: EventHead,
  rule: ActionRule,
): Promise<readonly number[]> {
  const model = service.registry.models.get(objectType)
  if (!model) return []
  const objects = { model, ids: [objectId] }
  const members = usersOfNotificationGroup(service, rule.target)
  return (await viewersOf(service, queryable, objects, members)).get(objectId) ?? []
}

/** Text of the object that a notification is about; empty if the object no longer exists. */
async function displayOf(
  { registry }: Service,
  queryable: Queryable,
  { objectType, objectId }: EventHead,
): Promise<string> {
  const model = registry.models.get(objectType)
  if (!model) return ''
  const [row] = await queryable.query<{ display: string }>(sql`
    select ${displayExpression(model, sql`t`)} as display from ${table(model)} t where t.id = ${objectId}::bigint`)
  return row?.display ?? ''
}
