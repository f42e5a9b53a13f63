import type { EffectFunction } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom } from '../../sql/table.ts'
import { session } from './session.ts'
import type { user } from './user.ts'

/**
 * Ends the sessions of users who were deactivated or whose password changed; otherwise they would be valid again once
 * the user is reactivated.
 */
export const endSessions: EffectFunction<typeof user.fields> = async ({
  rows,
  database,
  isModel,
}) => {
  const ids = rows.flatMap(({ next, previous }) => {
    if (!next || !previous) return []
    return !next.is_active || next.password !== previous.password ? [next.id] : []
  })
  if (ids.length === 0 || !isModel(session.name)) return
  await database.execute(sql`${deleteFrom('users.session')} where user_id = any(${ids}::bigint[])`)
}
