import { randomUUID } from 'node:crypto'
import {
  type ExternalLogin,
  isOtherSuperuser,
  type LocalUser,
  provisionUser,
  scimIssuer,
  synchroniseUser,
} from '../../identity/external-account.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom, table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { updateObjects } from '../../write/update-objects.ts'
import { accountWrites } from '../sessions/external-user.ts'
import { USER_SCHEMA } from './documents.ts'
import {
  type Change,
  type Condition,
  invalidFilter,
  noResource,
  ScimError,
  type ScimWindow,
  textIn,
} from './messages.ts'
import type { ScimScope } from './scope.ts'

/** A user managed by the provider. */
interface ScimUser extends Record<string, unknown> {
  /** The id that the provider uses. */
  readonly subject: string
  readonly external_id: string | null
  readonly id: number
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly is_active: boolean
  readonly is_superuser: boolean
  readonly date_joined: string
}

const COLUMNS = sql`i.subject, i.external_id, u.id, u.username, u.first_name, u.last_name, u.email, u.is_active,
  u.is_superuser, u.date_joined`
const SOURCE = sql`${table(SYSTEM.identity)} i join ${table(SYSTEM.user)} u on u.id = i.user_id`

/** The users of a list, and how many match the filter. Throws ScimError. */
export async function listUsers(
  queryable: Queryable,
  { config }: ScimScope,
  conditions: readonly Condition[],
  { offset, limit }: ScimWindow,
): Promise<{ readonly total: number; readonly resources: readonly ScimUser[] }> {
  const where = join([sql`i.issuer = ${scimIssuer(config.name)}`, ...conditions.map(predicateOf)], ' and ')
  const [row] = await queryable.query<{ count: number }>(
    sql`select count(*)::int as count from ${SOURCE} where ${where}`,
  )
  const resources = await queryable.query<ScimUser>(sql`
    select ${COLUMNS} from ${SOURCE} where ${where} order by i.id limit ${limit}::int offset ${offset}::int`)
  return { total: row?.count ?? 0, resources }
}

function predicateOf({ attribute, value }: Condition): Sql {
  if (attribute === 'username') return sql`lower(u.username) = lower(${value})`
  if (attribute === 'externalid') return sql`i.external_id = ${value}`
  if (attribute === 'id') return sql`i.subject = ${value}`
  if (attribute === 'emails.value' || attribute === 'emails') return sql`lower(u.email) = lower(${value})`
  if (attribute === 'active') return sql`u.is_active = ${booleanOf(value)}`
  throw invalidFilter()
}

/** The user with the provider's id. Throws ScimError. */
export async function findUser(queryable: Queryable, { config }: ScimScope, subject: string): Promise<ScimUser> {
  const [user] = await queryable.query<ScimUser>(sql`
    select ${COLUMNS} from ${SOURCE} where i.issuer = ${scimIssuer(config.name)} and i.subject = ${subject}`)
  if (!user) throw noResource()
  return user
}

/** The users as resources, with their groups. */
export async function userResources(
  queryable: Queryable,
  { config, base }: ScimScope,
  users: readonly ScimUser[],
): Promise<JsonObject[]> {
  const ids = users.map(({ id }) => id)
  const memberships = await queryable.query<{ user_id: number; id: number; name: string }>(sql`
    select m.user_id, g.id, g.name from ${table(`${SYSTEM.scimGroup}.members`)} m
    join ${table(SYSTEM.scimGroup)} g on g.id = m.scimgroup_id
    where m.user_id = any(${ids}::bigint[]) and g.provider = ${config.name} order by g.id`)
  return users.map((user) => ({
    schemas: [USER_SCHEMA],
    id: user.subject,
    ...(user.external_id !== null && { externalId: user.external_id }),
    userName: user.username,
    displayName: [user.first_name, user.last_name].filter((name) => name !== '').join(' ') || user.username,
    name: { givenName: user.first_name, familyName: user.last_name },
    emails: user.email === '' ? [] : [{ value: user.email, type: 'work', primary: true }],
    active: user.is_active,
    groups: memberships
      .filter(({ user_id }) => user_id === user.id)
      .map(({ id, name }) => ({ value: String(id), display: name })),
    meta: {
      resourceType: 'User',
      created: new Date(user.date_joined).toISOString(),
      location: `${base}/Users/${user.subject}`,
    },
  }))
}

/** The values that a body or a PATCH sets; absent ones are left unchanged. */
interface Wishes {
  userName?: string
  externalId?: string | null
  active?: boolean
  first_name?: string
  last_name?: string
  email?: string
}

/** The values of the changes. Attributes that are not stored are dropped: providers send many. Throws ScimError. */
function wishesOf(changes: readonly Change[]): Wishes {
  const wishes: Wishes = {}
  for (const { op, path, value } of changes) {
    const isRemoved = op === 'remove'
    const text = (): string => (isRemoved ? '' : textIn(value, path))
    if (path === 'username') {
      wishes.userName = text()
      if (wishes.userName === '') throw new ScimError(400, 'A user needs a userName.', 'invalidValue')
    } else if (path === 'externalid') {
      wishes.externalId = text() || null
    } else if (path === 'active') {
      if (isRemoved) throw new ScimError(400, 'active cannot be removed.', 'mutability')
      wishes.active = booleanOf(value)
    } else if (path === 'name.givenname') wishes.first_name = text()
    else if (path === 'name.familyname') wishes.last_name = text()
    else if (path === 'name') Object.assign(wishes, isRemoved ? { first_name: '', last_name: '' } : nameOf(value))
    else if (path === 'emails') wishes.email = isRemoved ? '' : emailOf(value)
    else if (/^emails\[.*\](\.value)?$/.test(path)) wishes.email = typeof value === 'string' ? text() : emailOf(value)
  }
  return wishes
}

function nameOf(value: Json | undefined): Wishes {
  if (value === null) return { first_name: '', last_name: '' }
  const parts = objectsIn([value], 'name').flatMap((name) => Object.entries(name))
  const partOf = (name: string) => parts.find(([key]) => key.toLowerCase() === name)
  const [givenName, familyName] = [partOf('givenname'), partOf('familyname')]
  return {
    ...(givenName && { first_name: textIn(givenName[1], 'name.givenName') }),
    ...(familyName && { last_name: textIn(familyName[1], 'name.familyName') }),
  }
}

/** The primary address, otherwise the first one. */
function emailOf(value: Json | undefined): string {
  const addresses = objectsIn(value === null || value === undefined ? [] : [value].flat(), 'emails')
  const chosen = addresses.find(({ primary }) => primary === true) ?? addresses[0]
  return chosen ? textIn(chosen.value, 'emails.value') : ''
}

function objectsIn(values: readonly (Json | undefined)[], name: string): readonly JsonObject[] {
  return values.map((value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
    throw new ScimError(400, `${name} must be an object.`, 'invalidValue')
  })
}

/** Entra ID sends "True" and "False". */
function booleanOf(value: Json | undefined): boolean {
  const text = String(value).toLowerCase()
  if (text !== 'true' && text !== 'false') throw new ScimError(400, 'active must be true or false.', 'invalidValue')
  return text === 'true'
}

/**
 * Creates a user, or takes over the local user of that name as a first login would. Returns the provider's id of the
 * user.
 */
export async function createUser(context: WriteContext, scope: ScimScope, changes: readonly Change[]): Promise<string> {
  const { userName, externalId = null, active = true, first_name = '', last_name = '', email = '' } = wishesOf(changes)
  if (userName === undefined) throw new ScimError(400, 'A user needs a userName.', 'invalidValue')
  const subject = randomUUID()
  const login = await loginOf(context, scope, { subject, username: userName, first_name, last_name, email }, [])
  const user = await provisionUser(login)
  if (!user.is_active) {
    throw new ScimError(
      409,
      'A user with this userName exists here and is inactive: activate it here first.',
      'uniqueness',
    )
  }
  await storeExternalId(context, scope, { subject, externalId })
  const values = { first_name, last_name, email }
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  await writeUser(context, user.id, { ...filled, ...(!active && { is_active: false }) })
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
  isWhole = false,
): Promise<void> {
  const user = await findUser(context.transaction, scope, subject)
  const wishes = wishesOf(changes)
  if (isWhole && wishes.userName === undefined) throw new ScimError(400, 'A user needs a userName.', 'invalidValue')
  const { userName, externalId, active, ...rest } = wishes
  const names = isWhole ? { first_name: '', last_name: '', email: '', ...rest } : rest
  const wanted: Record<string, string | boolean> = {
    ...names,
    ...(userName !== undefined && { username: userName }),
    ...(active !== undefined && { is_active: active }),
  }
  const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => user[name] !== value))
  const login = await loginOf(context, scope, user, await groupNames(context, scope, user.id))
  const ends = body.is_active === false
  if ((await isOtherSuperuser(login, user)) && Object.keys(body).some((name) => !(name === 'is_active' && ends))) {
    throw new ScimError(403, 'This user is a superuser here, but not through a mapping of this provider.')
  }
  if (typeof body.username === 'string') await refuseTakenName(context, user, body.username)
  if (externalId !== undefined) await storeExternalId(context, scope, { subject, externalId })
  await writeUser(context, user.id, body)
}

/** Deactivates the user and forgets the link: sessions and tokens end. */
export async function removeUser(context: WriteContext, scope: ScimScope, subject: string): Promise<void> {
  const user = await findUser(context.transaction, scope, subject)
  await writeUser(context, user.id, user.is_active ? { is_active: false } : {})
  await context.transaction.execute(sql`
    ${deleteFrom(`${SYSTEM.scimGroup}.members`)} where user_id = ${user.id}::bigint and scimgroup_id in (
      select id from ${table(SYSTEM.scimGroup)} where provider = ${scope.config.name})`)
  await synchroniseMember(context, scope, user)
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
  { subject, externalId }: { readonly subject: string; readonly externalId: string | null },
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
export async function synchroniseMember(context: WriteContext, scope: ScimScope, user: ScimUser): Promise<void> {
  await synchroniseUser(
    await loginOf(context, scope, user, await groupNames(context, scope, user.id)),
    user satisfies LocalUser,
  )
}

async function groupNames({ transaction }: WriteContext, { config }: ScimScope, user: number): Promise<string[]> {
  const rows = await transaction.query<{ name: string }>(sql`
    select g.name from ${table(SYSTEM.scimGroup)} g join ${table(`${SYSTEM.scimGroup}.members`)} m on m.scimgroup_id = g.id
    where g.provider = ${config.name} and m.user_id = ${user}::bigint`)
  return rows.map(({ name }) => name)
}

type PersonColumns = Pick<ScimUser, 'subject' | 'username' | 'first_name' | 'last_name' | 'email'>

/** The login of the user as the provider would describe it, with these groups. */
async function loginOf(
  context: WriteContext,
  { config, audit }: ScimScope,
  { subject, username, first_name: firstName, last_name: lastName, email }: PersonColumns,
  groups: readonly string[],
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
      groups: new Set(groups),
      allGroups: new Set(rows.map(({ name }) => name)),
    },
    writes: accountWrites(context, audit),
  }
}
