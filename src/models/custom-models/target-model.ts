import { isJsonObject } from '../../schema/json.ts'

/** Name of the model, `app.model`, that a stored target names; undefined for anything else. */
export const modelOfTarget = (target: unknown): string | undefined =>
  isJsonObject(target) && typeof target.app_label === 'string' && typeof target.model === 'string'
    ? `${target.app_label}.${target.model}`
    : undefined

/** Names of the models that a field refers to. */
export const targetsOf = (field: {
  readonly is_polymorphic: boolean
  readonly related_object_type: unknown
  readonly related_object_types: unknown
}): readonly string[] => {
  const targets = field.is_polymorphic ? field.related_object_types : [field.related_object_type]
  return Array.isArray(targets) ? targets.flatMap((target) => modelOfTarget(target) ?? []) : []
}
