import { type ApiVersion, isApiVersion, RELEASES } from '../../base/api-version.ts'
import { ApiError } from '../../base/errors.ts'
import { lastValue } from '../../read/query/last-value.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Action } from '../actions/action.ts'
import type { ApiRequest } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import { type OpenApiTexts, openApiTexts } from '../openapi/texts.ts'
import type { HttpResponse } from '../response.ts'
import { unlessKnown } from '../transport/etag.ts'
import { preferredTypes } from '../transport/negotiate.ts'

const JSON_DOCUMENT = 'application/vnd.oai.openapi+json; charset=utf-8'
const YAML_DOCUMENT = 'application/vnd.oai.openapi; charset=utf-8'

const FORMATS: ReadonlySet<string> = new Set(['json', 'yaml'])

/** The OpenAPI document of all endpoints below `basePath`. */
export const documentTexts = (registry: Registry, basePath: string, actions: readonly Action[]): OpenApiTexts =>
  openApiTexts(registry, {
    version: RELEASES[registry.version],
    basePath,
    aliases: new Map(
      [...registry.models.values()].flatMap((model) =>
        (model.definition.aliases ?? []).map((path) => [path, model] as const),
      ),
    ),
    actions,
  })

/** The document of each version of the API. */
export type Documents = (version: ApiVersion) => OpenApiTexts

/** The document of the version. Throws `notAcceptable` if there is no such version. */
export function textsIn(documents: Documents, version: string): OpenApiTexts {
  if (!isApiVersion(version)) throw new ApiError({ kind: 'notAcceptable', refused: 'version' })
  return documents(version)
}

/**
 * GET /api/schema/: the OpenAPI document of the version that `version` names, otherwise of the request's, without
 * authentication; YAML unless the client prefers JSON.
 */
export const openApi = (documents: Documents): Endpoint => ({
  name: 'OpenAPI Schema',
  description: 'The OpenAPI 3 document of this API, by format as JSON or YAML.',
  access: 'public',
  kind: 'other',
  methods: {
    GET: {
      handle: async (request) => {
        const version = lastValue(request.search, 'version') ?? request.service.registry.version
        return documentFor(request, textsIn(documents, version))
      },
    },
  },
})

function documentFor({ search, headers }: ApiRequest, texts: OpenApiTexts): HttpResponse {
  const format = lastValue(search, 'format')
  // Clients try one format after the other until one is accepted.
  if (format && !FORMATS.has(format)) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const isJson = format ? format === 'json' : prefersJson(headers.accept)
  const { body, version } = isJson ? texts.json() : texts.yaml()
  const kept = { ETag: `W/"${version}"`, 'Cache-Control': 'no-cache' }
  const type = isJson ? JSON_DOCUMENT : YAML_DOCUMENT
  return unlessKnown({ status: 200, type, body, headers: kept }, headers['if-none-match'])
}

/** Whether `Accept` prefers JSON to YAML. */
function prefersJson(accept: string | undefined): boolean {
  const [first] =
    preferredTypes(accept)
      .join()
      .match(/json|yaml|openapi(?!\+json)/) ?? []
  return first === 'json'
}
