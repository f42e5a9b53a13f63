import type { Window } from '../../read/query/window.ts'
import { pager } from '../components/pager.ts'
import type { ListSpan } from '../data/change-groups.ts'
import { dropEffect } from '../frame/saved-notice.ts'
import type { Html } from '../html.ts'

/** A part of a list, with the number of all its entries. */
export interface ListPart {
  readonly count: number
  readonly objects: readonly unknown[]
  /** If entries stand for several objects. */
  readonly span?: ListSpan
}

/** The part of a list that a page shows, with links to the parts before and after. `search`: query of the page. */
export function listExtent(
  search: URLSearchParams,
  { count, objects, span }: ListPart,
  { offset, limit }: Pick<Window, 'offset' | 'limit'>,
): Html {
  const at = (position: number): string => {
    const query = new URLSearchParams(search)
    dropEffect(query)
    query.set('offset', String(position))
    return `?${query}`
  }
  const length = span?.length ?? objects.length
  const previous = span?.previous ?? Math.max(0, offset - (limit ?? 0))
  return pager({
    count,
    offset,
    length,
    previous: offset > 0 ? at(previous) : undefined,
    next: offset + length < count ? at(offset + length) : undefined,
  })
}
