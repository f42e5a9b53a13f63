import type { Content } from '../../../pages/html.ts'
import { pager } from '../../../pages/pager.ts'
import { parseWindow } from '../../../query/window.ts'
import { type ApiRequest, lastValue } from '../../api-request.ts'
import type { ObjectList } from '../inner-request.ts'

/** The objects at the position that the address names, and links to those before and after. */
export async function listWindow<List extends ObjectList>(
  { search, service }: ApiRequest,
  list: URLSearchParams,
  read: (query: URLSearchParams) => Promise<List>,
): Promise<List & { readonly extent: Content }> {
  const query = new URLSearchParams(list)
  for (const name of ['limit', 'offset']) {
    const value = lastValue(search, name)
    if (value !== undefined) query.set(name, value)
  }
  const { offset, limit } = parseWindow(query, service.settings)
  const found = await read(query)
  const { count, objects } = found
  const at = (position: number): string => {
    const other = new URLSearchParams(search)
    other.delete('done')
    other.set('offset', String(position))
    return `?${other}`
  }
  const extent = pager({
    count,
    offset,
    length: objects.length,
    previous: offset > 0 ? at(Math.max(0, offset - (limit ?? 0))) : undefined,
    next: offset + objects.length < count ? at(offset + objects.length) : undefined,
  })
  return { ...found, extent }
}
