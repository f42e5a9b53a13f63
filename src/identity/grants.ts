import type { Constraint, DefaultPermissions } from '../config/default-permissions.ts'
import { groupResolver } from '../read/groups/constraints.ts'
import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'

/**
 * Permissions of a user: for each `<action> <app.model>`, constraints of which an object must satisfy at least one.
 * Every object satisfies the empty constraint.
 */
export type Grants = ReadonlyMap<string, readonly Constraint[]>

export const grantKey = (action: string, model: string): string => `${action} ${model}`

/** The cached form of users with their grants. */
export const ACTOR_CACHING = { bytes: 4_000, isEssential: true } as const

/** A constraint that no object satisfies, in place of one that cannot be parsed. */
const NEVER: Constraint = { '': null }

interface GrantSources {
  readonly registry: Registry
  /** Permissions of every user. */
  readonly defaults: DefaultPermissions
}

/** Enabled permissions of the user, direct or through a group, and the default permissions. */
export async function loadGrants(queryable: Queryable, userId: number, sources: GrantSources): Promise<Grants> {
  return await grantsOf(queryable, userId, await permissionsOf(queryable, [userId]), sources)
}

/** As `loadGrants`, for several users by id with one query, or with none if there are no users. */
export async function loadGrantsOfUsers(
  queryable: Queryable,
  userIds: readonly number[],
  sources: GrantSources,
): Promise<ReadonlyMap<number, Grants>> {
  if (userIds.length === 0) return new Map()
  const permissions = Map.groupBy(await permissionsOf(queryable, userIds), (permission) => permission.user_id)
  return new Map(
    await Promise.all(
      userIds.map(async (id) => [id, await grantsOf(queryable, id, permissions.get(id) ?? [], sources)] as const),
    ),
  )
}

async function grantsOf(
  queryable: Queryable,
  userId: number,
  permissions: readonly Permission[],
  { registry, defaults }: GrantSources,
): Promise<Grants> {
  const grants = new Map<string, readonly Constraint[]>()
  const give = (key: string, constraints: readonly Constraint[]) => {
    grants.set(key, [...(grants.get(key) ?? []), ...constraints])
  }
  for (const [name, constraints] of Object.entries(defaults)) {
    const [app = '', codename = ''] = name.split('.')
    const [action = '', ...model] = codename.split('_')
    give(grantKey(action, `${app}.${model.join('_')}`), constraints)
  }
  for (const { object_types, actions, constraints } of permissions) {
    const alternatives = parseConstraints(constraints)
    for (const model of object_types) {
      for (const action of actions) give(grantKey(action, model), alternatives)
    }
  }
  const resolve = await groupResolver(queryable, registry, [...grants.values()].flat(), userId)
  return new Map([...grants].map(([key, constraints]) => [key, constraints.map(resolve)]))
}

interface Permission extends Record<string, unknown> {
  readonly user_id: number
  readonly object_types: readonly string[]
  readonly actions: readonly string[]
  /** JSON. */
  readonly constraints: string | null
}

const permissionsOf = (queryable: Queryable, userIds: readonly number[]) =>
  queryable.query<Permission>(sql`
    select h.user_id, p.object_types, p.actions, p.constraints
    from ${table(SYSTEM.objectPermission)} p
    join (
      select user_id, objectpermission_id from ${table(`${SYSTEM.user}.permissions`)}
      where user_id = any(${userIds}::bigint[])
      union
      select ug.user_id, gp.objectpermission_id from ${table(`${SYSTEM.group}.permissions`)} gp
      join ${table(`${SYSTEM.user}.groups`)} ug on ug.group_id = gp.group_id
      where ug.user_id = any(${userIds}::bigint[])
    ) h on h.objectpermission_id = p.id
    where p.enabled
    order by p.id`)

/** A missing value, an empty object and an empty list restrict nothing. */
function parseConstraints(json: string | null): readonly Constraint[] {
  const value: unknown = json === null ? null : JSON.parse(json)
  if (value === null || (Array.isArray(value) && value.length === 0)) return [{}]
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((constraint) => (isConstraint(constraint) ? constraint : NEVER))
}

const isConstraint = (value: unknown): value is Constraint =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
