import { RefusedValue } from '../../read/query/refused-value.ts'
import type { Window } from '../../read/query/window.ts'

/** The argument `pagination` of a list. */
export interface Pagination {
  readonly offset?: number
  readonly limit?: number | null
  readonly start?: number | null
}

/** The part of a list selected by `pagination`. `largest`: maximum number of rows of a list, 0 for no limit. */
export function windowOf(pagination: unknown, largest: number): Window {
  const { offset, limit, start } = (pagination ?? {}) as Pagination
  const cap = largest === 0 ? undefined : largest
  if (start !== undefined && start !== null) {
    if (offset) throw new RefusedValue('Cannot specify both `start` and `offset` in pagination.')
    if (start < 0) throw new RefusedValue('`start` must be greater than or equal to zero.')
    return { limit: cappedLimit(limit, cap), offset: 0, start }
  }
  if ((offset ?? 0) < 0) throw new RefusedValue('Negative indexing is not supported.')
  return { limit: cappedLimit(limit, cap), offset: offset ?? 0 }
}

/** Maximum number of rows of a list; undefined for no limit. */
export function cappedLimit(limit: number | null | undefined, cap: number | undefined): number | undefined {
  // As in the REST API, 0 means the maximum.
  if (limit === undefined || limit === null || limit <= 0) return cap
  return cap === undefined ? limit : Math.min(limit, cap)
}
