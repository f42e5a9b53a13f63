import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../config/settings.ts'

type CorsSettings = Pick<Settings, 'corsOriginAllowAll' | 'corsOriginWhitelist' | 'corsOriginRegexWhitelist'>

// Implemented here because @fastify/cors registers a route of its own, although this service catches all paths, and
// treats every OPTIONS as a preflight. Cookies are never accepted: no Access-Control-Allow-Credentials.
const EXPOSED = {
  'Access-Control-Expose-Headers': 'API-Version, ETag, Location, Retry-After, X-Request-ID',
}
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE',
  /** Seconds for which a browser may cache the preflight response. */
  'Access-Control-Max-Age': '86400',
  Vary: 'Origin, Access-Control-Request-Headers',
}

/**
 * Allows pages of the configured origins to read responses, with a token of their own (Fetch standard, "CORS
 * protocol"). Does nothing without configured origins.
 */
export function allowOrigins(app: FastifyInstance, settings: CorsSettings): void {
  const allowedFor = originRule(settings)
  if (!allowedFor) return
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, ...headers } = request.headers
    const allowed = origin === undefined ? undefined : allowedFor(origin)
    if (allowed === undefined) return done()
    reply.headers({ 'Access-Control-Allow-Origin': allowed, ...EXPOSED })
    // Any other OPTIONS request goes to the endpoint.
    const isPreflight = request.method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    if (!isPreflight) return done()
    const requestedHeaders = headers['access-control-request-headers']
    reply.code(204).headers(PREFLIGHT)
    if (requestedHeaders !== undefined) reply.header('Access-Control-Allow-Headers', requestedHeaders)
    reply.send()
  })
}

type OriginRule = (origin: string) => string | undefined

/** Function from a request's origin to the allowed origin of the response; undefined if no origin is allowed. */
function originRule({
  corsOriginAllowAll,
  corsOriginWhitelist,
  corsOriginRegexWhitelist,
}: CorsSettings): OriginRule | undefined {
  if (corsOriginAllowAll) return () => '*'
  const expressions = [...corsOriginWhitelist.map(expressionOf), ...corsOriginRegexWhitelist]
  if (expressions.length === 0) return undefined
  return (origin) => (expressions.some((expression) => expression.test(origin)) ? origin : undefined)
}

/** The origin as an expression; `*.` matches every host below the one that follows. */
function expressionOf(origin: string): RegExp {
  const [before = '', below] = origin.split('*').map((literal) => literal.replace(/[.[\]]/g, '\\$&'))
  return new RegExp(below === undefined ? `^${before}$` : `^${before}[\\w.-]+${below}$`)
}
