import type { Database } from '../../db/database.ts'
import { unfitConstraints } from '../../identity/unfit-constraints.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks that the constraints of every enabled permission fit its object types. */
export async function checkPermissions(database: Database, registry: Registry): Promise<Finding> {
  const rows = await database.query<{
    id: number
    name: string
    object_types: readonly string[]
    constraints: string
  }>(sql`
    select id, name, object_types, constraints from ${table(SYSTEM.objectPermission)}
    where enabled and constraints is not null order by id`)
  const unfit = rows.flatMap(({ id, name, object_types, constraints }) =>
    unfitConstraints(registry, object_types, JSON.parse(constraints)).map(
      ({ objectType, complaint }) => `Permission ${id} (${name}) grants nothing on ${objectType}: ${complaint}`,
    ),
  )
  if (unfit.length === 0) return ok('permissions', 'The constraints of all permissions fit.')
  return warning(
    'permissions',
    unfit.join(' '),
    'Change the constraints, or remove the object type from the permission.',
  )
}
