import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import { loadUser, type UserRow } from '../../identity/load-user.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { JobFailed } from './job-kind.ts'

/**
 * The user of a job with their present permissions; the service itself where `id` is null. Throws JobFailed for a user who has been
 * deactivated.
 */
export async function jobActor(service: Service, id: number | null): Promise<User> {
  if (id === null) return SERVICE_ACTOR
  const [row] = await service.database.query<UserRow & Record<string, unknown>>(sql`
    select id, username, is_superuser from ${table(SYSTEM.user)} where id = ${id}::bigint and is_active`)
  if (!row) throw new JobFailed('The user of the job is not active.')
  return await loadUser(service, row)
}
