import { type LocalUser, scimIssuer } from '../../identity/external-account.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { attributeOf, type Change, ScimError, textIn, textOf } from './messages.ts'
import { type ResourceRow, ResourceType } from './resource-type.ts'

/** The table of the members of groups. */
export const MEMBERS = `${SYSTEM.scimGroup}.members`

/** The id that the provider gives a user or a group. */
const EXTERNAL_ID = {
  about: { caseExact: true },
  read: ({ external_id }: { readonly external_id: string | null }) => external_id ?? undefined,
  filter: (value: string) => sql`r.external_id = ${value}`,
  write: (change: Change) => ({ external_id: textOf(change) || null }),
} as const

/** A user managed by the provider. */
export interface ScimUser extends ResourceRow, LocalUser {
  readonly external_id: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  /** Ids and names of the provider's groups of which the user is a member. */
  readonly groups: readonly (readonly [id: string, name: string])[]
}

/** Values that a provider sets in a user; absent ones are left unchanged. */
export type UserValues = Partial<
  Pick<ScimUser, 'username' | 'external_id' | 'is_active' | 'first_name' | 'last_name' | 'email'>
>

export const USER = new ResourceType<ScimUser, UserValues>({
  name: 'User',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  rows: (provider) => sql`
    select i.id as position, i.subject as resource_id, i.external_id, u.id, u.username, u.first_name, u.last_name,
      u.email, u.is_active, u.is_superuser, u.date_joined as created, array(
        select array[g.id::text, g.name] from ${table(MEMBERS)} m
        join ${table(SYSTEM.scimGroup)} g on g.id = m.scimgroup_id
        where m.user_id = u.id and g.provider = ${provider} order by g.id) as groups
    from ${table(SYSTEM.identity)} i join ${table(SYSTEM.user)} u on u.id = i.user_id
    where i.issuer = ${scimIssuer(provider)}`,
  attributes: {
    externalId: EXTERNAL_ID,
    userName: {
      about: { required: true, uniqueness: 'server' },
      read: ({ username }) => username,
      filter: (value) => sql`lower(r.username) = lower(${value})`,
      write: (change) => ({ username: textOf(change) }),
    },
    displayName: {
      about: { mutability: 'readOnly' },
      read: (user) => [user.first_name, user.last_name].filter((name) => name !== '').join(' ') || user.username,
    },
    name: {
      about: { type: 'complex', subAttributes: { givenName: {}, familyName: {} } },
      read: (user) => ({ givenName: user.first_name, familyName: user.last_name }),
      paths: /^name(\.givenname|\.familyname)?$/,
      write: namesIn,
    },
    emails: {
      about: {
        ...{ type: 'complex', multiValued: true },
        subAttributes: { value: {}, type: {}, primary: { type: 'boolean' } },
      },
      read: ({ email }) => (email === '' ? [] : [{ value: email, type: 'work', primary: true }]),
      filter: (value) => sql`lower(r.email) = lower(${value})`,
      paths: /^emails(\[.*\](\.value)?)?$/,
      write: (change) => ({ email: emailIn(change) }),
    },
    active: {
      about: { type: 'boolean' },
      read: (user) => user.is_active,
      filter: (value) => sql`r.is_active = ${booleanIn(value)}`,
      write: ({ op, value }) => {
        if (op === 'remove') throw new ScimError(400, 'active cannot be removed.', 'mutability')
        return { is_active: booleanIn(value) }
      },
    },
    groups: {
      about: {
        ...{ type: 'complex', multiValued: true, mutability: 'readOnly' },
        subAttributes: { value: {}, display: {} },
      },
      read: ({ groups }) => groups.map(([value, display]) => ({ value, display })),
    },
  },
})

/** A group of the provider. */
export interface ScimGroup extends ResourceRow {
  readonly id: number
  readonly name: string
  readonly external_id: string | null
  /** Ids at the provider, and user names. */
  readonly members: readonly (readonly [subject: string, username: string])[]
}

/** Values that a provider sets in a group. */
export interface GroupValues extends Pick<ScimGroup, 'name' | 'external_id'> {
  /** Ids of users at the provider. */
  readonly members: ReadonlySet<string>
}

export const GROUP = new ResourceType<ScimGroup, GroupValues>({
  name: 'Group',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  rows: (provider) => sql`
    select g.id as position, g.id::text as resource_id, g.id, g.name, g.external_id, array(
        select array[i.subject, u.username] from ${table(MEMBERS)} m
        join ${table(SYSTEM.identity)} i on i.user_id = m.user_id and i.issuer = ${scimIssuer(provider)}
        join ${table(SYSTEM.user)} u on u.id = m.user_id
        where m.scimgroup_id = g.id order by i.id) as members
    from ${table(SYSTEM.scimGroup)} g where g.provider = ${provider}`,
  attributes: {
    externalId: EXTERNAL_ID,
    displayName: {
      about: { required: true, uniqueness: 'server', caseExact: true },
      read: ({ name }) => name,
      filter: (value) => sql`r.name = ${value}`,
      write: (change) => ({ name: textOf(change) }),
    },
    members: {
      about: {
        ...{ type: 'complex', multiValued: true },
        subAttributes: { value: { mutability: 'immutable' }, display: { mutability: 'readOnly' } },
      },
      read: ({ members }, base) =>
        members.map(([value, display]) => ({ value, display, type: 'User', $ref: `${base}/Users/${value}` })),
      filter: (value, provider) => sql`exists (
        select from ${table(MEMBERS)} m join ${table(SYSTEM.identity)} i on i.user_id = m.user_id
        where m.scimgroup_id = r.id and i.issuer = ${scimIssuer(provider)} and i.subject = ${value})`,
      paths: /^members(\[|$)/,
      write: (change, { members }) => ({ members: membersAfter(change, members) }),
    },
  },
})

function namesIn(change: Change): UserValues {
  const { op, path, value } = change
  if (path === 'name.givenname') return { first_name: textOf(change) }
  if (path === 'name.familyname') return { last_name: textOf(change) }
  if (op === 'remove' || value === null) return { first_name: '', last_name: '' }
  const name = objectIn(value, 'name')
  const [givenName, familyName] = [attributeOf(name, 'givenname'), attributeOf(name, 'familyname')]
  return {
    ...(givenName !== undefined && { first_name: textIn(givenName, 'name.givenName') }),
    ...(familyName !== undefined && { last_name: textIn(familyName, 'name.familyName') }),
  }
}

/** The primary address, otherwise the first one. */
function emailIn(change: Change): string {
  const { op, path, value } = change
  if (op === 'remove' || (typeof value === 'string' && path !== 'emails')) return textOf(change)
  const addresses = listIn(value).map((address) => objectIn(address, 'emails'))
  const chosen = addresses.find(({ primary }) => primary === true) ?? addresses[0]
  return chosen ? textIn(chosen.value, 'emails.value') : ''
}

/** Entra ID sends "True" and "False". */
function booleanIn(value: Json | undefined): boolean {
  const text = String(value).toLowerCase()
  if (text !== 'true' && text !== 'false') throw new ScimError(400, 'active must be true or false.', 'invalidValue')
  return text === 'true'
}

function membersAfter({ op, path, sentPath, value }: Change, before: ReadonlySet<string>): ReadonlySet<string> {
  if (path === 'members') {
    const subjects = listIn(value).map(memberId)
    if (op === 'add') return new Set([...before, ...subjects])
    return op === 'remove' && value !== undefined ? without(before, subjects) : new Set(subjects)
  }
  const subject = /^[^[]*\[\s*value\s+eq\s+"([^"\\]*)"\s*\]$/i.exec(sentPath)?.[1]
  if (subject === undefined || op !== 'remove') throw new ScimError(400, 'The path is not supported.', 'invalidPath')
  return without(before, [subject])
}

function without(subjects: ReadonlySet<string>, removed: readonly string[]): ReadonlySet<string> {
  const remaining = new Set(subjects)
  for (const subject of removed) remaining.delete(subject)
  return remaining
}

function memberId(member: Json): string {
  const id = isJsonObject(member) ? member.value : member
  if (typeof id !== 'string') throw new ScimError(400, 'Each member must be an object with a value.', 'invalidValue')
  return id
}

/** The values of a list, or a single one. */
const listIn = (value: Json | undefined): readonly Json[] =>
  value === undefined || value === null ? [] : [value].flat()

function objectIn(value: Json | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value
  throw new ScimError(400, `${name} must be an object.`, 'invalidValue')
}
