import { randomUUID } from 'node:crypto'
import { METHODS } from 'node:http'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { allowedMethods, isFile } from '../../api/endpoint.ts'
import type { Stopping } from '../../api/endpoints/health.ts'
import type { Metrics } from '../../api/endpoints/metrics.ts'
import { errorResponse } from '../../api/errors.ts'
import type { GrpcCall } from '../../api/grpc-call.ts'
import { type HttpResponse, isWhole, JSON_TYPE } from '../../api/response.ts'
import type { Route, Routes } from '../../api/routes.ts'
import { identify } from '../../api/sessions/identify.ts'
import { baseUrl } from '../../api/transport/base-url.ts'
import { clientSignal } from '../../api/transport/client-signal.ts'
import { compressResponses } from '../../api/transport/compression.ts'
import { allowOrigins } from '../../api/transport/cors.ts'
import { denials } from '../../api/transport/denials.ts'
import { lazyBody } from '../../api/transport/lazy-body.ts'
import { checkParameters } from '../../api/transport/limits.ts'
import { NamedHeaders } from '../../api/transport/named-headers.ts'
import { observe } from '../../api/transport/observe.ts'
import { OpenStreams } from '../../api/transport/open-streams.ts'
import { requestLog } from '../../api/transport/request-log.ts'
import { isSafe } from '../../api/transport/safe-methods.ts'
import { safeUrl } from '../../api/transport/safe-url.ts'
import { securityHeaders } from '../../api/transport/security-headers.ts'
import type { Unidentified } from '../../api/transport/sender.ts'
import { withinTime } from '../../api/transport/time-limit.ts'
import { refuseUnreadable } from '../../api/transport/unreadable.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { ApiError } from '../../base/errors.ts'
import { EVENT_STREAM } from '../../changes/stream/event-source.ts'
import { eventStreamOf } from '../../changes/stream/event-stream.ts'
import { PROGRAM_VERSION } from '../../config/program-version.ts'
import type { Settings } from '../../config/settings.ts'
import { isOutdated } from '../../db/failures.ts'
import { asOneRequest } from '../../db/query-groups.ts'
import type { Authentication } from '../../identity/authenticate.ts'
import type { Service } from '../../service.ts'
import { failurePage, notFoundPath, nothingAt, redirectTo } from '../../web/frame/error-pages.ts'
import { dispatch } from './dispatch.ts'
import { createGrpcServer } from './grpc-server.ts'
import { type SharedPort, sharedPort } from './shared-port.ts'

/** Milliseconds; clients reuse connections and fail when the server closes them first. */
const KEEP_ALIVE = 75_000
/** Milliseconds until a request must be received completely; large uploads take time. */
const REQUEST_TIMEOUT = 300_000
/** Request headers that responses depend on: those that NetBox lists, then version, user and branch. */
const VARY = 'HX-Request, Accept-Language, Cookie, origin, Accept, Authorization, X-NetBox-Branch'

/** Who may send requests, and the endpoints that answer them. */
export interface Served {
  readonly authentication: Authentication
  readonly routes: Pick<Routes, 'find'>
  /** gRPC calls, by service and method. */
  readonly calls: ReadonlyMap<string, GrpcCall>
}

/** What the server serves: it changes when users define models. */
export interface Serving {
  /** What the latest request got. */
  now(): Served
  /** For the next request, which sees every model that has been defined before it. */
  next(): Served | Promise<Served>
  /** For a request to be repeated because the tables have changed in the meantime. */
  renewed(): Promise<Served>
}

/** The HTTP server, not listening yet. Closing it lets requests in flight finish. */
export async function createServer(
  serving: Serving,
  logger: FastifyBaseLogger,
  stopping: Stopping,
  metrics: Metrics | undefined,
): Promise<FastifyInstance> {
  const { service, audit } = serving.now().authentication
  const { settings } = service
  const protection = securityHeaders(settings)
  const streams = new OpenStreams()
  const send = (request: FastifyRequest, reply: FastifyReply, response: HttpResponse): FastifyReply =>
    sendWith({
      ...{ streams, request, reply, version: service.settings.apiVersion },
      protection: stopping.isBegun ? { ...protection(response), Connection: 'close' } : protection(response),
      response,
    })
  const traces = await tracesOf(settings, logger)
  const callable = ({ authentication, calls }: Served) => ({ service: authentication.service, calls })
  const grpc = createGrpcServer(async () => callable(await serving.next()), logger)
  const ports: SharedPort[] = []
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (listener) => {
      const port = sharedPort(
        { ServerResponse: NamedHeaders, keepAliveTimeout: KEEP_ALIVE, requestTimeout: REQUEST_TIMEOUT },
        listener,
        grpc,
      )
      ports.push(port)
      return port.server
    },
    genReqId: () => randomUUID(),
    trustProxy: typeof settings.trustProxy === 'boolean' ? settings.trustProxy : [...settings.trustProxy],
    bodyLimit: settings.maxBodySize,
    // Requests on connections that are still open are answered, with `Connection: close`.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void fail(request, reply, error),
    clientErrorHandler: refuseUnreadable,
  })
  app.addHook('preClose', async () => {
    for (const port of ports) port.closeUnused()
    grpc.close()
    // The connections of requests in flight are closed after their responses, instead of waiting for another request.
    app.server.keepAliveTimeout = 1
    eventStreamOf(service).close()
    streams.close()
  })
  app.addHook('onClose', async () => await traces?.close())
  for (const method of METHODS) {
    // Registered so that they are refused like other methods; CONNECT asks for a tunnel and never becomes a request.
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) {
      app.addHttpMethod(method, { hasBody: true })
    }
  }
  await app.register(multipart, {
    limits: { fieldSize: settings.maxBodySize, parts: 1_000 },
  })
  allowOrigins(app, settings)
  compressResponses(app, settings)
  // Bodies are parsed after authentication, for the endpoint that receives them.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const fail = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const response = errorResponse(translate(error, settings.maxBodySize))
    if (!response) logger.error({ err: error, request: request.id, url: safeUrl(request.url) }, 'request failed')
    const failure = response ?? mistake(request.id)
    const path = pathOf(request.url, settings.basePath)
    const page = failurePage(
      { service: serving.now().authentication.service, headers: singleHeaders(request) },
      path,
      failure,
    )
    return send(request, reply, page ?? failure)
  }
  const begin = observe(
    app,
    [requestLog(logger, settings), metrics?.observer, traces?.observer, denials(audit)].filter(
      (observer) => observer !== undefined,
    ),
  )
  app.addHook('onResponse', async ({ raw }) => drain(raw))
  app.setErrorHandler((error, request, reply) => fail(request, reply, error))
  app.route({
    method: app.supportedMethods,
    url: '/*',
    handler: async (request, reply) => {
      const path = pathOf(request.url, settings.basePath)
      const next = serving.next()
      // Awaited only if necessary: a body that nobody reads is discarded in the same turn.
      const served = next instanceof Promise ? await next : next
      const { authentication, routes } = served
      const { service } = authentication
      const pageRequest = { service, headers: singleHeaders(request) }
      const found = routes.find(path)
      const notFound = found ? undefined : notFoundPath(pageRequest, request.method, path)
      const route = notFound === undefined ? found : routes.find(notFound)
      const findings = begin(request)
      findings.routed(route)
      if (traces) findings.statements = { count: 0, milliseconds: 0 }
      const isComplete = (route && isFile(route.endpoint)) || path.endsWith('/') || notFound !== undefined
      if (route && !isComplete && isSafe(request.method)) {
        const [, query = ''] = request.url.split(/(?=\?)/)
        return send(request, reply, redirectTo(pageRequest, `${path}/${query}`))
      }
      if (!route || !isComplete) {
        // Redirected, a write would become a read.
        const detail = route && `Paths end with a slash: ${path}/`
        return send(request, reply, nothingAt(pageRequest, path, detail))
      }
      reply.header('Allow', allowedMethods(route.endpoint).join(', '))
      const body = lazyBody(request, settings, route.endpoint.access === 'public')
      const respond = async (current: Served, target: Route): Promise<HttpResponse> => {
        const unidentifiedRequest: Unidentified = {
          ...unidentified(current.authentication.service, request, reply, target, path),
          body,
          currentActor: async () => (await identify(current.authentication, unidentifiedRequest)).actor,
        }
        return await dispatch(unidentifiedRequest, target, async () => {
          const sender = await identify(current.authentication, unidentifiedRequest)
          findings.identified(sender.actor)
          return sender
        })
      }
      const work = asOneRequest(
        () =>
          respond(served, route).catch(async (error: unknown) => {
            if (!isOutdated(error)) throw error
            // Nothing has been changed: a definition has changed the tables in the meantime.
            const renewed = await serving.renewed()
            return await respond(renewed, renewed.routes.find(path) ?? route)
          }),
        findings.statements,
      )
      const response = await withinTime(settings.requestTimeout, work)
      return send(request, reply, response)
    },
  })
  return app

  function unidentified(
    current: Service,
    request: FastifyRequest,
    reply: FastifyReply,
    route: Route,
    path: string,
  ): Omit<Unidentified, 'currentActor' | 'body'> {
    const host = route.endpoint.kind === 'probe' ? 'localhost' : request.host
    const base = baseUrl(request.protocol, host, settings.basePath)
    const query = request.url.indexOf('?')
    if (query >= 0) checkParameters(request.url.slice(query), settings.maxQueryParameters)
    const url = new URL(`${base}${path}${query < 0 ? '' : request.url.slice(query)}`)
    return {
      service: current,
      id: request.id,
      method: request.method,
      address: request.ip,
      peer: request.socket.remoteAddress,
      base,
      url,
      search: url.searchParams,
      parameters: route.parameters,
      headers: singleHeaders(request),
      signal: clientSignal(reply.raw, settings.requestTimeout),
    }
  }
}

/**
 * Discards the rest of a body that was refused before it was read to its end. Otherwise, the next request on the
 * connection, which follows that body, would not be read either.
 */
function drain(body: Readable): void {
  if (body.readableEnded) return
  body.unpipe()
  body.resume()
}

/** Loaded only if the configuration names a collector. */
async function tracesOf(settings: Settings, logger: FastifyBaseLogger) {
  const { otelExporterOtlpEndpoint: endpoint } = settings
  if (endpoint === undefined) return undefined
  const { Traces } = await import('../../api/transport/traces.ts')
  return new Traces(endpoint, settings, PROGRAM_VERSION, (sentence) => logger.warn(sentence))
}

/** The path below the base path. A proxy may have removed the base path. */
function pathOf(url: string, basePath: string): string {
  const [path = '/'] = url.split('?')
  return basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}

/** Headers with repeated ones joined as HTTP defines it. */
function singleHeaders({ headers }: FastifyRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

interface Sending {
  readonly protection: Readonly<Record<string, string>>
  readonly streams: OpenStreams
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly response: HttpResponse
  /** The version of the API, if the response names none. */
  readonly version: ApiVersion
}

function sendWith({ protection, streams, request, reply, response, version }: Sending): FastifyReply {
  reply.code(response.status)
  reply.header('X-Request-ID', request.id)
  reply.header('API-Version', version)
  reply.header('Vary', VARY)
  reply.headers(protection)
  for (const [name, value] of Object.entries(response.headers ?? {})) reply.header(name, value)
  if (response.cookies) reply.header('Set-Cookie', [...response.cookies])
  const { body } = response
  if (body === undefined) return reply.send()
  reply.header('Content-Type', response.type ?? JSON_TYPE)
  if (!isWhole(body)) {
    if (request.method === 'HEAD') return reply.send()
    return reply.send(response.type === EVENT_STREAM ? streams.add(body) : Readable.from(body, { objectMode: false }))
  }
  // Bytes, because the framework adds a charset to the type of a text, which JSON does not have.
  return reply.send(typeof body === 'string' ? Buffer.from(body) : body)
}

/** Errors of the framework as errors of the API. */
function translate(error: unknown, limit: number): unknown {
  const { code, statusCode, message } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || code === 'FST_REQ_FILE_TOO_LARGE') {
    return new ApiError({ kind: 'tooLarge', limit })
  }
  if (error instanceof ApiError || !code?.startsWith('FST_') || (statusCode ?? 500) >= 500) return error
  return new ApiError({ kind: 'malformed', detail: message ?? 'The request cannot be parsed.' })
}

/** Response to an internal error, which is logged in full; the client gets only the request's id. */
const mistake = (requestId: string): HttpResponse => ({
  status: 500,
  body: JSON.stringify({
    detail: `An internal error occurred. The log has the details under the request id ${requestId}.`,
  }),
})
