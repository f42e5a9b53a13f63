import { invalid, type Messages } from '../../base/errors.ts'
import { parseJson } from '../../schema/json.ts'
import { LIST_PARAMETERS, PAGE_PARAMETERS, REFERENCE_PARAMETERS } from '../../schema/list-parameters.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { searchOf } from '../groups/conditions.ts'
import { T } from './alias.ts'
import { cachedResult } from './cached-column.ts'
import { compileFilter } from './compile-filter.ts'
import { customFieldParameters } from './custom-field-parameters.ts'
import { joinItems } from './custom-filter.ts'
import type { Filter } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import { Conjunction } from './filtered-table.ts'
import { parametersOf } from './parameters.ts'
import { parseFilters } from './parse-filters.ts'
import { RefusedValue } from './refused-value.ts'
import { RelatedValues } from './related-values.ts'
import type { VisibleRows } from './row-predicate.ts'

import { applyRowSecurity, type RowSecurity } from './row-security.ts'

/**
 * Predicate over `t` for the parameters of a request; undefined if they filter nothing. `visibleRows` determines which
 * related objects may be named, and `user` is the user's id; `related` finds the named objects, and can be shared by
 * the filters of several lists. The statement with the predicate must go through `applyRowSecurity` with the same
 * `visibleRows`. Throws `invalid` with a message for each parameter that can't be used.
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
  const saved = await savedFiltersOf({ registry, visibleRows }, database, search, user)
  const parameters = withSavedFilters(search, saved)
  const customFields = await customFieldParameters(service, model, [...parameters.keys()])
  const { filters, refused } = parseFilters(registry, model, parameters, customFields)
  refuseOutdated(
    saved,
    (name) => parametersOf(registry, model).has(name) || customFields.has(name) || filters.has(name),
  )
  const context = { registry, model, alias: T, related, database, visibleRows, user }
  const messages: Record<string, Messages> = { ...refused }
  const predicates = filters.size === 0 ? [] : await compileEach(filters, context, messages)
  if (Object.keys(messages).length > 0) throw invalid(inOrder(messages, parameters))
  return predicates.length === 0 ? undefined : new Conjunction(predicates)
}

/** The predicates; adds to `messages` those of the parameters that can't be used. */
async function compileEach(
  filters: ReadonlyMap<string, Filter>,
  context: FilterContext,
  messages: Record<string, Messages>,
): Promise<readonly Sql[]> {
  const names = new Map([...filters].map(([name, filter]) => [filter, name]))
  const predicates = await Promise.all(
    joinItems([...filters.values()], context).map(async (filter) => {
      if (typeof filter === 'function') return [await filter()]
      try {
        return [await compileFilter(filter, context)]
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error
        messages[names.get(filter) ?? ''] = [error.message]
        return []
      }
    }),
  )
  return predicates.flat()
}

/** Finds the objects named by values, with one query per model and column. */
export const relatedValuesOf = (service: Service, visibleRows: VisibleRows): RelatedValues =>
  new RelatedValues(
    { queryArrays: (statement) => cachedResult(service, statement) },
    { registry: service.registry, visibleRows },
  )

/** The messages in the order of the parameters. */
const inOrder = (messages: Readonly<Record<string, Messages>>, parameters: URLSearchParams): Record<string, Messages> =>
  Object.fromEntries(
    [...new Set(parameters.keys())].flatMap((name) => {
      const list = messages[name]
      return list ? [[name, list] as const] : []
    }),
  )

interface SavedFilter extends Record<string, unknown> {
  readonly slug: string
  /** JSON: parameter → value or list of values. */
  readonly parameters: string
}

/**
 * The saved filters that `filter` (slugs) and `filter_id` name. Those that the user may not see are ignored; users see
 * shared filters and their own.
 */
async function savedFiltersOf(
  security: RowSecurity,
  database: Queryable,
  search: URLSearchParams,
  user: number | undefined,
): Promise<readonly SavedFilter[]> {
  const slugs = search.getAll('filter')
  const ids = search.getAll('filter_id').filter((id) => /^\s*\d{1,18}\s*$/.test(id))
  if (slugs.length === 0 && ids.length === 0) return []
  const model = security.registry.model(SYSTEM.savedFilter)
  const statement = sql`
    select f.slug, f.parameters from ${table(model)} f
    where (f.slug = any(${slugs}::text[]) or f.id = any(${ids.map((id) => id.trim())}::bigint[]))
      and (f.shared or f.user_id = ${user ?? null}::bigint)
    order by f.id`
  return await database.query<SavedFilter>(applyRowSecurity(security, statement))
}

/** The parameters, together with those of the saved filters. Values of one parameter are combined. */
function withSavedFilters(search: URLSearchParams, savedFilters: readonly SavedFilter[]): URLSearchParams {
  if (savedFilters.length === 0) return search
  const merged = new URLSearchParams(search)
  for (const { parameters } of savedFilters) {
    for (const [name, value] of searchOf(parseJson(parameters))) merged.append(name, value)
  }
  return merged
}

/** Parameters of lists that select no objects, which a saved filter may contain. */
const OTHER_PARAMETERS: ReadonlySet<string> = new Set([...LIST_PARAMETERS, ...REFERENCE_PARAMETERS, ...PAGE_PARAMETERS])

/**
 * Throws `invalid` if a saved filter has a parameter that does not exist (any more). An unknown parameter of a request is
 * ignored, but a stored one was a condition when it was stored: without it, the filter would select too much.
 */
function refuseOutdated(savedFilters: readonly SavedFilter[], isKnown: (name: string) => boolean): void {
  for (const { slug, parameters } of savedFilters) {
    const unknown = [...searchOf(parseJson(parameters)).keys()].find(
      (name) => !OTHER_PARAMETERS.has(name) && !isKnown(name),
    )
    if (unknown === undefined) continue
    throw invalid({ filter: [`The saved filter "${slug}" cannot be used: there is no filter ${unknown} any more.`] })
  }
}
