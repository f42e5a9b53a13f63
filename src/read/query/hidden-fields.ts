import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { allVisible } from './row-predicate.ts'
import type { RowSecurity } from './row-security.ts'

/** Computed fields and lists of related objects that read objects of other models, with the names of these models. */
const readingFields = oncePer(({ fields }: Model): readonly (readonly [string, ReadonlySet<string>])[] =>
  [...fields].flatMap(([name, field]) => {
    const reads =
      field.kind === 'derived' ? field.reads?.() : field.kind === 'reverse' ? new Set([field.of]) : undefined
    return reads && reads.size > 0 ? [[name, reads] as const] : []
  }),
)

/**
 * Names of the computed fields that the user may not see, because their values depend on objects of which some are
 * hidden; and of lists of related objects that are visible only with others. Undefined for none.
 */
export function hiddenFields(model: Model, { registry, visibleRows }: RowSecurity): ReadonlySet<string> | undefined {
  const reading = readingFields(model)
  if (reading.length === 0 || visibleRows === allVisible) return undefined
  const hidden = reading.filter(([field, reads]) =>
    [...reads].some((name) => {
      const read = registry.model(name)
      const isShownAnyway = model.fields.get(field)?.kind === 'reverse' && !read.definition.visibleWith
      return !isShownAnyway && visibleRows(read) !== 'all'
    }),
  )
  return hidden.length === 0 ? undefined : new Set(hidden.map(([name]) => name))
}
