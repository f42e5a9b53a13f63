import { type Sql, sql } from '../../sql/fragment.ts'

/** Condition that one of the events of the row `e` belongs to the change record with this id. */
export const standsFor = (id: Sql): Sql => sql`${id} between e.change and e.change + e.count - 1`
