import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom } from '../../sql/table.ts'

/** Deletes the jobs with their places in the queue, in a transaction. */
export async function deleteJobs(transaction: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await transaction.execute(sql`${deleteFrom(SYSTEM.jobTask)} where job_id = any(${ids}::bigint[])`)
  await transaction.execute(sql`${deleteFrom(SYSTEM.job)} where id = any(${ids}::bigint[])`)
}
