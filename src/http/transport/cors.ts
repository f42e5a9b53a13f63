import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../config/settings.ts'

type CorsSettings = Pick<
  Settings,
  'corsOriginAllowAll' | 'corsOriginWhitelist' | 'corsOriginRegexWhitelist'
>

// By hand, since @fastify/cors has a route of its own where ours catches everything, and takes every
// OPTIONS for a question of a browser's. Cookies never count: no Access-Control-Allow-Credentials.
const EXPOSED = {
  'Access-Control-Expose-Headers': 'API-Version, ETag, Location, Retry-After, X-Request-ID',
}
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE',
  /** Seconds for which a browser may remember this. */
  'Access-Control-Max-Age': '86400',
  Vary: 'Origin, Access-Control-Request-Headers',
}

/**
 * Lets pages of the sites that the configuration names read answers, with a token that they bring
 * themselves (Fetch standard, "CORS protocol"). Does nothing where it names none.
 */
export function allowOrigins(app: FastifyInstance, settings: CorsSettings): void {
  const allowedFor = originRule(settings)
  if (!allowedFor) return
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, ...headers } = request.headers
    const allowed = origin === undefined ? undefined : allowedFor(origin)
    if (allowed === undefined) return done()
    reply.headers({ 'Access-Control-Allow-Origin': allowed, ...EXPOSED })
    // Any other OPTIONS asks what an endpoint takes.
    const isPreflight =
      request.method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    if (!isPreflight) return done()
    const wanted = headers['access-control-request-headers']
    reply.code(204).headers(PREFLIGHT)
    if (wanted !== undefined) reply.header('Access-Control-Allow-Headers', wanted)
    reply.send()
  })
}

type OriginRule = (origin: string) => string | undefined

/** What an answer names as the origin that may read it; undefined where nobody may. */
function originRule({
  corsOriginAllowAll,
  corsOriginWhitelist,
  corsOriginRegexWhitelist,
}: CorsSettings): OriginRule | undefined {
  if (corsOriginAllowAll) return () => '*'
  const named = [...corsOriginWhitelist.map(expressionOf), ...corsOriginRegexWhitelist]
  if (named.length === 0) return undefined
  return (origin) => (named.some((expression) => expression.test(origin)) ? origin : undefined)
}

/** The origin as an expression; `*.` stands for whatever is below the host. */
function expressionOf(origin: string): RegExp {
  const [before = '', below] = origin.split('*').map((part) => part.replace(/[.[\]]/g, '\\$&'))
  return new RegExp(below === undefined ? `^${before}$` : `^${before}[\\w.-]+${below}$`)
}
