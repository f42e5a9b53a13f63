import { meetsConditions } from '../../schema/conditions.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS } from '../../sql/table.ts'
import { objectKey } from '../related-object.ts'
import type { ChangeEvent, RuleMatch } from './changes.ts'
import type { EnabledRule } from './event-rules.ts'
import type { JournalledWrite } from './journal.ts'
import { usersOfNotificationGroup } from './notified-users.ts'
import { type NotifiedEvent, notifyUsers } from './notify-users.ts'
import { hurryEvents } from './urgent-events.ts'
import { viewersOf } from './viewers.ts'

/** An event with the JSON text of its object, and the rules for it. */
export interface DescribedEvent {
  readonly event: ChangeEvent
  readonly object: string
  readonly rules: readonly EnabledRule[]
}

/** The rules that apply, for a dry run. */
export const matchesOf = (described: readonly DescribedEvent[]): readonly RuleMatch[] =>
  described.flatMap((change) =>
    change.rules
      .filter((rule) => meets(rule, change))
      .map(({ id: rule }) => ({
        rule,
        type: change.event.type,
        model: change.event.model,
        id: change.event.id,
      })),
  )

/**
 * Notifies the members of groups who may view the objects. `departingViewersOf`: those who could view a deleted object
 * before its deletion.
 */
export async function notifyGroups(
  write: JournalledWrite,
  described: readonly DescribedEvent[],
  departingViewersOf: (group: number, event: ChangeEvent) => readonly number[] | undefined,
): Promise<void> {
  const notified = described.flatMap((change) =>
    change.rules.flatMap((rule) =>
      rule.group !== undefined && meets(rule, change) ? [{ group: rule.group, ...change }] : [],
    ),
  )
  for (const [group, events] of Map.groupBy(notified, (event) => event.group)) {
    const once = new Map(events.map((event) => [objectKey(event.event.model.name, event.event.id), event]))
    for (const [model, list] of Map.groupBy(once.values(), ({ event }) => event.model)) {
      const alive = list.flatMap(({ event }) => (event.gone ? [] : [event.id]))
      const viewers = await groupViewers(write, group, model, alive)
      const notifications = list.map(({ event }): NotifiedEvent => {
        const { id, type, display, gone } = event
        const users = gone ? departingViewersOf(group, event) : viewers.get(id)
        const { requestId: request, actor } = write
        const author = actor.username
        return { objectType: model.name, objectId: id, type, display, users: users ?? [], request, author }
      })
      await notifyUsers(write.transaction, notifications, { now: write.now })
    }
  }
}

/** The members of the notification group who may view each object. */
export const groupViewers = (
  { service, transaction }: JournalledWrite,
  group: number,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> =>
  viewersOf(service, transaction, { model, ids }, usersOfNotificationGroup(service, group))

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
export function storeEvents(write: JournalledWrite, described: readonly DescribedEvent[]): void {
  const { service, transaction, now } = write
  const payloads = described.flatMap((change) => {
    const rules = change.rules.filter(({ group }) => group === undefined)
    return rules.length === 0 ? [] : [payloadOf(write, change, rules)]
  })
  if (payloads.length > 0) hurryEvents(service, transaction)
  for (let start = 0; start < payloads.length; start += MOST_AT_ONCE) {
    const batch = payloads.slice(start, start + MOST_AT_ONCE).join(BETWEEN)
    transaction.send(sql`
      ${insertInto(SYSTEM.event, ONLY_INSERTS)} (kind, payload, created)
      select 'object', q.payload::json, ${now}::timestamptz
      from string_to_table(${batch}, ${BETWEEN}) with ordinality as q(payload, place)
      order by q.place`)
  }
}

/** JSON text of an event for the rule engine. `data` and `snapshots` are inserted as they were written. */
function payloadOf(
  { actor, requestId, origin, now }: JournalledWrite,
  { event: { type, model, id, before, after }, object }: DescribedEvent,
  rules: readonly EnabledRule[],
): string {
  const { username } = actor
  const request = origin ? { id: requestId, ...origin, user: username } : null
  const head = JSON.stringify({ event: type, object_type: model.name, object_id: id }).slice(0, -1)
  const tail = JSON.stringify({
    request,
    request_id: requestId,
    username,
    timestamp: now.replace('Z', '+00:00'),
    rules: rules.map((rule) => rule.id),
  }).slice(1)
  return `${head},"data":${object},"snapshots":{"prechange":${before},"postchange":${after}},${tail}`
}
