import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

/** A script that a change request names, with its latest run in the branch for this request. */
export interface Check extends Record<string, unknown> {
  readonly script: number
  readonly name: string
  /** Id of the job; null if it has not run. */
  readonly job: number | null
  readonly status: string | null
  readonly started: string | null
  /** When its file was last replaced; null if never. */
  readonly replaced: string | null
}

/** The checks of a change request, by name. */
export const checksOf = (queryable: Queryable, request: number): Promise<Check[]> =>
  queryable.query<Check>(sql`
    select s.id as script, s.name, j.id as job, j.status, j.started, m.last_updated as replaced
    from ${table(`${SYSTEM.changeRequest}.checks`)} c join ${table(SYSTEM.script)} s on s.id = c.script_id
    join ${table(SYSTEM.scriptModule)} m on m.id = s.module_id
    left join lateral (
      select j.id, j.status, j.started from ${table(SYSTEM.job)} j join ${table(SYSTEM.jobTask)} t on t.job_id = j.id
      where j.object_type = ${SYSTEM.script} and j.object_id = s.id
        and t.parameters ->> 'change_request' = ${String(request)}
      order by j.id desc limit 1) j on true
    where c.changerequest_id = ${request}::bigint order by s.name`)
