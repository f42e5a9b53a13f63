import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'

/**
 * The step or computed field that Django's name for it means: its own name, the column of a relation (`site_id`,
 * `custom_field_data`), or the model of a generic relation's target (`interface`). Undefined for an unknown name, and
 * for a secret, which could be guessed by comparisons.
 */
export function stepNamed(model: Model, name: string): string | undefined {
  const key = keyOf(model, name)
  return key === undefined || isConfidential(model, key) ? undefined : key
}

function keyOf(model: Model, name: string): string | undefined {
  if (name === 'pk') return 'id'
  if (model.steps.has(name)) return name
  const field = model.fields.get(name)
  if (field?.kind === 'derived' || field?.kind === 'derivedKey') return name
  const column = [...model.columns].find(([, candidate]) => candidate.name === name)
  if (column) return column[0]
  return [...model.steps].find(([, step]) => step.kind === 'genericTo' && step.to.key === name)?.[0]
}

/** Whether no response ever contains the value, because it is a secret. */
function isConfidential(model: Model, key: string): boolean {
  const field = model.columns.get(key)?.field
  if (!field) return false
  const isWriteOnly = 'writeOnly' in field && field.writeOnly === true
  return isWriteOnly || (model.name === SYSTEM.token && 'hidden' in field && field.hidden === true)
}

/** The sentence about a name that `stepNamed` does not know, as Django writes it. */
export function unknownName(model: Model, name: string): string {
  const choices = [...model.steps.keys()].filter((step) => !/^_|:/.test(step) && !isConfidential(model, step)).sort()
  return `Cannot resolve keyword '${name}' into field. Choices are: ${choices.join(', ')}`
}
