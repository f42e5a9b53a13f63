import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { type Behaviour, type Rule, rulesFor } from '../../schema/rule.ts'
import { permission } from './permission.ts'

/** Why a constraint cannot be understood for objects of a type; undefined: it can. */
export type ComplaintOf = (objectType: string, constraint: JsonObject) => string | undefined

/** What nobody understands would silently be satisfied by no object. */
const constraintsFit =
  (complaintOf: ComplaintOf): Rule<typeof permission.fields> =>
  ({ next, previous, sent }) => {
    const { constraints, object_types: types } = next
    // Types that are added have to understand the constraints too; an older mistake may stay for others.
    const isTouched = !previous || sent.has('constraints') || sent.has('object_types')
    if (constraints === null || !isTouched) return
    const alternatives = Array.isArray(constraints) ? constraints : [constraints]
    for (const constraint of alternatives) {
      if (!isJsonObject(constraint)) {
        return {
          constraints: 'Constraints are a JSON object of conditions, or a list of such objects.',
        }
      }
      for (const type of types) {
        const complaint = complaintOf(type, constraint)
        if (complaint) return { constraints: `Invalid filter for ${type}: ${complaint}` }
      }
    }
  }

/** Permissions; what their constraints mean is not for this room to know. */
export const permissionBehaviour = (complaintOf: ComplaintOf): Behaviour =>
  rulesFor(permission, constraintsFit(complaintOf))
