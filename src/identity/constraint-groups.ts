import type { Constraint } from '../config/default-permissions.ts'
import { T } from '../read/query/alias.ts'
import { compileFilter } from '../read/query/compile-filter.ts'
import { RefusedValue } from '../read/query/refused-value.ts'
import { RelatedValues } from '../read/query/related-values.ts'
import { allVisible } from '../read/query/row-predicate.ts'
import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'

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
  const groups = await queryable.query<{ slug: string; object_type: string }>(
    sql`select slug, object_type from ${table(SYSTEM.dynamicGroup)} where slug = any(${slugs}::text[])`,
  )
  const related = new RelatedValues(queryable, { registry, visibleRows: allVisible })
  const members = await Promise.all(
    groups.map(async ({ slug, object_type: name }) => {
      const model = registry.models.get(name)
      const predicate =
        model &&
        (await ifUsable(
          compileFilter(
            { kind: 'dynamicGroup', by: 'slug', names: [slug] },
            { registry, model, alias: T, related, database: queryable, visibleRows: allVisible, user: userId },
          ),
        ))
      return predicate ? [[slug, new GroupMembers(name, predicate)] as const] : []
    }),
  )
  const bySlug = new Map<unknown, GroupMembers>(members.flat())
  return (constraint) =>
    Object.fromEntries(
      Object.entries(constraint).map(([key, value]) => [key, namesGroup(key) ? (bySlug.get(value) ?? value) : value]),
    )
}

/** The predicate; undefined for a group whose filters can no longer be used, which must not grant anything. */
async function ifUsable(compiled: Promise<Sql>): Promise<Sql | undefined> {
  try {
    return await compiled
  } catch (error) {
    if (error instanceof RefusedValue) return undefined
    throw error
  }
}
