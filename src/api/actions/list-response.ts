import { sliceLinks } from '../../read/query/slice-links.ts'
import { parseWindow } from '../../read/query/window.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, okResponse } from '../response.ts'
import { listOf } from './action.ts'

/**
 * A page, selected by `limit` and `offset`, of a list that is not a table, in the same form as every other list.
 * `write` returns the JSON text of an entry.
 */
export function listResponse<T>(
  { search, service, url }: Pick<ApiRequest, 'search' | 'service' | 'url'>,
  entries: readonly T[],
  render: (entry: T) => string,
): HttpResponse {
  const only = new URLSearchParams([...search].filter(([name]) => name === 'limit' || name === 'offset'))
  const window = parseWindow(only, service.settings)
  const { limit = entries.length, offset } = window
  const slice = entries.slice(offset, offset + limit)
  const links = sliceLinks(url, window, { count: entries.length, length: slice.length })
  return okResponse(
    `{"count":${entries.length},"next":${JSON.stringify(links.next)},"previous":${JSON.stringify(links.previous)},"results":[${slice.map(render).join(',')}]}`,
  )
}

/** Schema of such a page of entries. */
export const pageOf = (entry: JsonObject): JsonObject => ({
  type: 'object',
  required: ['count', 'results'],
  properties: {
    count: { type: 'integer' },
    next: { type: 'string', format: 'uri', nullable: true },
    previous: { type: 'string', format: 'uri', nullable: true },
    results: listOf(entry),
  },
})

/** Query parameters of such a list, in OpenAPI's form. */
export const PAGE_PARAMETERS = ['limit', 'offset'].map((name) => ({
  in: 'query',
  name,
  schema: { type: 'integer' },
}))
