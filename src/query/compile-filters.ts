import { invalid, type Messages } from '../errors.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { join, type Sql } from '../sql/fragment.ts'
import { T } from './alias.ts'
import { applyFilter } from './apply-filter.ts'
import { customFieldParameters } from './custom-field-parameters.ts'
import { filterJsonKey } from './json-key-filter.ts'
import { parametersOf } from './parameters.ts'
import { RefusedValue } from './refused-value.ts'
import { RelatedValues } from './related-values.ts'
import type { VisibleRows } from './row-predicate.ts'
import { withSavedFilters } from './saved-filters.ts'

/**
 * Predicate over `t` of what a request's parameters ask for; undefined where they ask for nothing.
 * Values of one parameter are alternatives, parameters are all to hold, unknown ones are passed over.
 * `visibleRows` says which related objects may be named, `user` is the user's id. The statement that holds the predicate
 * has to go through `applyRowSecurity` with the same `visibleRows`. Throws `invalid` with a message for
 * each parameter that can't be used.
 */
export async function compileFilters(
  service: Service,
  model: Model,
  search: URLSearchParams,
  visibleRows: VisibleRows,
  user?: number,
): Promise<Sql | undefined> {
  const { registry, database } = service
  const given = await withSavedFilters({ registry, visibleRows }, database, search, user)
  const names = [...new Set(given.keys())]
  const customFields = await customFieldParameters(service, model, names)
  const known = parametersOf(registry, model)
  const related = new RelatedValues(database, { registry, visibleRows })
  const refused: Record<string, Messages> = {}
  const predicates = await Promise.all(
    names.map(async (name) => {
      const parameter = known.get(name) ?? customFields.get(name)
      const values = given.getAll(name)
      try {
        if (!parameter) return await filterJsonKey(database, model, name, values.at(-1) ?? '')
        const { filter, lookup, multiple } = parameter
        const call = { registry, model, alias: T, lookup, values, multiple, related, database }
        return await applyFilter(filter, { ...call, visibleRows, user })
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error
        refused[name] = [error.message]
        return undefined
      }
    }),
  )
  if (Object.keys(refused).length > 0) throw invalid(refused)
  const asked = predicates.filter((predicate) => predicate !== undefined)
  return asked.length === 0 ? undefined : join(asked, ' and ')
}
