import { searchObjects } from '../../api/actions/search.ts'
import type { ApiRequest } from '../../api/api-request.ts'
import { jsonResponse, type WholeResponse } from '../../api/response.ts'
import { requireUser } from '../../identity/require-user.ts'
import { parseSearch } from '../../read/search/parse-search.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { shownTitle } from '../components/model-title.ts'
import { pageOfObject } from '../data/display-options.ts'
import { contextText } from '../data/object-names.ts'

/** Default number of suggestions. */
const USUAL = '8'

/**
 * GET /search/suggestions/?q=&limit=: the best results of a search in the language of the page, each with a text that
 * distinguishes it from other objects of the same name.
 */
export async function searchSuggestions(request: ApiRequest): Promise<WholeResponse> {
  requireUser(request)
  const { service, search } = request
  const { registry, settings } = service
  const query = new URLSearchParams([['limit', USUAL], ...search])
  const { results } = await searchObjects(request, await parseSearch(service, query))
  return jsonResponse(200, {
    results: results.flatMap(({ match, object: text }) => {
      const object = JSON.parse(text) as Json // produced by this process
      const model = registry.model(match.type)
      if (!isJsonObject(object)) return []
      const page = pageOfObject(registry, String(object.url))
      if (page === undefined) return []
      const { context } = registry.view(model)
      return [
        {
          name: String(object.display),
          context: contextText(context, object),
          kind: shownTitle(model),
          page: `${settings.basePath}${page}`,
        },
      ]
    }),
  })
}
