import type { Actor } from '../../identity/actor.ts'
import { requirePermission, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Changes of one user on one day. */
export interface ChangeCount extends Record<string, unknown> {
  /** In UTC: 2026-11-22. */
  readonly day: string
  readonly user_id: number | null
  readonly user_name: string
  readonly count: number
  readonly created: number
  readonly updated: number
  readonly deleted: number
}

/**
 * Numbers of the change records that match the filters of their list and that the actor may view, by day and user, the
 * latest day first. Throws `unauthenticated` and `forbidden`.
 */
export async function changeCounts(
  service: Service,
  actor: Actor,
  filters: URLSearchParams,
): Promise<readonly ChangeCount[]> {
  const { registry, settings, database } = service
  const model = registry.model(SYSTEM.objectChange)
  requirePermission(actor, 'view', model, settings)
  const security = rowSecurityOf(actor, registry, settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const where = await compileFilters(service, model, filters, security.visibleRows, user)
  return await database.query<ChangeCount>(
    applyRowSecurity(
      security,
      sql`select to_char(t.time at time zone 'UTC', 'YYYY-MM-DD') as day, t.user_id, t.user_name,
          count(*) as count,
          count(*) filter (where t.action = 'create') as created,
          count(*) filter (where t.action = 'update') as updated,
          count(*) filter (where t.action = 'delete') as deleted
        from ${table(model)} t ${where ? sql`where ${where}` : sql``}
        group by 1, 2, 3 order by 1 desc, count(*) desc, 3, 2`,
    ),
  )
}
