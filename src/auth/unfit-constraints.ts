import { isJsonObject } from '../schema/json.ts'
import type { Registry } from '../schema/registry.ts'
import { complaintOf } from './constraint.ts'

/** Constraints that mean nothing for objects of a type: no object of the type satisfies them. */
export interface UnfitConstraint {
  readonly objectType: string
  /** One sentence that says why. */
  readonly complaint: string
}

/** Where the constraints of a permission do not fit one of its object types; types that no model has are left out. */
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
