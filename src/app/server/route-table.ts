import { actionEndpoint, actionPatterns } from '../../api/action-endpoint.ts'
import type { Action } from '../../api/actions/action.ts'
import { agentEndpoint } from '../../api/agents/endpoint.ts'
import type { Endpoint, Handler, Method, Operation } from '../../api/endpoint.ts'
import { authenticationCheck } from '../../api/endpoints/authentication-check.ts'
import { graphiql } from '../../api/endpoints/graphiql.ts'
import { graphql } from '../../api/endpoints/graphql.ts'
import { liveness, readiness, type Stopping } from '../../api/endpoints/health.ts'
import { media } from '../../api/endpoints/media.ts'
import { type Metrics, metricsEndpoint } from '../../api/endpoints/metrics.ts'
import { installedPlugins } from '../../api/endpoints/plugins.ts'
import { provision } from '../../api/endpoints/provision.ts'
import { apiRoot, appEndpoints, appRoot } from '../../api/endpoints/root.ts'
import { type Documents, documentTexts, openApi } from '../../api/endpoints/schema.ts'
import { status } from '../../api/endpoints/status.ts'
import { formerReference, swaggerUi } from '../../api/endpoints/swagger-ui.ts'
import { withKeyResolved } from '../../api/endpoints/token-by-key.ts'
import { withRetrievedKeys } from '../../api/endpoints/token-retrieval.ts'
import { createTokens } from '../../api/endpoints/tokens.ts'
import { ID, REST, Routes } from '../../api/routes.ts'
import { SCIM_PATH, scimEndpoint } from '../../api/scim/endpoint.ts'
import { create } from '../../api/verbs/create.ts'
import { detail } from '../../api/verbs/detail.ts'
import { inBackground } from '../../api/verbs/in-background.ts'
import { listObjects } from '../../api/verbs/list.ts'
import { remove, removeMany } from '../../api/verbs/remove.ts'
import { update, updateMany } from '../../api/verbs/update.ts'
import { replaceOrUpsert } from '../../api/verbs/upsert.ts'
import type { InProcessRequest } from '../../automation/jobs/in-process-request.ts'
import { API_VERSIONS } from '../../base/api-version.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import { titleOf } from '../../schema/class-name.ts'
import type { MenuSection } from '../../schema/menu.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sessionEndpoints } from '../../web/account/endpoints.ts'
import { choicesEndpoint } from '../../web/forms/choices-endpoint.ts'
import type { PageContributions } from '../../web/frame/contributions.ts'
import { favicon, staticFiles } from '../../web/frame/static-files.ts'
import { pageRoutes } from '../../web/routes.ts'
import type { PackCode } from '../plugins/pack.ts'
import { respondInProcess } from './in-process.ts'

type ModelHandler = (request: Parameters<Handler>[0], model: Model) => ReturnType<Handler>
type ModelHandlers = Readonly<Partial<Record<Method, ModelHandler>>>

const COLLECTION: ModelHandlers = {
  GET: listObjects,
  POST: inBackground(create),
  PUT: inBackground(replaceOrUpsert),
  PATCH: inBackground(updateMany),
  DELETE: inBackground(removeMany),
}
const DETAIL: ModelHandlers = { GET: detail, PUT: update, PATCH: update, DELETE: remove }

/** Descriptions in the response to OPTIONS, for the few models that have one. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  [SYSTEM.job]: 'Retrieve a list of job results',
  [SYSTEM.objectChange]: 'Retrieve a list of recent changes.',
  [SYSTEM.objectType]: 'Read-only list of ObjectTypes.',
}

interface OwnHandlers {
  readonly collection?: ModelHandlers
  readonly detail?: ModelHandlers
}

/** Handlers of tokens: secrets are shown once, or as long as the configuration allows. */
function tokenHandlers({ service, vault, lastUse }: Authentication): OwnHandlers {
  const read =
    (handler: ModelHandler): ModelHandler =>
    async (request, model) => {
      await lastUse.settled()
      const response = await handler(request, model)
      return service.settings.allowTokenRetrieval
        ? await withRetrievedKeys(response, service.database, vault)
        : response
    }
  const listTokens: ModelHandler = async (request, model) =>
    await listObjects(await withKeyResolved(request, vault), model)
  return {
    collection: { GET: read(listTokens), POST: createTokens },
    detail: { GET: read(detail) },
  }
}

/** Parts of the program besides the models. */
interface Extras {
  /** Endpoints beyond create, read, update and delete. */
  readonly actions: readonly Action[]
  /** Endpoints of plugins that the OpenAPI document does not describe, by path. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** Takes the requests of tokens that observe. */
  readonly observe: PackCode['observe']
  /** Lists of the menu, by subject. */
  readonly menu: readonly MenuSection[]
  /** What plugins add to the pages. */
  readonly added: PageContributions
  readonly stopping: Stopping
  readonly metrics: Metrics | undefined
}

/** All paths of the registry and of the service itself. */
export function routesOf(
  registry: Registry,
  authentication: Authentication,
  { actions, endpoints, observe, menu, added, stopping, metrics }: Extras,
): Routes {
  const { settings } = authentication.service
  const documentOf = oncePer((versionRegistry: Registry) => documentTexts(versionRegistry, settings.basePath, actions))
  const documents: Documents = (version) => documentOf(registry.inVersion(version))
  const apiOf = (versionRegistry: Registry) =>
    apiRoutes(versionRegistry, authentication, { actions, endpoints, observe }, documents)
  const routes = apiOf(registry)
  for (const version of API_VERSIONS) {
    if (version !== registry.version) routes.addVersion(version, () => apiOf(registry.inVersion(version)))
  }
  const texts = documents(registry.version)
  for (const below of ['', REST]) routes.add(`/api/schema/redoc/${below}`, formerReference)
  for (const [path, endpoint] of swaggerUi(texts, [...appEndpoints(registry).keys()].sort())) {
    routes.add(`/api/schema/swagger-ui/${path}`, endpoint)
  }
  for (const [name, file] of graphiql.files) routes.add(`/graphql/${name}`, file)
  const agents = {
    service: authentication.service,
    routes,
    respond: (request: InProcessRequest) => respondInProcess(routes, request),
  }
  routes.add('/mcp', agentEndpoint(agents, authentication.audit))
  routes.add(`/media/${REST}`, media)
  routes.add(`/static/${REST}`, staticFiles)
  routes.add('/favicon.ico', favicon(settings.basePath))
  for (const below of ['', REST]) routes.add(`/choices/${below}`, choicesEndpoint(registry))
  if (authentication.providers.scim.length > 0) routes.add(`${SCIM_PATH}/${REST}`, scimEndpoint(authentication))
  if (metrics) routes.add('/metrics', metricsEndpoint(metrics, settings.metricsLoginRequired))
  const ready = readiness(stopping)
  routes.add('/health/', ready)
  routes.add('/health/ready', ready)
  routes.add('/health/live', liveness)
  for (const [path, endpoint] of sessionEndpoints(authentication)) {
    routes.add(path, endpoint)
  }
  for (const [path, endpoint] of pageRoutes(registry, { menu, added }, authentication, routes)) {
    routes.add(path, endpoint)
  }
  return routes
}

/**
 * The endpoints of an API version: collections with their objects and actions, the roots above them, and their
 * descriptions.
 */
function apiRoutes(
  registry: Registry,
  authentication: Authentication,
  { actions, endpoints, observe }: Pick<Extras, 'actions' | 'endpoints' | 'observe'>,
  documents: Documents,
): Routes {
  const routes = new Routes()
  const special = new Map<string, OwnHandlers>([[SYSTEM.token, tokenHandlers(authentication)]])
  for (const model of registry.models.values()) {
    if (model.path === '') continue
    const handlers = special.get(model.name)
    for (const path of [model.path, ...(model.definition.aliases ?? [])]) {
      routes.add(`/api/${path}/`, endpointOf(model, 'List', { ...COLLECTION, ...handlers?.collection }, observe))
      routes.add(`/api/${path}/${ID}/`, {
        ...endpointOf(model, 'Instance', { ...DETAIL, ...handlers?.detail }, observe),
        actions: actions.filter((action) => action.path.startsWith(`${model.path}/${ID}/`)),
      })
    }
  }
  for (const action of actions) {
    for (const pattern of actionPatterns(action)) routes.extend(pattern, actionEndpoint(action))
  }
  routes.add('/api/', apiRoot(registry))
  for (const [app, names] of appEndpoints(registry)) routes.add(`/api/${app}/`, appRoot(app, names))
  routes.add('/api/status/', status)
  routes.add('/api/authentication-check/', authenticationCheck(registry))
  routes.add('/api/plugins/installed-plugins/', installedPlugins(registry))
  for (const [path, endpoint] of endpoints) routes.add(path, endpoint)
  routes.add('/api/schema/', openApi(documents))
  routes.add('/graphql/', graphql)
  routes.add('/api/users/tokens/provision/', provision(registry, authentication))
  return routes
}

function endpointOf(
  model: Model,
  kind: 'List' | 'Instance',
  offeredHandlers: ModelHandlers,
  observe: PackCode['observe'],
): Endpoint {
  const offered = new Set<string>(model.definition.methods ?? Object.keys(offeredHandlers))
  const methods = Object.entries(offeredHandlers)
    .filter(([method]) => offered.has(method))
    .map(([method, handler]) => {
      const isCached = handler === COLLECTION.GET
      const handle: Handler = (request) => handler(request, model)
      const isObserved = observe && (method !== 'GET' || kind === 'Instance')
      const operation: Operation = {
        handle,
        hasDryRun: method !== 'GET',
        observe: isObserved ? (request) => observe(request, model, handle) : undefined,
        isCached,
      }
      return [method, operation]
    })
  return {
    name: `${titleOf(model)} ${kind}`,
    description: DESCRIPTIONS[model.name] ?? '',
    methods: Object.fromEntries(methods),
    model,
  }
}
