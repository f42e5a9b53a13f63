import type { Registry } from '../../schema/registry.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { divideByPlugin } from './absent-plugins.ts'
import { obstaclesOf } from './compatibility.ts'
import { differenceOf } from './diff.ts'
import { afterStep, dueSteps } from './due-steps.ts'
import { keptParts } from './kept-parts.ts'
import { schemaOf } from './schema-of.ts'
import { type MigrationStep, STEPS } from './steps.ts'
import { hasTrigrams } from './trigrams.ts'
import { readSchemaVersion } from './version.ts'

/** How the tables of a database differ from those that this version of the program needs. */
export type PendingMigration =
  | { readonly state: 'current' }
  /** The program has never used this database. */
  | { readonly state: 'empty' }
  /**
   * The next start will change the tables; `changes` counts statements and steps. `obstacles`: why processes of the
   * earlier version cannot continue then, as in `obstaclesOf`.
   */
  | { readonly state: 'behind'; readonly changes: number; readonly obstacles: readonly string[] }
  /** Another version has created tables that this version cannot use. */
  | { readonly state: 'foreign'; readonly problems: readonly string[] }

/** Compares without changing anything. */
export async function pendingMigration(
  queryable: Queryable,
  registry: Registry,
  steps: readonly MigrationStep[] = STEPS,
): Promise<PendingMigration> {
  const version = await readSchemaVersion(queryable)
  if (!version) return { state: 'empty' }
  const due = dueSteps(steps, new Set(version.steps), version.schema)
  const { present } = divideByPlugin(due.reduce(afterStep, version.schema), registry)
  const abilities = { trigrams: await hasTrigrams(queryable) }
  const declared = keptParts(present, schemaOf(registry, abilities))
  const { statements, problems } = differenceOf(present, declared)
  if (problems.length > 0) return { state: 'foreign', problems }
  const changes = statements.length + due.length
  if (changes === 0) return { state: 'current' }
  return {
    state: 'behind',
    changes,
    obstacles: obstaclesOf(divideByPlugin(version.schema, registry).present, declared),
  }
}
