import type { Window } from './window.ts'

/** The size and the limits of a page that was read. */
export interface PageExtent {
  /** Rows of the whole result; null in cursor mode. */
  readonly count: number | null
  /** Rows on the page. */
  readonly length: number
  /** Id of the page's last row. */
  readonly lastId?: number | undefined
}

/** Addresses of the neighbouring pages, with all parameters of this one, sorted by name. */
export function pageLinks(
  url: URL,
  window: Window,
  extent: PageExtent,
): { readonly next: string | null; readonly previous: string | null } {
  const { limit, offset, start } = window
  if (limit === undefined) return { next: null, previous: null }
  if (start !== undefined) {
    if (extent.length < limit || extent.lastId === undefined) return { next: null, previous: null }
    const next = linkTo(url, { limit, start: extent.lastId + 1, offset: undefined })
    return { next, previous: null }
  }
  const hasNext = offset + limit < (extent.count ?? 0)
  const before = offset - limit
  return {
    next: hasNext ? linkTo(url, { limit, offset: offset + limit }) : null,
    previous: offset > 0 ? linkTo(url, { limit, offset: before > 0 ? before : undefined }) : null,
  }
}

/** The address with other values of some parameters; undefined takes one away. */
function linkTo(url: URL, changes: Readonly<Record<string, number | undefined>>): string {
  const names = new Set([...url.searchParams.keys(), ...Object.keys(changes)])
  const pairs = [...names].sort(byCodePoint).flatMap((name) => {
    if (!(name in changes)) return url.searchParams.getAll(name).map((value) => [name, value])
    const value = changes[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  const query = pairs.map((pair) => pair.map(encode).join('=')).join('&')
  return `${url.origin}${url.pathname}?${query}`
}

const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** As Python's quote_plus: a blank is +, and only letters, digits and _.-~ stand for themselves. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
