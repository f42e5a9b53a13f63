import type { CustomRules } from '../../config/custom-rules.ts'
import { linearExpression } from '../../schema/linear-expression.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'

/** The reason why rules cannot be used, in one sentence; undefined if they can. */
export function customRulesProblem(registry: Registry, rules: CustomRules): string | undefined {
  for (const [name, list] of Object.entries(rules)) {
    const model = registry.models.get(name)
    if (!model || model.definition.internal) return `there is no model ${name}`
    for (const [path, { regex }] of list.flatMap((rule) => (typeof rule === 'string' ? [] : Object.entries(rule)))) {
      if (!leadsToValue(registry, model, path.split('.'))) return `${name} has no value ${path}`
      if (regex !== undefined && linearExpression(regex) === undefined) {
        return `${regex} is not a regular expression that can be matched without backtracking`
      }
    }
  }
  return undefined
}

const ANYTHING: ReadonlySet<string> = new Set(['id', 'pk', 'cf', 'custom_fields', 'custom_field_data'])

function leadsToValue(registry: Registry, model: Model, path: readonly string[]): boolean {
  const [name = '', next, ...steps] = path
  if (name === 'request') {
    return next === 'user' && leadsToValue(registry, registry.model(SYSTEM.user), steps)
  }
  if (ANYTHING.has(name)) return true
  const field = model.fields.get(name)
  if (next === undefined) return field !== undefined || model.columns.has(name)
  // The target of a generic relation is known only for each object.
  if (field?.kind === 'genericForeignKey') return true
  return field?.kind === 'foreignKey' && leadsToValue(registry, registry.model(field.to), [next, ...steps])
}
