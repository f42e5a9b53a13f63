import { loadUsers, type UserRow } from '../../identity/load-user.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

/**
 * The active users of `users`, a query for ids, who may currently view each object; by the object's id. Three queries
 * at most.
 */
export async function viewersOf(
  service: Pick<Service, 'registry' | 'settings'>,
  queryable: Queryable,
  objects: { readonly model: Model; readonly ids: readonly number[] },
  users: Sql,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { model, ids } = objects
  if (ids.length === 0) return new Map()
  const rows = await queryable.query<UserRow & Record<string, unknown>>(sql`
    select u.id, u.username, u.is_superuser from ${table(SYSTEM.user)} u
    where u.is_active and u.id in (${users}) order by u.id`)
  const conditions: Sql[] = []
  for (const user of await loadUsers(queryable, service, rows)) {
    const visible = permittedRowsOrNone(user, 'view', model, service.settings)
    if (visible === NO_ROWS) continue
    const isVisible = visible === 'all' ? sql`true` : visible
    conditions.push(sql`case when ${isVisible} then ${user.id}::bigint end`)
  }
  if (conditions.length === 0) return new Map()
  const viewersOfRows = await queryable.query<{ id: number; viewers: number[] }>(sql`
    select t.id, array_remove(array[${join(conditions)}], null) as viewers
    from ${table(model)} t where t.id = any(${ids}::bigint[])`)
  return new Map(viewersOfRows.map(({ id, viewers }) => [id, viewers]))
}
