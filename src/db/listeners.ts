import { volatile } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { systemTable } from '../sql/table.ts'

/** Name under which the server lists the connection on which a running service receives notifications. */
export const LISTENER = 'cadastre changes'

/** Whether running services use the database: each of their processes listens. */
export async function isServed(queryable: Queryable): Promise<boolean> {
  const rows = await queryable.queryArrays(volatile`
    select 1 from ${systemTable('pg_stat_activity')}
    where datname = current_database() and application_name = ${LISTENER} limit 1`)
  return rows.length > 0
}
