import type { Window } from '../../read/query/window.ts'
import { pager } from '../components/pager.ts'
import type { ObjectList } from '../data/page-objects.ts'
import { dropEffect } from '../frame/saved-notice.ts'
import type { Html } from '../html.ts'

/** The part of a list that a page shows, with links to the parts before and after. `search`: query of the page. */
export function listExtent(
  search: URLSearchParams,
  { count, objects }: ObjectList,
  { offset, limit }: Pick<Window, 'offset' | 'limit'>,
): Html {
  const at = (position: number): string => {
    const query = new URLSearchParams(search)
    dropEffect(query)
    query.set('offset', String(position))
    return `?${query}`
  }
  return pager({
    count,
    offset,
    length: objects.length,
    previous: offset > 0 ? at(Math.max(0, offset - (limit ?? 0))) : undefined,
    next: offset + objects.length < count ? at(offset + objects.length) : undefined,
  })
}
