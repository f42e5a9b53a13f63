import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { reachableSchemas } from './reachable-schemas.ts'

/** Path segment of an endpoint's app: `dcim` of `/api/dcim/sites/`; '' for endpoints that belong to no app. */
const appOf = (path: string): string => /^\/api\/([^/]+)\/./.exec(path)?.[1] ?? ''

/**
 * The operations of one app, for people: a section for each resource, and no lookups of filters, which are three
 * quarters of all parameters. The complete document is too large for a page.
 */
export function appDocument(document: JsonObject, app: string): JsonObject {
  const { info, servers, paths, components } = document
  if (!isJsonObject(paths) || !isJsonObject(components) || !isJsonObject(info)) return document
  const pathsOfApp = Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => appOf(path) === app)
      .map(([path, item]) => [path, isJsonObject(item) ? pathItem(path, item) : item]),
  )
  const { schemas, ...otherComponents } = components
  return {
    openapi: '3.0.3',
    info: { ...info, title: `Cadastre REST API: ${app}`, description: DESCRIPTION },
    // Without a base path there is nothing to choose from.
    ...(hasAddress(servers) && { servers }),
    paths: pathsOfApp,
    components: {
      ...otherComponents,
      schemas: reachableSchemas([pathsOfApp, otherComponents], isJsonObject(schemas) ? schemas : {}),
    },
  }
}

const DESCRIPTION =
  'Filters also exist with lookups, such as `name__ic` (contains) or `id__gte`: the whole document at `/api/schema/` lists them.'

const hasAddress = (servers: unknown): boolean =>
  Array.isArray(servers) && servers.some((server) => isJsonObject(server) && server.url !== '')

function pathItem(path: string, item: JsonObject): JsonObject {
  const tag = path.split('/')[3] ?? ''
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      isJsonObject(operation) ? { ...operation, tags: [tag], ...parametersOf(operation) } : operation,
    ]),
  )
}

function parametersOf({ parameters }: JsonObject): JsonObject {
  if (!Array.isArray(parameters)) return {}
  return {
    parameters: parameters.filter((parameter) => !isJsonObject(parameter) || !String(parameter.name).includes('__')),
  }
}
