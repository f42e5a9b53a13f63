import { volatile } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'

/** Lock of the models whose writes change cable paths. */
export const CABLING = 'dcim.cabling'

/** Takes the lock until the end of the transaction, for writes that change cables indirectly. */
export async function lockCabling(database: Queryable): Promise<void> {
  await database.query(
    volatile`select pg_advisory_xact_lock(hashtextextended(${`cadastre ${CABLING}`}, 0))`,
  )
}
