import { isJsonObject } from '../schema/json.ts'
import type { Registry } from '../schema/registry.ts'
import { complaintOf } from './constraint.ts'

/** A constraint that does not fit an object type: no object of the type satisfies it. */
interface UnfitConstraint {
  readonly objectType: string
  /** The reason, in one sentence. */
  readonly complaint: string
}

/** Mismatches between the constraints of a permission and its object types; types without a model are skipped. */
export function unfitConstraints(
  registry: Registry,
  objectTypes: readonly string[],
  constraints: unknown,
): readonly UnfitConstraint[] {
  const alternatives = Array.isArray(constraints) ? constraints : [constraints]
  return objectTypes.flatMap((objectType) => {
    const model = registry.models.get(objectType)
    if (!model) return []
    return alternatives.filter(isJsonObject).flatMap((constraint) => {
      const complaint = complaintOf(model, constraint)
      return complaint === undefined ? [] : [{ objectType, complaint }]
    })
  })
}
