import { randomBytes } from 'node:crypto'
import type { AccountPolicy } from '../config/auth-providers.ts'
import type { Settings } from '../config/settings.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto, table, updateTable } from '../sql/table.ts'
import { type Entitlement, entitlementOf, groupRules } from './group-mapping.ts'
import { LoginRefusal } from './login-refusal.ts'

/** The parts of a local user that a login by a provider needs. */
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
  /** Reports, once the login is committed, that the user has become a superuser or is no longer one. */
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
  /** Name for a local user. Throws LoginRefusal if the provider provides no usable name. */
  readonly username: () => string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** Names of the person's groups at the provider; undefined if the configuration does not use them. */
  readonly groups: ReadonlySet<string> | undefined
  /** Names of all groups of the provider, if it provides them. */
  readonly allGroups?: ReadonlySet<string>
}

/**
 * The local user of a person, created or updated through the write pipeline, which this room cannot import. Throws
 * LoginRefusal.
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

/** A login with the effects of the person's groups; undefined if the configuration does not use groups. */
interface EntitledLogin extends ExternalLogin {
  readonly entitlement: Entitlement | undefined
}

/**
 * The local user of a person: linked to the provider's subject at the first login, and made a member of the groups that
 * the provider names. Throws LoginRefusal for a person who may not sign in.
 */
export async function localUserOf(login: ExternalLogin): Promise<LocalUser> {
  const { settings, person } = login
  // PostgreSQL cannot store such a text.
  if (person.subject.includes('\0')) throw unusableName()
  const entitled = await withEntitlement(login)
  const user = (await findLinked(login)) ?? (await link(entitled))
  if (!user.is_active) throw new LoginRefusal('This user is inactive.')
  return settings.maintenanceMode ? user : await synchronise(entitled, user)
}

/** The user of a person managed by a provider, linked as at a first login. Throws LoginRefusal. */
export const provisionUser = async (login: ExternalLogin): Promise<LocalUser> =>
  await link(await withEntitlement(login))

/** Gives the linked user the groups and the superuser status that follow from the provider's groups. */
export const synchroniseUser = async (login: ExternalLogin, user: LocalUser): Promise<LocalUser> =>
  await synchronise(await withEntitlement(login), user)

/** Whether the user is a superuser independently of the provider. */
export const isOtherSuperuser = async (login: ExternalLogin, user: LocalUser): Promise<boolean> =>
  user.is_superuser && superuserStatus(await withEntitlement(login), user.username) !== true

async function withEntitlement(login: ExternalLogin): Promise<EntitledLogin> {
  const { queryable, policy, person } = login
  const { groups, allGroups } = person
  const entitlement = groups && entitlementOf(await groupRules(queryable, policy), policy, groups, allGroups)
  return { ...login, entitlement }
}

/** Whether the provider makes the person a superuser; undefined if it does not decide that. */
function superuserStatus({ policy, entitlement }: EntitledLogin, username: string): boolean | undefined {
  if (policy.superusers.some((name) => name.toLowerCase() === username.toLowerCase())) return true
  return entitlement?.isSuperuser
}

async function findLinked({ queryable, person }: ExternalLogin): Promise<LocalUser | undefined> {
  const [user] = await queryable.query<LocalUser>(sql`
    select u.id, u.username, u.is_active, u.is_superuser
    from ${table(SYSTEM.identity)} i join ${table(SYSTEM.user)} u on u.id = i.user_id
    where i.issuer = ${person.issuer} and i.subject = ${person.subject}`)
  return user
}

/** Links the provider's subject to the user of the same name, or to a new user. */
async function link(login: EntitledLogin): Promise<LocalUser> {
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

/** Prefix of the issuers of people managed by SCIM. */
const SCIM = 'scim:'

/** Issuer of the identities created by the SCIM provider of this name. */
export const scimIssuer = (provider: string): string => `${SCIM}${provider}`

/** The refusal of a name that no user can have. */
export const unusableName = (cause?: unknown): LoginRefusal =>
  new LoginRefusal('The user name from the login provider cannot be used here.', { cause })

/** The user with the name in any case: user names are unique case-insensitively. */
async function findByName(queryable: Queryable, username: string): Promise<LocalUser | undefined> {
  const [user] = await queryable.query<LocalUser>(sql`
    select id, username, is_active, is_superuser from ${table(SYSTEM.user)}
    where lower(username) = lower(${username}) for update`)
  return user
}

/**
 * Throws LoginRefusal if the name alone is not enough to become the user. Providers reuse names, and some let people
 * choose theirs. So a name is not enough for a user linked to another subject; for a user of another provider, unless
 * the configuration says that both know the same people; or for a superuser, unless the provider says that the person
 * is one. Users managed by SCIM sign in with another provider, the first time by their name.
 */
async function refuseTakeover(login: EntitledLogin, user: LocalUser): Promise<void> {
  const { queryable, person, policy } = login
  const [otherSubject] = await queryable.query(sql`
    select id from ${table(SYSTEM.identity)}
    where user_id = ${user.id}::bigint and (issuer = ${person.issuer} or not ${policy.link_users} and
      not (starts_with(issuer, ${SCIM}) and not starts_with(${person.issuer}, ${SCIM})))`)
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

/** Makes groups and superuser status match the provider's information; returns the updated user. */
async function synchronise(login: EntitledLogin, user: LocalUser): Promise<LocalUser> {
  const { queryable, entitlement, person } = login
  // One statement that locks, because two logins of a person may run at the same time.
  const [membership] = await queryable.query<Given>(sql`
    select given_groups, gave_superuser from ${table(SYSTEM.identity)}
    where issuer = ${person.issuer} and subject = ${person.subject} for update`)
  const groups = entitlement && (await synchroniseGroups(login, user, entitlement, membership?.given_groups ?? []))
  const decided = superuserStatus(login, user.username)
  // A membership that came from a mapping ends with the mapping.
  const isSuperuser = decided ?? (membership?.gave_superuser ? false : user.is_superuser)
  await queryable.execute(sql`
    ${updateTable(SYSTEM.identity)} set gave_superuser = ${decided === true},
      given_groups = coalesce(${groups ?? null}::int[], given_groups)
    where issuer = ${person.issuer} and subject = ${person.subject} and (
      gave_superuser <> ${decided === true} or given_groups <> coalesce(${groups ?? null}::int[], given_groups))`)
  if (isSuperuser === user.is_superuser) return user
  await queryable.execute(sql`
    ${updateTable(SYSTEM.user)} set is_superuser = ${isSuperuser} where id = ${user.id}::bigint`)
  login.writes.noteSuperuser(user, isSuperuser)
  return { ...user, is_superuser: isSuperuser }
}

/** Groups given at the last login. */
interface Given extends Record<string, unknown> {
  readonly given_groups: readonly number[]
  readonly gave_superuser: boolean
}

/**
 * Groups without an entry in the mapping keep their members, unless the provider had given them; without a mapping, all
 * groups are synchronised. Returns the ids of the groups that the provider assigns.
 */
async function synchroniseGroups(
  { queryable, policy, writes }: EntitledLogin,
  user: LocalUser,
  { groups, manages }: Entitlement,
  previousGroups: readonly number[],
): Promise<readonly number[]> {
  if (policy.create_groups) await createMissing(queryable, writes, [...groups.keys()])
  const localGroups = await queryable.query<{ id: number; name: string; member: boolean }>(sql`
    select g.id, g.name, exists (
      select from ${table(`${SYSTEM.user}.groups`)} ug
      where ug.group_id = g.id and ug.user_id = ${user.id}::bigint) as member
    from ${table(SYSTEM.group)} g order by g.id`)
  const isMember = ({ id, name, member }: { id: number; name: string; member: boolean }): boolean =>
    manages(name) || previousGroups.includes(id) ? groups.has(name) : member
  if (localGroups.some((group) => isMember(group) !== group.member)) {
    await writes.setGroups(
      user.id,
      localGroups.filter(isMember).map(({ id }) => id),
    )
  }
  return localGroups.filter(({ name }) => groups.has(name)).map(({ id }) => id)
}

async function createMissing(queryable: Queryable, writes: AccountWrites, names: readonly string[]): Promise<void> {
  const existing = await queryable.query<{ name: string }>(sql`
    select name from ${table(SYSTEM.group)} where name = any(${names}::text[])`)
  const missing = names.filter((name) => existing.every((group) => group.name !== name))
  if (missing.length > 0) await writes.createGroups(missing)
}
