import { lastValue } from '../../read/query/last-value.ts'
import {
  EFFECT_PARAMETERS,
  LIST_PARAMETERS,
  PAGE_PARAMETERS,
  REFERENCE_PARAMETERS,
} from '../../schema/list-parameters.ts'
import { queryOfForm } from '../forms/fields/filter-redirect.ts'

/** Parameters of a list that are not filters. */
export const NO_FILTERS: ReadonlySet<string> = new Set([...LIST_PARAMETERS, ...PAGE_PARAMETERS, ...EFFECT_PARAMETERS])

/**
 * The query of a list in the API's form, for URLs in another form: submitted filter forms, and `sort`, `page` and
 * `per_page`, with which the reference's pages order and divide lists. Undefined if the URL already has that form.
 */
export function canonicalQuery(search: URLSearchParams, pageSize: number): string | undefined {
  const ofForm = queryOfForm(search)
  if (ofForm !== undefined) return ofForm === '' ? '?' : ofForm
  if (!REFERENCE_PARAMETERS.some((name) => search.has(name))) return undefined
  const query = new URLSearchParams(search)
  for (const name of REFERENCE_PARAMETERS) query.delete(name)
  const sort = search.getAll('sort').filter(Boolean)
  if (sort.length > 0) query.set('ordering', sort.join(','))
  const size = wholeNumber(lastValue(search, 'per_page'))
  if (size !== undefined) query.set('limit', String(size))
  const page = wholeNumber(lastValue(search, 'page'))
  const limit = size ?? wholeNumber(lastValue(search, 'limit')) ?? pageSize
  if (page !== undefined && page > 1) query.set('offset', String((page - 1) * limit))
  return `?${query}`
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** The query with other values; undefined removes a parameter. The list returns to its first page. */
export function changedQuery(search: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(search)
  query.delete('offset')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return `?${query}`
}

/** The filters of a query, without order, window and the choice of columns. */
export const filtersIn = (search: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...search].filter(([name, value]) => !NO_FILTERS.has(name) && value !== ''))
