import { scimIssuer } from '../../identity/external-account.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom, insertInto, table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { GROUP_SCHEMA } from './documents.ts'
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
import { findUser, synchroniseMember } from './users.ts'

/** A group of the provider. */
interface ScimGroup extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly external_id: string | null
}

const MEMBERS = `${SYSTEM.scimGroup}.members`
const LONGEST = 255

/** The groups of a list, and how many match the filter. Throws ScimError. */
export async function listGroups(
  queryable: Queryable,
  { config }: ScimScope,
  conditions: readonly Condition[],
  { offset, limit }: ScimWindow,
): Promise<{ readonly total: number; readonly resources: readonly ScimGroup[] }> {
  const where = join(
    [sql`g.provider = ${config.name}`, ...conditions.map((condition) => predicateOf(condition, config.name))],
    ' and ',
  )
  const source = table(SYSTEM.scimGroup)
  const [row] = await queryable.query<{ count: number }>(
    sql`select count(*)::int as count from ${source} g where ${where}`,
  )
  const resources = await queryable.query<ScimGroup>(sql`
    select g.id, g.name, g.external_id from ${source} g where ${where}
    order by g.id limit ${limit}::int offset ${offset}::int`)
  return { total: row?.count ?? 0, resources }
}

function predicateOf({ attribute, value }: Condition, provider: string): Sql {
  if (attribute === 'displayname') return sql`g.name = ${value}`
  if (attribute === 'externalid') return sql`g.external_id = ${value}`
  if (attribute === 'id') return sql`g.id::text = ${value}`
  if (attribute === 'members' || attribute === 'members.value') {
    return sql`exists (
      select from ${table(MEMBERS)} m join ${table(SYSTEM.identity)} i on i.user_id = m.user_id
      where m.scimgroup_id = g.id and i.issuer = ${scimIssuer(provider)} and i.subject = ${value})`
  }
  throw invalidFilter()
}

/** The group with the id. Throws ScimError. */
export async function findGroup(queryable: Queryable, { config }: ScimScope, id: string): Promise<ScimGroup> {
  const [group] = await queryable.query<ScimGroup>(sql`
    select g.id, g.name, g.external_id from ${table(SYSTEM.scimGroup)} g
    where g.provider = ${config.name} and g.id::text = ${id}`)
  if (!group) throw noResource()
  return group
}

/** The groups as resources, with their members. */
export async function groupResources(
  queryable: Queryable,
  { config, base }: ScimScope,
  groups: readonly ScimGroup[],
): Promise<JsonObject[]> {
  const members = await queryable.query<{ scimgroup_id: number; subject: string; username: string }>(sql`
    select m.scimgroup_id, i.subject, u.username from ${table(MEMBERS)} m
    join ${table(SYSTEM.identity)} i on i.user_id = m.user_id and i.issuer = ${scimIssuer(config.name)}
    join ${table(SYSTEM.user)} u on u.id = m.user_id
    where m.scimgroup_id = any(${groups.map(({ id }) => id)}::bigint[]) order by i.id`)
  const byGroup = Map.groupBy(members, ({ scimgroup_id }) => scimgroup_id)
  return groups.map(({ id, name, external_id }) => ({
    schemas: [GROUP_SCHEMA],
    id: String(id),
    ...(external_id !== null && { externalId: external_id }),
    displayName: name,
    members: (byGroup.get(id) ?? []).map(({ subject, username }) => ({
      ...{ value: subject, display: username, type: 'User', $ref: `${base}/Users/${subject}` },
    })),
    meta: { resourceType: 'Group', location: `${base}/Groups/${id}` },
  }))
}

/** Creates a group and returns its id. Throws ScimError. */
export async function createGroup(
  context: WriteContext,
  scope: ScimScope,
  changes: readonly Change[],
): Promise<string> {
  const name = changes.find(({ path }) => path === 'displayname')
  const text = textIn(name?.value, 'displayName')
  if (text === '') throw new ScimError(400, 'A group needs a displayName.', 'invalidValue')
  const [row] = await context.transaction.query<{ id: number }>(sql`
    ${insertInto(SYSTEM.scimGroup)} (provider, name, external_id) values (${scope.config.name}, ${checkedName(text)}, null)
    on conflict do nothing returning id`)
  if (!row) throw taken()
  const id = String(row.id)
  await changeGroup(context, scope, id, changes)
  return id
}

const taken = (): ScimError => new ScimError(409, 'Another group has this displayName.', 'uniqueness')

function checkedName(name: string): string {
  if (name.length > LONGEST)
    throw new ScimError(400, `A displayName may have at most ${LONGEST} characters.`, 'invalidValue')
  return name
}

/** Changes a group, and the rights of its members here. Throws ScimError. */
export async function changeGroup(
  context: WriteContext,
  scope: ScimScope,
  id: string,
  changes: readonly Change[],
  isWhole = false,
): Promise<void> {
  const { transaction } = context
  const group = await findGroup(transaction, scope, id)
  // Two changes of the same group run one after the other, since both read its members first.
  await transaction.query(sql`select id from ${table(SYSTEM.scimGroup)} where id = ${group.id}::bigint for update`)
  const before = await membersOf(transaction, scope, group)
  const subjects = new Set(isWhole ? [] : before)
  let { name, external_id: externalId } = group
  for (const { op, path, sentPath, value } of changes) {
    if (path === 'displayname') name = op === 'remove' ? '' : textIn(value, 'displayName')
    else if (path === 'externalid') externalId = op === 'remove' ? null : textIn(value, 'externalId') || null
    else if (path === 'members') {
      if (op === 'replace' || (op === 'remove' && value === undefined)) subjects.clear()
      for (const subject of memberIds(value)) {
        if (op === 'remove') subjects.delete(subject)
        else subjects.add(subject)
      }
    } else if (path.startsWith('members[')) {
      const subject = /^[^[]*\[\s*value\s+eq\s+"([^"\\]*)"\s*\]$/i.exec(sentPath)?.[1]
      if (subject === undefined || op !== 'remove')
        throw new ScimError(400, 'The path is not supported.', 'invalidPath')
      subjects.delete(subject)
    }
  }
  if (name === '') throw new ScimError(400, 'A group needs a displayName.', 'invalidValue')
  await rename(context, scope, group, { name: checkedName(name), externalId })
  await setMembers(context, scope, group, subjects)
  const isRenamed = name !== group.name
  const affected = [...new Set([...before, ...subjects])].filter(
    (subject) => isRenamed || before.has(subject) !== subjects.has(subject),
  )
  for (const subject of affected) await synchroniseMember(context, scope, await findUser(transaction, scope, subject))
}

/** Ids in `members`: a list of objects, or a single one. */
function memberIds(value: Json | undefined): readonly string[] {
  return (value === undefined || value === null ? [] : [value].flat()).map((member: Json) => {
    const id = isJsonObject(member) ? member.value : member
    if (typeof id !== 'string') throw new ScimError(400, 'Each member must be an object with a value.', 'invalidValue')
    return id
  })
}

async function membersOf(queryable: Queryable, { config }: ScimScope, { id }: ScimGroup): Promise<ReadonlySet<string>> {
  const rows = await queryable.query<{ subject: string }>(sql`
    select i.subject from ${table(MEMBERS)} m
    join ${table(SYSTEM.identity)} i on i.user_id = m.user_id and i.issuer = ${scimIssuer(config.name)}
    where m.scimgroup_id = ${id}::bigint order by i.id`)
  return new Set(rows.map(({ subject }) => subject))
}

async function rename(
  { transaction }: WriteContext,
  { config }: ScimScope,
  { id }: ScimGroup,
  { name, externalId }: { readonly name: string; readonly externalId: string | null },
): Promise<void> {
  const [namesake] = await transaction.query(sql`
    select id from ${table(SYSTEM.scimGroup)}
    where provider = ${config.name} and name = ${name} and id <> ${id}::bigint`)
  if (namesake) throw taken()
  await transaction.execute(sql`
    ${updateTable(SYSTEM.scimGroup)} set name = ${name}, external_id = ${externalId} where id = ${id}::bigint`)
}

async function setMembers(
  { transaction }: WriteContext,
  { config }: ScimScope,
  { id }: ScimGroup,
  subjects: ReadonlySet<string>,
): Promise<void> {
  const users = await transaction.query<{ user_id: number }>(sql`
    select user_id from ${table(SYSTEM.identity)}
    where issuer = ${scimIssuer(config.name)} and subject = any(${[...subjects]}::text[])`)
  if (users.length !== subjects.size) {
    throw new ScimError(
      400,
      'A member is not a user of this provider. Nested groups are not supported.',
      'invalidValue',
    )
  }
  const ids = users.map(({ user_id }) => user_id)
  await transaction.execute(sql`
    ${deleteFrom(MEMBERS)} where scimgroup_id = ${id}::bigint and user_id <> all(${ids}::bigint[])`)
  await transaction.execute(sql`
    ${insertInto(MEMBERS)} (scimgroup_id, user_id)
    select ${id}::bigint, each from unnest(${ids}::bigint[]) as each on conflict do nothing`)
}

/** Deletes a group, and revokes what its members got through it. */
export async function removeGroup(context: WriteContext, scope: ScimScope, id: string): Promise<void> {
  const { transaction } = context
  const group = await findGroup(transaction, scope, id)
  const members = await membersOf(transaction, scope, group)
  await transaction.execute(sql`${deleteFrom(MEMBERS)} where scimgroup_id = ${group.id}::bigint`)
  await transaction.execute(sql`${deleteFrom(SYSTEM.scimGroup)} where id = ${group.id}::bigint`)
  for (const subject of members) await synchroniseMember(context, scope, await findUser(transaction, scope, subject))
}
