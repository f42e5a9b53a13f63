import { holds } from '../../schema/filter.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** What others do not share is nobody else's business. */
export const isSharedOrOwn = (column: ColumnOf, user: number | undefined): Sql =>
  user === undefined
    ? sql`${column('shared')}`
    : sql`(${column('shared')} or ${column('user')} is not distinct from ${user}::bigint)`

/** Enabled, and shared or the requester's own. */
export const usableFilter = holds(
  ({ column, user }) => sql`${column('enabled')} and ${isSharedOrOwn(column, user)}`,
)
