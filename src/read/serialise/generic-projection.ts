import type { NestedProjection } from '../../schema/field.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'

/**
 * Fields of an object to which a generic relation or a custom field refers: the brief ones, without counts that are
 * computed only on the object's own page.
 */
export const genericProjection = oncePer((model: Model): NestedProjection => {
  const projection = model.definition.brief.filter((name) => {
    const field = model.fields.get(name)
    return field?.kind !== 'relatedCount' || field.cumulative === true
  })
  // Equal projections are the same array, so that they share their texts.
  const isNested = JSON.stringify(projection) === JSON.stringify(model.nested)
  return isNested ? model.nested : projection
})

/** The projection without the names that NetBox does not have. */
export const withoutAliases = oncePer(
  (projection: NestedProjection): NestedProjection =>
    projection
      .filter((entry) => entry !== 'display_name')
      .map((entry) => {
        if (typeof entry === 'string' || entry[1] === 'bare') return entry
        return [entry[0], withoutAliases(entry[1])]
      }),
)
