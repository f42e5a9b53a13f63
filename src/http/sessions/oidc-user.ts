import { randomBytes } from 'node:crypto'
import type { User } from '../../auth/actor.ts'
import type { Claims } from '../../auth/oidc-provider.ts'
import { OidcRefusal } from '../../auth/oidc-refusal.ts'
import type { Settings } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { insertInto, table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { runWrite } from '../../write/run.ts'
import { updateObjects } from '../../write/update-objects.ts'

/** Whoever signs in is not known yet: the service itself makes users and puts them into groups. */
const SERVICE: User = {
  kind: 'user',
  id: 0,
  username: '',
  isSuperuser: true,
  tokenId: undefined,
  writeEnabled: true,
}

/** A user here, as a login by a provider looks at them. */
export interface LocalUser extends Record<string, unknown> {
  readonly id: number
  readonly username: string
  readonly is_active: boolean
  readonly is_superuser: boolean
}

/**
 * The user whom the provider's claims mean, made or tied to the provider's subject at the first login, and
 * put into the groups that the claims name. Throws OidcRefusal for whoever is not to get in.
 */
export async function userOfClaims(
  service: Service,
  claims: Claims,
  requestId: string,
): Promise<LocalUser> {
  try {
    return await runWrite(service, { actor: SERVICE, requestId }, async (context) => {
      const groups = groupsOf(claims, service.settings)
      const user = (await findLinked(context, claims)) ?? (await link(context, claims, groups))
      if (!user.is_active) throw new OidcRefusal('This user is not active.')
      if (groups && !service.settings.maintenanceMode) await follow(context, user, groups)
      return user
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    throw new OidcRefusal('The name that the login provider gives you cannot be used here.', {
      cause: error.reason.messages,
    })
  }
}

/** Groups at the provider; undefined where the configuration does not ask for them. */
function groupsOf(claims: Claims, { oidcGroupsClaim }: Settings): ReadonlySet<string> | undefined {
  if (oidcGroupsClaim === undefined) return undefined
  const groups = [claims[oidcGroupsClaim]].flat()
  return new Set(groups.filter((group) => typeof group === 'string'))
}

async function findLinked(
  { transaction }: WriteContext,
  { iss, sub }: Claims,
): Promise<LocalUser | undefined> {
  const [user] = await transaction.query<LocalUser>(sql`
    select u.id, u.username, u.is_active, u.is_superuser
    from ${table('users.identity')} i join ${table('users.user')} u on u.id = i.user_id
    where i.issuer = ${iss} and i.subject = ${sub}`)
  return user
}

/** Ties the subject to the user of the same name, or to a new one. */
async function link(
  context: WriteContext,
  claims: Claims,
  groups: ReadonlySet<string> | undefined,
): Promise<LocalUser> {
  const { transaction, service } = context
  if (service.settings.maintenanceMode) {
    throw new OidcRefusal('Nobody new can sign in while the service is in maintenance mode.')
  }
  const username = usernameOf(claims, service.settings)
  const found = await findByName(context, username)
  if (found) await refuseTakeover(context, claims, found, groups)
  const user = found ?? (await createUser(context, username, claims))
  await transaction.execute(sql`
    ${insertInto('users.identity')} (issuer, subject, user_id)
    values (${claims.iss}, ${claims.sub}, ${user.id}::bigint)`)
  return user
}

function usernameOf(claims: Claims, { oidcUsernameClaim }: Settings): string {
  const username = claims[oidcUsernameClaim]
  if (typeof username !== 'string' || username === '') {
    throw new OidcRefusal(`The login provider does not tell your ${oidcUsernameClaim}.`)
  }
  if (oidcUsernameClaim === 'email' && claims.email_verified === false) {
    throw new OidcRefusal('The login provider has not verified your address.')
  }
  return username
}

/** No two names differ in case only. */
async function findByName(
  { transaction }: WriteContext,
  username: string,
): Promise<LocalUser | undefined> {
  const [user] = await transaction.query<LocalUser>(sql`
    select id, username, is_active, is_superuser from ${table('users.user')}
    where lower(username) = lower(${username}) for update`)
  return user
}

/**
 * Names may change hands at the provider, and some let people choose theirs: nobody becomes somebody who has
 * signed in with another subject, nor a superuser unless the provider knows them as one.
 */
async function refuseTakeover(
  { transaction, service }: WriteContext,
  { iss }: Claims,
  user: LocalUser,
  groups: ReadonlySet<string> | undefined,
): Promise<void> {
  const [other] = await transaction.query(sql`
    select id from ${table('users.identity')} where issuer = ${iss} and user_id = ${user.id}::bigint`)
  const { oidcSuperuserGroup } = service.settings
  const isSuperuser = oidcSuperuserGroup !== undefined && groups?.has(oidcSuperuserGroup)
  if (other || (user.is_superuser && !isSuperuser)) {
    throw new OidcRefusal('Your user name belongs to somebody else here.')
  }
}

async function createUser(
  context: WriteContext,
  username: string,
  claims: Claims,
): Promise<LocalUser> {
  const { registry, settings } = context.service
  if (!settings.oidcCreateUsers) throw new OidcRefusal('You are not known here.')
  const textOf = (claim: string): string => (typeof claims[claim] === 'string' ? claims[claim] : '')
  const body = {
    username,
    // Told to nobody; the letters at the end are for whatever a password must hold.
    password: `${randomBytes(48).toString('base64url')}-aA1`,
    first_name: textOf('given_name'),
    last_name: textOf('family_name'),
    email: textOf('email'),
  }
  const [id = 0] = await createObjects(context, registry.model('users.user'), [body], {
    bulk: false,
  })
  return { id, username, is_active: true, is_superuser: false }
}

/** Brings groups and superuser status in line with the provider's groups. */
async function follow(
  context: WriteContext,
  user: LocalUser,
  groups: ReadonlySet<string>,
): Promise<void> {
  const { transaction, service } = context
  await followGroups(context, user, groups)
  const { oidcSuperuserGroup } = service.settings
  if (oidcSuperuserGroup === undefined) return
  const isSuperuser = groups.has(oidcSuperuserGroup)
  if (isSuperuser === user.is_superuser) return
  await transaction.execute(sql`
    ${updateTable('users.user')} set is_superuser = ${isSuperuser} where id = ${user.id}::bigint`)
}

/** Groups that the configuration does not map are looked after here; without a mapping all follow. */
async function followGroups(
  context: WriteContext,
  user: LocalUser,
  groups: ReadonlySet<string>,
): Promise<void> {
  const { registry, settings } = context.service
  const { oidcGroups } = settings
  const mapped = Object.entries(oidcGroups ?? {})
  const wanted = oidcGroups
    ? new Set(mapped.filter(([name]) => groups.has(name)).map(([, name]) => name))
    : groups
  const managed = new Set(mapped.map(([, name]) => name))
  const known = await context.transaction.query<{ id: number; name: string; member: boolean }>(sql`
    select g.id, g.name, exists (
      select from ${table('users.user.groups')} ug
      where ug.group_id = g.id and ug.user_id = ${user.id}::bigint) as member
    from ${table('users.group')} g order by g.id`)
  const isWanted = ({ name, member }: { name: string; member: boolean }): boolean =>
    oidcGroups && !managed.has(name) ? member : wanted.has(name)
  if (known.every((group) => isWanted(group) === group.member)) return
  const body = { groups: known.filter(isWanted).map(({ id }) => id) }
  const target = { id: user.id, body }
  await updateObjects(context, registry.model('users.user'), [target], {
    partial: true,
    bulk: false,
  })
}
