import { invalid } from '../../base/errors.ts'
import { lastValue } from './last-value.ts'

/** The requested part of a result. */
export interface Window {
  /** Maximum number of rows; undefined for all. */
  readonly limit: number | undefined
  /** Number of rows to skip. */
  readonly offset: number
  /** Set in cursor mode: rows from this id on, ordered by id, without a count. */
  readonly start?: number
}

interface WindowSettings {
  /** Default number of rows. */
  readonly paginateCount: number
  /** Maximum number of rows; 0 for no limit. */
  readonly maxPageSize: number
}

/** `limit`, `offset` and `start`. Invalid limits and offsets count as absent; throws for an invalid start. */
export function parseWindow(search: URLSearchParams, settings: WindowSettings): Window {
  const start = parseStart(search)
  const limit = parseLimit(search, settings)
  if (start !== undefined) return { limit, offset: 0, start }
  return { limit, offset: wholeNumber(lastValue(search, 'offset')) ?? 0 }
}

function parseLimit(search: URLSearchParams, settings: WindowSettings): number | undefined {
  const { paginateCount, maxPageSize } = settings
  const cap = maxPageSize === 0 ? Number.POSITIVE_INFINITY : maxPageSize
  const requested = wholeNumber(lastValue(search, 'limit')) ?? paginateCount
  const limit = Math.min(requested === 0 ? cap : requested, cap)
  return limit === Number.POSITIVE_INFINITY ? undefined : limit
}

function parseStart(search: URLSearchParams): number | undefined {
  const text = lastValue(search, 'start')
  if (text === undefined) return undefined
  const start = wholeNumber(text)
  if (start === undefined) {
    throw invalid(["Invalid 'start' parameter: must be a non-negative integer."])
  }
  if (search.has('offset')) throw invalid(["'start' and 'offset' are mutually exclusive."])
  if (search.has('ordering')) {
    throw invalid(['Ordering cannot be specified in conjunction with cursor-based pagination.'])
  }
  return start
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\+?\d+\s*$/.test(text)) return undefined
  // There are no rows beyond this, and PostgreSQL's bigint ends shortly above it.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}
