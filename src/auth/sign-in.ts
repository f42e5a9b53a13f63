import { ApiError } from '../errors.ts'
import { sql } from '../sql/fragment.ts'
import type { User } from './actor.ts'
import type { Authentication } from './authenticate.ts'
import { loadGrants } from './grants.ts'
import { checkThrottle, type LoginAttempt, noteFailure, noteSuccess } from './login-throttle.ts'
import { isPassword } from './password.ts'

interface UserRow extends Record<string, unknown> {
  readonly id: number
  readonly username: string
  readonly password: string
  readonly is_superuser: boolean
  readonly is_active: boolean
}

/**
 * The user with the name and the password; the only door for passwords. Throws `forbidden`, without
 * telling whether name, password or a deactivation is the reason, and `throttled`.
 */
export async function signIn(
  authentication: Authentication,
  attempt: LoginAttempt & { readonly password: string },
): Promise<User> {
  await checkThrottle(authentication, attempt)
  const row = await findUser(authentication, attempt.username)
  const isKnown = await isPassword(attempt.password, row?.password)
  if (!row || !isKnown || !row.is_active) {
    await noteFailure(authentication, attempt)
    throw new ApiError({ kind: 'forbidden', detail: 'Invalid username/password' })
  }
  await checkThrottle(authentication, attempt)
  await noteSuccess(authentication, attempt)
  return await userOf(authentication, row)
}

async function findUser(
  { service }: Authentication,
  username: string,
): Promise<UserRow | undefined> {
  const [row] = await service.database.query<UserRow>(sql`
    select id, password, username, is_superuser, is_active from users_user
    where username = ${username}`)
  return row
}

const userOf = async ({ service }: Authentication, row: UserRow): Promise<User> => ({
  kind: 'user',
  id: row.id,
  username: row.username,
  isSuperuser: row.is_superuser,
  tokenId: undefined,
  writeEnabled: true,
  grants: row.is_superuser
    ? undefined
    : await loadGrants(service.database, row.id, service.settings.defaultPermissions),
})
