import { ApiError } from '../errors.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { User } from './actor.ts'
import type { Authentication } from './authenticate.ts'
import { loadUser } from './load-user.ts'
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
 * The user with the name and the password; the only place that checks passwords. Throws `forbidden`, without
 * revealing whether name, password or a deactivation is the reason, and `throttled`.
 */
export async function signIn(
  authentication: Authentication,
  attempt: LoginAttempt & { readonly password: string },
): Promise<User> {
  await checkThrottle(authentication, attempt)
  const row = await findUser(authentication, attempt.username)
  const isKnown = await isPassword(attempt.password, row?.password)
  const reason = reasonAgainst(row, isKnown)
  if (!row || reason !== undefined) {
    authentication.audit({
      event: 'loginFailed',
      reason: reason ?? 'unknown user',
      // Only of an existing user: a person may have typed the password as the name.
      user: row?.username,
      address: attempt.address,
    })
    await noteFailure(authentication, attempt)
    throw new ApiError({ kind: 'forbidden', detail: 'Invalid username/password' })
  }
  await checkThrottle(authentication, attempt)
  await noteSuccess(authentication, attempt)
  authentication.audit({
    event: 'login',
    user: row.username,
    way: 'password',
    address: attempt.address,
  })
  return await loadUser(authentication.service, row)
}

function reasonAgainst(row: UserRow | undefined, isKnown: boolean): string | undefined {
  if (!row) return 'unknown user'
  if (!isKnown) return 'wrong password'
  return row.is_active ? undefined : 'inactive user'
}

async function findUser({ service }: Authentication, username: string): Promise<UserRow | undefined> {
  const [row] = await service.database.query<UserRow>(sql`
    select id, password, username, is_superuser, is_active from ${table(SYSTEM.user)}
    where username = ${username}`)
  return row
}
