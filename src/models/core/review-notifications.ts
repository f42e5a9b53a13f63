import type { Effect, EffectFunction, Message } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { notifyMentioned } from '../mentions.ts'
import type { changeRequest, changeReview } from './change-request.ts'

/** What has happened to a change request. */
interface RequestMessage {
  readonly request: number
  /** Before the title of the request. */
  readonly text: string
}

const messageOf = ({ request, text }: RequestMessage, users: readonly number[]): Message => ({
  objectType: SYSTEM.changeRequest,
  objectId: request,
  text,
  users,
})

/**
 * Tells the requested reviewers that a request is open, all participants that it has been merged, and those whom its
 * texts mention.
 */
export const notifyOfRequest: EffectFunction<typeof changeRequest.fields> = async (effect) => {
  const texts = effect.rows.map(({ next, previous }) => ({
    objectType: SYSTEM.changeRequest,
    objectId: Number(next?.id),
    text: next && `${next.description}\n${next.comments}`,
    earlier: previous && `${previous.description}\n${previous.comments}`,
  }))
  await notifyMentioned(effect, texts)
  const requests = effect.rows.flatMap(({ next, previous }) => {
    if (next?.status !== 'open') return []
    const earlier = previous?.status === 'open' ? previous.reviewers : []
    const users = next.reviewers.filter((user) => !earlier.includes(user))
    return [messageOf({ request: next.id, text: 'Review requested' }, users)]
  })
  await effect.notify(requests)
  const merged = effect.rows.flatMap(({ next, previous }) =>
    next?.status === 'merged' && previous && previous.status !== 'merged' ? [{ request: next.id, text: 'Merged' }] : [],
  )
  await notifyParticipants(effect, merged)
}

const VERDICTS = { approve: 'Approved', request_changes: 'Changes requested', comment: 'Commented' } as const

/** Tells all participants about a review, and those whom it mentions. */
export const notifyOfReview: EffectFunction<typeof changeReview.fields> = async (effect) => {
  const texts = effect.rows.map(({ next, previous }) => ({
    objectType: SYSTEM.changeRequest,
    objectId: Number(next?.change_request),
    text: next?.text,
    earlier: previous?.text,
  }))
  await notifyMentioned(effect, texts)
  // A participant who is mentioned is told about the review.
  if (effect.action === 'create') {
    const verdicts = effect.rows.flatMap(({ next }) =>
      next ? [{ request: next.change_request, text: VERDICTS[next.verdict] }] : [],
    )
    await notifyParticipants(effect, verdicts)
  }
}

/** Sends each message to the author and the reviewers of its request. */
async function notifyParticipants(
  effect: Pick<Effect<never>, 'database' | 'notify'>,
  messages: readonly RequestMessage[],
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
  await effect.notify(
    messages.map((message) =>
      messageOf(
        message,
        (byRequest.get(message.request) ?? []).map(({ user }) => user),
      ),
    ),
  )
}
