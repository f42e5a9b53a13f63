import { kindOf, type ScalarField } from '../../schema/field.ts'
import type { Feature } from '../../schema/model.ts'
import { accept, NOT_NULL, type Outcome, refuse } from '../../schema/outcome.ts'
import type { Registry } from '../../schema/registry.ts'

/** A value of a body in the row's form, or the reason why it is refused. */
export function parseValue(registry: Registry, field: ScalarField, input: unknown): Outcome {
  const kind = kindOf(field)
  // As for every relation, an empty text means no object.
  if (input !== null && !(input === '' && field.kind === 'objectType')) {
    return kind.parse(field, input, (name, feature) => {
      const model = registry.models.get(name)
      // Declarations store a field's feature as text; a model never has an unknown feature.
      return !!model && !model.definition.private && (!feature || model.has(feature as Feature))
    })
  }
  if (kind.parseNull) return kind.parseNull(field)
  return field.nullable || field.lateRequired ? accept(null) : refuse(NOT_NULL)
}
