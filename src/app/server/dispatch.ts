import type { ApiRequest } from '../../api/api-request.ts'
import { requestInBranch } from '../../api/branch-request.ts'
import { cachedResponse } from '../../api/cached-response.ts'
import { dryRunResponse, isDryRun } from '../../api/dry-run.ts'
import { allowedMethods, type Endpoint, isReading, type Operation, operationOf } from '../../api/endpoint.ts'
import { versionedResponse } from '../../api/errors.ts'
import { idempotencyKeyOf, respondOnce } from '../../api/idempotency/idempotency.ts'
import { options } from '../../api/options/options.ts'
import { requestAsOf } from '../../api/past-request.ts'
import { bodyText, type HttpResponse, type WholeResponse, wholeResponse } from '../../api/response.ts'
import type { Route } from '../../api/routes.ts'
import { indentJson } from '../../api/transport/indent.ts'
import {
  negotiate,
  type Presentation,
  prefersPage,
  versionOf,
  wantsEventStream,
} from '../../api/transport/negotiate.ts'
import { isSafe } from '../../api/transport/safe-methods.ts'
import { NOBODY, type Sender, type Unidentified } from '../../api/transport/sender.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { ApiError, forbidden } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { Actor } from '../../identity/actor.ts'
import { credentialsMissing } from '../../identity/require-user.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { serviceIn } from '../../service.ts'
import { browse } from '../../web/browse/browse.ts'

/**
 * Response of the endpoint that a request is routed to. Each stage is a function that calls the next one: `present`
 * (media type and indentation), `respondInVersion` (service and endpoint of an API version), `admit` (authentication,
 * method, permission to write at all), `locate` (branch and time), `perform` (dry run, once for each key, cached, or
 * plainly).
 */
export async function dispatch(
  request: Unidentified,
  route: RouteInVersions,
  identify: () => Promise<Sender>,
): Promise<HttpResponse> {
  const { endpoint } = route
  try {
    return await onReplica(request, endpoint, () => present(request, route, identify))
  } catch (error) {
    const text = endpoint.otherMethods === undefined ? endpoint.refusal?.(error) : textOfRefusal(endpoint, error)
    if (text === undefined) throw error
    return text
  }
}

/** Runs the work; if the method only reads, replicas may answer its statements. */
function onReplica<T>({ method, service }: Unidentified, endpoint: Endpoint, work: () => Promise<T>): Promise<T> {
  const { readingReplicas } = service.database
  return isReading(operationOf(endpoint, method), method) && readingReplicas ? readingReplicas(work) : work()
}

/** The refusal as plain text; undefined for errors other than those of authentication and method. */
function textOfRefusal({ otherMethods }: Endpoint, error: unknown): HttpResponse | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { reason } = error
  if (reason.kind === 'unauthenticated') {
    return { status: 403, type: TEXT_TYPE, body: reason.detail }
  }
  if (reason.kind !== 'methodNotAllowed' || otherMethods === undefined) return undefined
  return { status: 405, type: TEXT_TYPE, body: otherMethods }
}

const TEXT_TYPE = 'text/plain'

/** Identifies the sender, and returns the response in the form that the request asks for. */
async function present(
  request: Unidentified,
  route: RouteInVersions,
  identify: () => Promise<Sender>,
): Promise<HttpResponse> {
  const { endpoint } = route
  const { indent, isPage, version } = presentationOf(request, endpoint)
  const identified = async (): Promise<Sender> => (endpoint.access === 'public' ? NOBODY : await identify())
  const respond = async (sender: Sender): Promise<HttpResponse> =>
    await respondInVersion(version ?? versionFor(request, sender), request, route, sender)
  if (isPage) {
    const target = versioned(request, route, version ?? request.service.settings.apiVersion)
    return await browse({ ...request, service: target.service }, target.endpoint, identified, respond)
  }
  const sender = await identified()
  const response = await respond(sender)
  return withCookies(indent === 0 ? response : indented(await wholeResponse(response), indent), sender.cookies)
}

/** The form of the response. Throws as `negotiate` does. */
function presentationOf(request: Unidentified, endpoint: Endpoint): Presentation {
  const { accept } = request.headers
  const format = lastValue(request.search, 'format')
  if (endpoint.offersEventStream && wantsEventStream(request)) return AS_IS
  const { kind = 'api' } = endpoint
  if (kind === 'api') return negotiate(accept, format)
  return { indent: 0, isPage: kind === 'text' && prefersPage(accept, format), version: versionOf(accept) }
}

/** The version of the API for a request that names none: that of its token, otherwise that of the service. */
const versionFor = ({ service }: Unidentified, { actor }: Sender): ApiVersion =>
  (actor.kind === 'user' ? actor.apiVersion : undefined) ?? service.settings.apiVersion

type RouteInVersions = Pick<Route, 'endpoint' | 'inVersion'>

/** Service and endpoint in the version, or in the latest one if the version does not have the path. */
function versioned({ service }: Unidentified, route: RouteInVersions, version: ApiVersion) {
  const earlier = version === service.registry.version ? undefined : route.inVersion(version)
  return earlier
    ? { version, service: serviceIn(service, version), endpoint: earlier }
    : { version: service.registry.version, service, endpoint: route.endpoint }
}

/** The response, or the refusal, in the version of the API. */
async function respondInVersion(
  requested: ApiVersion,
  request: Unidentified,
  route: RouteInVersions,
  sender: Sender,
): Promise<HttpResponse> {
  const { version, service, endpoint } = versioned(request, route, requested)
  const headers = { 'API-Version': version }
  try {
    const response = await admit({ ...request, service }, endpoint, sender)
    return { ...response, headers: { ...headers, ...response.headers } }
  } catch (error) {
    const refusal = endpoint.refusal?.(error) ?? versionedResponse(error, version)
    if (!refusal) throw error
    return { ...refusal, headers: { ...headers, ...refusal.headers } }
  }
}

const AS_IS: Presentation = { indent: 0, isPage: false }

/** Throws unless the sender may send a request of this method. */
async function admit(request: Unidentified, endpoint: Endpoint, { actor, csrfToken }: Sender): Promise<HttpResponse> {
  const { settings } = request.service
  requireAdmission(endpoint, actor, request.method, settings)
  const operation = requireOperation(endpoint, request.method)
  requireWriter(operation, actor, request.method, settings)
  return await locate({ ...request, actor, csrfToken }, endpoint, operation)
}

/** In the branch and at the time of the request. Pages find out themselves: they also look at cookies and forms. */
const locate = async (request: ApiRequest, endpoint: Endpoint, operation: Operation): Promise<HttpResponse> =>
  await perform(
    endpoint.kind === 'page' ? request : await requestAsOf(await requestInBranch(request), endpoint, operation),
    operation,
  )

async function perform(request: ApiRequest, operation: Operation): Promise<HttpResponse> {
  const { actor } = request
  const { handle, isReading, isCached } = operation
  if (isDryRun(request, operation)) return await dryRunResponse(request, handle)
  if (operation.observe && actor.kind === 'user' && actor.observing) return await operation.observe(request)
  const key = idempotencyKeyOf(request, actor)
  if (key !== undefined && actor.kind === 'user' && !isReading) {
    return await respondOnce(request, key, actor.id, handle)
  }
  return isCached ? await cachedResponse(request, () => handle(request)) : await handle(request)
}

function indented(response: WholeResponse, indent: number): HttpResponse {
  if (response.type !== undefined || response.body === undefined) return response
  return { ...response, body: indentJson(bodyText(response), indent) }
}

/** Browsers keep the last of several cookies with one name, so the response's own cookies go last. */
const withCookies = (response: HttpResponse, cookies: readonly string[] = []): HttpResponse =>
  cookies.length === 0 ? response : { ...response, cookies: [...cookies, ...(response.cookies ?? [])] }

/** Throws `unauthenticated` without credentials, unless anonymous reading is enabled. */
function requireAdmission(endpoint: Endpoint, actor: Actor, method: string, { loginRequired }: Settings): void {
  if (endpoint.access !== undefined || actor.kind === 'user') return
  if (loginRequired || !isSafe(method) || method === 'OPTIONS') throw credentialsMissing()
}

/** The operation of the method. Throws `methodNotAllowed`. The HTTP server omits the body of a response to HEAD. */
function requireOperation(endpoint: Endpoint, method: string): Operation {
  const isStrict = endpoint.otherMethods !== undefined
  if (method === 'OPTIONS' && !isStrict) return { handle: (request) => options(request, endpoint) }
  const operation = method === 'HEAD' && isStrict ? undefined : operationOf(endpoint, method)
  if (operation) return operation
  throw new ApiError({ kind: 'methodNotAllowed', method, allowed: allowedMethods(endpoint) })
}

function requireWriter(operation: Operation, actor: Actor, method: string, { maintenanceMode }: Settings): void {
  if (isSafe(method)) return
  if (actor.kind === 'user' && !actor.writeEnabled) {
    const { isReading, takesReadingTokens, observe } = operation
    // Preferences are no part of the inventory, but an agent writes by plans only, and an observer not at all.
    const mayRead = takesReadingTokens && (isReading || !(actor.plansOnly || actor.observing))
    const isAllowed = mayRead || (actor.observing && observe !== undefined)
    if (!isAllowed)
      throw forbidden(actor.observing && 'This token can only observe, and this request cannot be observed.')
  }
  if (maintenanceMode && !operation.isReading) {
    const detail = 'The service is in maintenance mode: it accepts no changes at present.'
    throw new ApiError({ kind: 'unavailable', detail })
  }
}
