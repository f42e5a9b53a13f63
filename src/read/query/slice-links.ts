import type { RowCount } from './estimate-rows.ts'
import type { Window } from './window.ts'

/** The size and the limits of a page that was read. */
export interface SliceExtent {
  /** Rows of the whole result; null in cursor mode. */
  readonly count: number | null
  /** The count is an estimate, so a full page may have a next one. */
  readonly isEstimated?: boolean
  /** Rows on the page. */
  readonly length: number
  /** Id of the page's last row. */
  readonly lastId?: number | undefined
}

/**
 * The extent of a page with these ids, of a result with this many rows. A page that is not full reveals the exact
 * count, whatever was estimated.
 */
export function sliceExtent(
  ids: readonly number[],
  total: RowCount | undefined,
  { limit, offset }: Window,
): SliceExtent {
  const extent = { length: ids.length, lastId: ids.at(-1) }
  if (!total?.isEstimated) return { ...extent, count: total?.count ?? null }
  const end = offset + ids.length
  const isLast = (limit === undefined || ids.length < limit) && (ids.length > 0 || offset === 0)
  return isLast ? { ...extent, count: end } : { ...extent, count: Math.max(total.count, end), isEstimated: true }
}

/** URLs of the neighbouring pages, with all parameters of this one, sorted by name. */
export function sliceLinks(
  url: URL,
  window: Window,
  extent: SliceExtent,
): { readonly next: string | null; readonly previous: string | null } {
  const { limit, offset, start } = window
  if (limit === undefined) return { next: null, previous: null }
  if (start !== undefined) {
    if (extent.length < limit || extent.lastId === undefined) return { next: null, previous: null }
    const next = linkTo(url, ['limit', limit], ['start', extent.lastId + 1], ['offset', undefined])
    return { next, previous: null }
  }
  const hasNext = extent.isEstimated ? extent.length === limit : offset + limit < (extent.count ?? 0)
  const before = offset - limit
  return {
    next: hasNext ? linkTo(url, ['limit', limit], ['offset', offset + limit]) : null,
    previous: offset > 0 ? linkTo(url, ['limit', limit], ['offset', before > 0 ? before : undefined]) : null,
  }
}

/** A parameter with another value; undefined removes it. */
type Change = readonly [name: string, value: number | undefined]

/** The address with other values of some parameters. */
function linkTo(url: URL, ...changes: readonly Change[]): string {
  const pairs: [name: string, value: string][] = []
  for (const pair of url.searchParams) {
    if (!changes.some(([name]) => name === pair[0])) pairs.push(pair)
  }
  for (const [name, value] of changes) {
    if (value !== undefined) pairs.push([name, String(value)])
  }
  const query = pairs
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
  return `${url.origin}${url.pathname}?${query}`
}

const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Like Python's quote_plus: a space becomes +, and only letters, digits and _.-~ are not encoded. */
const encode = (text: string): string =>
  PLAIN.test(text)
    ? text
    : encodeURIComponent(text)
        .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
        .replaceAll('%20', '+')

const PLAIN = /^[\w.~-]*$/
