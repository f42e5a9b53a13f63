import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import type { User } from './actor.ts'
import { type Grants, loadGrants, loadGrantsOfUsers } from './grants.ts'

/** Columns of an authenticated user. */
export interface UserRow {
  readonly id: number
  readonly username: string
  readonly is_superuser: boolean
}

/** The user with all permissions. A token may have fewer permissions. */
export const loadUser = async (service: Service, row: UserRow): Promise<User> =>
  userOf(row, row.is_superuser ? undefined : await loadGrants(service.database, row.id, grantSources(service)))

/** The active user with the id, with all permissions. */
export async function loadUserById(
  service: Pick<Service, 'registry' | 'settings'>,
  queryable: Queryable,
  id: number,
): Promise<User | undefined> {
  const rows = await queryable.query<Record<string, unknown> & UserRow>(
    sql`select id, username, is_superuser from ${table(SYSTEM.user)} where id = ${id}::bigint and is_active`,
  )
  const [user] = await loadUsers(queryable, service, rows)
  return user
}

/** What permissions are read from, besides the database. */
export const grantSources = ({ registry, settings }: Pick<Service, 'registry' | 'settings'>) => ({
  registry,
  defaults: settings.defaultPermissions,
})

/** As `loadUser`, for several users with one query. */
export async function loadUsers(
  queryable: Queryable,
  service: Pick<Service, 'registry' | 'settings'>,
  rows: readonly UserRow[],
): Promise<readonly User[]> {
  const ids = rows.filter((row) => !row.is_superuser).map(({ id }) => id)
  const grants = await loadGrantsOfUsers(queryable, ids, grantSources(service))
  return rows.map((row) => userOf(row, grants.get(row.id)))
}

const userOf = ({ id, username, is_superuser: isSuperuser }: UserRow, grants: Grants | undefined): User => ({
  kind: 'user',
  id,
  username,
  isSuperuser,
  tokenId: undefined,
  writeEnabled: true,
  grants,
})
