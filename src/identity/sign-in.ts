import { ApiError } from '../base/errors.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { User } from './actor.ts'
import type { Authentication } from './authenticate.ts'
import type { Person } from './external-account.ts'
import type { LdapProvider } from './ldap-provider.ts'
import { loadUser } from './load-user.ts'
import { LoginRefusal, reasonOf } from './login-refusal.ts'
import { checkThrottle, type LoginAttempt, noteFailure, noteSuccess } from './login-throttle.ts'
import { isPassword } from './password.ts'
import { type FactorOwner, factorState } from './second-factor.ts'

interface UserRow extends Record<string, unknown> {
  readonly id: number
  readonly username: string
  readonly password: string
  readonly is_superuser: boolean
  readonly is_active: boolean
}

/** An attempt to sign in, with the data that a directory needs in addition. */
interface PasswordLogin extends LoginAttempt {
  readonly password: string
  /** UUID of the request, for change records of a user whom a directory knows. */
  readonly requestId: string
}

/** A user whose password is right; a second factor may still be required. */
export interface VerifiedUser extends FactorOwner {
  readonly way: 'password' | 'ldap'
  /** Name of the directory that knows the password; absent for a local one. */
  readonly provider?: string
}

/**
 * The user with the name and the password, if that is enough to sign in, that is, without a second factor. Throws as
 * `verifyPassword` does, and `forbidden` for a user with a second factor.
 */
export async function signIn(authentication: Authentication, attempt: PasswordLogin): Promise<User> {
  const user = await verifyPassword(authentication, attempt)
  if ((await factorState(authentication, user)) !== 'none') {
    const { address } = attempt
    authentication.audit({ event: 'loginFailed', reason: 'second factor missing', user: user.username, address })
    const detail = 'This account has a second factor: sign in with a browser, and create a token there.'
    throw new ApiError({ kind: 'forbidden', detail })
  }
  auditLogin(authentication, user, attempt.address)
  return await loadUser(authentication.service, user)
}

/** Records a complete login. */
export function auditLogin(
  { audit }: Authentication,
  { username, way, provider }: VerifiedUser,
  address: string | undefined,
  secondFactor?: 'code' | 'recoveryCode',
): void {
  const details = { ...(provider !== undefined && { provider }), ...(secondFactor && { secondFactor }) }
  audit({ event: 'login', user: username, way, ...details, address })
}

/**
 * The user with the name and the password, which this service or one of the directories knows; the only place that
 * checks passwords. Throws `forbidden`, without revealing whether name, password or a deactivation is the reason,
 * `throttled`, and `unavailable` if a directory cannot be asked.
 */
export async function verifyPassword(authentication: Authentication, attempt: PasswordLogin): Promise<VerifiedUser> {
  const { audit } = authentication
  const { address } = attempt
  await checkThrottle(authentication, attempt)
  const row = await findUser(authentication, attempt.username)
  const isKnown = await isPassword(attempt.password, row?.password)
  // A password of this service is not sent to any directory.
  const { person, entries }: DirectoryResults = isKnown
    ? { entries: [] }
    : await askDirectories(authentication, attempt)
  const resolved = { ...attempt, entries }
  if (person) {
    await checkThrottle(authentication, resolved)
    await noteSuccess(authentication, resolved)
    return await userOfDirectory(authentication, attempt, person)
  }
  const reason = reasonAgainst(row, isKnown)
  if (!row || reason !== undefined) {
    audit({
      event: 'loginFailed',
      reason: reason ?? 'unknown user',
      // Only for existing users: a person may have typed the password as the name.
      user: row?.username,
      address,
    })
    await noteFailure(authentication, resolved)
    throw new ApiError({ kind: 'forbidden', detail: 'Invalid username/password' })
  }
  await checkThrottle(authentication, attempt)
  await noteSuccess(authentication, attempt)
  const { id, username, is_superuser } = row
  return { id, username, is_superuser, way: 'password' }
}

interface DirectoryPerson {
  readonly provider: LdapProvider
  readonly person: Person
}

interface DirectoryResults {
  readonly person?: DirectoryPerson
  /** The entries that the directories found for the name. */
  readonly entries: readonly string[]
}

/**
 * The person with the name and the password in the first directory that knows them. Throws `unavailable` if none does
 * and one of them cannot be asked: the password may be right.
 */
async function askDirectories(
  { providers, audit }: Authentication,
  { username, password, address }: PasswordLogin,
): Promise<DirectoryResults> {
  let failure: unknown
  const entries: string[] = []
  for (const provider of providers.directories) {
    try {
      const { person, entry } = await provider.authenticate(username, password)
      if (entry !== undefined) entries.push(`${provider.config.name} ${entry}`)
      if (person) return { person: { provider, person }, entries }
    } catch (error) {
      failure ??= error
      const reason = error instanceof Error ? error.message : String(error)
      audit({ event: 'loginFailed', reason, user: undefined, provider: provider.config.name, address })
    }
  }
  if (failure !== undefined) throw failure
  return { entries }
}

async function userOfDirectory(
  { audit, externalUsers }: Authentication,
  { address, requestId }: PasswordLogin,
  { provider: { config }, person }: DirectoryPerson,
): Promise<VerifiedUser> {
  try {
    const { id, username, is_superuser } = await externalUsers(person, { policy: config, requestId })
    return { id, username, is_superuser, way: 'ldap', provider: config.name }
  } catch (error) {
    if (!(error instanceof LoginRefusal)) throw error
    audit({ event: 'loginFailed', reason: reasonOf(error), user: undefined, provider: config.name, address })
    throw new ApiError({ kind: 'forbidden', detail: error.message })
  }
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
