import type { Audit } from '../../schema/audit.ts'
import { isJsonObject } from '../../schema/json.ts'
import { type Behaviour, behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { permission } from './permission.ts'

type PermissionFields = typeof permission.fields

/** Object types to which constraints do not apply, each with the reason as a sentence. */
export type FindUnfit = (
  objectTypes: readonly string[],
  constraints: unknown,
) => readonly { readonly objectType: string; readonly complaint: string }[]

const constraintsAreObjects: Rule<PermissionFields> = ({ next, sent }) => {
  const { constraints } = next
  if (!sent.has('constraints') || constraints === null || isJsonObject(constraints)) return
  return Array.isArray(constraints) && constraints.every(isJsonObject)
    ? undefined
    : { constraints: 'Constraints are a JSON object of conditions, or a list of such objects.' }
}

/**
 * Constraints that do not apply to a type are accepted, as by the reference; the permission then grants nothing on
 * it.
 */
const auditUnfit =
  (findUnfit: FindUnfit, audit: Audit): EffectFunction<PermissionFields> =>
  async ({ rows, origin, afterCommit }) => {
    for (const { next } of rows) {
      if (!next) continue
      for (const unfit of findUnfit(next.object_types, next.constraints)) {
        const event = { event: 'constraintsDoNotFit', id: next.id, ...unfit, ...origin } as const
        afterCommit(() => audit(event))
      }
    }
  }

/** Behaviour of permissions; `findUnfit` evaluates constraints, which this room must not depend on. */
export const permissionBehaviour = (findUnfit: FindUnfit, audit: Audit): Behaviour =>
  behaviour(permission, {
    modelRules: [constraintsAreObjects],
    afterWrite: [auditUnfit(findUnfit, audit)],
  })
