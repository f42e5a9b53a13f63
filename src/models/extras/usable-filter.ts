import { holds } from '../../schema/filter.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** Objects that are not shared are visible to their owner only. */
export const isSharedOrOwn = (column: ColumnOf, user: number | undefined): Sql =>
  user === undefined
    ? sql`${column('shared')}`
    : sql`(${column('shared')} or ${column('user')} is not distinct from ${user}::bigint)`

/** Enabled, and shared or the requester's own. */
export const usableFilter = holds(
  ({ column, user }) => sql`${column('enabled')} and ${isSharedOrOwn(column, user)}`,
)
