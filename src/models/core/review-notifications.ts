import type { Effect, EffectFunction } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { insertInto, table } from '../../sql/table.ts'
import type { changeRequest, changeReview } from './change-request.ts'

/** What has happened to a change request, at a time. */
interface Message {
  readonly request: number
  /** Before the title of the request. */
  readonly text: string
  readonly time: string
}

/** Tells the requested reviewers that a request is open, and all participants that it has been merged. */
export const notifyOfRequest: EffectFunction<typeof changeRequest.fields> = async (effect) => {
  const requests = effect.rows.flatMap(({ next, previous }) => {
    if (next?.status !== 'open') return []
    const earlier = previous?.status === 'open' ? previous.reviewers : []
    const users = next.reviewers.filter((user) => !earlier.includes(user))
    return users.map((user) => ({ user, request: next.id, text: 'Review requested', time: String(next.last_updated) }))
  })
  await notify(effect, requests)
  const merged = effect.rows.flatMap(({ next, previous }) =>
    next?.status === 'merged' && previous && previous.status !== 'merged'
      ? { request: next.id, text: 'Merged', time: String(next.last_updated) }
      : [],
  )
  await notifyParticipants(effect, merged)
}

const VERDICTS = { approve: 'Approved', request_changes: 'Changes requested', comment: 'Commented' } as const

/** Tells all participants about a review. */
export const notifyOfReview: EffectFunction<typeof changeReview.fields> = async (effect) => {
  if (effect.action !== 'create') return
  const verdicts = effect.rows.flatMap(({ next }) =>
    next ? { request: next.change_request, text: VERDICTS[next.verdict], time: String(next.created) } : [],
  )
  await notifyParticipants(effect, verdicts)
}

/** Sends each message to the author and the reviewers of its request. */
async function notifyParticipants(
  effect: Pick<Effect<never>, 'database' | 'origin'>,
  messages: readonly Message[],
): Promise<void> {
  if (messages.length === 0) return
  const ids = messages.map(({ request }) => request)
  const people = await effect.database.query<{ request: number; user: number }>(sql`
    select r.id as request, r.author_id as "user" from ${table(SYSTEM.changeRequest)} r
    where r.id = any(${ids}::bigint[]) and r.author_id is not null
    union select j.changerequest_id, j.user_id from ${table(`${SYSTEM.changeRequest}.reviewers`)} j
    where j.changerequest_id = any(${ids}::bigint[])
    union select v.change_request_id, v.user_id from ${table(SYSTEM.changeReview)} v
    where v.change_request_id = any(${ids}::bigint[]) and v.user_id is not null`)
  const byRequest = Map.groupBy(people, ({ request }) => request)
  await notify(
    effect,
    messages.flatMap((message) => (byRequest.get(message.request) ?? []).map(({ user }) => ({ ...message, user }))),
  )
}

/** Stores the messages, except to whoever acts. The latest one about a request replaces earlier ones, unread. */
async function notify(
  { database, origin }: Pick<Effect<never>, 'database' | 'origin'>,
  messages: readonly (Message & { readonly user: number })[],
): Promise<void> {
  if (messages.length === 0) return
  const column = <Key extends keyof (typeof messages)[number]>(key: Key) => messages.map((message) => message[key])
  await database.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    select distinct on (q.request, q.user_id) ${SYSTEM.changeRequest}::text, q.request, q.user_id, q.time, 'object_updated',
      left(q.text || ': ' || r.title, 200)
    from unnest(${column('request')}::bigint[], ${column('user')}::bigint[], ${column('text')}::text[],
        ${column('time')}::timestamptz[]) with ordinality as q(request, user_id, text, time, position)
      join ${table(SYSTEM.changeRequest)} r on r.id = q.request
      join ${table(SYSTEM.user)} u on u.id = q.user_id and u.is_active and u.username <> ${origin.by}
    order by q.request, q.user_id, q.position desc
    on conflict (object_type, object_id, user_id) do update
    set event_type = excluded.event_type, object_repr = excluded.object_repr, created = excluded.created, read = null`)
}
