import type { Form } from '../schema/field.ts'
import { oncePerModel } from '../schema/once-per-model.ts'

/**
 * Form of an object that a generic relation or a custom field shows: the brief form, without counts
 * that only a page of its own makes.
 */
export const genericForm = oncePerModel((model): Form => {
  const form = model.definition.brief.filter((name) => {
    const field = model.fields.get(name)
    return field?.kind !== 'relatedCount' || field.cumulative === true
  })
  // The same array where it is the same form, so that both share their texts.
  const isNested = JSON.stringify(form) === JSON.stringify(model.nested)
  return isNested ? model.nested : form
})
