import type { ApiRequest } from '../../api/api-request.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import type { OpenApiTexts } from '../../api/openapi/texts.ts'
import { pluralTitleOf } from '../../schema/class-name.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Registry } from '../../schema/registry.ts'
import { personalPage } from '../account/page-response.ts'
import { humanize } from '../forms/fields/humanize.ts'
import { pageNotFound } from '../frame/error-pages.ts'
import type { Viewer } from '../frame/page.ts'
import { groupsOf } from './hierarchy.ts'
import { referenceIndex, referencePage } from './reference-page.ts'
import { type ReferenceDocument, resourceOf, resourceText } from './reference-text.ts'

const HOME = '/api/schema/redoc/'

/** GET /api/schema/redoc/ and below: the API reference as HTML, one page per resource. */
export function referenceEndpoint(registry: Registry, texts: OpenApiTexts): Endpoint {
  // Parsed at the first request, which most processes never receive.
  let document: ReferenceDocument | undefined
  return {
    name: 'Reference',
    description: 'Operations, fields and filters of each resource, for reading.',
    isOpen: true,
    negotiates: true,
    methods: {
      GET: async (request) => {
        document ??= readDocument(texts)
        return pageOf(registry, document, request)
      },
    },
  }
}

function readDocument(texts: OpenApiTexts): ReferenceDocument {
  const { paths, components } = JSON.parse(texts.json().body.toString()) as JsonObject // the JSON was produced by this process
  const schemas = isJsonObject(components) ? components.schemas : undefined
  return { paths: objectsIn(paths), schemas: isJsonObject(schemas) ? schemas : {} }
}

const objectsIn = (value: Json | undefined): Record<string, JsonObject> =>
  Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, each]) =>
      isJsonObject(each) ? [[name, each]] : [],
    ),
  )

function pageOf(registry: Registry, document: ReferenceDocument, request: ApiRequest) {
  const { actor, csrfToken, service, url } = request
  const { basePath } = service.settings
  const viewer: Viewer | undefined =
    actor.kind === 'user' ? { username: actor.username, csrfToken } : undefined
  const address = url.pathname.slice(basePath.length)
  const resource = address.slice(HOME.length).replace(/\/$/, '')
  const breadcrumbs = [
    { label: 'API', path: '/api/' },
    { label: 'Reference', path: HOME },
  ]
  if (resource === '') {
    const known = new Set(Object.keys(document.paths).map(resourceOf))
    const groups = groupsOf(registry, (path) => `${basePath}${HOME}${path}/`, known)
    return personalPage(200, referenceIndex({ basePath, address, viewer, breadcrumbs }, groups))
  }
  const model = [...registry.models.values()].find(({ path }) => path === resource)
  const title = model ? pluralTitleOf(model) : humanize(resource.split('/').at(-1) ?? '')
  const text = resourceText(document, resource, title)
  if (!text) return pageNotFound(basePath)
  const here = { label: title, path: address }
  return personalPage(
    200,
    referencePage({ basePath, address, viewer, breadcrumbs: [...breadcrumbs, here] }, text),
  )
}
