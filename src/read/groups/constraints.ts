import type { Constraint } from '../../config/default-permissions.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { memberPredicates } from './memberships.ts'

/** The last part of a key whose value is the slug of a dynamic group: `dynamic_group`, `device__dynamic_group`. */
export const DYNAMIC_GROUP = 'dynamic_group'

/** The members of a dynamic group, in place of its slug in a constraint. */
export class GroupMembers {
  /** Name of the group's object type. */
  readonly model: string
  /** Predicate over the rows `t` of that model. */
  readonly predicate: Sql

  constructor(model: string, predicate: Sql) {
    this.model = model
    this.predicate = predicate
  }

  /** For the digest of a user with all permissions, under which responses are cached. */
  toJSON(): object {
    const { model, predicate } = this
    return { model, text: predicate.text, values: predicate.values }
  }
}

const namesGroup = (key: string): boolean => key.split('__').at(-1) === DYNAMIC_GROUP

/** Slugs of the dynamic groups that constraints name. */
export const groupsNamedIn = (constraints: Iterable<Constraint>): readonly string[] => [
  ...new Set(
    [...constraints].flatMap((constraint) =>
      Object.entries(constraint).flatMap(([key, value]) =>
        namesGroup(key) && typeof value === 'string' ? [value] : [],
      ),
    ),
  ),
]

/**
 * A function that replaces the slugs of dynamic groups in a constraint by the groups' members, for the user with the
 * id. The slug of a group that does not exist, or whose filters can no longer be used, remains; no row satisfies such a
 * constraint.
 */
export async function groupResolver(
  queryable: Queryable,
  registry: Registry,
  constraints: readonly Constraint[],
  userId: number,
): Promise<(constraint: Constraint) => Constraint> {
  const slugs = groupsNamedIn(constraints)
  if (slugs.length === 0) return (constraint) => constraint
  const groups = await queryable.query<{ id: number; slug: string; object_type: string }>(
    sql`select id, slug, object_type from ${table(SYSTEM.dynamicGroup)} where slug = any(${slugs}::text[])`,
  )
  const members = await Promise.all(
    [...Map.groupBy(groups, (group) => group.object_type)].map(async ([name, list]) => {
      const model = registry.models.get(name)
      const ids = list.map(({ id }) => id)
      const predicates = model && (await memberPredicates({ registry, database: queryable }, model, ids, userId))
      return list.flatMap(({ id, slug }) => {
        const predicate = predicates?.get(id)
        return predicate ? [[slug, new GroupMembers(name, predicate)] as const] : []
      })
    }),
  )
  const bySlug = new Map<unknown, GroupMembers>(members.flat())
  return (constraint) =>
    Object.fromEntries(
      Object.entries(constraint).map(([key, value]) => [key, namesGroup(key) ? (bySlug.get(value) ?? value) : value]),
    )
}
