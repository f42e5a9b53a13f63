import { invalid, type Messages } from '../../errors.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import type { Sql } from '../../sql/fragment.ts'
import { T } from './alias.ts'
import { cachedResult } from './cached-column.ts'
import { compileFilter } from './compile-filter.ts'
import { customFieldParameters } from './custom-field-parameters.ts'
import type { Filter } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import { Conjunction } from './filtered-table.ts'
import { parseFilters } from './parse-filters.ts'
import { RefusedValue } from './refused-value.ts'
import { RelatedValues } from './related-values.ts'
import type { VisibleRows } from './row-predicate.ts'
import { withSavedFilters } from './saved-filters.ts'

/**
 * Predicate over `t` of what a request's parameters ask for; undefined where they ask for nothing. `visibleRows` says which
 * related objects may be named, `user` is the user's id; `related` finds the objects that values name, and may be shared by the
 * filters of several lists. The statement that holds the predicate has to go through
 * `applyRowSecurity` with the same `visibleRows`. Throws `invalid` with a message for each parameter that can't be used.
 */
export async function compileFilters(
  service: Service,
  model: Model,
  search: URLSearchParams,
  visibleRows: VisibleRows,
  user?: number,
  related: RelatedValues = relatedValuesOf(service, visibleRows),
): Promise<Sql | undefined> {
  const { registry, database } = service
  const given = await withSavedFilters({ registry, visibleRows }, database, search, user)
  const customFields = await customFieldParameters(service, model, [...given.keys()])
  const { filters, refused } = parseFilters(registry, model, given, customFields)
  const context = { registry, model, alias: T, related, database, visibleRows, user }
  const messages: Record<string, Messages> = { ...refused }
  const predicates = filters.size === 0 ? [] : await compileEach(filters, context, messages)
  if (Object.keys(messages).length > 0) throw invalid(inOrder(messages, given))
  return predicates.length === 0 ? undefined : new Conjunction(predicates)
}

/** The predicates; adds to `messages` those of the parameters that can't be used. */
async function compileEach(
  filters: ReadonlyMap<string, Filter>,
  context: FilterContext,
  messages: Record<string, Messages>,
): Promise<readonly Sql[]> {
  const predicates = await Promise.all(
    [...filters].map(async ([name, filter]) => {
      try {
        return [await compileFilter(filter, context)]
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error
        messages[name] = [error.message]
        return []
      }
    }),
  )
  return predicates.flat()
}

/** Finds the objects that values name, with one query per model and column for all that share it. */
export const relatedValuesOf = (service: Service, visibleRows: VisibleRows): RelatedValues =>
  new RelatedValues(
    { queryArrays: (statement) => cachedResult(service, statement) },
    { registry: service.registry, visibleRows },
  )

/** The messages in the order of the parameters. */
const inOrder = (
  messages: Readonly<Record<string, Messages>>,
  given: URLSearchParams,
): Record<string, Messages> =>
  Object.fromEntries(
    [...new Set(given.keys())].flatMap((name) => {
      const list = messages[name]
      return list ? [[name, list] as const] : []
    }),
  )
