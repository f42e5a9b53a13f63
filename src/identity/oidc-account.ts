import { randomBytes } from 'node:crypto'
import type { Settings } from '../config/settings.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { insertInto, table, updateTable } from '../sql/table.ts'
import type { Claims } from './oidc-provider.ts'
import { OidcRefusal } from './oidc-refusal.ts'

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
  setGroups(userId: number, groupIds: readonly number[]): Promise<void>
}

/** One login, within a transaction. */
export interface OidcLogin {
  readonly queryable: Queryable
  readonly settings: Settings
  readonly claims: Claims
  readonly writes: AccountWrites
}

/**
 * The local user of the provider's claims: linked to the provider's subject at the first login, and a member of the groups
 * that the claims name. Throws OidcRefusal for a person who may not sign in.
 */
export async function localUserOf(login: OidcLogin): Promise<LocalUser> {
  const { settings } = login
  // PostgreSQL stores no such text.
  if (login.claims.sub.includes('\0')) throw unusableName()
  const groups = groupsOf(login)
  const user = (await findLinked(login)) ?? (await link(login, groups))
  if (!user.is_active) throw new OidcRefusal('This user is inactive.')
  if (groups && !settings.maintenanceMode) await synchronise(login, user, groups)
  return user
}

/** Names of the person's groups at the provider; undefined where the configuration does not use them. */
function groupsOf({ claims, settings }: OidcLogin): ReadonlySet<string> | undefined {
  if (settings.oidcGroupsClaim === undefined) return undefined
  const groups = [claims[settings.oidcGroupsClaim]].flat()
  return new Set(groups.filter((group) => typeof group === 'string'))
}

async function findLinked({ queryable, claims }: OidcLogin): Promise<LocalUser | undefined> {
  const [user] = await queryable.query<LocalUser>(sql`
    select u.id, u.username, u.is_active, u.is_superuser
    from ${table(SYSTEM.identity)} i join ${table(SYSTEM.user)} u on u.id = i.user_id
    where i.issuer = ${claims.iss} and i.subject = ${claims.sub}`)
  return user
}

/** Links the provider's subject to the user of the same name, or to a new user. */
async function link(login: OidcLogin, groups: ReadonlySet<string> | undefined): Promise<LocalUser> {
  const { queryable, claims, settings } = login
  if (settings.maintenanceMode) {
    throw new OidcRefusal('New users cannot sign in while the service is in maintenance mode.')
  }
  const username = usernameOf(login)
  const existing = await findByName(queryable, username)
  if (existing) await refuseTakeover(login, existing, groups)
  const user = existing ?? (await createUser(login, username))
  await queryable.execute(sql`
    ${insertInto(SYSTEM.identity)} (issuer, subject, user_id)
    values (${claims.iss}, ${claims.sub}, ${user.id}::bigint)`)
  return user
}

function usernameOf({ claims, settings: { oidcUsernameClaim } }: OidcLogin): string {
  const username = claims[oidcUsernameClaim]
  if (typeof username !== 'string' || username === '') {
    throw new OidcRefusal(`The login provider did not send your ${oidcUsernameClaim}.`)
  }
  if (username.includes('\0')) throw unusableName()
  if (oidcUsernameClaim === 'email' && claims.email_verified === false) {
    throw new OidcRefusal('The login provider has not verified your address.')
  }
  return username
}

/** The refusal of a name that no user can have here. */
export const unusableName = (cause?: unknown): OidcRefusal =>
  new OidcRefusal('The user name from the login provider cannot be used here.', { cause })

/** The user with the name in any case: user names are unique without regard to case. */
async function findByName(queryable: Queryable, username: string): Promise<LocalUser | undefined> {
  const [user] = await queryable.query<LocalUser>(sql`
    select id, username, is_active, is_superuser from ${table(SYSTEM.user)}
    where lower(username) = lower(${username}) for update`)
  return user
}

/**
 * Throws OidcRefusal where the name must not be enough to become the user. Providers reuse names, and some let people
 * choose theirs: so it is not for a user linked to another subject, nor for a superuser unless the provider says that the
 * person is one.
 */
async function refuseTakeover(
  { queryable, claims, settings: { oidcSuperuserGroup } }: OidcLogin,
  user: LocalUser,
  groups: ReadonlySet<string> | undefined,
): Promise<void> {
  const [otherSubject] = await queryable.query(sql`
    select id from ${table(SYSTEM.identity)}
    where issuer = ${claims.iss} and user_id = ${user.id}::bigint`)
  const isSuperuser = oidcSuperuserGroup !== undefined && groups?.has(oidcSuperuserGroup)
  if (otherSubject || (user.is_superuser && !isSuperuser)) {
    throw new OidcRefusal('Your user name belongs to another account here.')
  }
}

async function createUser({ claims, settings, writes }: OidcLogin, username: string): Promise<LocalUser> {
  if (!settings.oidcCreateUsers) throw new OidcRefusal('There is no account for you here.')
  const textOf = (claim: string): string => (typeof claims[claim] === 'string' ? claims[claim] : '')
  const id = await writes.createUser(
    // The password is random and never shown; its last characters satisfy the rules for passwords.
    { username, password: `${randomBytes(48).toString('base64url')}-aA1` },
    {
      first_name: textOf('given_name'),
      last_name: textOf('family_name'),
      email: textOf('email'),
    },
  )
  return { id, username, is_active: true, is_superuser: false }
}

/** Brings groups and superuser status in line with the provider's groups. */
async function synchronise(login: OidcLogin, user: LocalUser, groups: ReadonlySet<string>): Promise<void> {
  const { queryable, settings } = login
  await synchroniseGroups(login, user, groups)
  const { oidcSuperuserGroup } = settings
  if (oidcSuperuserGroup === undefined) return
  const isSuperuser = groups.has(oidcSuperuserGroup)
  if (isSuperuser === user.is_superuser) return
  await queryable.execute(sql`
    ${updateTable(SYSTEM.user)} set is_superuser = ${isSuperuser} where id = ${user.id}::bigint`)
  login.writes.noteSuperuser(user, isSuperuser)
}

/** Groups without an entry in the configured mapping keep their members; without a mapping all groups are synchronised. */
async function synchroniseGroups(
  { queryable, settings: { oidcGroups }, writes }: OidcLogin,
  user: LocalUser,
  groups: ReadonlySet<string>,
): Promise<void> {
  const mapping = Object.entries(oidcGroups ?? {})
  const entitled = oidcGroups ? new Set(mapping.filter(([name]) => groups.has(name)).map(([, name]) => name)) : groups
  const managed = new Set(mapping.map(([, name]) => name))
  const localGroups = await queryable.query<{ id: number; name: string; member: boolean }>(sql`
    select g.id, g.name, exists (
      select from ${table(`${SYSTEM.user}.groups`)} ug
      where ug.group_id = g.id and ug.user_id = ${user.id}::bigint) as member
    from ${table(SYSTEM.group)} g order by g.id`)
  const isMember = ({ name, member }: { name: string; member: boolean }): boolean =>
    oidcGroups && !managed.has(name) ? member : entitled.has(name)
  if (localGroups.every((group) => isMember(group) === group.member)) return
  await writes.setGroups(
    user.id,
    localGroups.filter(isMember).map(({ id }) => id),
  )
}
