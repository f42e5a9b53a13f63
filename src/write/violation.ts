import { ApiError, invalid } from '../errors.ts'
import type { Model, Registry } from '../schema/registry.ts'
import type { ConstraintViolation } from '../storage/failures.ts'

/** SQLSTATEs of class 23 that a client can cause. */
const UNIQUE = '23505'
const FOREIGN_KEY = '23503'

/**
 * What the database's own constraints refuse, as the pipeline's checks would have said it: two writers
 * at once are answered like one after the other. Undefined: a mistake of ours.
 */
export function refusalOf(
  registry: Registry,
  { code, constraint = '', table = '' }: ConstraintViolation,
): ApiError | undefined {
  const model = [...registry.models.values()].find((each) => each.table === table)
  if (code === FOREIGN_KEY) {
    const label = model?.definition.labels[0] ?? 'object'
    const detail = `The ${label} refers to an object that has been deleted in the meantime.`
    return new ApiError({ kind: 'inUse', detail })
  }
  if (code !== UNIQUE || !model) return undefined
  const field = uniqueFieldOf(model, constraint)
  const [label] = model.definition.labels
  return field
    ? invalid({ [field]: [`A ${label} with this ${field.replaceAll('_', ' ')} already exists.`] })
    : invalid({ __all__: [`A ${label} with the same values already exists.`] })
}

/** The one field that a constraint is about, judging by its name. */
function uniqueFieldOf({ table, fields }: Model, constraint: string): string | undefined {
  const [name] =
    [...fields].find(
      ([name, field]) =>
        'unique' in field && field.unique && constraint === `${table}_${name}_unique`,
    ) ?? []
  return name
}
