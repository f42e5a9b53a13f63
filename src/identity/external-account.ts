import { randomBytes } from 'node:crypto'
import type { AccountPolicy } from '../config/auth-providers.ts'
import type { Settings } from '../config/settings.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto, table, updateTable } from '../sql/table.ts'
import { LoginRefusal } from './login-refusal.ts'

/** A local user, as far as a login by a provider needs it. */
export interface LocalUser extends Record<string, unknown> {
  readonly id: number
  readonly username: string
  readonly is_active: boolean
  readonly is_superuser: boolean
}

type Body = Readonly<Record<string, unknown>>

/** Writes that a login makes through the write pipeline, so that rules run and change records are written. */
export interface AccountWrites {
  /** Creates a user and returns its id. Values of `optional` that the model refuses are left out. */
  createUser(body: Body, optional: Body): Promise<number>
  /** Reports that the user became a superuser, or is none any more, as soon as the login is committed. */
  noteSuperuser(user: LocalUser, isSuperuser: boolean): void
  createGroups(names: readonly string[]): Promise<void>
  setGroups(userId: number, groupIds: readonly number[]): Promise<void>
}

/** A person whom a provider has authenticated. */
export interface Person {
  /** The provider, such as the URL of its issuer; never changes. */
  readonly issuer: string
  /** Permanent id of the person at that provider. */
  readonly subject: string
  /** Name for a local user. Throws LoginRefusal where the provider tells none that may be used. */
  readonly username: () => string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** Names of the person's groups at the provider; undefined where the configuration does not use them. */
  readonly groups: ReadonlySet<string> | undefined
}

/**
 * The local user of a person, created or updated through the write pipeline, which is above this room. Throws LoginRefusal.
 */
export type ExternalUsers = (
  person: Person,
  login: { readonly policy: AccountPolicy; readonly requestId: string },
) => Promise<LocalUser>

/** One login, within a transaction. */
export interface ExternalLogin {
  readonly queryable: Queryable
  readonly settings: Pick<Settings, 'maintenanceMode'>
  readonly policy: AccountPolicy
  readonly person: Person
  readonly writes: AccountWrites
}

/**
 * The local user of a person: linked to the provider's subject at the first login, and a member of the groups that the
 * provider names. Throws LoginRefusal for a person who may not sign in.
 */
export async function localUserOf(login: ExternalLogin): Promise<LocalUser> {
  const { settings, person } = login
  // PostgreSQL stores no such text.
  if (person.subject.includes('\0')) throw unusableName()
  const user = (await findLinked(login)) ?? (await link(login))
  if (!user.is_active) throw new LoginRefusal('This user is inactive.')
  return settings.maintenanceMode ? user : await synchronise(login, user)
}

/** Whether the provider says that the person is a superuser; undefined where it does not decide that. */
function superuserStatus({ policy, person: { groups } }: ExternalLogin, username: string): boolean | undefined {
  const { superuser_groups, superusers } = policy
  if (superusers.some((name) => name.toLowerCase() === username.toLowerCase())) return true
  if (groups === undefined || superuser_groups.length === 0) return undefined
  return superuser_groups.some((name) => groups.has(name))
}

async function findLinked({ queryable, person }: ExternalLogin): Promise<LocalUser | undefined> {
  const [user] = await queryable.query<LocalUser>(sql`
    select u.id, u.username, u.is_active, u.is_superuser
    from ${table(SYSTEM.identity)} i join ${table(SYSTEM.user)} u on u.id = i.user_id
    where i.issuer = ${person.issuer} and i.subject = ${person.subject}`)
  return user
}

/** Links the provider's subject to the user of the same name, or to a new user. */
async function link(login: ExternalLogin): Promise<LocalUser> {
  const { queryable, person, settings } = login
  if (settings.maintenanceMode) {
    throw new LoginRefusal('New users cannot sign in while the service is in maintenance mode.')
  }
  const username = person.username()
  if (username.includes('\0')) throw unusableName()
  const existing = await findByName(queryable, username)
  if (existing) await refuseTakeover(login, existing)
  const user = existing ?? (await createUser(login, username))
  await queryable.execute(sql`
    ${insertInto(SYSTEM.identity)} (issuer, subject, user_id)
    values (${person.issuer}, ${person.subject}, ${user.id}::bigint)`)
  return user
}

/** The refusal of a name that no user can have here. */
export const unusableName = (cause?: unknown): LoginRefusal =>
  new LoginRefusal('The user name from the login provider cannot be used here.', { cause })

/** The user with the name in any case: user names are unique without regard to case. */
async function findByName(queryable: Queryable, username: string): Promise<LocalUser | undefined> {
  const [user] = await queryable.query<LocalUser>(sql`
    select id, username, is_active, is_superuser from ${table(SYSTEM.user)}
    where lower(username) = lower(${username}) for update`)
  return user
}

/**
 * Throws LoginRefusal where the name must not be enough to become the user. Providers reuse names, and some let people
 * choose theirs: so it is not for a user linked to another subject, nor for one of another provider unless the configuration
 * says that both know the same people, nor for a superuser unless the provider says that the
 * person is one.
 */
async function refuseTakeover(login: ExternalLogin, user: LocalUser): Promise<void> {
  const { queryable, person, policy } = login
  const [otherSubject] = await queryable.query(sql`
    select id from ${table(SYSTEM.identity)}
    where user_id = ${user.id}::bigint and (not ${policy.link_users} or issuer = ${person.issuer})`)
  if (otherSubject || (user.is_superuser && superuserStatus(login, user.username) !== true)) {
    throw new LoginRefusal('Your user name belongs to another account here.')
  }
}

async function createUser({ queryable, person, policy, writes }: ExternalLogin, username: string): Promise<LocalUser> {
  if (!policy.create_users) throw new LoginRefusal('There is no account for you here.')
  const { firstName, lastName, email } = person
  const id = await writes.createUser(
    // The password is random and never shown; its last characters satisfy the rules for passwords.
    { username, password: `${randomBytes(48).toString('base64url')}-aA1` },
    { first_name: firstName, last_name: lastName, email },
  )
  const groups = await queryable.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.group)} where name = any(${[...policy.default_groups]}::text[])`)
  if (groups.length > 0) {
    await writes.setGroups(
      id,
      groups.map((group) => group.id),
    )
  }
  return { id, username, is_active: true, is_superuser: false }
}

/** Brings groups and superuser status in line with what the provider says; returns the user as it is then. */
async function synchronise(login: ExternalLogin, user: LocalUser): Promise<LocalUser> {
  const { groups } = login.person
  if (groups) await synchroniseGroups(login, user, groups)
  const isSuperuser = superuserStatus(login, user.username)
  if (isSuperuser === undefined || isSuperuser === user.is_superuser) return user
  await login.queryable.execute(sql`
    ${updateTable(SYSTEM.user)} set is_superuser = ${isSuperuser} where id = ${user.id}::bigint`)
  login.writes.noteSuperuser(user, isSuperuser)
  return { ...user, is_superuser: isSuperuser }
}

/** Groups without an entry in the configured mapping keep their members; without a mapping all groups are synchronised. */
async function synchroniseGroups(
  { queryable, policy, writes }: ExternalLogin,
  user: LocalUser,
  groups: ReadonlySet<string>,
): Promise<void> {
  const mapping = Object.entries(policy.groups ?? {})
  const entitled = policy.groups
    ? new Set(mapping.filter(([name]) => groups.has(name)).map(([, name]) => name))
    : groups
  const managed = new Set(mapping.map(([, name]) => name))
  if (policy.create_groups) await createMissing(queryable, writes, entitled)
  const localGroups = await queryable.query<{ id: number; name: string; member: boolean }>(sql`
    select g.id, g.name, exists (
      select from ${table(`${SYSTEM.user}.groups`)} ug
      where ug.group_id = g.id and ug.user_id = ${user.id}::bigint) as member
    from ${table(SYSTEM.group)} g order by g.id`)
  const isMember = ({ name, member }: { name: string; member: boolean }): boolean =>
    policy.groups && !managed.has(name) ? member : entitled.has(name)
  if (localGroups.every((group) => isMember(group) === group.member)) return
  await writes.setGroups(
    user.id,
    localGroups.filter(isMember).map(({ id }) => id),
  )
}

async function createMissing(queryable: Queryable, writes: AccountWrites, names: ReadonlySet<string>): Promise<void> {
  const existing = await queryable.query<{ name: string }>(sql`
    select name from ${table(SYSTEM.group)} where name = any(${[...names]}::text[])`)
  const missing = [...names].filter((name) => existing.every((group) => group.name !== name))
  if (missing.length > 0) await writes.createGroups(missing)
}
