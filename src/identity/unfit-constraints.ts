import { groupResolver } from '../read/groups/constraints.ts'
import { isJsonObject } from '../schema/json.ts'
import type { Registry } from '../schema/registry.ts'
import type { Queryable } from '../sql/queryable.ts'
import { misfitOf } from './constraint.ts'
import type { InvalidConstraint } from './invalid-constraint.ts'

/** A constraint that does not fit an object type: no object of the type satisfies it. */
interface UnfitConstraint {
  readonly objectType: string
  /** The reason, in one sentence. */
  readonly complaint: string
  /** The name that a model does not have, if that is the reason. */
  readonly unknown: InvalidConstraint['unknown']
}

/** Mismatches between the constraints of a permission and its object types; types without a model are skipped. */
export async function unfitConstraints(
  queryable: Queryable,
  registry: Registry,
  objectTypes: readonly string[],
  constraints: unknown,
): Promise<readonly UnfitConstraint[]> {
  const alternatives = [constraints].flat().filter(isJsonObject)
  const resolve = await groupResolver(queryable, registry, alternatives, 0)
  return objectTypes.flatMap((objectType) => {
    const model = registry.models.get(objectType)
    if (!model) return []
    return alternatives.flatMap((constraint) => {
      const misfit = misfitOf(model, resolve(constraint))
      return misfit ? [{ objectType, complaint: misfit.message, unknown: misfit.unknown }] : []
    })
  })
}
