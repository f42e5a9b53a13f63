import { randomUUID } from 'node:crypto'
import {
  type ExternalLogin,
  isOtherSuperuser,
  provisionUser,
  scimIssuer,
  synchroniseUser,
} from '../../identity/external-account.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { accountWrites } from '../sessions/external-user.ts'
import { type Change, ScimError } from './messages.ts'
import type { ScimScope } from './resource-type.ts'
import { MEMBERS, type ScimUser, USER, type UserValues } from './resources.ts'

/**
 * Creates a user, or takes over the local user of that name as a first login would. Returns the provider's id of the
 * user. Throws ScimError.
 */
export async function createUser(context: WriteContext, scope: ScimScope, changes: readonly Change[]): Promise<string> {
  const { username = '', external_id = null, is_active = true, ...names } = valuesOf(changes, true)
  const subject = randomUUID()
  const { first_name = '', last_name = '', email = '' } = names
  const login = await loginOf(context, scope, {
    ...{ resource_id: subject, username, first_name, last_name, email, groups: [] },
  })
  const user = await provisionUser(login)
  if (!user.is_active) {
    throw new ScimError(
      409,
      'A user with this userName exists here and is inactive: activate it here first.',
      'uniqueness',
    )
  }
  await storeExternalId(context, scope, subject, external_id)
  const filled = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== ''))
  await writeUser(context, user.id, { ...filled, ...(!is_active && { is_active }) })
  await synchroniseUser(login, user)
  return subject
}

/**
 * Changes a user. If the user is a superuser whom this provider did not create, only the provider's access ends. Throws
 * ScimError.
 */
export async function changeUser(
  context: WriteContext,
  scope: ScimScope,
  subject: string,
  changes: readonly Change[],
  isWhole: boolean,
): Promise<void> {
  const user = await USER.find(context.transaction, scope, subject)
  const { external_id, ...columns } = valuesOf(changes, isWhole)
  const body = Object.fromEntries(Object.entries(columns).filter(([name, value]) => user[name] !== value))
  const ends = body.is_active === false
  if (
    (await isOtherSuperuser(await loginOf(context, scope, user), user)) &&
    Object.keys(body).some((name) => !(name === 'is_active' && ends))
  ) {
    throw new ScimError(403, 'This user is a superuser here, but not through a mapping of this provider.')
  }
  if (typeof body.username === 'string') await refuseTakenName(context, user, body.username)
  if (external_id !== undefined) await storeExternalId(context, scope, subject, external_id)
  await writeUser(context, user.id, body)
}

/** The values of the changes; `isWhole` if they describe the whole user. Throws ScimError. */
function valuesOf(changes: readonly Change[], isWhole: boolean): UserValues {
  const values = USER.valuesAfter(changes, isWhole ? { username: '', first_name: '', last_name: '', email: '' } : {})
  if (values.username === '') throw new ScimError(400, 'A user needs a userName.', 'invalidValue')
  return values
}

/** Deactivates the user and forgets the link: sessions and tokens end. Throws ScimError. */
export async function removeUser(context: WriteContext, scope: ScimScope, subject: string): Promise<void> {
  const user = await USER.find(context.transaction, scope, subject)
  await writeUser(context, user.id, user.is_active ? { is_active: false } : {})
  await context.transaction.execute(sql`
    ${deleteFrom(MEMBERS)} where user_id = ${user.id}::bigint and scimgroup_id in (
      select id from ${table(SYSTEM.scimGroup)} where provider = ${scope.config.name})`)
  await synchroniseMember(context, scope, subject)
  await context.transaction.execute(sql`
    ${deleteFrom(SYSTEM.identity)} where issuer = ${scimIssuer(scope.config.name)} and subject = ${subject}`)
}

async function writeUser(context: WriteContext, id: number, body: Readonly<Record<string, unknown>>): Promise<void> {
  if (Object.keys(body).length === 0) return
  const model = context.service.registry.model(SYSTEM.user)
  await updateObjects(context, model, [{ id, body }], { partial: true, bulk: false })
}

/** The names differ in more than case. */
async function refuseTakenName({ transaction }: WriteContext, { id }: ScimUser, username: string): Promise<void> {
  const [namesake] = await transaction.query(sql`
    select id from ${table(SYSTEM.user)} where lower(username) = lower(${username}) and id <> ${id}::bigint`)
  if (namesake) throw new ScimError(409, 'Another user has this userName.', 'uniqueness')
}

async function storeExternalId(
  { transaction }: WriteContext,
  { config }: ScimScope,
  subject: string,
  externalId: string | null,
): Promise<void> {
  const issuer = scimIssuer(config.name)
  const [linkedIdentity] = await transaction.query(sql`
    select id from ${table(SYSTEM.identity)}
    where issuer = ${issuer} and external_id = ${externalId} and subject <> ${subject}`)
  if (linkedIdentity) throw new ScimError(409, 'Another user has this externalId.', 'uniqueness')
  await transaction.execute(sql`
    ${updateTable(SYSTEM.identity)} set external_id = ${externalId} where issuer = ${issuer} and subject = ${subject}`)
}

/** Gives a user the groups and the superuser status that follow from the provider's groups. */
export async function synchroniseMember(context: WriteContext, scope: ScimScope, subject: string): Promise<void> {
  const user = await USER.find(context.transaction, scope, subject)
  await synchroniseUser(await loginOf(context, scope, user), user)
}

type PersonColumns = Pick<ScimUser, 'resource_id' | 'username' | 'first_name' | 'last_name' | 'email' | 'groups'>

/** The login of the user as the provider would describe it. */
async function loginOf(
  context: WriteContext,
  { config, audit }: ScimScope,
  { resource_id: subject, username, first_name: firstName, last_name: lastName, email, groups }: PersonColumns,
): Promise<ExternalLogin> {
  const rows = await context.transaction.query<{ name: string }>(
    sql`select name from ${table(SYSTEM.scimGroup)} where provider = ${config.name}`,
  )
  return {
    queryable: context.transaction,
    settings: context.service.settings,
    policy: config,
    person: {
      ...{ issuer: scimIssuer(config.name), subject, username: () => username, firstName, lastName, email },
      groups: new Set(groups.map(([, name]) => name)),
      allGroups: new Set(rows.map(({ name }) => name)),
    },
    writes: accountWrites(context, audit),
  }
}
