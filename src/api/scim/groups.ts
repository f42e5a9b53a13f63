import { scimIssuer } from '../../identity/external-account.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { deleteFrom, insertInto, table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { type Change, ScimError } from './messages.ts'
import type { ScimScope } from './resource-type.ts'
import { GROUP, type GroupValues, MEMBERS, type ScimGroup } from './resources.ts'
import { synchroniseMember } from './users.ts'

const LONGEST = 255

/** Creates a group and returns its id. Throws ScimError. */
export async function createGroup(
  context: WriteContext,
  scope: ScimScope,
  changes: readonly Change[],
): Promise<string> {
  const { name } = valuesOf(changes, { name: '', external_id: null, members: new Set() })
  const [row] = await context.transaction.query<{ id: number }>(sql`
    ${insertInto(SYSTEM.scimGroup)} (provider, name, external_id) values (${scope.config.name}, ${name}, null)
    on conflict do nothing returning id`)
  if (!row) throw taken()
  const id = String(row.id)
  await changeGroup(context, scope, id, changes, true)
  return id
}

const taken = (): ScimError => new ScimError(409, 'Another group has this displayName.', 'uniqueness')

function valuesOf(changes: readonly Change[], before: GroupValues): GroupValues {
  const values = GROUP.valuesAfter(changes, before)
  if (values.name === '') throw new ScimError(400, 'A group needs a displayName.', 'invalidValue')
  if (values.name.length > LONGEST)
    throw new ScimError(400, `A displayName may have at most ${LONGEST} characters.`, 'invalidValue')
  return values
}

/** Changes a group, and the rights of its members here. Throws ScimError. */
export async function changeGroup(
  context: WriteContext,
  scope: ScimScope,
  id: string,
  changes: readonly Change[],
  isWhole: boolean,
): Promise<void> {
  const { transaction } = context
  // Two changes of the same group run one after the other, since both read its members first.
  await transaction.query(sql`
    select id from ${table(SYSTEM.scimGroup)} where provider = ${scope.config.name} and id::text = ${id} for update`)
  const group = await GROUP.find(transaction, scope, id)
  const before = membersOf(group)
  const { name, external_id, members } = valuesOf(changes, { ...group, members: isWhole ? new Set() : before })
  await rename(context, scope, group, { name, external_id })
  await setMembers(context, scope, group, members)
  const isRenamed = name !== group.name
  const affected = [...new Set([...before, ...members])].filter(
    (subject) => isRenamed || before.has(subject) !== members.has(subject),
  )
  for (const subject of affected) await synchroniseMember(context, scope, subject)
}

const membersOf = ({ members }: ScimGroup): ReadonlySet<string> => new Set(members.map(([subject]) => subject))

async function rename(
  { transaction }: WriteContext,
  { config }: ScimScope,
  { id }: ScimGroup,
  { name, external_id }: Omit<GroupValues, 'members'>,
): Promise<void> {
  const [namesake] = await transaction.query(sql`
    select id from ${table(SYSTEM.scimGroup)}
    where provider = ${config.name} and name = ${name} and id <> ${id}::bigint`)
  if (namesake) throw taken()
  await transaction.execute(sql`
    ${updateTable(SYSTEM.scimGroup)} set name = ${name}, external_id = ${external_id} where id = ${id}::bigint`)
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
    select ${id}::bigint, user_id from unnest(${ids}::bigint[]) as user_id on conflict do nothing`)
}

/** Deletes a group, and revokes what its members got through it. Throws ScimError. */
export async function removeGroup(context: WriteContext, scope: ScimScope, id: string): Promise<void> {
  const { transaction } = context
  const group = await GROUP.find(transaction, scope, id)
  await transaction.execute(sql`${deleteFrom(MEMBERS)} where scimgroup_id = ${group.id}::bigint`)
  await transaction.execute(sql`${deleteFrom(SYSTEM.scimGroup)} where id = ${group.id}::bigint`)
  for (const subject of membersOf(group)) await synchroniseMember(context, scope, subject)
}
