import { holds } from '../../schema/filter.ts'
import { sql } from '../../sql/fragment.ts'

/** Enabled, and shared or the requester's own. */
export const usableFilter = holds(({ column, user }) => {
  const own = user === undefined ? sql`false` : sql`${column('user')} = ${user}::bigint`
  return sql`${column('enabled')} and (${column('shared')} or ${own})`
})
