import type { Form } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'

const genericForms = new WeakMap<Model, Form>()

/**
 * Form of an object that a generic relation or a custom field shows: the brief form, without counts
 * that only a page of its own makes.
 */
export function genericForm(model: Model): Form {
  const known = genericForms.get(model)
  if (known) return known
  const form = model.definition.brief.filter((name) => {
    const field = model.fields.get(name)
    return field?.kind !== 'relatedCount' || field.cumulative === true
  })
  // The same array where it is the same form, so that both share their texts.
  const isNested = JSON.stringify(form) === JSON.stringify(model.nested)
  const chosen = isNested ? model.nested : form
  genericForms.set(model, chosen)
  return chosen
}
