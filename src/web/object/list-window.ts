import type { ApiRequest } from '../../api/api-request.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { parseWindow } from '../../read/query/window.ts'
import type { Content } from '../html.ts'
import { type ListPart, listExtent } from '../lists/list-extent.ts'

/** The objects at the position in the URL, their query, and links to the previous and next ones. */
export async function listWindow<List extends ListPart>(
  { search, service }: ApiRequest,
  list: URLSearchParams,
  read: (query: URLSearchParams) => Promise<List>,
): Promise<List & { readonly extent: Content; readonly query: URLSearchParams }> {
  const query = new URLSearchParams(list)
  for (const name of ['limit', 'offset']) {
    const value = lastValue(search, name)
    if (value !== undefined) query.set(name, value)
  }
  const window = parseWindow(query, service.settings)
  const part = await read(query)
  return { ...part, query, extent: listExtent(search, part, window) }
}
