import { ApiError } from '../../errors.ts'
import type { Registry } from '../../schema/registry.ts'
import type { Action } from '../actions/action.ts'
import { aliasesOf } from '../aliases.ts'
import { type ApiRequest, lastValue } from '../api-request.ts'
import type { Endpoint } from '../endpoint.ts'
import { type OpenApiTexts, openApiTexts } from '../openapi/texts.ts'
import type { HttpResponse } from '../response.ts'
import { unlessKnown } from '../transport/etag.ts'
import { SERVICE_VERSION } from '../version.ts'

const JSON_DOCUMENT = 'application/vnd.oai.openapi+json; charset=utf-8'
const YAML_DOCUMENT = 'application/vnd.oai.openapi; charset=utf-8'

const FORMATS: ReadonlySet<string> = new Set(['json', 'yaml'])

/** The OpenAPI document of all endpoints below `basePath`. */
export const documentTexts = (registry: Registry, basePath: string, actions: readonly Action[]): OpenApiTexts =>
  openApiTexts(registry, {
    version: SERVICE_VERSION,
    basePath,
    aliases: aliasesOf(registry),
    actions,
  })

/** GET /api/schema/: the OpenAPI document, without authentication; YAML unless the client prefers JSON. */
export const openApi = (texts: OpenApiTexts): Endpoint => ({
  name: 'OpenAPI Schema',
  description: 'The OpenAPI 3 document of this API, by format as JSON or YAML.',
  isPublic: true,
  negotiates: true,
  methods: { GET: async (request) => documentFor(request, texts) },
})

function documentFor({ search, headers }: ApiRequest, texts: OpenApiTexts): HttpResponse {
  const format = lastValue(search, 'format')
  // Clients try one format after the other until they get it.
  if (format && !FORMATS.has(format)) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const isJson = format ? format === 'json' : prefersJson(headers.accept ?? '')
  const { body, version } = isJson ? texts.json() : texts.yaml()
  const kept = { ETag: `W/"${version}"`, 'Cache-Control': 'no-cache' }
  const type = isJson ? JSON_DOCUMENT : YAML_DOCUMENT
  return unlessKnown({ status: 200, type, body, headers: kept }, headers['if-none-match'])
}

/** Whether `Accept` names JSON, and YAML not before it. */
function prefersJson(accept: string): boolean {
  const [first] = accept.match(/json|yaml|openapi(?!\+json)/) ?? []
  return first === 'json'
}
